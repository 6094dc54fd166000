/// Reads the numbers and texts that `OutputBuffer.appendNumber` and `appendText` wrote, from bytes that may hold
/// anything.
///
/// After the first value that can't be read, every value is 0 or empty and `isValid` is false, so the caller checks
/// it only once, after the last read. Never reads outside its bytes.
@usableFromInline package struct ByteReader: ~Escapable {
    private let bytes: Span<UInt8>
    /// The offset of the next value.
    package private(set) var offset: Int
    /// Whether all values so far could be read.
    package private(set) var isValid = true

    @_lifetime(copy bytes)
    package init(_ bytes: Span<UInt8>, from offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
    }

    package var remaining: Int { bytes.count - offset }
    package var isAtEnd: Bool { remaining == 0 }

    /// Reads a number that was written as `LEB128`.
    package mutating func number() -> UInt64 {
        guard isValid, !isAtEnd, let number = LEB128.read(bytes, at: &offset) else { return fail() }
        return number
    }

    /// Reads a number. A number greater than `maximum` is invalid.
    package mutating func number(upTo maximum: UInt64) -> UInt64 {
        let number = number()
        return number <= maximum ? number : fail()
    }

    /// Reads a signed number with its sign in the lowest bit (zigzag).
    package mutating func signedNumber() -> Int64 {
        let number = number()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    /// Reads a length and a text, and returns the range of the text in the bytes.
    package mutating func text() -> TextRange {
        let count = number(upTo: UInt64(bytes.count))
        guard isValid, Int(count) <= remaining else { return none() }
        let text = TextRange(offset..<(offset + Int(count)))
        offset += Int(count)
        return text
    }

    /// Marks the bytes as invalid, for a caller that finds a value invalid.
    package mutating func reject() { isValid = false }

    private mutating func fail() -> UInt64 {
        isValid = false
        return 0
    }

    private mutating func none() -> TextRange {
        isValid = false
        return .none
    }
}
