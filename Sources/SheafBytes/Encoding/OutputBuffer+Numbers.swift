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
