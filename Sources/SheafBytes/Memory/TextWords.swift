/// Sixteen bytes of a text as two numbers, which compare as the bytes do.
///
/// The first byte is the most significant one. What is behind the text's end counts as zeros: a text and the same
/// text with NUL bytes behind it are equal here, and only comparing the texts themselves tells them apart.
public struct TextWords: Equatable, Sendable {
    public var high: UInt64
    public var low: UInt64

    public static let byteCount = 16

    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The bytes of `text` from `offset` on.
    public init(_ text: Span<UInt8>, from offset: Int = 0) {
        high = text.bigEndianWord(at: offset)
        low = text.bigEndianWord(at: offset + 8)
    }

    @inlinable
    public static func < (a: TextWords, b: TextWords) -> Bool {
        a.high == b.high ? a.low < b.low : a.high < b.high
    }
}

extension Span where Element == UInt8 {
    /// Eight bytes from `offset` on, zeros for those behind the end.
    fileprivate func bigEndianWord(at offset: Int) -> UInt64 {
        guard offset < count else { return 0 }
        return unsafe withUnsafeBytes { bytes in
            if offset + 8 <= bytes.count {
                // Safety: eight bytes from `offset` are inside the buffer, by the condition.
                return UInt64(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
            let missing = offset + 8 - bytes.count
            if bytes.count >= 8 {
                // Safety: the buffer's last eight bytes, of which it has that many.
                let last = unsafe bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
                return UInt64(bigEndian: last) << UInt64(8 * missing)
            }
            var word: UInt64 = 0
            // Safety: inside the buffer, by the range.
            for index in offset..<bytes.count { word = word << 8 | UInt64(unsafe bytes[index]) }
            return word << UInt64(8 * missing)
        }
    }
}
