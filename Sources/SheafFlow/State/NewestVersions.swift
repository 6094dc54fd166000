import SheafBytes
import SheafGroups

/// Merges the notifications and removals of several sorted state files, and keeps the newest version of each
/// notification (specification §5), and the newest removal of each scope (§15): with a timeline, those of each
/// interval.
struct NewestVersions {
    private var merge: StateMerge<NotificationEntry>
    /// The cursor at the record after the one that `next` returned last; nil after the last record.
    private var ahead: StateCursor<NotificationEntry>?
    /// The texts of the record that `next` returned last.
    private(set) var texts: [UInt8] = []
    /// The number of versions that were not the newest.
    private(set) var replaced: UInt64 = 0
    private let timeline: Timeline?

    init(_ files: [StateFile], _ timeline: Timeline?, storage: any Storage) throws(ReplayError) {
        self.timeline = timeline
        merge = try StateMerge(files, storage: storage)
        ahead = try merge.next()
    }

    /// Subtracts the number of versions in each file from its notifications, once `next` has returned nil.
    func take(from files: inout [StateFile]) {
        for (index, count) in merge.counts.enumerated() { files[index].take(count) }
    }

    /// The buffer of the texts of the record that `next` returned last.
    var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get { texts.span }
    }

    /// Returns the next notification in its newest version, or the next removal; nil after the last one.
    mutating func next() throws(ReplayError) -> NotificationEntry? {
        guard let first = ahead else { return nil }
        var newest = take(first)
        while true {
            ahead = try merge.next()
            // Versions follow each other from the oldest to the newest.
            guard let other = ahead,
                other.withBytes({ other.entry.isVersion($0, of: newest, texts.span) }),
                timeline?.areTogether(other.entry.newest.timestamp, newest.newest.timestamp) ?? true
            else { return newest }
            replaced += newest.notificationCount
            newest = take(other)
        }
    }

    private mutating func take(_ cursor: StateCursor<NotificationEntry>) -> NotificationEntry {
        texts.removeAll(keepingCapacity: true)
        cursor.withBytes { texts.append($0) }
        return cursor.entry
    }
}
