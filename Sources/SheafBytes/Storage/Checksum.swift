import CSheaf
import CZlib

/// A running CRC-32, as in gzip members (RFC 1952) and in frames.
package struct Checksum: Sendable {
    package private(set) var value: UInt32

    /// - Parameter value: the checksum of the preceding bytes, if it was computed elsewhere.
    package init(_ value: UInt32 = 0) { self.value = value }

    /// The number of bytes that the processor folds at once: 32 on x86-64 with VPCLMULQDQ, 16 with PCLMULQDQ or on arm64
    /// with PMULL, otherwise 0.
    static let width = Int(sheaf_crc32_width())
    private static let blockBytes = 64

    /// Adds `bytes` to the checksum. O(count), at most about 0.1 ns per byte if the processor can fold.
    package mutating func update(_ bytes: Span<UInt8>) {
        update(bytes, folding: Self.width)
    }

    /// Adds `bytes` to the checksum.
    ///
    /// - Parameter width: the number of bytes that are folded at once, at most `Self.width`. If it is 0, zlib does all of
    ///   the work, as on processors that cannot fold.
    mutating func update(_ bytes: Span<UInt8>, folding width: Int) {
        precondition(width <= Self.width, "the processor folds fewer bytes at once")
        unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            let folded = width > 0 ? buffer.count & ~(Self.blockBytes - 1) : 0
            // Safety: `folded` is at most the number of bytes, so both parts are inside the buffer, which outlives
            // the calls.
            if folded > 0 { unsafe fold(start, count: folded, width: width) }
            value = UInt32(unsafe crc32_z(UInt(value), start + folded, buffer.count - folded))
        }
    }

    /// Adds whole blocks to the checksum: folds them into sixteen bytes with the same remainder.
    ///
    /// Safety: `count` bytes at `start` must be readable, and `count` must be a positive multiple of `blockBytes`. The
    /// processor must have that width.
    private mutating func fold(_ start: UnsafePointer<UInt8>, count: Int, width: Int) {
        var rest: (UInt64, UInt64) = (0, 0)
        unsafe withUnsafeMutableBytes(of: &rest) { rest in
            let bytes = unsafe rest.baseAddress!.assumingMemoryBound(to: UInt8.self)
            // Safety: `start` has whole blocks, at least one, or two for pairs. The tuple has room for sixteen bytes.
            if width == 32, count >= 2 * Self.blockBytes {
                unsafe sheaf_crc32_fold_pairs(~value, start, count, bytes)
            } else {
                unsafe sheaf_crc32_fold(~value, start, count, bytes)
            }
            // The sixteen bytes already include the register, so here it starts with all bits clear, which zlib
            // represents as all ones.
            value = UInt32(unsafe crc32_z(UInt(UInt32.max), bytes, 16))
        }
    }
}
