/// Numbers and texts out of bytes that may hold anything: what `OutputBuffer.appendNumber` and `appendText` wrote.
///
/// Past the first thing that can't be read everything is 0 and empty, and `isValid` is false: it is asked once, behind
/// the last read. Never reads outside its bytes.
public struct ByteReader: ~Escapable {
    private let bytes: Span<UInt8>
    /// Where the next value starts.
    public private(set) var offset: Int
    /// Whether everything could be read so far.
    public private(set) var isValid = true

    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>, from offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
    }

    public var remaining: Int { bytes.count - offset }
    public var isAtEnd: Bool { remaining == 0 }

    /// A number in groups of seven bits, the lowest first (LEB128), in as few bytes as hold it.
    public mutating func number() -> UInt64 {
        if isValid, offset < bytes.count, bytes[offset] < 0x80 {
            offset += 1
            return UInt64(bytes[offset - 1])
        }
        return longNumber()
    }

    private mutating func longNumber() -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while isValid, offset < bytes.count {
            let byte = UInt64(bytes[offset])
            offset += 1
            // The tenth byte has room for one bit, and the last one is 0 only where it is the only one.
            if shift == 63, byte > 1 { break }
            if byte == 0, shift > 0 { break }
            number |= (byte & 0x7f) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        return fail()
    }

    /// A number that is at most `maximum`.
    public mutating func number(upTo maximum: UInt64) -> UInt64 {
        let number = number()
        return number <= maximum ? number : fail()
    }

    /// A signed number: its sign in the lowest bit (zigzag).
    public mutating func signedNumber() -> Int64 {
        let number = number()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    /// A text behind its length: where it stands in the bytes.
    public mutating func text() -> TextRange {
        let count = number(upTo: UInt64(bytes.count))
        guard isValid, Int(count) <= remaining else { return none() }
        let text = TextRange(offset..<(offset + Int(count)))
        offset += Int(count)
        return text
    }

    /// Says that what was read makes no sense.
    public mutating func reject() { isValid = false }

    private mutating func fail() -> UInt64 {
        isValid = false
        return 0
    }

    private mutating func none() -> TextRange {
        isValid = false
        return .none
    }
}
