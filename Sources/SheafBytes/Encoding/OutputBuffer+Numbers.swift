extension OutputBuffer {
    /// Appends a number in groups of seven bits, the lowest first (LEB128): 1 to 10 bytes, as few as hold it.
    public mutating func appendNumber(_ number: UInt64) {
        let target = unsafe tail(10)
        var rest = number
        var count = 0
        while rest >= 0x80 {
            // Safety: a number has at most ten groups, for which `tail` made room.
            unsafe target[count] = UInt8(truncatingIfNeeded: rest) | 0x80
            rest >>= 7
            count += 1
        }
        // Safety: as above.
        unsafe target[count] = UInt8(truncatingIfNeeded: rest)
        advance(count + 1)
    }

    /// Appends a signed number with its sign in the lowest bit (zigzag), so that small ones are short.
    public mutating func appendSignedNumber(_ number: Int64) {
        appendNumber(UInt64(bitPattern: number << 1 ^ number >> 63))
    }

    /// Appends a text behind its length.
    public mutating func appendText(_ text: Span<UInt8>) {
        appendNumber(UInt64(text.count))
        append(text)
    }
}
