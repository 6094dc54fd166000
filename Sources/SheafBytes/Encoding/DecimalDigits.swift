// Numbers in decimal: written and read eight digits at a time.

extension UInt64 {
    /// The number of digits of the largest number.
    static var maximumDigitCount: Int { 20 }

    /// The number of bytes that `writeDigits` may change.
    fileprivate var writtenCount: Int { Swift.max(digitCount, 8) }

    /// Writes the digits to `target` and returns their number.
    ///
    /// Safety: the target must have room for `writtenCount` bytes, which are at most `maximumDigitCount`.
    func writeDigits(to target: UnsafeMutablePointer<UInt8>) -> Int {
        let count = digitCount
        let start = UnsafeMutableRawPointer(target)
        /// Writes eight digits of a number up to `end`; the last ones from the start if there is less room.
        func write(_ number: UInt64, end: Int) {
            let digits = Self.eightDigits(of: UInt32(truncatingIfNeeded: number))
            // Safety: eight bytes from the start, or up to one of the digits, are inside the target.
            unsafe start.storeBytes(
                of: (end < 8 ? digits >> UInt64(8 * (8 - end)) : digits).littleEndian,
                toByteOffset: Swift.max(end - 8, 0), as: UInt64.self)
        }
        // From the first digits to the last: bytes after the end of the first ones are overwritten.
        guard count > 8 else {
            write(self, end: count)
            return count
        }
        let (upper, lower) = quotientAndRemainder(dividingBy: 100_000_000)
        if count > 16 {
            let (first, second) = upper.quotientAndRemainder(dividingBy: 100_000_000)
            write(first, end: count - 16)
            write(second, end: count - 8)
        } else {
            write(upper, end: count - 8)
        }
        write(lower, end: count)
        return count
    }

    /// Returns the eight digits of a number below 100,000,000, the first one in the lowest byte.
    ///
    /// A multiplication divides all parts of a word at once: 10,486 / 2²⁰ is slightly more than a hundredth, and 103 / 2¹⁰
    /// than a tenth, close enough for parts below 10,000 and 100.
    @inline(__always)
    private static func eightDigits(of number: UInt32) -> UInt64 {
        let (upper, lower) = number.quotientAndRemainder(dividingBy: 10_000)
        let fours = UInt64(upper) | UInt64(lower) << 32
        let hundreds = ((fours &* 10_486) >> 20) & 0x0000_007f_0000_007f
        let pairs = hundreds | (fours &- hundreds &* 100) << 16
        let tens = ((pairs &* 103) >> 10) & 0x000f_000f_000f_000f
        return (tens | (pairs &- tens &* 10) << 8) &+ 0x3030_3030_3030_3030
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
        append(contentsOf: repeatElement(0, count: number.writtenCount))
        let digits = unsafe withUnsafeMutableBufferPointer { bytes in
            // Safety: room for all bytes that are written, at least eight, was appended at `start`, so the address is not
            // nil.
            unsafe number.writeDigits(to: bytes.baseAddress! + start)
        }
        removeLast(count - start - digits)
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
