/// Writes numbers in decimal, two digits at a time.
enum DecimalDigits {
    /// The number of digits of the largest 64-bit number.
    static let maximumCount = 20

    /// Writes the digits of `number` to `target` and returns the number of digits.
    ///
    /// Safety: the target must have room for `count(of: number)` bytes.
    static func write(_ number: UInt64, to target: UnsafeMutablePointer<UInt8>) -> Int {
        let count = count(of: number)
        let pairs: StaticString = """
            0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
            5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
            """
        var rest = number
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

    /// Returns the number of digits of `number`.
    @inline(__always)
    static func count(of number: UInt64) -> Int {
        // 1233 / 4096 is slightly less than the decimal logarithm of 2: the estimate is one less than the number of
        // digits of the largest number with as many bits.
        let bits = UInt64.bitWidth &- (number | 1).leadingZeroBitCount
        let estimate = (bits &* 1233) >> 12
        return number < powers[estimate] ? estimate : estimate &+ 1
    }

    /// The powers of ten with the exponents 0 to 19. The first is 0, so that 0 has one digit.
    private static let powers: [UInt64] = [
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
        append(contentsOf: repeatElement(0, count: DecimalDigits.count(of: number)))
        unsafe withUnsafeMutableBufferPointer { bytes in
            // Safety: room for all digits, at least one, was appended at `start`, so the address is not nil.
            _ = unsafe DecimalDigits.write(number, to: bytes.baseAddress! + start)
        }
    }
}
