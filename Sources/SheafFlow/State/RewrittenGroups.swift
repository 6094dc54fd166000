import SheafBytes
import SheafGroups

/// The groups of several sorted state files as records, one state for each group.
///
/// Holds one piece of encoded groups, and one merged group.
struct RewrittenGroups<Entry: StateRecord>: ~Copyable {
    private var merged: MergedGroups<Entry>
    private var groups = EncodedGroups()
    /// The index of the current group; the end before the first piece and after the last group.
    private var index: EncodedGroups.Index = 0
    private var store: GroupStore
    private var encoder = GroupEncoder()
    /// The current group, unless its state is used unchanged.
    private var record = OutputBuffer()

    init(_ files: [StateFile], maximumArguments: Int, storage: any Storage) throws(ReplayError) {
        merged = try MergedGroups(files, storage: storage)
        store = GroupStore(maximumArguments: maximumArguments)
    }

    /// The record of the group that `next` found last.
    var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get {
            if let finished = groups.finished(index) { return finished }
            return record.bytes
        }
    }

    /// The number of notifications in the group that `next` found last.
    var notificationCount: UInt64 { groups.notificationCount(ofGroupAt: index) }

    /// Advances to the next group; returns false after the last one.
    ///
    /// - Parameter check: called periodically; throws to stop.
    mutating func next(check: () throws(ReplayError) -> Void) throws(ReplayError) -> Bool {
        if index < groups.end { index = groups.end(ofGroupAt: index) }
        if index == groups.end {
            try check()
            try merged.take(into: &groups)
            index = 0
            if groups.groupCount == 0 { return false }
        }
        if groups.finished(index) == nil {
            groups.encode(groupAt: index, in: &store, by: &encoder, to: &record)
        }
        return true
    }
}
