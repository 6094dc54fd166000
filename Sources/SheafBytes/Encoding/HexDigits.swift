/// The four digits of a `\u` escape, read as one number.
struct HexDigits {
    /// The four bytes, the first digit lowest.
    private let word: UInt32

    /// Loads the four bytes at `start`.
    ///
    /// Safety: all four bytes must be readable.
    @inline(__always)
    init(_ start: UnsafeMutablePointer<UInt8>) {
        word = unsafe UInt32(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt32.self))
    }

    /// Whether all four bytes are hexadecimal digits.
    @inline(__always)
    var areValid: Bool {
        let small = word | 0x2020_2020
        // The top bit of each byte shows the result: adding 0x80 - bound to a byte below 0x80 sets it if the byte is
        // at least the bound. Bytes that became digits only by setting bit 5 are excluded by `isPrintable`.
        let isDigit = (small &+ 0x5050_5050) & ~(small &+ 0x4646_4646)
        let isLetter = (small &+ 0x1f1f_1f1f) & ~(small &+ 0x1919_1919)
        let isPrintable = (word | word << 1) & 0x4040_4040
        return word & 0x8080_8080 == 0 && isPrintable == 0x4040_4040
            && (isDigit | isLetter) & 0x8080_8080 == 0x8080_8080
    }

    /// The number that four valid digits represent.
    @inline(__always)
    var number: UInt32 {
        // Letters have bit 6 set, which digits do not, and the low bits of letters count from 1.
        let digits = ((word & 0x0f0f_0f0f) &+ (word >> 6 & 0x0101_0101) &* 9).byteSwapped
        let pairs = (digits | digits >> 4) & 0x00ff_00ff
        return (pairs | pairs >> 8) & 0xffff
    }
}
