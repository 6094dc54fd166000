import SheafBytes
import SheafGroups

/// Merges sorted state files into one.
struct StateRewriter {
    private let storage: any Storage
    private let maximumArguments: Int
    private let tracksAll: Bool
    private let timeline: Timeline?

    init(_ options: StateOptions, storage: any Storage) {
        self.storage = storage
        maximumArguments = options.maximumArguments
        tracksAll = options.tracksAll
        timeline = options.timeline
    }

    /// Writes the newest versions of the notifications in `files`, at most `Limits.mergedFiles` files. Subtracts the
    /// notifications from the files' counts, so it must be called only once.
    ///
    /// - Parameter check: called periodically; throws to interrupt the merge.
    /// - Returns: the number of notifications that were replaced by newer versions in other files.
    func mergeNotifications(
        _ files: inout [StateFile], to writer: inout StateWriter, check: () throws(ReplayError) -> Void
    ) throws(ReplayError) -> UInt64 {
        var versions = try NewestVersions(files, timeline, storage: storage)
        var record = OutputBuffer()
        var count = 0
        while let entry = try versions.next() {
            record.removeAll()
            record.append(entry, in: versions.bytes, tracksAll: tracksAll)
            try writer.add(record.bytes, to: .notifications)
            count += 1
            if count % Limits.groupsPerPiece == 0 { try check() }
        }
        versions.take(from: &files)
        return versions.replaced
    }

    /// Writes the groups in `files`, at most `Limits.mergedFiles` files, in the order of `Entry`. States with equal
    /// keys are merged.
    ///
    /// - Returns: the number of merged groups.
    func mergeGroups<Entry: StateRecord>(
        _ entry: Entry.Type, _ files: [StateFile], to writer: inout StateWriter,
        check: () throws(ReplayError) -> Void
    ) throws(ReplayError) -> UInt64 {
        var count: UInt64 = 0
        var groups = try RewrittenGroups<Entry>(files, maximumArguments: maximumArguments, storage: storage)
        while try groups.next(check: check) {
            try writer.add(groups.bytes, to: .groups)
            count += 1
        }
        return count
    }
}
