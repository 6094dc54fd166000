import SheafBytes
import SheafGroups
import Synchronization

/// Cuts a live source's bytes into lines and decodes them.
///
///     bytes ──LineAssembler──▶ chunk of whole lines ──DecodeWorker──▶ records ──▶ LiveGroups
///
/// Memory: one chunk, and the incomplete last line.
final class LiveReader: Sendable {
    let name: String
    private let state: Mutex<State>

    fileprivate struct State {
        var lines: LineAssembler
        let parcel: Parcel
        let worker: DecodeWorker
        var bytesRead: UInt64 = 0
        var isFinished = false
    }

    init(_ options: ReplayOptions, name: String, ordinal: Int) {
        self.name = name
        let chunks = options.chunks
        let parcel = Parcel(index: 0, chunks, shards: 1)
        parcel.source = ordinal
        state = Mutex(
            State(
                lines: LineAssembler(targetBytes: chunks.targetBytes, maximumLine: chunks.maximumLine),
                parcel: parcel,
                worker: DecodeWorker(
                    options.state, options.inputs, profile: options.profile, apps: AppCensus(Settings()),
                    keepsRejects: true, partBytes: Limits.partBytes(chunks))))
    }

    /// Adds bytes that are cut anywhere.
    func append(_ bytes: Span<UInt8>, to groups: LiveGroups) throws(LiveError) -> [LiveReject] {
        try state.withLock { state throws(LiveError) in
            try check(state)
            var rejects: [LiveReject] = []
            var taken = 0
            while taken < bytes.count {
                guard groups.hasRoom else { throw .memoryLimit(groups.limit, taken: taken) }
                let start = taken
                let hasLines = state.lines.fill(state.parcel.chunk, from: bytes, &taken)
                state.bytesRead += UInt64(taken - start)
                if hasLines { state.decode(to: groups, &rejects) }
            }
            return rejects
        }
    }

    /// Adds a line that comes before an incomplete one.
    ///
    /// - Parameter isLimited: whether it is refused if the memory is used up.
    func append(
        line: Span<UInt8>, isLimited: Bool, to groups: LiveGroups
    ) throws(LiveError) -> [LiveReject] {
        try state.withLock { state throws(LiveError) in
            try check(state)
            guard !isLimited || groups.hasRoom else { throw .memoryLimit(groups.limit, taken: 0) }
            var rejects: [LiveReject] = []
            state.lines.fill(state.parcel.chunk, line: line)
            state.bytesRead += UInt64(line.count)
            state.decode(to: groups, &rejects)
            return rejects
        }
    }

    /// Adds an incomplete last line.
    func finish(to groups: LiveGroups) throws(LiveError) -> [LiveReject] {
        try state.withLock { state throws(LiveError) in
            try check(state)
            guard groups.hasRoom else { throw .memoryLimit(groups.limit, taken: 0) }
            var rejects: [LiveReject] = []
            if state.lines.fillLast(state.parcel.chunk) { state.decode(to: groups, &rejects) }
            state.isFinished = true
            return rejects
        }
    }

    /// Adds what the source has counted.
    func addCounts(to counts: inout RunCounts) {
        state.withLock { state in
            counts.tally.add(state.worker.tally)
            counts.bytesRead += state.bytesRead
            counts.bytesInflated += state.bytesRead
        }
    }

    private func check(_ state: State) throws(LiveError) {
        if state.isFinished { throw .sourceFinished(name: name) }
    }
}

extension LiveReader.State {
    /// Decodes the lines of the chunk, and passes their records on.
    fileprivate func decode(to groups: LiveGroups, _ rejects: inout [LiveReject]) {
        repeat {
            _ = worker.process(parcel)
            parcel.rejects.forEach(in: parcel.chunk) { reason, line, index, text in
                var copy: [UInt8] = []
                copy.append(text)
                rejects.append(LiveReject(line: line, index: index, reason: reason, text: copy))
            }
            groups.add(parcel)
        } while !parcel.isComplete
    }
}
