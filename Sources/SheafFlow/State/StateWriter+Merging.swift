import SheafBytes
import SheafGroups

/// Merging sorted state files into one.
extension StateWriter {
    /// Writes the newest versions of the notifications in `files`, at most `Limits.mergedFiles` files. Subtracts the
    /// notifications from the files' counts, so it must be called only once.
    ///
    /// - Parameters:
    ///   - found: the numbers of notifications that newer versions in other files replace, and of repeated ones, are added.
    ///   - check: called periodically; throws to interrupt the merge.
    mutating func mergeNotifications(
        _ files: inout [StateFile], _ options: StateOptions, found: inout RunCounts, storage: any Storage,
        check: () throws(ReplayError) -> Void
    ) throws(ReplayError) {
        var versions = try NewestVersions(files, options.versions, storage: storage)
        var record = OutputBuffer()
        var count = 0
        while let entry = try versions.next() {
            record.removeAll()
            record.append(entry, in: versions.bytes, isTagged: options.isTagged)
            try add(record.bytes, to: .notifications)
            count += 1
            if count % Limits.groupsPerPiece == 0 { try check() }
        }
        versions.take(from: &files)
        found.updated += versions.replaced
        found.repeated += versions.repeated
    }

    /// Writes the groups in `files`, at most `Limits.mergedFiles` files, in the order of `Entry`. States with equal
    /// keys are merged.
    ///
    /// - Returns: the number of merged groups.
    mutating func mergeGroups<Entry: StateRecord>(
        _ entry: Entry.Type, _ files: [StateFile], _ options: StateOptions, storage: any Storage,
        check: () throws(ReplayError) -> Void
    ) throws(ReplayError) -> UInt64 {
        var count: UInt64 = 0
        var groups = try RewrittenGroups<Entry>(
            files, maximumArguments: options.maximumArguments, storage: storage)
        while try groups.next(check: check) {
            try add(groups.bytes, to: .groups)
            count += 1
        }
        return count
    }
}

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
