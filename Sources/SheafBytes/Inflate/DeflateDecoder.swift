/// A raw DEFLATE stream (RFC 1951), decoded into the caller's buffer, where the bytes that matches refer to already are.
///
///     input ──▶ block header ──▶ codes ──▶ tables
///                                  │         │
///               careful step ◀─────┴─────────┴──▶ fast loop     both: literals and matches ──▶ buffer
///
/// The fast loop decodes while input and room are far from their ends, so that it checks both once for each few
/// symbols. Careful steps decode one symbol at a time, and stop and resume at any byte of input or output.
///
/// Invariants: the results don't depend on how input and output are cut. The decoder rejects what zlib rejects, after
/// consuming as many bytes as zlib needs to see the error. Memory: about 35 KiB of tables; a call allocates
/// nothing.
///
/// Tried without success: tables of 11 bits, which hold too few pairs of symbols (2 % slower), and pairs that are
/// created only once a block turns out to be long.
struct DeflateDecoder: ~Copyable {
    private enum State {
        /// Before a block.
        case blockStart
        case storedLength
        /// Inside a stored block: the number of bytes to copy.
        case stored(Int)
        case dynamicHeader
        /// Between symbols of a block.
        case symbols
        /// After a literal that did not fit.
        case literal(UInt8)
        /// Inside a match: the number of bytes to repeat, and their distance.
        case match(Int, distance: Int)
        case finished
        case corrupt
    }

    /// The result of decoding an element of the stream.
    enum Step {
        case advanced
        case blockEnd
        case needsInput
        case needsRoom
        /// The element is invalid. The bits that show it are consumed.
        case corrupt
    }

    private var state = State.blockStart
    private var isLastBlock = false
    /// The bits that were read but not used: at most 7, unless they are too few for the next element.
    private var bits: UInt64 = 0
    private var bitCount = 0
    /// How many of the bytes before the output matches may refer to: those of the stream so far, at most a window.
    private var history = 0

    private var header = DynamicHeader()
    /// The codes of the block, and the fast loop's tables for them.
    private var literals = HuffmanCode()
    private var distances = HuffmanCode()
    private var tables = DeflateTables()
    private var codesAreFixed = false

    /// Prepares the decoder for the next stream. O(1).
    mutating func reset() {
        state = .blockStart
        isLastBlock = false
        bits = 0
        bitCount = 0
        history = 0
    }

    /// Prepares the decoder for the data after the end of a block. The caller provides the block's window.
    mutating func restart(at block: RestartPoint.Block) {
        reset()
        bits = UInt64(block.bits)
        bitCount = Int(block.unusedBits)
        history = block.window.count
    }

    /// Inflates as much of `input` as fits into `buffer` from `position` on.
    ///
    /// - Parameters:
    ///   - buffer: the bytes before `position` end with the last bytes of the stream, as many as matches may refer to.
    ///   - stopsAtBlocks: whether to stop at the end of a block, even if input and room are left.
    /// - Returns: as `InflateStream.inflate`.
    mutating func inflate(
        _ input: Span<UInt8>, into buffer: inout MutableSpan<UInt8>, at position: Int, stopsAtBlocks: Bool
    ) -> InflateStream.Result {
        precondition(
            position >= history && position <= buffer.count, "a buffer without the stream's last bytes")
        return unsafe input.withUnsafeBufferPointer { source in
            unsafe buffer.withUnsafeMutableBufferPointer { target in
                // An address for an empty input or buffer, which is never used.
                let nothing = unsafe UnsafeMutablePointer<UInt8>(bitPattern: 1)!
                let start = unsafe source.baseAddress ?? UnsafePointer(nothing)
                let output = unsafe (target.baseAddress ?? nothing) + position
                // Safety: both buffers outlive the cursor. `position` is inside the target and has at least `history`
                // bytes before it, by the precondition.
                var cursor = unsafe DeflateCursor(
                    next: start, inputEnd: start + source.count, output: output,
                    outputEnd: output + (target.count - position), floor: output - history, bits: bits,
                    bitCount: bitCount)
                let outcome = decode(&cursor, stopsAtBlocks: stopsAtBlocks)
                bits = cursor.bits
                bitCount = cursor.bitCount
                let produced = unsafe cursor.output - output
                history = min(history + produced, RestartPoint.Block.windowBytes)
                return unsafe (cursor.next - start, produced, outcome)
            }
        }
    }

    private mutating func decode(
        _ cursor: inout DeflateCursor, stopsAtBlocks: Bool
    ) -> InflateStream.Outcome {
        while true {
            switch decodeNext(&cursor) {
            case .advanced: continue
            case .blockEnd:
                cursor.returnBytes()
                if isLastBlock {
                    state = .finished
                    cursor.drop(cursor.bitCount)
                } else {
                    state = .blockStart
                    if stopsAtBlocks { return .blockEnd(unusedBits: UInt8(cursor.bitCount)) }
                }
            case .needsInput: return .progress
            case .needsRoom:
                cursor.returnBytes()
                return .progress
            case .corrupt:
                cursor.returnBytes()
                state = .corrupt
            case nil: return if case .finished = state { .finished } else { .corrupt }
            }
        }
    }

    /// Decodes the next element, or as many symbols as the fast loop can; nil after the end of the stream.
    private mutating func decodeNext(_ cursor: inout DeflateCursor) -> Step? {
        switch state {
        case .blockStart: return startBlock(&cursor)
        case .storedLength: return readStoredLength(&cursor)
        case .stored(let count): return copyStored(count, &cursor)
        case .dynamicHeader: return readHeader(&cursor)
        case .symbols:
            let step = cursor.decodeSymbols(tables)
            return step == .advanced ? decodeSymbol(&cursor) : step
        case .literal(let literal): return write(literal, &cursor)
        case .match(let length, let distance): return copyMatch(length, distance: distance, &cursor)
        case .finished, .corrupt: return nil
        }
    }
}

// MARK: - Blocks

extension DeflateDecoder {
    private mutating func startBlock(_ cursor: inout DeflateCursor) -> Step {
        guard cursor.hasBits(3) else { return .needsInput }
        isLastBlock = cursor.take(1) == 1
        switch cursor.take(2) {
        case 0:
            cursor.drop(cursor.bitCount & 7)
            state = .storedLength
        case 1:
            useFixedCodes()
            state = .symbols
        case 2:
            header.begin()
            state = .dynamicHeader
        default: return .corrupt
        }
        return .advanced
    }

    private mutating func readStoredLength(_ cursor: inout DeflateCursor) -> Step {
        guard cursor.hasBits(32) else { return .needsInput }
        let count = cursor.take(16), complement = cursor.take(16)
        guard count ^ complement == 0xffff else { return .corrupt }
        // The bits are whole bytes.
        cursor.returnBytes()
        state = .stored(count)
        return .advanced
    }

    private mutating func copyStored(_ count: Int, _ cursor: inout DeflateCursor) -> Step {
        let rest = cursor.copyInput(count)
        guard rest > 0 else { return .blockEnd }
        state = .stored(rest)
        return cursor.isAtInputEnd ? .needsInput : .needsRoom
    }

    private mutating func readHeader(_ cursor: inout DeflateCursor) -> Step {
        let step = header.read(&cursor)
        guard step == .advanced else { return step }
        let lengths = header.codeLengths
        guard useCodes(lengths.span, literals: header.literalCount) else { return .corrupt }
        state = .symbols
        return .advanced
    }
}

// MARK: - Codes

extension DeflateDecoder {
    /// Takes the codes of a dynamic block.
    ///
    /// - Parameters:
    ///   - lengths: the lengths of the codes of literals and lengths, and then of distances, in bits; 0 for no code.
    ///   - count: the number of literals and lengths.
    /// - Returns: whether the codes are valid.
    private mutating func useCodes(_ lengths: Span<UInt8>, literals count: Int) -> Bool {
        codesAreFixed = false
        // Without a code for it, the block could not end.
        guard lengths[DeflateSymbols.endOfBlock] > 0, literals.assign(lengths.extracting(..<count)),
            distances.assign(lengths.extracting(count...))
        else { return false }
        tables.build(literals: literals, distances: distances)
        return true
    }

    /// Takes the codes of fixed blocks. O(1) if the previous block had them, too.
    private mutating func useFixedCodes() {
        guard !codesAreFixed else { return }
        let lengths = DeflateSymbols.fixedCodeLengths
        let isValid = useCodes(lengths.span, literals: DeflateSymbols.fixedLiteralsAndLengths)
        precondition(isValid, "the fixed codes are complete")
        codesAreFixed = true
    }
}

// MARK: - Symbols, one at a time

extension DeflateDecoder {
    private mutating func decodeSymbol(_ cursor: inout DeflateCursor) -> Step {
        // A match takes at most 48 bits. Fewer are enough for most symbols.
        _ = cursor.hasBits(48)
        switch literals.decode(cursor.bits, count: cursor.bitCount) {
        case .needsMoreBits: return .needsInput
        case .invalid(let bits):
            cursor.drop(bits)
            return .corrupt
        case .symbol(let literal, let bits) where literal < DeflateSymbols.endOfBlock:
            cursor.drop(bits)
            return write(UInt8(literal), &cursor)
        case .symbol(DeflateSymbols.endOfBlock, let bits):
            cursor.drop(bits)
            return .blockEnd
        case .symbol(let symbol, let bits):
            guard symbol < DeflateSymbols.literalsAndLengths else {
                cursor.drop(bits)
                return .corrupt
            }
            return decodeMatch(symbol - DeflateSymbols.endOfBlock - 1, lengthBits: bits, &cursor)
        }
    }

    private mutating func write(_ literal: UInt8, _ cursor: inout DeflateCursor) -> Step {
        guard cursor.room > 0 else {
            state = .literal(literal)
            return .needsRoom
        }
        cursor.write(literal)
        state = .symbols
        return .advanced
    }

    /// Decodes a match after its length's code.
    ///
    /// - Parameters:
    ///   - index: the length's index among the length symbols.
    ///   - lengthBits: the number of bits of its code, which are not consumed yet.
    private mutating func decodeMatch(
        _ index: Int, lengthBits: Int, _ cursor: inout DeflateCursor
    ) -> Step {
        var used = lengthBits
        /// Returns the number in the next `count` bits; nil if there are not as many.
        func number(_ count: UInt8) -> Int? {
            let end = used + Int(count)
            guard end <= cursor.bitCount else { return nil }
            defer { used = end }
            return cursor.peek(end) >> used
        }
        guard let longer = number(DeflateSymbols.extraLengthBits[index]) else { return .needsInput }
        switch distances.decode(cursor.bits >> UInt64(used), count: cursor.bitCount - used) {
        case .needsMoreBits: return .needsInput
        case .invalid(let bits):
            cursor.drop(used + bits)
            return .corrupt
        case .symbol(let symbol, let bits):
            used += bits
            guard symbol < DeflateSymbols.distances else {
                cursor.drop(used)
                return .corrupt
            }
            guard let farther = number(DeflateSymbols.extraDistanceBits[symbol]) else { return .needsInput }
            cursor.drop(used)
            let distance = Int(DeflateSymbols.nearestDistances[symbol]) + farther
            guard distance <= cursor.history else { return .corrupt }
            state = .match(Int(DeflateSymbols.lengths[index]) + longer, distance: distance)
            return .advanced
        }
    }

    private mutating func copyMatch(
        _ length: Int, distance: Int, _ cursor: inout DeflateCursor
    ) -> Step {
        let rest = cursor.copy(length, distance: distance)
        state = rest == 0 ? .symbols : .match(rest, distance: distance)
        return rest == 0 ? .advanced : .needsRoom
    }
}
