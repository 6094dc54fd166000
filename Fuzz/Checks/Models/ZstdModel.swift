import CZstd
import SheafBytes

/// A zstd source as libzstd sees it when it decodes each frame in a single call, with everything in memory.
///
/// libzstd decides whether a frame is valid, but not where it is damaged: the model has the bytes of the frames before
/// that one, and the offsets that are right.
package struct ZstdModel {
    package private(set) var bytes: [UInt8] = []
    /// The reasons that are right, with their offsets; empty if the source is undamaged.
    package private(set) var damages: [(reason: SourceDamage.Reason, offsets: ClosedRange<Int>)] = []
    /// Whether the source was examined to its end or to its damage. False for a frame that refers beyond its window, or
    /// is decoded to very many bytes: libzstd in a single call and libzstd in a stream may differ there.
    package private(set) var isComplete = true

    private let source: [UInt8]
    private var offset = 0

    private static let longestContent = 1 << 22

    /// - Parameter source: bytes that begin with a magic number.
    package init(_ source: [UInt8]) {
        self.source = source
        while offset < source.count, damages.isEmpty, isComplete {
            if source[offset] == 0 {
                takePadding()
            } else {
                takeFrame()
            }
        }
    }

    /// Whether a source is zstd data.
    package static func isFrame(_ source: [UInt8]) -> Bool {
        source.count >= 4 && mayStart(source.prefix(4))
    }

    private static func mayStart(_ bytes: ArraySlice<UInt8>) -> Bool {
        let isSkippable = (0x50...0x5f).contains(bytes.first ?? 0)
        let magic: [UInt8] = isSkippable ? [0x2a, 0x4d, 0x18] : [0xb5, 0x2f, 0xfd]
        return (isSkippable || bytes.first == 0x28) && magic.starts(with: bytes.dropFirst())
    }

    private mutating func damage(_ reason: SourceDamage.Reason, _ offset: Int) {
        damages.append((reason, offset...offset))
    }

    private mutating func takePadding() {
        if let garbage = source[offset...].firstIndex(where: { $0 != 0 }) { damage(.zstdGarbage, garbage) }
        offset = source.count
    }

    private mutating func takeFrame() {
        let rest = source[offset...]
        guard Self.mayStart(rest.prefix(4)) else { return damage(.zstdGarbage, offset) }
        guard rest.count > 4, let header = Header(rest) else { return damage(.zstdTruncated, source.count) }
        if !header.isSkippable {
            if header.isReserved { return damage(.zstdCorrupt, offset) }
            if header.window > 128 << 20 { return damage(.zstdWindow, offset) }
            if header.hasDictionary { return damage(.zstdDictionary, offset) }
        }
        let frame = Array(rest)
        let size = unsafe frame.withUnsafeBufferPointer { frame in
            // Safety: libzstd reads at most the bytes of the frame, which outlive the call.
            unsafe ZSTD_findFrameCompressedSize(frame.baseAddress, frame.count)
        }
        guard ZSTD_isError(size) == 0 else {
            damages = [
                (.zstdTruncated, source.count...source.count), (.zstdCorrupt, offset...source.count),
            ]
            return
        }
        if !header.isSkippable { decode(frame.prefix(size), header) }
        offset += size
    }

    private mutating func decode(_ frame: ArraySlice<UInt8>, _ header: Header) {
        let frame = Array(frame)
        if Self.repeatsTooMuch(frame, header) {
            damages = [(.zstdCorrupt, offset...(offset + frame.count))]
            return
        }
        var content = [UInt8](repeating: 0, count: Self.longestContent)
        let count = unsafe content.withUnsafeMutableBufferPointer { content in
            unsafe frame.withUnsafeBufferPointer { frame in
                // Safety: libzstd reads at most the bytes of the frame and writes at most those of the content, which
                // outlive the call.
                unsafe ZSTD_decompress(content.baseAddress, content.count, frame.baseAddress, frame.count)
            }
        }
        if ZSTD_isError(count) == 0 {
            bytes += content[..<count]
            isComplete = header.window >= UInt64(count)
            return
        }
        let checksum = offset + frame.count - 4
        switch ZSTD_getErrorCode(count) {
        case ZSTD_error_dstSize_tooSmall: isComplete = false
        case ZSTD_error_checksum_wrong: damages = [(.zstdChecksum, checksum...checksum)]
        default: damages = [(.zstdCorrupt, offset...(offset + frame.count))]
        }
    }

    /// Returns whether a repeated byte is decoded to more than a block may have, or is stored in a frame whose blocks have
    /// no bytes. libzstd accepts both in a single call, and neither in a stream.
    private static func repeatsTooMuch(_ frame: [UInt8], _ header: Header) -> Bool {
        let limit = min(Int(header.window), 128 << 10)
        var offset = header.byteCount
        while offset + 3 <= frame.count {
            let word = Int(frame[offset]) | Int(frame[offset + 1]) << 8 | Int(frame[offset + 2]) << 16
            let (isRepeated, count) = (word >> 1 & 3 == 1, word >> 3)
            if isRepeated, count > limit || limit == 0 { return true }
            if word & 1 != 0 { return false }
            offset += 3 + (isRepeated ? 1 : count)
        }
        return false
    }

    /// What the model needs of a frame's header.
    private struct Header {
        var isSkippable = false
        var isReserved = false
        var hasDictionary = false
        var window: UInt64 = 0
        var byteCount = 0

        /// Parses a header; nil if it is cut off.
        init?(_ frame: ArraySlice<UInt8>) {
            var rest = frame.dropFirst(4)
            func number(_ count: Int) -> UInt64? {
                guard rest.count >= count else { return nil }
                defer { rest = rest.dropFirst(count) }
                return rest.prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
            }
            isSkippable = frame.first != 0x28
            if isSkippable { return }
            guard let flags = number(1) else { return nil }
            isReserved = flags & 8 != 0
            let isSingle = flags & 0x20 != 0
            if !isSingle {
                guard let descriptor = number(1) else { return nil }
                let base = UInt64(1) << (10 + (descriptor >> 3))
                window = base + base / 8 * (descriptor & 7)
            }
            guard let dictionary = number([0, 1, 2, 4][Int(flags & 3)]) else { return nil }
            hasDictionary = dictionary != 0
            let sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][Int(flags >> 6)]
            guard let size = number(sizeBytes) else { return nil }
            if isSingle { window = sizeBytes == 2 ? size + 256 : size }
            byteCount = rest.startIndex - frame.startIndex
        }
    }
}

extension ZstdModel {
    /// Returns how a source's bytes and damage differ from the model's.
    package func violations(of drained: Drained) -> [String] {
        var mistakes: [String] = []
        let mayHaveMore = !isComplete || damages.contains { $0.reason != .zstdGarbage }
        if mayHaveMore ? !drained.bytes.starts(with: bytes) : drained.bytes != bytes {
            let same = zip(drained.bytes, bytes).prefix { $0 == $1 }.count
            mistakes.append("\(drained.bytes.count) bytes, not \(bytes.count), the same up to \(same)")
        }
        guard isComplete else { return [] }
        let isRight =
            drained.damage.map { found in
                damages.contains { $0.reason == found.reason && $0.offsets.contains(Int(found.offset)) }
            } ?? damages.isEmpty
        if !isRight { mistakes.append("\(String(describing: drained.damage)), not \(damages)") }
        if drained.bytesInflated != drained.bytes.count {
            mistakes.append("\(drained.bytesInflated) bytes counted")
        }
        return mistakes
    }
}
