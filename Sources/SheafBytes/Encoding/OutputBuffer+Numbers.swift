extension OutputBuffer {
    /// Appends a number in groups of seven bits, the lowest first (LEB128), in as few bytes as possible: 1 to 10.
    package mutating func appendNumber(_ number: UInt64) {
        let target = unsafe tail(10)
        var rest = number
        var count = 0
        while rest >= 0x80 {
            // Safety: 64 bits have at most ten groups of seven, for which `tail` made room.
            unsafe target[count] = UInt8(truncatingIfNeeded: rest) | 0x80
            rest >>= 7
            count += 1
        }
        // Safety: at most nine groups precede the last one, so there is still room for it.
        unsafe target[count] = UInt8(truncatingIfNeeded: rest)
        unsafe advance(count + 1)
    }

    /// Appends a signed number with its sign in the lowest bit (zigzag), so that small ones are short.
    package mutating func appendSignedNumber(_ number: Int64) {
        appendNumber(UInt64(bitPattern: number << 1 ^ number >> 63))
    }

    /// Appends the length of a text and the text.
    package mutating func appendText(_ text: Span<UInt8>) {
        appendNumber(UInt64(text.count))
        append(text)
    }
}
