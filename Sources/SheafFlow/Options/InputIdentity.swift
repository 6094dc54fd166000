import SheafGroups

/// How log entries are read: by which description, in which version, with which app for records without one, and which
/// of them are grouped.
///
/// Two runs that read the same entries with the same identity get the same records.
struct InputIdentity: Equatable, Sendable {
    /// The name of the description, or the path of its file as given.
    var name = "auto"
    /// A digest of the description's contents; empty if the name alone determines them.
    var digest = ""
    /// The app of records that name none; nil if such records are rejected.
    var app: String?
    /// Which of the records are grouped.
    var filter = RecordFilter()
    /// Whether removals are applied.
    var appliesRemovals = false
    /// Whether what becomes of notifications is tracked.
    var tracksDelivery = false
    /// The instants of the snapshots; nil for a single one.
    var timeline: Timeline?

    /// Whether this is the identity of a run without options for its input.
    var isDefault: Bool { self == InputIdentity() }

    /// The first difference between two identities, in the order in which users should read them.
    enum Difference: Equatable {
        case name
        case digest
        case app
        case window
        case selection
        case removals
        case delivery
        case timeline
    }

    /// Returns the first difference from another identity; nil if they are equal.
    func difference(from other: InputIdentity) -> Difference? {
        if name != other.name { return .name }
        if digest != other.digest { return .digest }
        if app != other.app { return .app }
        if (filter.since, filter.until) != (other.filter.since, other.filter.until) { return .window }
        if filter != other.filter { return .selection }
        if appliesRemovals != other.appliesRemovals { return .removals }
        if tracksDelivery != other.tracksDelivery { return .delivery }
        return timeline == other.timeline ? nil : .timeline
    }
}

extension InputIdentity {
    /// The options that give the timeline, as part of a message.
    var shownTimeline: OptionMessage {
        guard let timeline else { return "no \(.every)" }
        return
            "\(.every) \(timeline.step)ms on a clock that differs from UTC by \(timeline.offset / 60_000) minutes"
    }

    /// The app of records that name none, as part of a message.
    var shownApp: String { app.map { "'\($0)'" } ?? "none" }
}
