import SheafBytes
import SheafGroups

/// A partial result: a file with all the state of a replay that does not depend on display options, or a slice of the
/// state of several.
///
/// The page on partial results documents the file format.
struct PartialFile {
    var header: PartialHeader
    /// The part of a job's state that the file has; nil for all of its sources' state.
    var slice: Slice?
    /// The version of the file's format.
    let version: UInt8
    /// The file, whose records must match its header and counts.
    var state: StateFile
    /// The name of the file in messages.
    var path: String

    // MARK: Writing

    /// Writes the state in `files`.
    static func write(
        _ files: inout StateFiles, header: PartialHeader, slice: Slice? = nil, to output: any ByteOutput,
        counts: (RunCounts) throws(ReplayError) -> RunCounts
    ) throws(ReplayError) {
        try write(header, slice, to: output) { writer throws(ReplayError) in
            try files.write(to: &writer)
            return try counts(files.found)
        }
    }

    /// Measures the people in `files`, which are removed, and writes their distributions.
    ///
    /// - Parameter parts: what the files were read from.
    static func write(
        measuresOf files: inout StateFiles, _ parts: PartialResults, _ slice: Slice, to output: any ByteOutput
    ) throws(ReplayError) {
        guard let division = parts.header.input.division, let timeline = parts.header.input.timeline else {
            preconditionFailure("people are measured in intervals")
        }
        var options = MeasureOptions()
        (options.division, options.fold) = (division, slice.fold)
        var measurement = files.measurement(options)
        try files.measure(timeline, &measurement)
        var counts = parts.counts(found: files.found)
        counts.hidden += files.hidden
        if !parts.header.input.tracksDelivery {
            // Banners and sounds are measured, but no statistics of the run.
            (counts.hidden.banners, counts.hidden.sounds) = (0, 0)
        }
        var writer = try begin(parts.header, slice, output)
        try add(counts, of: parts.header, to: &writer)
        try measurement.write(to: &writer, files)
        try writer.end()
    }

    /// Writes a file.
    ///
    /// - Parameter body: writes the state and returns its counts.
    static func write(
        _ header: PartialHeader, _ slice: Slice?, to output: any ByteOutput,
        _ body: (inout StateWriter) throws(ReplayError) -> RunCounts
    ) throws(ReplayError) {
        var writer = try begin(header, slice, output)
        try add(try body(&writer), of: header, to: &writer)
        try writer.end()
    }

    private static func begin(
        _ header: PartialHeader, _ slice: Slice?, _ output: any ByteOutput
    ) throws(ReplayError) -> StateWriter {
        var writer = try StateWriter(output, magic: header.sources.isNamed ? .partial : .positional)
        var record = OutputBuffer()
        header.append(to: &record) { Slice.append(slice, to: &$0) }
        try writer.add(record.bytes, to: .header)
        return writer
    }

    private static func add(
        _ counts: RunCounts, of header: PartialHeader, to writer: inout StateWriter
    ) throws(ReplayError) {
        var record = OutputBuffer()
        counts.append(to: &record, input: header.input)
        try writer.add(record.bytes, to: .counts)
    }

    // MARK: Reading

    /// Reads a whole partial result, so that any damage is found before anything is merged.
    ///
    /// - Parameters:
    ///   - maximumFrame: the maximum length of a frame, in bytes.
    ///   - isUnpacked: whether this run took the file out of another one.
    static func read(
        _ path: String, maximumFrame: Int = FrameHeader.maximumLength, isUnpacked: Bool = false,
        storage: any Storage
    ) throws(ReplayError) -> (file: PartialFile, counts: RunCounts) {
        var state = StateFile(path: path, magic: .partial, maximumFrame: maximumFrame)
        state.isUnpacked = isUnpacked
        let (header, slice, version): (PartialHeader, Slice?, UInt8)
        do {
            let found = try StateReader.onlyRecord(
                of: .header, state, storage, checksRemainder: false, Self.header)
            (header, slice, version) = (found.value.0, found.value.1, found.version)
        } catch {
            guard case .damaged(_, .foreign, _) = error, let contents = contents(of: path, storage) else {
                throw error
            }
            throw .notPartial(path: path, holds: contents)
        }
        guard header.sources.isNamed == (version >= FrameMagic.namedVersion) else {
            throw .damaged(path: path, .content, offset: 0)
        }
        let sources = ordinals(of: header, slice)
        let (counts, largestFrame, _) = try StateReader.onlyRecord(of: .counts, state, storage) {
            RunCounts($0, sources: sources, input: header.input)
        }
        state = StateFile(
            path: path, magic: .partial, largestFrame: max(state.largestFrame, largestFrame),
            maximumFrame: maximumFrame, sources: sources, notificationCount: counts.heldNotifications,
            isFolded: slice?.kind == .newest, hasMeasures: slice?.kind == .measures,
            appliesRemovals: header.input.appliesRemovals,
            tracksDelivery: header.input.hasTraits, division: header.input.division,
            isUnique: header.input.isUnique,
            appliesOutcomes: header.input.appliesOutcomes, timeline: header.input.timeline,
            rules: header.state.rules)
        state.isUnpacked = isUnpacked
        return (
            PartialFile(header: header, slice: slice, version: version, state: state, path: path), counts
        )
    }

    /// Decodes a header record; nil if it is invalid.
    private static func header(_ bytes: Span<UInt8>) -> (PartialHeader, Slice?)? {
        var slice: Slice?
        guard let header = PartialHeader(bytes, slice: { slice = Slice(&$0) }) else { return nil }
        // Those with the newest versions have their sources' digest instead.
        if slice?.kind == .newest, header.sources.count > 0 { return nil }
        // A snapshot over time is not made of the snapshots of ranges.
        if slice != nil, header.input.timeline != nil, header.input.division == nil { return nil }
        if slice?.kind == .measures, header.input.division == nil { return nil }
        if slice?.kind == .newest, header.input.division != nil { return nil }
        return (header, slice)
    }

    /// The ordinals that records may have. A slice of newest versions does not list its sources.
    static func ordinals(of header: PartialHeader, _ slice: Slice?) -> OrdinalSet {
        slice?.kind == .newest ? .all : header.sources.ordinals
    }

    /// Describes the contents of a file that is not a partial result; nil if they are not recognized.
    private static func contents(of path: String, _ storage: any Storage) -> String? {
        guard let file = try? storage.openForReading(path) else { return nil }
        defer { file.close() }
        let head = SourceHead.read(file).bytes
        if FrameMagic.comparison.matches(SourceHead.inflated(MemoryInput(head), upTo: FrameMagic.byteCount)) {
            return "a partial comparison, which sheaf compare reads"
        }
        if let damage = SourceHead.damage(head), damage.reason != .partialResult {
            return damage.reason.format
        }
        if head.isEmpty { return "no data" }
        let text = SourceHead.inflated(MemoryInput(head), upTo: head.count)
        return text.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{") ? "JSON, like a log" : nil
    }
}
