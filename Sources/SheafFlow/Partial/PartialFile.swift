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
        private let sizes: StateFile

        fileprivate init(header: PartialHeader, counts: RunCounts, sizes: StateFile) {
            self.header = header
            self.counts = counts
            self.sizes = sizes
        }

        /// The file, whose records must be of what it says of itself.
        ///
        /// - Parameter sourceOffset: how many sources the files before it have.
        func file(_ path: String, sourceOffset: Int) -> StateFile {
            StateFile(
                path: path, magic: .partial, largestFrame: sizes.largestFrame,
                maximumFrame: sizes.maximumFrame, sourceOffset: sourceOffset,
                sourceCount: header.sources.count,
                notificationCount: counts.tally.notifications - counts.updated, rules: header.rules)
        }
    }

    /// Reads a partial result to its end, so that whatever is damaged in it is found before anything is merged.
    ///
    /// - Parameter maximumFrame: the longest frame that is read, in bytes.
    static func read(
        _ path: String, maximumFrame: Int = FrameHeader.maximumLength, storage: any Storage
    ) throws(ReplayError) -> Summary {
        var file = StateFile(path: path, magic: .partial, maximumFrame: maximumFrame)
        let header: PartialHeader
        do {
            header = try StateReader.only(of: .header, file, storage, readsOn: false) { PartialHeader($0) }
                .value
        } catch {
            guard case .damaged(_, .foreign, _) = error, let contents = contents(of: path, storage) else {
                throw error
            }
            throw .notPartial(path: path, holds: contents)
        }
        let (counts, largestFrame) = try StateReader.only(of: .counts, file, storage) {
            RunCounts($0, sourceCount: header.sources.count)
        }
        file.largestFrame = max(file.largestFrame, largestFrame)
        return Summary(header: header, counts: counts, sizes: file)
    }

    /// What a file holds that is not a partial result; nil where that does not show.
    private static func contents(of path: String, _ storage: any Storage) -> String? {
        guard let file = try? storage.openForReading(path) else { return nil }
        defer { file.close() }
        let head = SourceHead.read(file).bytes
        if let damage = SourceHead.damage(head), damage.reason != .partialResult {
            return damage.reason.format
        }
        let text = SourceHead.inflated(MemoryInput(head), upTo: head.count)
        return text.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{") ? "JSON, as a log does" : nil
    }
}
