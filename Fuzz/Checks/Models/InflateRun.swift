import SheafBytes

/// A stream of an `InflateStream`, inflated piece by piece into the middle of a larger memory.
///
///     | guard | other bytes | what was inflated | room | guard |
///
/// The input of each call ends at its piece: the bytes after it are others than in the stream.
package struct InflateRun {
    /// How a stream is cut.
    package struct Cuts {
        /// Returns the number of bytes in the next piece of input, 1 or more.
        package var input: () -> Int = { .max }
        /// Returns the room of the next call in bytes.
        package var output: () -> Int = { .max }
        /// Returns whether the next call stops at the end of a block.
        package var stops: () -> Bool = { false }
        /// Returns the decoder that continues after the end of a block at which the stream has stopped; nil if the
        /// same stream continues.
        package var successor: () -> Inflater? = { nil }
        /// The number of bytes in front of the output that the stream must not refer to.
        package var lead = 0
        /// Whether the buffer begins where the stream can first refer to, rather than at the other bytes.
        package var hidesLead = false
        /// Whether the memory of a piece ends where the piece does, rather than with bytes that are not in the stream.
        package var endsPieces = false

        package init() {}

        /// Cuts at the same lengths each time.
        package init(input: Int = .max, output: Int = .max, stops: Bool = false) {
            self.input = { input }
            self.output = { output }
            self.stops = { stops }
        }
    }

    package private(set) var result = Inflated()
    /// What a stream must never do.
    package private(set) var violations: [String] = []

    /// Streams that have continued after a block.
    private var successors: [Inflater: InflateStream] = [:]
    private let input: [UInt8]
    private var cuts: Cuts
    private var memory: [UInt8]
    /// The index of the first byte of the output.
    private let start: Int
    private let limit: Int
    /// The bytes before the output that the stream may refer to.
    private let window: [UInt8]
    /// The current piece of the input, and where it begins and ends in the stream.
    private var piece: [UInt8] = []
    private var pieceStart = 0
    private var pieceEnd = 0

    private static let guardBytes = 32
    private static let guards = [UInt8](repeating: guardByte, count: guardBytes)
    private static let guardByte: UInt8 = 0xa5
    private static let otherByte: UInt8 = 0x5a

    /// - Parameters:
    ///   - start: the end of a block, after which the input begins; nil for the start of a stream.
    ///   - limit: the number of bytes after which the output ends.
    package init(
        _ inflater: Inflater, _ input: [UInt8], _ cuts: Cuts = Cuts(), after start: RestartPoint.Block? = nil,
        limit: Int = 1 << 17
    ) {
        self.init(InflateStream(inflater), input, cuts, after: start, limit: limit)
    }

    /// As above, with a stream that may have been used.
    package init(
        _ stream: InflateStream, _ input: [UInt8], _ cuts: Cuts = Cuts(),
        after start: RestartPoint.Block? = nil, limit: Int = 1 << 17
    ) {
        self.input = input
        self.cuts = cuts
        self.limit = limit
        window = start?.window ?? []
        memory =
            [UInt8](repeating: Self.guardByte, count: Self.guardBytes)
            + [UInt8](repeating: Self.otherByte, count: cuts.lead) + window
            + [UInt8](repeating: Self.guardByte, count: limit + Self.guardBytes)
        self.start = Self.guardBytes + cuts.lead + window.count
        if let start { stream.restart(at: start) } else { stream.reset() }
        run(stream)
        finish()
    }

    private mutating func run(_ first: InflateStream) {
        var stream = first
        var (produced, idleCalls) = (0, 0)
        while produced < limit {
            if result.consumed == pieceEnd { takePiece() }
            let stops = cuts.stops()
            let room = min(cuts.output(), limit - produced)
            let step = inflate(stream, produced, room, stops)
            result.consumed += step.consumed
            produced += step.produced
            switch step.outcome {
            case .blockEnd(let unusedBits):
                if !stops { violations.append("stopped at a block without a request") }
                let end = Inflated.BlockEnd(
                    consumed: result.consumed, produced: produced, unusedBits: unusedBits)
                if result.ends.last == end {
                    violations.append("stopped twice at \(end)")
                    return
                }
                result.ends.append(end)
                if let inflater = cuts.successor() { stream = restarted(inflater, produced) }
                idleCalls = 0
                continue
            case .progress:
                // zlib also stops at the end of the last block, which is not reported.
                if !stops, result.consumed < pieceEnd, step.produced < room {
                    violations.append("stopped with input and room left at \(result.consumed)")
                    return
                }
                if step.consumed > 0 || step.produced > 0 || room == 0 {
                    idleCalls = 0
                    continue
                }
                idleCalls += 1
                if result.consumed < pieceEnd, idleCalls > 3 {
                    violations.append("no progress at \(result.consumed)")
                    return
                }
                if result.consumed < input.count || idleCalls < 2 { continue }
            case .finished:
                result.ending = .finished
                if inflate(stream, produced, limit - produced, stops) != (0, 0, .finished) {
                    violations.append("continued after the end")
                }
            case .corrupt:
                result.ending = .corrupt
                if inflate(stream, produced, limit - produced, stops) != (0, 0, .corrupt) {
                    violations.append("continued after corrupt data")
                }
            }
            break
        }
        result.bytes = Array(memory[start..<(start + produced)])
        result.limit(to: limit)
    }

    private mutating func takePiece() {
        checkPiece()
        pieceStart = pieceEnd
        pieceEnd += min(max(cuts.input(), 1), input.count - pieceEnd)
        piece = Array(input[pieceStart..<pieceEnd])
        if !cuts.endsPieces { piece += [UInt8](repeating: pieceEnd % 2 == 0 ? 0 : 0xff, count: 16) }
    }

    private mutating func checkPiece() {
        let isSame = piece.span.extracting(first: pieceEnd - pieceStart)
            .isEqual(to: input.span.extracting(pieceStart..<pieceEnd))
        if !isSame {
            violations.append("changed the input")
        }
    }

    /// Calls the stream once.
    private mutating func inflate(
        _ stream: InflateStream, _ produced: Int, _ room: Int, _ stops: Bool
    ) -> (consumed: Int, produced: Int, outcome: InflateStream.Outcome) {
        let position = start + produced
        let history = min(window.count + produced, RestartPoint.Block.windowBytes)
        let base = cuts.hidesLead ? position - history : Self.guardBytes
        let end = position + room
        let remaining = (result.consumed - pieceStart)..<(pieceEnd - pieceStart)
        let piece = piece
        let step = Self.inflate(
            stream, piece.span.extracting(remaining), &memory, base..<end, position, stops)
        if step.consumed < 0 || step.consumed > remaining.count || step.produced < 0 || step.produced > room {
            violations.append(
                "consumed \(step.consumed) of \(remaining.count), produced \(step.produced) of \(room)")
            return (0, 0, .corrupt)
        }
        let isInside = memory.span.extracting(end..<(end + Self.guardBytes)).isEqual(to: Self.guards.span)
        if !isInside {
            violations.append("wrote after the room")
        }
        return step
    }

    private static func inflate(
        _ stream: InflateStream, _ input: Span<UInt8>, _ memory: inout [UInt8], _ range: Range<Int>,
        _ position: Int, _ stops: Bool
    ) -> (consumed: Int, produced: Int, outcome: InflateStream.Outcome) {
        var whole = memory.mutableSpan
        whole.write(guards.span, at: range.upperBound)
        var buffer = whole._mutatingExtracting(range)
        return stream.inflate(
            input, into: &buffer, at: position - range.lowerBound, stopsAtBlocks: stops)
    }

    /// Returns a stream that restarts after the block that has just ended.
    private mutating func restarted(_ inflater: Inflater, _ produced: Int) -> InflateStream {
        let end = result.ends[result.ends.count - 1]
        let history = window + memory[start..<(start + produced)]
        let stream = successors[inflater] ?? InflateStream(inflater)
        successors[inflater] = stream
        stream.restart(
            at: end.block(in: input, window: Array(history.suffix(RestartPoint.Block.windowBytes))))
        return stream
    }

    private mutating func finish() {
        checkPiece()
        let isGuarded = memory.span.extracting(first: Self.guardBytes).isEqual(to: Self.guards.span)
        if !isGuarded {
            violations.append("wrote before the buffer")
        }
        let before = [UInt8](repeating: Self.otherByte, count: cuts.lead) + window
        let isKept = memory.span.extracting(Self.guardBytes..<start).isEqual(to: before.span)
        if !isKept {
            violations.append("wrote before the position")
        }
    }
}

extension Inflated.BlockEnd {
    /// Returns the state from which a stream restarts here.
    ///
    /// - Parameters:
    ///   - input: the stream.
    ///   - window: what was inflated before, or its end.
    package func block(in input: [UInt8], window: [UInt8]) -> RestartPoint.Block {
        let bits = unusedBits == 0 ? 0 : input[consumed - 1] >> (8 - unusedBits)
        guard
            let block = RestartPoint.Block(
                restoring: unusedBits, bits: bits, window: window, checksum: 0, length: 0)
        else { preconditionFailure("not the end of a block: \(self)") }
        return block
    }
}
