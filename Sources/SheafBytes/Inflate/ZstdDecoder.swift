import CZstd
import Synchronization

/// Decodes a sequence of zstd frames (RFC 8878): a state machine that receives the stored bytes in pieces of any length.
///
///     frame      magic 4 | header | block … last block | [checksum 4]        block  header 3 | up to 128 KiB
///     skippable  magic 4 | length 4 | content
///     frame … frame | zeros
///
/// libzstd decodes the blocks and verifies the checksum. It decodes only whole blocks, and given a whole frame it would
/// decode all of it or nothing. The decoder finds the parts of a frame, so that it knows the offset of damage, and checks
/// the rules that libzstd checks too late or not in a stream: sizes of blocks, and the size of the content.
///
/// Invariants: libzstd receives each part whole, and a block only after all output of the previous block was returned.
/// Nothing of a block is returned before all of it is decoded. Hence output, damage and its offset depend on the stored
/// bytes alone. Memory: `ZstdFrameHeader.memoryBytes` of the most demanding frame so far.
///
/// A frame cannot be resumed inside: its blocks refer to the window, and the checksum's state is inside libzstd.
@safe final class ZstdDecoder {
    /// The result of one step.
    struct Step {
        /// The number of stored bytes that were used.
        var consumed = 0
        /// The number of bytes written.
        var produced = 0
        var outcome = Outcome.progress
    }

    enum Outcome: Equatable {
        case progress
        /// All input was used, and more is needed.
        case needsInput
        /// A frame ended with the last used byte.
        case frameEnd
        case damaged(SourceDamage)
        /// The frame at `offset` takes more memory than its source may take, in bytes.
        case tooLarge(bytes: Int, offset: UInt64)
    }

    private enum Part {
        /// Between two frames.
        case magic
        case frameHeader
        case skippableHeader
        /// Inside a skippable frame, with the number of its remaining bytes.
        case skippable(UInt64)
        case blockHeader
        case block(count: Int, isLast: Bool)
        /// After a block whose output did not fit.
        case output(isLast: Bool)
        case checksum
        case padding
    }

    private enum BlockKind: UInt8 {
        case raw, repeated, compressed, reserved
    }

    private let context: OpaquePointer
    private let windows: WindowMemory?
    /// The memory that decoding takes, in bytes: that of the most demanding frame so far.
    private(set) var memoryBytes = 0
    private var part = Part.magic
    /// The first bytes of a part that is not complete.
    private var pending: [UInt8] = []
    /// The offset of the next byte in the source.
    private var offset: UInt64
    /// The offset of the current frame header, block or checksum.
    private var partOffset: UInt64
    /// The header of the current frame.
    private var header = ZstdFrameHeader.empty
    /// The number of bytes that the current frame was decoded to.
    private var contentBytes: UInt64 = 0

    /// - Parameters:
    ///   - offset: the offset of a frame in the source, or the one after a frame.
    ///   - windows: the limit on memory; nil for no limit.
    init(at offset: UInt64, windows: WindowMemory?) {
        self.offset = offset
        partOffset = offset
        self.windows = windows
        guard let context = unsafe ZSTD_createDCtx() else {
            preconditionFailure("libzstd could not be started; out of memory?")
        }
        // Safety: `deinit` frees the context and nothing else does.
        unsafe self.context = context
        // The window of each frame is checked first, so this limit guards against a mistake there.
        let windowLog = Int32(ZstdFrameHeader.maximumWindow.trailingZeroBitCount)
        let status = unsafe ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, windowLog)
        precondition(ZSTD_isError(status) == 0, "libzstd does not accept a window of 2^\(windowLog) bytes")
    }

    deinit {
        // Safety: `init` created the context, and nothing uses it any more.
        unsafe ZSTD_freeDCtx(context)
        windows?.change(from: memoryBytes, to: 0)
    }

    /// Whether the source may end here.
    var mayEnd: Bool {
        switch part {
        case .magic: pending.isEmpty
        case .padding: true
        default: false
        }
    }

    /// Decodes the next part, or collects its bytes if `input` does not have all of them.
    ///
    /// - Parameter output: the memory for the output, not empty.
    func step(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Step {
        if case .output(let isLast) = part {
            let nothing: [UInt8] = []
            return decodeBlock(nothing.span, isLast: isLast, into: &output)
        }
        guard input.count > 0 else { return Step(outcome: .needsInput) }
        var step: Step
        switch part {
        case .magic: step = readMagic(input)
        case .padding: step = readPadding(input)
        case .skippable(let left): step = skip(left, input)
        case .block(let count, let isLast) where pending.isEmpty && input.count >= count:
            offset += UInt64(count)
            step = decodeBlock(input.extracting(first: count), isLast: isLast, into: &output)
            step.consumed = count
        default: step = collectPart(input, into: &output)
        }
        return step
    }

    /// Adds input to the pending bytes, and uses them once the part is complete.
    private func collectPart(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Step {
        var consumed = 0
        while pending.count < partBytes {
            let count = min(partBytes - pending.count, input.count - consumed)
            guard count > 0 else { return Step(consumed: consumed, outcome: .needsInput) }
            pending.append(input.extracting(consumed..<(consumed + count)))
            consumed += count
            offset += UInt64(count)
        }
        var bytes: [UInt8] = []
        swap(&bytes, &pending)
        var step = usePart(bytes.span, into: &output)
        bytes.removeAll(keepingCapacity: true)
        swap(&bytes, &pending)
        step.consumed = consumed
        return step
    }

    /// The length of the current part, as far as it is known from the pending bytes.
    private var partBytes: Int {
        switch part {
        case .frameHeader where pending.count <= ZstdFrameHeader.magicBytes: ZstdFrameHeader.magicBytes + 1
        case .frameHeader: ZstdFrameHeader.byteCount(descriptor: pending[ZstdFrameHeader.magicBytes])
        case .skippableHeader: ZstdFrameHeader.skippableBytes
        case .blockHeader: ZstdFrameHeader.blockHeaderBytes
        case .block(let count, _): count
        case .checksum: ZstdFrameHeader.checksumBytes
        case .magic, .skippable, .output, .padding: preconditionFailure("this part is not collected")
        }
    }

    private func usePart(_ bytes: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Step {
        switch part {
        case .frameHeader: return beginFrame(bytes, &output)
        case .skippableHeader:
            let count = bytes.number(at: 4, count: 4)
            part = .skippable(count)
            return count == 0 ? endFrame() : Step()
        case .blockHeader: return beginBlock(bytes, &output)
        case .block(_, let isLast): return decodeBlock(bytes, isLast: isLast, into: &output)
        case .checksum:
            guard decode(bytes, into: &output) != nil else {
                return damage(.zstdChecksum, at: partOffset)
            }
            return endFrame()
        case .magic, .skippable, .output, .padding: preconditionFailure("this part is not collected")
        }
    }

    /// Passes a whole part to libzstd, or continues to return the last part's output if `part` is empty. Output that
    /// does not fit is returned by the next calls, which have no part, until a call returns less than there is room
    /// for.
    ///
    /// - Returns: the number of bytes written to `output`, which is not empty; nil if the part is invalid.
    private func decode(_ part: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Int? {
        unsafe part.withUnsafeBufferPointer { source in
            unsafe output.withUnsafeMutableBufferPointer { target in
                // Safety: libzstd reads at most the bytes of the part and writes at most those of the target. Both
                // outlive the call, and libzstd keeps no pointer to them.
                var input = unsafe ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
                var room = unsafe ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
                let status = unsafe ZSTD_decompressStream(context, &room, &input)
                return ZSTD_isError(status) == 0 ? unsafe room.pos : nil
            }
        }
    }
}

// MARK: - Frames

extension ZstdDecoder {
    private func readMagic(_ input: Span<UInt8>) -> Step {
        if pending.isEmpty { partOffset = offset }
        for index in 0..<input.count {
            pending.append(input[index])
            offset += 1
            if pending == [0] {
                pending.removeAll(keepingCapacity: true)
                part = .padding
                return Step(consumed: 1)
            }
            guard ZstdFrameHeader.mayStart(pending) else {
                var step = damage(.zstdGarbage, at: partOffset)
                step.consumed = index + 1
                return step
            }
            if pending.count == ZstdFrameHeader.magicBytes {
                part = pending[0] == ZstdFrameHeader.magic[0] ? .frameHeader : .skippableHeader
                return Step(consumed: index + 1)
            }
        }
        return Step(consumed: input.count, outcome: .needsInput)
    }

    private func readPadding(_ input: Span<UInt8>) -> Step {
        for index in 0..<input.count where input[index] != 0 {
            var step = damage(.zstdGarbage, at: offset + UInt64(index))
            step.consumed = index + 1
            return step
        }
        offset += UInt64(input.count)
        return Step(consumed: input.count, outcome: .needsInput)
    }

    private func skip(_ left: UInt64, _ input: Span<UInt8>) -> Step {
        let count = Int(min(left, UInt64(input.count)))
        offset += UInt64(count)
        part = .skippable(left - UInt64(count))
        var step = left == UInt64(count) ? endFrame() : Step(outcome: .needsInput)
        step.consumed = count
        return step
    }

    private func beginFrame(_ bytes: Span<UInt8>, _ output: inout MutableSpan<UInt8>) -> Step {
        guard let header = ZstdFrameHeader(bytes) else { return damage(.zstdCorrupt, at: partOffset) }
        guard header.windowBytes <= ZstdFrameHeader.maximumWindow else {
            return damage(.zstdWindow, at: partOffset)
        }
        guard header.dictionary == 0 else { return damage(.zstdDictionary, at: partOffset) }
        if header.memoryBytes > memoryBytes {
            if let windows {
                guard header.memoryBytes <= windows.limit else {
                    return Step(outcome: .tooLarge(bytes: header.memoryBytes, offset: partOffset))
                }
                windows.change(from: memoryBytes, to: header.memoryBytes)
            }
            memoryBytes = header.memoryBytes
        }
        unsafe ZSTD_DCtx_reset(context, ZSTD_reset_session_only)
        guard decode(bytes, into: &output) != nil else { return damage(.zstdCorrupt, at: partOffset) }
        self.header = header
        contentBytes = 0
        part = .blockHeader
        partOffset = offset
        return Step()
    }

    private func endFrame() -> Step {
        part = .magic
        return Step(outcome: .frameEnd)
    }

    private func damage(_ reason: SourceDamage.Reason, at offset: UInt64) -> Step {
        Step(outcome: .damaged(SourceDamage(reason: reason, offset: offset)))
    }
}

// MARK: - Blocks

extension ZstdDecoder {
    private func beginBlock(_ bytes: Span<UInt8>, _ output: inout MutableSpan<UInt8>) -> Step {
        let word = Int(bytes.number(at: 0, count: 3))
        let isLast = word & 1 != 0
        let kind = BlockKind(rawValue: UInt8(word >> 1 & 3)) ?? .reserved
        let count = word >> 3
        guard isValid(kind, count, isLast: isLast), decode(bytes, into: &output) != nil else {
            return damage(.zstdCorrupt, at: partOffset)
        }
        let stored = kind == .repeated ? 1 : count
        guard stored > 0 else { return endBlock(isLast: isLast, produced: 0) }
        part = .block(count: stored, isLast: isLast)
        return Step()
    }

    /// - Parameter count: the length of the block's content; for a compressed block, the stored length.
    private func isValid(_ kind: BlockKind, _ count: Int, isLast: Bool) -> Bool {
        guard kind != .reserved, count <= header.blockBytes else { return false }
        // libzstd compares the size of the content after the last block, unless that is empty.
        if kind == .compressed { return count > 0 }
        guard let expected = header.contentBytes else { return true }
        let end = contentBytes + UInt64(count)
        return isLast ? end == expected : end <= expected
    }

    /// - Parameter bytes: a whole block, or nothing if the output of the current block did not fit.
    private func decodeBlock(
        _ bytes: Span<UInt8>, isLast: Bool, into output: inout MutableSpan<UInt8>
    ) -> Step {
        guard let produced = decode(bytes, into: &output) else {
            return damage(.zstdCorrupt, at: partOffset)
        }
        contentBytes += UInt64(produced)
        guard produced == output.count else { return endBlock(isLast: isLast, produced: produced) }
        part = .output(isLast: isLast)
        return Step(produced: produced)
    }

    private func endBlock(isLast: Bool, produced: Int) -> Step {
        partOffset = offset
        var step = Step()
        if !isLast {
            part = .blockHeader
        } else if header.hasChecksum {
            part = .checksum
        } else {
            step = endFrame()
        }
        step.produced = produced
        return step
    }
}

/// The memory that the open sources of a run take for decoding zstd frames.
///
/// The memory budget has a part for each source. A source whose frames need more takes it from another consumer, which
/// has to leave `borrowedBytes` unused, up to a limit that is the same for every source. Whether a frame can be decoded
/// therefore depends on neither the other sources nor time.
package final class WindowMemory: Sendable {
    /// The memory that each source has anyway, in bytes.
    private let reserved: Int
    /// The memory that a source may take, in bytes: at least `reserved`.
    package let limit: Int
    private let borrowed = Atomic<Int>(0)

    package init(reserved: Int, limit: Int) {
        precondition(limit >= reserved, "a source may take its reserved memory")
        self.reserved = reserved
        self.limit = limit
    }

    /// The memory that all sources take in addition to their reserved memory, in bytes.
    package var borrowedBytes: Int { borrowed.load(ordering: .relaxed) }

    /// Records that a source takes `new` bytes instead of `old`.
    func change(from old: Int, to new: Int) {
        let change = max(new, reserved) - max(old, reserved)
        if change != 0 { borrowed.add(change, ordering: .relaxed) }
    }
}
