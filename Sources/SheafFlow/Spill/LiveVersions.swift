import SheafBytes
import SheafGroups

/// The notifications of several sorted state files that are on screen at the end: the newest version of each, unless a
/// removal is newer, or settings suppressed it.
///
/// Holds the removals and changes of settings without a device, the removals of one device and app, and the changes of
/// one device.
struct LiveVersions {
    private var versions: NewestVersions
    /// `next` takes it out while it runs.
    private var removals = HeldRemovals(nil)
    /// nil if what becomes of notifications is not tracked. `next` takes it out while it runs.
    private var settings: HeldSettings?
    /// The notifications that are not on screen.
    private(set) var hidden = HiddenCounts()

    init(_ files: [StateFile], _ rules: DeliveryRules?, storage: any Storage) throws(ReplayError) {
        settings = rules.map { HeldSettings($0) }
        versions = try NewestVersions(files, nil, storage: storage)
    }

    /// The number of versions that were not the newest.
    var replaced: UInt64 { versions.replaced }

    /// Subtracts the number of versions in each file from its notifications, once `next` has returned nil.
    func take(from files: inout [StateFile]) { versions.take(from: &files) }

    /// The buffer of the texts of the notification that `next` returned last.
    var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get { versions.bytes }
    }

    /// Returns the next notification; nil after the last one.
    mutating func next() throws(ReplayError) -> NotificationRecord? {
        var held = HeldRemovals(nil)
        swap(&held, &removals)
        var settings = self.settings.take()
        defer {
            swap(&held, &removals)
            self.settings = settings
        }
        while let entry = try versions.next() {
            if let change = entry.settings {
                settings?.add(change, in: versions.bytes)
                continue
            }
            if let removal = entry.removal {
                held.add(removal, of: entry, in: versions.bytes)
                continue
            }
            var record = entry.record
            if settings != nil {
                guard let effect = settings?.effect(on: record, in: versions.bytes) else {
                    hidden.suppressed += 1
                    continue
                }
                record.effect = effect
            }
            if held.firstRemoval(of: entry, in: versions.bytes) == nil { return record }
            hidden.removed += 1
        }
        return nil
    }
}
