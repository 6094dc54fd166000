import SheafBytes
import SheafGroups

/// The notifications of several sorted state files that are on screen at the end: the newest version of each, unless a
/// removal is newer.
///
/// Holds the removals without a device, and those of one device and app.
struct LiveVersions {
    private var versions: NewestVersions
    /// `next` takes it out while it runs.
    private var removals = HeldRemovals(nil)
    /// The number of notifications that were removed.
    private(set) var removed: UInt64 = 0

    init(_ files: [StateFile], storage: any Storage) throws(ReplayError) {
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
        defer { swap(&held, &removals) }
        while let entry = try versions.next() {
            if let removal = entry.removal {
                held.add(removal, of: entry, in: versions.bytes)
            } else if held.firstRemoval(of: entry, in: versions.bytes) != nil {
                removed += 1
            } else {
                return entry.record
            }
        }
        return nil
    }
}
