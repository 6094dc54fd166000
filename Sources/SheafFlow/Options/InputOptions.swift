import SheafGroups

/// The options that determine how records are read from lines.
struct InputOptions: Sendable {
    var log = LogInput.automatic
    /// The app of records that have none.
    var defaultApp: String?
    /// Which of the records are grouped or checked.
    var filter = RecordFilter()

    /// The number of bytes that texts may take which no line has, in addition to those of localized alerts.
    var constantBytes: Int { log.constantBytes + (defaultApp?.utf8.count ?? 0) }
}
