import SheafBytes
import SheafGroups

/// Reads and writes partial results: files with all the state of a replay that does not depend on display options.
///
/// The page on partial results documents the file format.
enum PartialFile {
    /// Writes the state in `files`.
    static func write(
        _ files: inout StateFiles, header: PartialHeader, to output: OutputFile,
        counts: (UInt64) throws(ReplayError) -> RunCounts
    ) throws(ReplayError) {
        var writer = try begin(header, output)
        try files.write(to: &writer)
        try end(&writer, header, try counts(files.replaced))
    }

    /// Writes what precedes the state.
    static func begin(
        _ header: PartialHeader, _ output: any ByteOutput
    ) throws(ReplayError) -> StateWriter {
        var writer = try StateWriter(output, magic: header.sources.isNamed ? .partial : .positional)
        var record = OutputBuffer()
        header.append(to: &record)
        try writer.add(record.bytes, to: .header)
        return writer
    }

    /// Writes what follows the state.
    static func end(
        _ writer: inout StateWriter, _ header: PartialHeader, _ counts: RunCounts
    ) throws(ReplayError) {
        var record = OutputBuffer()
        counts.append(to: &record, input: header.input)
        try writer.add(record.bytes, to: .counts)
        try writer.end()
    }

    /// The header and counts of a partial result.
    struct Summary {
        let header: PartialHeader
        let counts: RunCounts
        /// The version of the file's format.
        let version: UInt8
        private let sizes: StateFile

        fileprivate init(header: PartialHeader, counts: RunCounts, version: UInt8, sizes: StateFile) {
            self.header = header
            self.counts = counts
            self.version = version
            self.sizes = sizes
        }

        /// Returns the file as a state file whose records must match the header and counts.
        ///
        /// - Parameter sourceOffset: the number of sources in the preceding files.
        func file(_ path: String, sourceOffset: Int) -> StateFile {
            StateFile(
                path: path, magic: .partial, largestFrame: sizes.largestFrame,
                maximumFrame: sizes.maximumFrame, sourceOffset: sourceOffset,
                sources: header.recordSources,
                notificationCount: counts.heldNotifications,
                isFolded: header.slice?.kind == .newest,
                appliesRemovals: header.input.appliesRemovals,
                tracksDelivery: header.input.tracksDelivery, timeline: header.input.timeline,
                rules: header.state.rules)
        }
    }

    /// Reads a whole partial result, so that any damage is found before anything is merged.
    ///
    /// - Parameter maximumFrame: the maximum length of a frame, in bytes.
    static func read(
        _ path: String, maximumFrame: Int = FrameHeader.maximumLength, storage: any Storage
    ) throws(ReplayError) -> Summary {
        var file = StateFile(path: path, magic: .partial, maximumFrame: maximumFrame)
        let (header, version): (PartialHeader, UInt8)
        do {
            let found = try StateReader.onlyRecord(of: .header, file, storage, checksRemainder: false) {
                PartialHeader($0)
            }
            (header, version) = (found.value, found.version)
        } catch {
            guard case .damaged(_, .foreign, _) = error, let contents = contents(of: path, storage) else {
                throw error
            }
            throw .notPartial(path: path, holds: contents)
        }
        guard header.sources.isNamed == (version >= FrameMagic.namedVersion) else {
            throw .damaged(path: path, .content, offset: 0)
        }
        let (counts, largestFrame, _) = try StateReader.onlyRecord(of: .counts, file, storage) {
            RunCounts($0, sources: header.recordSources, input: header.input)
        }
        file.largestFrame = max(file.largestFrame, largestFrame)
        return Summary(header: header, counts: counts, version: version, sizes: file)
    }

    /// Describes the contents of a file that is not a partial result; nil if they are not recognized.
    private static func contents(of path: String, _ storage: any Storage) -> String? {
        guard let file = try? storage.openForReading(path) else { return nil }
        defer { file.close() }
        let head = SourceHead.read(file).bytes
        if let damage = SourceHead.damage(head), damage.reason != .partialResult {
            return damage.reason.format
        }
        if head.isEmpty { return "no data" }
        let text = SourceHead.inflated(MemoryInput(head), upTo: head.count)
        return text.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{") ? "JSON, like a log" : nil
    }
}
