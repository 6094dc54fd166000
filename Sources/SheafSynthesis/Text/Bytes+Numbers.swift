/// Writes numbers as text in place: creating a `String` for each would be most of a record's cost.
extension [UInt8] {
    /// Appends a number ≥ 0 in decimal, with leading zeros up to `width` digits.
    mutating func appendDecimal(_ number: Int, width: Int = 1) {
        // Starts at the last digit: dividing by a constant is several times faster than by a variable power of
        // ten.
        let start = count
        var rest = UInt64(number)
        repeat {
            append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0 || count < start + width
        var low = start
        var high = count - 1
        while low < high {
            swapAt(low, high)
            low += 1
            high -= 1
        }
    }

    /// Appends the lowest `digits` hexadecimal digits of a number.
    ///
    /// - Parameter letters: the digit for 10: `a` or `A`.
    mutating func appendHexadecimal(_ number: UInt64, digits: Int, letters: UInt8 = UInt8(ascii: "a")) {
        var shift = UInt64(digits) &* 4
        while shift > 0 {
            shift &-= 4
            let digit = UInt8(truncatingIfNeeded: (number &>> shift) & 15)
            append(digit < 10 ? UInt8(ascii: "0") &+ digit : letters &+ digit &- 10)
        }
    }

    /// Appends a random UUID (RFC 9562, version 4) in upper case, as the push service writes its identifiers.
    mutating func appendUUID(_ high: UInt64, _ low: UInt64) {
        let first = (high & ~0xF000) | 0x4000
        let second = (low & ~(3 << 62)) | (1 << 63)
        let letters = UInt8(ascii: "A")
        let hyphen = UInt8(ascii: "-")
        appendHexadecimal(first &>> 32, digits: 8, letters: letters)
        append(hyphen)
        appendHexadecimal(first &>> 16, digits: 4, letters: letters)
        append(hyphen)
        appendHexadecimal(first, digits: 4, letters: letters)
        append(hyphen)
        appendHexadecimal(second &>> 48, digits: 4, letters: letters)
        append(hyphen)
        appendHexadecimal(second, digits: 12, letters: letters)
    }
}
