/// The bytes of a source: inflated if they are gzip or zstd data, unchanged if not (specification §1).
///
///     input ──▶ [compressed buffer, 256 KiB] ──inflate───────▶ the caller's buffer
///     input ──▶ [compressed buffer, 256 KiB] ──ZstdDecoder───▶ the caller's buffer
///     input ─────────── plain ───────────────────────────────▶ the caller's buffer
///
/// The first bytes decide between them, never a name: two for gzip, four for zstd. Owns its compressed buffer, the
/// decoder's tables, up to 64 KiB for a gzip source's last bytes and, for a zstd source, what its frames need; nothing
/// else grows. After damage or the end, every further read returns 0 bytes.
///
/// Another `SourceInput` can resume reading from a `RestartPoint`. The starts of the source and of each member or frame
/// are points that cost nothing. A point inside a member is taken only on request, at the end of the block that is
/// being inflated, and never inside a frame.
package struct SourceInput: ~Copyable {
    private enum State {
        case undetected
        case plain
        /// Inside a member's header.
        case header(GzipHeader)
        case body
        /// Inside a member's trailer, with its bytes so far.
        case trailer([UInt8])
        /// After a member: another member, zeros, or the end follows.
        case betweenMembers
        case padding
        /// Zstd frames, and the data between and after them.
        case frames(ZstdDecoder)
        case ended
    }

    private var input: any ByteInput
    private var state = State.undetected
    private let stream: InflateStream
    private var history = MemberHistory()
    private let checksum: DeferredChecksum
    private let settlesAtOnce: Bool
    private let windows: WindowMemory?
    private var memberLength: UInt32 = 0
    private var points = RestartPoints(.start)

    /// The bytes at `buffered` in `buffer` were read but not used yet. The buffer has room for
    /// `heldBytes` more than are read at once.
    private var buffer: [UInt8]
    private var buffered = 0..<0
    private let bufferBytes: Int
    /// The byte before the first byte in the buffer. Some of its bits may not be used yet.
    private var byteBeforeBuffer: UInt8 = 0
    /// The offset in the source at which `buffered` starts.
    private var offset: UInt64 = 0
    private var inputEnded = false
    /// The memory that zstd frames have taken, in bytes.
    package private(set) var windowBytes = 0

    /// The number of bytes still to be dropped, from the restart point up to the requested position.
    private var bytesToDrop: UInt64 = 0
    /// The number of bytes inflated so far, including dropped bytes.
    private var inflated: UInt64 = 0

    /// The number of bytes of the source used so far, including those before a restart point. At the end of the
    /// source, and at damage, it does not depend on how many bytes the input returned at once.
    package var bytesRead: UInt64 { offset }
    /// The number of bytes returned so far, including those returned by an earlier reader before a restart. For a
    /// plain source, the same as `bytesRead`.
    package var bytesInflated: UInt64 { inflated + bytesToDrop }

    /// Whether a point will be taken at the end of the next block.
    package private(set) var wantsRestartPoint = false
    /// How far before the last returned byte a position may be at which reading resumes, in bytes.
    var reach: Int {
        get { points.reach }
        set { points.reach = newValue }
    }

    /// The number of compressed bytes that are read at once.
    package static let defaultBufferBytes = 1 << 18
    /// The number of unused bytes that may be in the buffer when it is filled: a magic number without its last byte.
    private static let heldBytes = ZstdFrameHeader.magicBytes - 1

    /// - Parameters:
    ///   - bufferBytes: the number of compressed bytes that are read at once, 2 or more.
    ///   - checksum: computes the members' checksums. If it is given, `read(into:at:ownedBy:)` leaves the bytes that it
    ///     returns to `checksum.settle()`; otherwise, each read computes them itself.
    ///   - windows: the limit on the memory for zstd frames; nil if only `ZstdFrameHeader.maximumWindow` limits it.
    ///   - inflater: the decoder of gzip data.
    package init(
        _ input: any ByteInput, bufferBytes: Int = defaultBufferBytes, checksum: DeferredChecksum? = nil,
        windows: WindowMemory? = nil, inflater: Inflater = .standard
    ) {
        precondition(bufferBytes >= 2, "a member shows in its first two bytes")
        self.input = input
        stream = InflateStream(inflater)
        self.checksum = checksum ?? DeferredChecksum()
        settlesAtOnce = checksum == nil
        self.windows = windows
        self.bufferBytes = bufferBytes
        buffer = [UInt8](repeating: 0, count: bufferBytes + Self.heldBytes)
    }

    /// Resumes reading at a point.
    ///
    /// - Parameters:
    ///   - file: the source, opened again.
    ///   - bytesToDrop: the number of bytes after the point that were returned before.
    ///   - bufferBytes: like `checksum`, `windows` and `inflater`, as for reading from the start.
    /// - Throws: `StorageError` if the file can't seek, such as a pipe.
    package init(
        resuming file: any ReadableFile, at point: RestartPoint, dropping bytesToDrop: UInt64,
        bufferBytes: Int = defaultBufferBytes, checksum: DeferredChecksum? = nil,
        windows: WindowMemory? = nil, inflater: Inflater = .standard
    ) throws(StorageError) {
        // A pipe can't seek, but can be read from its start.
        if point.offset > 0 { try file.seek(to: point.offset) }
        self.init(file, bufferBytes: bufferBytes, checksum: checksum, windows: windows, inflater: inflater)
        points = RestartPoints(point)
        offset = point.offset
        inflated = point.bytesInflated
        self.bytesToDrop = bytesToDrop
        switch point.kind {
        case .start: state = .undetected
        case .plain: state = .plain
        case .betweenMembers: state = .betweenMembers
        case .betweenFrames: state = .frames(ZstdDecoder(at: point.offset, windows: windows))
        case .block(let block): beginBody(at: block)
        }
    }

    /// The number of bytes before the position of `read(into:at:ownedBy:)` that it may need: how far back a match of
    /// DEFLATE may refer.
    static let historyBytes = RestartPoint.Block.windowBytes

    /// Reads into the start of `output`, which is not empty.
    ///
    /// - Returns: the number of bytes read; 0 only at the end.
    /// - Throws: `SourceError.damaged` at the position from which nothing more can be decoded,
    ///   `SourceError.unreadable` if reading failed.
    package mutating func read(into output: inout MutableSpan<UInt8>) throws(SourceError) -> Int {
        if bytesToDrop > 0 { try dropBytes() }
        return try readNext(into: &output)
    }

    /// Reads into `buffer` from `position` on, like `read(into:)`, but saves copies:
    ///
    /// - Gzip data is inflated in the buffer. The last `historyBytes` bytes before `position` may be overwritten. Until
    ///   `keepHistory` is called, the bytes that were returned must not change, and the next read must be after them in
    ///   the same buffer.
    /// - The bytes may be left to the deferred checksum: they must not change until it is settled.
    ///
    /// - Parameter position: `historyBytes` or more.
    ///
    /// Safety: the bytes of `buffer` must stay allocated as long as `owner` exists.
    @unsafe mutating func read(
        into buffer: inout MutableSpan<UInt8>, at position: Int, ownedBy owner: AnyObject
    ) throws(SourceError) -> Int {
        precondition(position >= Self.historyBytes, "no room for the bytes that matches refer to")
        if bytesToDrop > 0 { try dropBytes() }
        return try readNext(into: &buffer, at: position, ownedBy: settlesAtOnce ? nil : owner)
    }

    /// Copies the last bytes that `read(into:at:ownedBy:)` returned, if later bytes may refer to them. O(32 KiB).
    ///
    /// - Parameter buffer: the buffer up to the end of these bytes.
    mutating func keepHistory(_ buffer: Span<UInt8>) { history.keep(buffer) }

    /// - Parameters:
    ///   - position: where to write in `output`, as for `read(into:at:ownedBy:)`; nil for `read(into:)`.
    ///   - owner: the owner of the bytes of `output`; nil if no object keeps them.
    private mutating func readNext(
        into output: inout MutableSpan<UInt8>, at position: Int? = nil, ownedBy owner: AnyObject? = nil
    ) throws(SourceError) -> Int {
        while true {
            switch state {
            case .undetected: try detect()
            case .plain:
                var room = output._mutatingExtracting((position ?? 0)...)
                return try readPlain(into: &room)
            case .header(let header): try readHeader(header)
            case .body:
                let produced = try inflateBody(into: &output, at: position, ownedBy: owner)
                if produced > 0 { return produced }
            case .trailer(let bytes): try readTrailer(bytes)
            case .betweenMembers: try readBetweenMembers()
            case .padding: try readPadding()
            case .frames(let decoder):
                var room = output._mutatingExtracting((position ?? 0)...)
                let produced = try readFrames(decoder, into: &room)
                if produced > 0 { return produced }
            case .ended: return 0
            }
        }
    }

    /// Ends reading and frees the decoder's memory. Further reads return 0 bytes.
    package mutating func close() {
        end()
        stream.close()
        checksum.restart()
    }

    /// Requests a restart point at the next end of a block, or of the member, after the bytes returned so far. Until
    /// then, the previous point remains, which is just as correct: only more bytes are inflated again. Reading a
    /// plain source can resume anywhere.
    package mutating func requestRestartPoint() { wantsRestartPoint = true }

    /// Returns the newest point from which the position `count` bytes before the end of the returned bytes can be
    /// reached. `count` is at most `reach`.
    func restartPoint(before count: Int) -> RestartPoint {
        let position = bytesInflated - UInt64(count)
        if case .plain = state {
            return RestartPoint(kind: .plain, offset: position, bytesInflated: position)
        }
        return points.newest(before: position)
    }

    /// Inflates the bytes again that were returned before the restart.
    private mutating func dropBytes() throws(SourceError) {
        var scratch = [UInt8](repeating: 0, count: Int(min(bytesToDrop, 1 << 16)))
        while bytesToDrop > 0 {
            if UInt64(scratch.count) > bytesToDrop { scratch.removeLast(scratch.count - Int(bytesToDrop)) }
            var room = scratch.mutableSpan
            let count = try readNext(into: &room)
            // The source has become shorter than it was.
            if count == 0 { throw damage(.truncated, at: offset) }
            bytesToDrop -= UInt64(count)
        }
    }

    private mutating func addPoint(_ kind: RestartPoint.Kind) {
        points.add(RestartPoint(kind: kind, offset: offset, bytesInflated: inflated))
        if bytesToDrop == 0 { wantsRestartPoint = false }
    }

    private mutating func addPoint(atBlockWith unusedBits: UInt8, window: [UInt8]) {
        let lastByte = buffered.lowerBound > 0 ? buffer[buffered.lowerBound - 1] : byteBeforeBuffer
        addPoint(
            .block(
                RestartPoint.Block(
                    unusedBits: unusedBits, bits: lastByte >> (8 - unusedBits), window: window,
                    checksum: checksum.value(), length: memberLength)))
    }

    private mutating func beginBody(at block: RestartPoint.Block) {
        stream.restart(at: block)
        history.restart(block.window)
        checksum.restart(from: block.checksum)
        memberLength = block.length
        byteBeforeBuffer = block.bits << (8 - block.unusedBits)
        state = .body
    }

    private mutating func detect() throws(SourceError) {
        while buffered.count < 2, !inputEnded { try fillBuffer() }
        if buffered.count >= 2, buffer[..<2] == GzipHeader.magic[..<2] {
            state = .header(GzipHeader())
            return
        }
        while buffered.count < ZstdFrameHeader.magicBytes, ZstdFrameHeader.mayStart(buffer[buffered]),
            !inputEnded
        {
            try fillBuffer()
        }
        let isFrame = ZstdFrameHeader.isMagic(buffer[buffered])
        state = isFrame ? .frames(ZstdDecoder(at: offset, windows: windows)) : .plain
    }

    private mutating func readFrames(
        _ decoder: ZstdDecoder, into output: inout MutableSpan<UInt8>
    ) throws(SourceError) -> Int {
        let step = decoder.step(buffer.span.extracting(buffered), into: &output)
        windowBytes = decoder.memoryBytes
        consume(step.consumed)
        inflated += UInt64(step.produced)
        switch step.outcome {
        case .progress: break
        case .frameEnd: addPoint(.betweenFrames)
        case .needsInput where !inputEnded: try fillBuffer()
        case .needsInput where decoder.mayEnd: state = .ended
        case .needsInput: throw damage(.zstdTruncated, at: offset)
        case .damaged(let damage): throw self.damage(damage.reason, at: damage.offset)
        case .tooLarge(let bytes, let offset):
            end()
            throw .tooLarge(bytes: bytes, offset: offset)
        }
        return step.produced
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
            switch header.parse(byte) {
            case .more: continue
            case .invalid: throw damage(.badHeader, at: offset - 1)
            case .complete:
                stream.reset()
                history.clear()
                checksum.restart()
                memberLength = 0
                state = .body
                return
            }
        }
        throw damage(.truncated, at: offset)
    }

    private mutating func inflateBody(
        into output: inout MutableSpan<UInt8>, at position: Int?, ownedBy owner: AnyObject?
    ) throws(SourceError) -> Int {
        if buffered.isEmpty, !inputEnded { try fillBuffer() }
        let stopsAtBlocks = wantsRestartPoint && bytesToDrop == 0
        let stream = stream
        let start = position ?? 0
        let (consumed, produced, outcome): InflateStream.Result
        if position != nil {
            history.move(to: &output, before: start)
            (consumed, produced, outcome) = stream.inflate(
                buffer.span.extracting(buffered), into: &output, at: start, stopsAtBlocks: stopsAtBlocks)
        } else {
            let input = buffer[buffered]
            (consumed, produced, outcome) = history.inflate(into: &output) { room, position in
                stream.inflate(input.span, into: &room, at: position, stopsAtBlocks: stopsAtBlocks)
            }
        }
        history.add(produced)
        consume(consumed)
        let returned = output.span.extracting(..<(start + produced))
        let bytes = returned.extracting(start...)
        if let owner {
            // Safety: the owner keeps the bytes, as `read(into:at:ownedBy:)` requires.
            unsafe checksum.owe(bytes, ownedBy: owner)
        } else {
            checksum.add(bytes)
        }
        memberLength &+= UInt32(truncatingIfNeeded: produced)
        inflated += UInt64(produced)
        switch outcome {
        case .finished: state = .trailer([])
        case .blockEnd(let unusedBits):
            addPoint(atBlockWith: unusedBits, window: history.window(in: returned))
        case .corrupt:
            // The output before the corrupt block is valid: it is returned first.
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
        let sum = trailer.span.number(at: 0, count: 4), length = trailer.span.number(at: 4, count: 4)
        guard sum == checksum.value() else { throw damage(.badChecksum, at: offset - 8) }
        guard length == memberLength else { throw damage(.badLength, at: offset - 4) }
        state = .betweenMembers
        addPoint(.betweenMembers)
    }

    private mutating func readBetweenMembers() throws(SourceError) {
        while buffered.count < 2, !inputEnded { try fillBuffer() }
        guard let first = buffered.first else { return state = .ended }
        switch buffer[first] {
        case 0: state = .padding
        case GzipHeader.magic[0] where buffered.count == 1: throw damage(.truncated, at: offset + 1)
        case GzipHeader.magic[0] where buffer[first + 1] == GzipHeader.magic[1]: state = .header(GzipHeader())
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
        // Bytes that could not be dropped were still returned before the restart.
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

    /// Moves the remaining bytes to the start of the buffer and reads more after them. The buffer is never full here:
    /// it is filled when it has at most `heldBytes`.
    private mutating func fillBuffer() throws(SourceError) {
        if buffered.lowerBound > 0 {
            byteBeforeBuffer = buffer[buffered.lowerBound - 1]
            for (target, source) in buffered.enumerated() { buffer[target] = buffer[source] }
            buffered = 0..<buffered.count
        }
        let used = buffered.count
        let end = used + bufferBytes
        // Moved out of `self`, because `input`, another part of `self`, writes into it.
        var filling = buffer
        buffer = []
        defer { buffer = filling }
        let count = try unsafe filling.withUnsafeMutableBufferPointer { all throws(SourceError) -> Int in
            // Safety: `used` is at most `heldBytes` and the buffer has `bufferBytes + heldBytes` bytes, so the range is
            // inside it. The buffer and the span live until the closure returns.
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
            let room = output.count
            let count = try input.read(into: &output)
            precondition(count >= 0 && count <= room, "an input read more than there was room for")
            offset += UInt64(count)
            return count
        } catch {
            throw .unreadable(error, offset: offset + UInt64(buffered.count))
        }
    }
}

/// The reason that a source ended early.
package enum SourceError: Error, Sendable {
    /// The bytes are invalid. Those before the damage are used, and other sources continue.
    case damaged(SourceDamage)
    /// Reading failed after `offset` bytes.
    case unreadable(StorageError, offset: UInt64)
    /// Decoding the zstd frame at `offset` takes more memory, in bytes, than `WindowMemory` allows.
    case tooLarge(bytes: Int, offset: UInt64)
}
