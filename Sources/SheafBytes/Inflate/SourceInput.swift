/// A source's bytes, inflated when they are gzip data and as they are when not (specification §1).
///
///     input ──▶ [compressed buffer, 256 KiB] ──inflate──▶ the caller's buffer
///     input ─────────── plain ──────────────────────────▶ the caller's buffer
///
/// Which of the two is decided by the first two bytes, never by a name. Owns its compressed buffer and zlib's
/// 32 KiB window, and nothing that grows. After damage or the end, every further read returns 0 bytes.
///
/// Reading can be gone on with elsewhere, from a `RestartPoint`. The source's start and each member's are points that
/// cost nothing. One inside a member is taken on request only, at the end of the block that is being inflated.
public struct SourceInput: ~Copyable {
    private enum State {
        case undetected
        case plain
        /// Inside a member's header.
        case header(GzipHeader)
        case body
        /// Inside a member's trailer: the bytes so far.
        case trailer([UInt8])
        /// After a member: another one, zeros, or the end.
        case betweenMembers
        case padding
        case ended
    }

    private var input: any ByteInput
    private var state = State.undetected
    private let stream = InflateStream()
    private let checksum: DeferredChecksum
    private let settlesAtOnce: Bool
    private var memberLength: UInt32 = 0
    private var points = RestartPoints(.start)

    /// Bytes read and not yet used: `buffered` of `buffer`, which has room for one byte more than is read at once.
    private var buffer: [UInt8]
    private var buffered = 0..<0
    private let bufferBytes: Int
    /// The byte before the buffer's first one: some of its bits may not be used yet.
    private var byteBeforeBuffer: UInt8 = 0
    /// Where in the source `buffered` starts.
    private var offset: UInt64 = 0
    private var inputEnded = false

    /// Bytes that still are to be dropped: those from the restart point up to the place that was asked for.
    private var bytesToDrop: UInt64 = 0
    /// Bytes inflated so far, those dropped among them.
    private var inflated: UInt64 = 0

    /// Bytes of the source that were used so far, those before a restart point among them. At its end, or where it is
    /// damaged, they are the same however many the input handed out at once.
    public var bytesRead: UInt64 { offset }
    /// Bytes handed on so far, by whoever read the source before a restart too; of a plain source the same as were
    /// read.
    public var bytesInflated: UInt64 { inflated + bytesToDrop }

    /// Whether a point is taken at the next block's end.
    public private(set) var wantsRestartPoint = false
    /// How far behind the last byte that was handed on a place may lie from which reading is to go on.
    var reach: Int {
        get { points.reach }
        set { points.reach = newValue }
    }

    /// How much compressed data is read at once, in bytes.
    public static let defaultBufferBytes = 1 << 18

    /// - Parameters:
    ///   - bufferBytes: how much compressed data is read at once, 2 bytes or more.
    ///   - checksum: what members' checksums are computed by; nil: each read does it itself. Where it is given, what
    ///     was read must stand still until `checksum.settle()`.
    public init(
        _ input: any ByteInput, bufferBytes: Int = defaultBufferBytes, checksum: DeferredChecksum? = nil
    ) {
        precondition(bufferBytes >= 2, "the format shows in the first two bytes")
        self.input = input
        self.checksum = checksum ?? DeferredChecksum()
        settlesAtOnce = checksum == nil
        self.bufferBytes = bufferBytes
        buffer = [UInt8](repeating: 0, count: bufferBytes + 1)
    }

    /// A source that is read on from a point.
    ///
    /// - Parameters:
    ///   - file: the source, opened again.
    ///   - bytesToDrop: how many bytes behind the point were handed on before.
    /// - Throws: `StorageError` when the file has no places to go to.
    init(
        resuming file: any ReadableFile, at point: RestartPoint, dropping bytesToDrop: UInt64,
        bufferBytes: Int = defaultBufferBytes, checksum: DeferredChecksum? = nil
    ) throws(StorageError) {
        // A pipe can be read from its start.
        if point.offset > 0 { try file.seek(to: point.offset) }
        self.init(file, bufferBytes: bufferBytes, checksum: checksum)
        points = RestartPoints(point)
        offset = point.offset
        inflated = point.bytesInflated
        self.bytesToDrop = bytesToDrop
        switch point.place {
        case .start: state = .undetected
        case .plain: state = .plain
        case .betweenMembers: state = .betweenMembers
        case .block(let block): beginBody(at: block)
        }
    }

    /// Reads into the start of `output`, which is not empty.
    ///
    /// - Returns: how many bytes were put there; 0 only at the end.
    /// - Throws: `SourceError.damaged` at the place from which nothing more can be decoded,
    ///   `SourceError.unreadable` when reading failed.
    public mutating func read(into output: inout MutableSpan<UInt8>) throws(SourceError) -> Int {
        if bytesToDrop > 0 { try dropBytes() }
        return try readNext(into: &output)
    }

    private mutating func readNext(into output: inout MutableSpan<UInt8>) throws(SourceError) -> Int {
        while true {
            switch state {
            case .undetected: try detect()
            case .plain: return try readPlain(into: &output)
            case .header(let header): try readHeader(header)
            case .body:
                let produced = try inflateBody(into: &output)
                if produced > 0 { return produced }
            case .trailer(let bytes): try readTrailer(bytes)
            case .betweenMembers: try readBetweenMembers()
            case .padding: try readPadding()
            case .ended: return 0
            }
        }
    }

    /// Ends the reading and gives zlib's memory back. Further reads return 0 bytes.
    public mutating func close() {
        end()
        stream.close()
        checksum.restart()
    }

    /// Sums up what was read, so that it may change.
    func settle() { checksum.settle() }

    /// Takes a restart point at the next end of a block, or of the member, behind what was handed on so far. Until it
    /// comes the older one stays, which is as right: only more is inflated once more. A plain source can be read on
    /// from anywhere.
    public mutating func requestRestartPoint() { wantsRestartPoint = true }

    /// The newest point from which `count` bytes before the last one that was handed on can be reached; at most
    /// `reach` bytes.
    func restartPoint(before count: Int) -> RestartPoint {
        let place = bytesInflated - UInt64(count)
        if case .plain = state { return RestartPoint(place: .plain, offset: place, bytesInflated: place) }
        return points.newest(before: place)
    }

    /// Inflates once more what was handed on before.
    private mutating func dropBytes() throws(SourceError) {
        var scratch = [UInt8](repeating: 0, count: Int(min(bytesToDrop, 1 << 16)))
        while bytesToDrop > 0 {
            if UInt64(scratch.count) > bytesToDrop { scratch.removeLast(scratch.count - Int(bytesToDrop)) }
            var room = scratch.mutableSpan
            let count = try readNext(into: &room)
            // Then the source has become shorter than it was.
            if count == 0 { throw damage(.truncated, at: offset) }
            // The next read writes over these bytes.
            checksum.settle()
            bytesToDrop -= UInt64(count)
        }
    }

    private mutating func notePoint(_ place: RestartPoint.Place) {
        points.add(RestartPoint(place: place, offset: offset, bytesInflated: inflated))
        if bytesToDrop == 0 { wantsRestartPoint = false }
    }

    private mutating func notePoint(atBlockWith unusedBits: UInt8) {
        let lastByte = buffered.lowerBound > 0 ? buffer[buffered.lowerBound - 1] : byteBeforeBuffer
        notePoint(
            .block(
                RestartPoint.Block(
                    unusedBits: unusedBits, bits: lastByte >> (8 - unusedBits), window: stream.window(),
                    checksum: checksum.value(), length: memberLength)))
    }

    private mutating func beginBody(at block: RestartPoint.Block) {
        stream.restart(at: block)
        checksum.restart(from: block.checksum)
        memberLength = block.length
        byteBeforeBuffer = block.bits << (8 - block.unusedBits)
        state = .body
    }

    private mutating func detect() throws(SourceError) {
        while buffered.count < 2, !inputEnded { try fillBuffer() }
        let isGzip = buffered.count >= 2 && buffer[0] == 0x1f && buffer[1] == 0x8b
        state = isGzip ? .header(GzipHeader()) : .plain
    }

    private mutating func readPlain(into output: inout MutableSpan<UInt8>) throws(SourceError) -> Int {
        if !buffered.isEmpty {
            let count = min(buffered.count, output.count)
            output.write(
                buffer.span.extracting(buffered.lowerBound..<(buffered.lowerBound + count)), at: 0)
            consume(count)
            inflated += UInt64(count)
            return count
        }
        guard !inputEnded else { return 0 }
        let count = try readInput(into: &output)
        inflated += UInt64(count)
        if count == 0 { inputEnded = true }
        return count
    }

    private mutating func readHeader(_ start: GzipHeader) throws(SourceError) {
        var header = start
        while let byte = try nextByte() {
            switch header.take(byte) {
            case .more: continue
            case .invalid: throw damage(.badHeader, at: offset - 1)
            case .complete:
                stream.reset()
                checksum.restart()
                memberLength = 0
                state = .body
                return
            }
        }
        throw damage(.truncated, at: offset)
    }

    private mutating func inflateBody(into output: inout MutableSpan<UInt8>) throws(SourceError) -> Int {
        if buffered.isEmpty, !inputEnded { try fillBuffer() }
        let (consumed, produced, outcome) = stream.inflate(
            buffer.span.extracting(buffered), into: &output,
            stopsAtBlocks: wantsRestartPoint && bytesToDrop == 0)
        consume(consumed)
        checksum.owe(output.span.extracting(first: produced))
        if settlesAtOnce { checksum.settle() }
        memberLength &+= UInt32(truncatingIfNeeded: produced)
        inflated += UInt64(produced)
        switch outcome {
        case .finished: state = .trailer([])
        case .blockEnd(let unusedBits): notePoint(atBlockWith: unusedBits)
        case .corrupt:
            // What was put out before the bad block is good: it is handed on first.
            if produced == 0 { throw damage(.corrupt, at: offset) }
        case .progress:
            if produced == 0, consumed == 0, buffered.isEmpty, inputEnded {
                throw damage(.truncated, at: offset)
            }
        }
        return produced
    }

    private mutating func readTrailer(_ start: [UInt8]) throws(SourceError) {
        var trailer = start
        while trailer.count < 8 {
            guard let byte = try nextByte() else { throw damage(.truncated, at: offset) }
            trailer.append(byte)
        }
        func word(_ index: Int) -> UInt32 {
            (0..<4).reduce(0) { $0 | UInt32(trailer[index + $1]) << (8 * UInt32($1)) }
        }
        guard word(0) == checksum.value() else { throw damage(.badChecksum, at: offset - 8) }
        guard word(4) == memberLength else { throw damage(.badLength, at: offset - 4) }
        state = .betweenMembers
        notePoint(.betweenMembers)
    }

    private mutating func readBetweenMembers() throws(SourceError) {
        while buffered.count < 2, !inputEnded { try fillBuffer() }
        guard let first = buffered.first else { return state = .ended }
        switch buffer[first] {
        case 0: state = .padding
        case 0x1f where buffered.count == 1: throw damage(.truncated, at: offset + 1)
        case 0x1f where buffer[first + 1] == 0x8b: state = .header(GzipHeader())
        default: throw damage(.trailingGarbage, at: offset)
        }
    }

    private mutating func readPadding() throws(SourceError) {
        while let byte = try nextByte() {
            guard byte == 0 else { throw damage(.trailingGarbage, at: offset - 1) }
        }
        state = .ended
    }

    private mutating func damage(_ reason: SourceDamage.Reason, at offset: UInt64) -> SourceError {
        end()
        return .damaged(SourceDamage(reason: reason, offset: offset))
    }

    private mutating func end() {
        state = .ended
        // What could not be dropped was handed on all the same, before.
        inflated += bytesToDrop
        bytesToDrop = 0
    }

    private mutating func nextByte() throws(SourceError) -> UInt8? {
        if buffered.isEmpty, !inputEnded { try fillBuffer() }
        guard let first = buffered.first else { return nil }
        consume(1)
        return buffer[first]
    }

    private mutating func consume(_ count: Int) {
        buffered = (buffered.lowerBound + count)..<buffered.upperBound
        offset += UInt64(count)
    }

    /// Moves what is left to the buffer's start and reads more behind it. The buffer is never full here: it is
    /// filled when empty, or with one byte in it.
    private mutating func fillBuffer() throws(SourceError) {
        if buffered.lowerBound > 0 {
            byteBeforeBuffer = buffer[buffered.lowerBound - 1]
            for (index, place) in buffered.enumerated() { buffer[index] = buffer[place] }
            buffered = 0..<buffered.count
        }
        let used = buffered.count
        let end = used + bufferBytes
        // Taken out of `self` while the input, another part of it, writes into it.
        var filling = buffer
        buffer = []
        defer { buffer = filling }
        let count = try unsafe filling.withUnsafeMutableBufferPointer { all throws(SourceError) -> Int in
            // Safety: the part behind the kept bytes; both live until the closure returns.
            let room = unsafe UnsafeMutableBufferPointer(rebasing: all[used..<end])
            var target = unsafe room.mutableSpan
            return try readInput(into: &target)
        }
        offset -= UInt64(count)
        if count == 0 { inputEnded = true }
        buffered = 0..<(used + count)
    }

    private mutating func readInput(into output: inout MutableSpan<UInt8>) throws(SourceError) -> Int {
        do throws(StorageError) {
            let count = try input.read(into: &output)
            offset += UInt64(count)
            return count
        } catch {
            throw .unreadable(error, offset: offset + UInt64(buffered.count))
        }
    }
}

/// Why a source ended before its end.
public enum SourceError: Error, Sendable {
    /// The bytes are not what they should be: what came before them is used, other sources go on.
    case damaged(SourceDamage)
    /// Reading failed after `offset` bytes.
    case unreadable(StorageError, offset: UInt64)
}
