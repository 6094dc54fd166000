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
