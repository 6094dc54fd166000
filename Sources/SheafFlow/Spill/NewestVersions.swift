import SheafBytes
import SheafGroups

/// Merges the notifications of several sorted state files, and keeps the newest version of each (specification §5).
struct NewestVersions {
    private var merge: StateMerge<NotificationEntry>
    /// The cursor at the first version of the next notification; nil after the last notification.
    private var ahead: StateCursor<NotificationEntry>?
    /// The texts of the notification that `next` returned last.
    private var texts: [UInt8] = []
    /// The number of versions that were not the newest.
    private(set) var replaced: UInt64 = 0

    init(_ files: [StateFile], storage: any Storage) throws(ReplayError) {
        merge = try StateMerge(files, storage: storage)
        ahead = try merge.next()
    }

    /// Subtracts the number of versions in each file from its notifications, once `next` has returned nil.
    func take(from files: inout [StateFile]) {
        for (index, count) in merge.counts.enumerated() { files[index].take(count) }
    }

    /// The buffer of the texts of the notification that `next` returned last.
    var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get { texts.span }
    }

    /// Returns the newest version of the next notification; nil after the last notification.
    mutating func next() throws(ReplayError) -> NotificationRecord? {
        guard let first = ahead else { return nil }
        var newest = take(first)
        while true {
            ahead = try merge.next()
            guard let other = ahead,
                other.withBytes({ newest.compare(texts.span, to: other.entry, $0) }) == 0
            else { return newest.record }
            replaced += 1
            if other.entry.record.order > newest.record.order { newest = take(other) }
        }
    }

    private mutating func take(_ cursor: StateCursor<NotificationEntry>) -> NotificationEntry {
        texts.removeAll(keepingCapacity: true)
        cursor.withBytes { texts.append($0) }
        return cursor.entry
    }
}
