/// Sixteen bytes of a text as two numbers, which have the order of the bytes.
///
/// The first byte is the most significant. Bytes past the end of the text count as zeros: a text and the same text
/// followed by NUL bytes are equal here, unless the words have the number of bytes (`init(part:from:)`), and only a
/// comparison of the texts themselves distinguishes them.
@usableFromInline package struct TextWords: Equatable, Sendable {
    @usableFromInline package var high: UInt64
    @usableFromInline package var low: UInt64

    @inlinable package static var byteCount: Int { 16 }

    @inlinable
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates the words from the sixteen bytes of `text` at `offset`, which is not negative.
    package init(_ text: Span<UInt8>, from offset: Int = 0) {
        precondition(offset >= 0, "an offset before the text")
        // Safety: by the precondition.
        high = unsafe text.bigEndianWord(at: offset)
        low = unsafe text.bigEndianWord(at: offset + 8)
    }

    /// Creates the words from the fifteen bytes of `text` at `offset`, which is not negative, and the number of bytes from
    /// there on, at most sixteen, as the last byte. With it, parts of texts have the order of the texts, and only parts
    /// with more bytes may be equal although the texts differ.
    package init(part text: Span<UInt8>, from offset: Int) {
        self.init(text, from: offset)
        low = low & ~0xff | UInt64(min(max(text.count - offset, 0), Self.byteCount))
    }

    /// The number of bytes of a text in words that have the number of bytes.
    package static var partBytes: Int { byteCount - 1 }

    /// Whether words that have the number of bytes hold all of them.
    @inlinable package var isWholePart: Bool { low & 0xff < UInt64(Self.byteCount) }

    @inlinable
    package static func < (a: TextWords, b: TextWords) -> Bool {
        a.high == b.high ? a.low < b.low : a.high < b.high
    }
}

extension Span where Element == UInt8 {
    /// Returns eight bytes at `offset`, the first one highest, with zeros past the end.
    ///
    /// Safety: `offset` must not be negative.
    @unsafe fileprivate func bigEndianWord(at offset: Int) -> UInt64 {
        guard offset < count else { return 0 }
        return unsafe withUnsafeBytes { bytes in
            if offset + 8 <= bytes.count {
                // Safety: eight bytes follow `offset`, by the condition, so the load is inside the buffer.
                return UInt64(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
            let missing = offset + 8 - bytes.count
            if bytes.count >= 8 {
                // Safety: the buffer has at least eight bytes, so its last eight are inside it.
                let last = unsafe bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
                return UInt64(bigEndian: last) << UInt64(8 * missing)
            }
            var word: UInt64 = 0
            // Safety: every index is less than the number of bytes, by the range.
            for index in offset..<bytes.count { word = word << 8 | UInt64(unsafe bytes[index]) }
            return word << UInt64(8 * missing)
        }
    }
}
