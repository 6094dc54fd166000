import SheafBytes
import SheafGroups
import Synchronization

/// Cuts a live source's bytes into lines and decodes them.
///
///     bytes ──LineAssembler──▶ chunk of whole lines ──DecodeWorker──▶ records ──▶ LiveGroups
///
/// Memory: one chunk, the incomplete last line, and the rejects of one call.
final class SourceDecoder: Sendable {
    let name: String
    private let state: Mutex<State>

    fileprivate struct State {
        var lines: LineAssembler
        let unit: WorkUnit
        let worker: DecodeWorker
        var bytesRead: UInt64 = 0
        /// The records that could not be read, until a call returns them.
        var rejects: [LiveReject] = []
        var isFinished = false
    }

    /// - Parameter firstLine: the number of the first line, for tests.
    init(_ options: ReplayOptions, name: String, ordinal: Int, firstLine: UInt64 = 1) {
        self.name = name
        let chunks = options.chunks
        let unit = WorkUnit(index: 0, chunks, shards: 1)
        unit.source = ordinal
        unit.ordinal = ordinal
        state = Mutex(
            State(
                lines: LineAssembler(
                    targetBytes: chunks.targetBytes, maximumLine: chunks.maximumLine, firstLine: firstLine),
                unit: unit,
                worker: DecodeWorker(
                    options.state, options.inputs, profile: options.profile, apps: AppCensus(),
                    keepsRejects: true, partBytes: Limits.partBytes(chunks), decidesAtEnd: false)))
    }

    /// Adds bytes that are cut anywhere.
    func append(_ bytes: Span<UInt8>, to groups: LiveGroups) throws(LiveError) -> [LiveReject] {
        try state.withLock { state throws(LiveError) in
            var taken = 0
            repeat {
                try prepare(&state, taken: taken, isLimited: true, groups)
                let start = taken
                let hasLines = state.lines.fill(state.unit.chunk, from: bytes, &taken)
                state.bytesRead += UInt64(taken - start)
                if hasLines { state.decode(to: groups, isLimited: true) }
            } while taken < bytes.count
            return state.takeRejects()
        }
    }

    /// Adds a line that comes before an incomplete one.
    ///
    /// - Parameter isLimited: whether it is refused if the memory is used up.
    func append(
        line: Span<UInt8>, isLimited: Bool, to groups: LiveGroups
    ) throws(LiveError) -> [LiveReject] {
        try state.withLock { state throws(LiveError) in
            try prepare(&state, taken: 0, isLimited: isLimited, groups)
            state.lines.fill(state.unit.chunk, line: line)
            state.bytesRead += UInt64(line.count)
            state.decode(to: groups, isLimited: isLimited)
            return state.takeRejects()
        }
    }

    /// Adds an incomplete last line.
    func finish(to groups: LiveGroups) throws(LiveError) -> [LiveReject] {
        try state.withLock { state throws(LiveError) in
            if state.isFinished { throw .sourceFinished(name: name) }
            if state.hasRecords || state.lines.hasTail {
                try prepare(&state, taken: 0, isLimited: true, groups)
                if state.lines.fillLast(state.unit.chunk) { state.decode(to: groups, isLimited: false) }
            }
            state.isFinished = true
            state.unit.releaseMemory()
            return state.takeRejects()
        }
    }

    /// Adds what the source has counted.
    func addCounts(to counts: inout RunCounts) {
        state.withLock { state in
            counts.add(state.worker.tally)
            counts.bytesRead += state.bytesRead
            counts.bytesInflated += state.bytesRead
        }
    }

    /// Adds the records of the chunk that are left, so that more lines can be taken.
    private func prepare(
        _ state: inout State, taken: Int, isLimited: Bool, _ groups: LiveGroups
    ) throws(LiveError) {
        if state.isFinished { throw .sourceFinished(name: name) }
        if isLimited, !groups.hasRoom { throw .memoryLimit(groups.limit, taken: taken) }
        if state.hasRecords { state.decode(to: groups, isLimited: isLimited) }
        if state.hasRecords { throw .memoryLimit(groups.limit, taken: taken) }
        let left = OrderKey.maximumLines - state.lines.line
        if left <= UInt64(state.unit.chunk.capacity) { throw .tooManyLines(name: name, taken: taken) }
    }
}

extension SourceDecoder.State {
    /// Whether records of the chunk are left, because the groups have no room for them.
    fileprivate var hasRecords: Bool { !unit.isComplete }

    /// Decodes the lines of the chunk, or those that are left, and passes their records on. Lines can have many more
    /// records than bytes, so it stops when the groups have no room.
    fileprivate mutating func decode(to groups: LiveGroups, isLimited: Bool) {
        repeat {
            _ = worker.process(unit)
            unit.decoded.rejects.forEach(in: unit.chunk) { reason, _, line, index, text in
                var copy: [UInt8] = []
                copy.append(text)
                rejects.append(LiveReject(line: line, index: index, reason: reason, text: copy))
            }
            groups.add(unit)
        } while hasRecords && (!isLimited || groups.hasRoom)
    }

    fileprivate mutating func takeRejects() -> [LiveReject] {
        defer { rejects = [] }
        return rejects
    }
}
