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
        guard isValid, Int(count) <= remaining else {
            isValid = false
            return .none
        }
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
}

extension OutputBuffer {
    /// Appends a number as `LEB128`.
    package mutating func appendNumber(_ number: UInt64) {
        let start = unsafe tail(LEB128.maximumCount)
        // Safety: `tail` made room for these bytes, and they are initialized, as is all memory of the buffer.
        var target = unsafe MutableSpan(_unsafeStart: start, count: LEB128.maximumCount)
        var count = 0
        LEB128.write(number, to: &target, at: &count)
        // Safety: the span has `count` bytes that `write` initialized, and `tail` made room for more.
        unsafe advance(count)
    }

    /// Appends a signed number with its sign in the lowest bit (zigzag), so that small numbers are short.
    package mutating func appendSignedNumber(_ number: Int64) {
        appendNumber(UInt64(bitPattern: number << 1 ^ number >> 63))
    }

    /// Appends the length of a text and the text.
    package mutating func appendText(_ text: Span<UInt8>) {
        appendNumber(UInt64(text.count))
        append(text)
    }
}

/// Numbers in groups of seven bits, the lowest first, in as few bytes as possible (LEB128).
///
///     300 = 10 0101100      ──▶     1 0101100 | 0 0000010       top bit: another group follows
@usableFromInline package enum LEB128 {
    /// The most bytes of a number: 64 bits have ten groups.
    static var maximumCount: Int { 10 }

    /// Returns the number of bytes of a number.
    @inlinable
    @inline(__always)
    package static func byteCount(of number: UInt64) -> Int {
        number < 0x80 ? 1 : (UInt64.bitWidth - number.leadingZeroBitCount + 6) / 7
    }

    /// Writes a number at `offset`, which is advanced past it. Traps if it does not fit.
    @inlinable
    @inline(__always)
    package static func write(_ number: UInt64, to target: inout MutableSpan<UInt8>, at offset: inout Int) {
        var rest = number
        while rest >= 0x80 {
            target[offset] = UInt8(truncatingIfNeeded: rest) | 0x80
            rest >>= 7
            offset += 1
        }
        target[offset] = UInt8(truncatingIfNeeded: rest)
        offset += 1
    }

    /// Reads the number at `offset`, which is advanced past it. Traps if `offset` is not inside the bytes.
    ///
    /// - Returns: nil if the bytes end too early, if the number has more than 64 bits, or if fewer bytes would do.
    @inlinable
    @inline(__always)
    package static func read(_ bytes: Span<UInt8>, at offset: inout Int) -> UInt64? {
        let first = bytes[offset]
        guard first >= 0x80 else {
            offset += 1
            return UInt64(first)
        }
        return readLong(bytes, at: &offset)
    }

    /// Reads a number of at least two bytes.
    @usableFromInline
    static func readLong(_ bytes: Span<UInt8>, at offset: inout Int) -> UInt64? {
        var number = UInt64(bytes[offset] & 0x7f)
        var shift: UInt64 = 7
        offset += 1
        while shift < UInt64.bitWidth, offset < bytes.count {
            let byte = UInt64(bytes[offset])
            offset += 1
            number |= (byte & 0x7f) &<< shift
            if byte < 0x80 {
                // Without a last byte of 0 the number would be the same, and the tenth byte has room for one bit.
                return byte == 0 || shift == 63 && byte > 1 ? nil : number
            }
            shift += 7
        }
        return nil
    }
}
