import CSheaf
import CZlib

/// The CRC-32 of gzip members (RFC 1952) and of frames, running.
public struct Checksum: Sendable {
    public private(set) var value: UInt32

    /// - Parameter value: the sum of the bytes before, where they were summed up elsewhere.
    public init(_ value: UInt32 = 0) { self.value = value }

    private static let folds = sheaf_crc32_folds() != 0
    private static let blockBytes = 64

    /// Sums up `bytes` behind those before. O(count), about 0.1 ns a byte where the processor folds.
    public mutating func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            let folded = Self.folds ? buffer.count & ~(Self.blockBytes - 1) : 0
            // Safety: both parts are inside the buffer, which outlives the calls.
            if folded > 0 { unsafe fold(start, count: folded) }
            value = UInt32(unsafe crc32_z(UInt(value), start + folded, buffer.count - folded))
        }
    }

    /// Sums up blocks: sixteen bytes that have the same remainder stand for all of them.
    private mutating func fold(_ start: UnsafePointer<UInt8>, count: Int) {
        var rest: (UInt64, UInt64) = (0, 0)
        unsafe withUnsafeMutableBytes(of: &rest) { rest in
            let bytes = unsafe rest.baseAddress!.assumingMemoryBound(to: UInt8.self)
            // Safety: the blocks are the caller's, and sixteen bytes of room are the tuple's.
            unsafe sheaf_crc32_fold(~value, start, count, bytes)
            // The register is in the sixteen bytes already: here it begins with no bit set, which zlib calls all ones.
            value = UInt32(unsafe crc32_z(UInt(UInt32.max), bytes, 16))
        }
    }
}
