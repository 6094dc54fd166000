// Numbers in decimal: written two digits at a time, and read eight digits at a time.

extension UInt64 {
    /// The number of digits of the largest number.
    static var maximumDigitCount: Int { 20 }

    /// Writes the digits to `target` and returns their number.
    ///
    /// Safety: the target must have room for `digitCount` bytes.
    func writeDigits(to target: UnsafeMutablePointer<UInt8>) -> Int {
        let count = digitCount
        let pairs: StaticString = """
            0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
            5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
            """
        var rest = self
        var end = count
        while rest >= 10 {
            let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
            end -= 2
            // Safety: a pair is less than 100, so both of its digits are in the table. Each pair is two of the
            // `count` digits, so `end` does not become negative.
            unsafe target[end] = unsafe pairs.utf8Start[2 * Int(pair)]
            unsafe target[end + 1] = unsafe pairs.utf8Start[2 * Int(pair) + 1]
            rest = quotient
        }
        // An odd number of digits leaves the first one.
        if end == 1 { unsafe target[0] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest) }
        return count
    }

    /// The number of digits in decimal.
    @inline(__always)
    var digitCount: Int {
        // 1233 / 4096 is slightly less than the decimal logarithm of 2: the estimate is one less than the number of
        // digits of the largest number with as many bits.
        let bits = UInt64.bitWidth &- (self | 1).leadingZeroBitCount
        let estimate = (bits &* 1233) >> 12
        return self < Self.digitBounds[estimate] ? estimate : estimate &+ 1
    }

    /// The powers of ten with the exponents 0 to 19. The first is 0, so that 0 has one digit.
    private static let digitBounds: [UInt64] = [
        0, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
        10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000,
        10_000_000_000_000_000_000,
    ]
}

extension Array where Element == UInt8 {
    /// Appends the digits of `number`.
    package mutating func appendDecimal(_ number: UInt64) {
        let start = count
        append(contentsOf: repeatElement(0, count: number.digitCount))
        unsafe withUnsafeMutableBufferPointer { bytes in
            // Safety: room for all digits, at least one, was appended at `start`, so the address is not nil.
            _ = unsafe number.writeDigits(to: bytes.baseAddress! + start)
        }
    }
}

extension Span where Element == UInt8 {
    /// The number that these 1 to 16 decimal digits represent; nil for no bytes, more than 16, or other bytes.
    ///
    /// Processes eight digits at a time: each step combines neighbours into numbers of twice as many digits.
    @inlinable
    @inline(__always)
    package var shortDecimal: UInt64? {
        guard count >= 1, count <= 16 else { return nil }
        return unsafe withUnsafeBytes { bytes in
            guard bytes.count > 8 else {
                // Safety: the count is the buffer's own, 1 to 8.
                return unsafe eightDigits(digitWord(bytes, count: bytes.count))
            }
            // Safety: the buffer has 9 to 16 bytes, so its last eight are inside it, and 1 to 8 bytes precede them.
            let low = unsafe bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
            guard let high = unsafe eightDigits(digitWord(bytes, count: bytes.count - 8)),
                let rest = eightDigits(UInt64(littleEndian: low))
            else { return nil }
            return high * 100_000_000 + rest
        }
    }
}

/// Returns the first `count` bytes, 1 to 8, after as many zero digits as are missing from eight. The first digit is
/// the lowest byte.
///
/// Safety: a buffer of fewer than eight bytes must have exactly `count`.
@inlinable
@inline(__always)
func digitWord(_ bytes: UnsafeRawBufferPointer, count: Int) -> UInt64 {
    let zeros: UInt64 = 0x3030_3030_3030_3030
    // Safety: the first load requires eight bytes, which the condition checks. A shorter buffer has exactly `count`
    // bytes, as `lastBytes` requires.
    let word =
        bytes.count >= 8
        ? UInt64(littleEndian: unsafe bytes.loadUnaligned(as: UInt64.self))
        : unsafe lastBytes(of: bytes, count: count)
    let missing = UInt64(8 * (8 - count))
    return missing == 0 ? word : word << missing | zeros >> (64 - missing)
}

/// Returns the number that eight digits represent, or nil if one of them is not a digit.
@inlinable
@inline(__always)
func eightDigits(_ word: UInt64) -> UInt64? {
    // The upper half of a digit is 3, and is still 3 after adding 6.
    let upper: UInt64 = 0xf0f0_f0f0_f0f0_f0f0
    let raised = (word &+ 0x0606_0606_0606_0606) & upper
    guard word & upper | raised >> 4 == 0x3333_3333_3333_3333 else { return nil }
    var number = ((word & 0x0f0f_0f0f_0f0f_0f0f) &* (10 << 8 + 1)) >> 8
    number = ((number & 0x00ff_00ff_00ff_00ff) &* (100 << 16 + 1)) >> 16
    return ((number & 0x0000_ffff_0000_ffff) &* (10_000 << 32 + 1)) >> 32
}
