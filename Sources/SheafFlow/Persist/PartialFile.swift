import SheafBytes
import SheafGroups

/// A partial result: everything of a replay but what depends on how it is shown, in one file (see the page on partial
/// results for its bytes).
enum PartialFile {
    /// Writes what `files` hold.
    static func write(
        _ files: inout StateFiles, header: PartialHeader, to output: OutputFile,
        counts: (UInt64) throws(ReplayError) -> RunCounts
    ) throws(ReplayError) {
        var writer = try StateWriter(output, magic: .partial)
        var record = OutputBuffer()
        header.append(to: &record)
        try writer.add(record.bytes, to: .header)
        try files.write(to: &writer)
        record.removeAll()
        try counts(files.replaced).append(to: &record)
        try writer.add(record.bytes, to: .counts)
        try writer.end()
    }

    /// What a partial result says of itself.
    struct Summary {
        let header: PartialHeader
        let counts: RunCounts

        /// The file, whose records must be of what it says of itself.
        ///
        /// - Parameter sourceOffset: how many sources the files before it have.
        func file(_ path: String, sourceOffset: Int) -> StateFile {
            StateFile(
                path: path, magic: .partial, sourceOffset: sourceOffset, sourceCount: header.sources.count,
                notificationCount: counts.tally.notifications - counts.updated, rules: header.rules)
        }
    }

    /// Reads a partial result to its end, so that whatever is damaged in it is found before anything is merged.
    static func read(_ path: String, storage: any Storage) throws(ReplayError) -> Summary {
        let file = StateFile(path: path, magic: .partial)
        let header = try StateReader.only(of: .header, file, storage, readsOn: false) { PartialHeader($0) }
        let counts = try StateReader.only(of: .counts, file, storage) {
            RunCounts($0, sourceCount: header.sources.count)
        }
        return Summary(header: header, counts: counts)
    }
}
