/// The four digits of a `\u` escape, read as one number.
struct HexDigits {
    /// The first digit's byte is the lowest.
    private let word: UInt32

    /// The four bytes at `start`, all of which may be read.
    @inline(__always)
    init(_ start: UnsafeMutablePointer<UInt8>) {
        word = unsafe UInt32(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt32.self))
    }

    /// Whether all four bytes are hexadecimal digits.
    @inline(__always)
    var areValid: Bool {
        let small = word | 0x2020_2020
        // The top bit of each byte says it: sums of bytes below 0x80 reach 0x80 from a bound on. Bytes that became
        // digits by the bit above are none.
        let isDigit = (small &+ 0x5050_5050) & ~(small &+ 0x4646_4646)
        let isLetter = (small &+ 0x1f1f_1f1f) & ~(small &+ 0x1919_1919)
        let isPrintable = (word | word << 1) & 0x4040_4040
        return word & 0x8080_8080 == 0 && isPrintable == 0x4040_4040
            && (isDigit | isLetter) & 0x8080_8080 == 0x8080_8080
    }

    /// The number that four valid digits are.
    @inline(__always)
    var number: UInt32 {
        // Letters have a bit that digits have not, and their low ones count from 1.
        let digits = ((word & 0x0f0f_0f0f) &+ (word >> 6 & 0x0101_0101) &* 9).byteSwapped
        let pairs = (digits | digits >> 4) & 0x00ff_00ff
        return (pairs | pairs >> 8) & 0xffff
    }
}
