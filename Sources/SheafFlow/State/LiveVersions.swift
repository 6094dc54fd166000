import SheafBytes
import SheafGroups

/// The notifications of several sorted state files that are on screen at the end: the newest version of each, unless a
/// removal is newer, or settings suppressed it.
///
/// Holds what `HeldReports` holds.
struct LiveVersions {
    private var versions: NewestVersions
    /// nil only while `next` runs.
    private var reports: HeldReports?
    private let rules: DeliveryRules?
    /// The texts of the notification that `next` returned last, if a service extension replaced its content.
    private var texts: [UInt8] = []
    private var isReplaced = false
    /// The notifications that are not on screen.
    private(set) var hidden = HiddenCounts()

    init(_ files: [StateFile], _ rules: DeliveryRules?, storage: any Storage) throws(ReplayError) {
        self.rules = rules
        reports = HeldReports(nil, rules)
        versions = try NewestVersions(files, nil, storage: storage)
    }

    /// The number of versions that were not the newest.
    var updated: UInt64 { versions.replaced }

    /// Subtracts the number of versions in each file from its notifications, once `next` has returned nil.
    func take(from files: inout [StateFile]) { versions.take(from: &files) }

    /// The buffer of the texts of the notification that `next` returned last.
    var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get {
            if isReplaced { return texts.span }
            return versions.bytes
        }
    }

    /// Returns the next notification; nil after the last one.
    mutating func next() throws(ReplayError) -> NotificationRecord? {
        guard var held = reports.take() else { preconditionFailure("entered twice") }
        defer { reports = held }
        while let entry = try versions.next() {
            if held.add(entry, in: versions.bytes) { continue }
            let content = held.newest(of: entry, in: versions.bytes)
            guard let effect = content.effect else {
                hidden.suppressed += 1
                continue
            }
            guard content.removal == nil else {
                hidden.removed += 1
                continue
            }
            isReplaced = content.texts != nil
            if let replaced = content.texts { texts = replaced }
            var record = content.record
            if rules != nil { record.effect = effect }
            return record
        }
        return nil
    }
}
