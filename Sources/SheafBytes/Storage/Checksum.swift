import CSheaf
import CZlib

/// A running CRC-32, as in gzip members (RFC 1952) and in frames.
package struct Checksum: Sendable {
    package private(set) var value: UInt32

    /// - Parameter value: the checksum of the preceding bytes, if it was computed elsewhere.
    package init(_ value: UInt32 = 0) { self.value = value }

    /// Whether the processor can fold: x86-64 with PCLMULQDQ, or arm64 with PMULL.
    static let folds = sheaf_crc32_folds() != 0
    private static let blockBytes = 64

    /// Adds `bytes` to the checksum. O(count), about 0.1 ns per byte if the processor can fold.
    package mutating func update(_ bytes: Span<UInt8>) {
        update(bytes, folding: Self.folds)
    }

    /// Adds `bytes` to the checksum.
    ///
    /// - Parameter folding: whether whole blocks are folded, which requires `folds`. If not, zlib does all of the work,
    ///   as on processors that cannot fold.
    mutating func update(_ bytes: Span<UInt8>, folding: Bool) {
        precondition(Self.folds || !folding, "the processor has no carry-less multiplication")
        unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            let folded = folding ? buffer.count & ~(Self.blockBytes - 1) : 0
            // Safety: `folded` is at most the number of bytes, so both parts are inside the buffer, which outlives
            // the calls.
            if folded > 0 { unsafe fold(start, count: folded) }
            value = UInt32(unsafe crc32_z(UInt(value), start + folded, buffer.count - folded))
        }
    }

    /// Adds whole blocks to the checksum: folds them into sixteen bytes with the same remainder.
    ///
    /// Safety: `count` bytes at `start` must be readable, and `count` must be a positive multiple of `blockBytes`.
    private mutating func fold(_ start: UnsafePointer<UInt8>, count: Int) {
        var rest: (UInt64, UInt64) = (0, 0)
        unsafe withUnsafeMutableBytes(of: &rest) { rest in
            let bytes = unsafe rest.baseAddress!.assumingMemoryBound(to: UInt8.self)
            // Safety: `start` has whole blocks, at least one, and the tuple has room for sixteen bytes.
            unsafe sheaf_crc32_fold(~value, start, count, bytes)
            // The sixteen bytes already include the register, so here it starts with all bits clear, which zlib
            // represents as all ones.
            value = UInt32(unsafe crc32_z(UInt(UInt32.max), bytes, 16))
        }
    }
}
