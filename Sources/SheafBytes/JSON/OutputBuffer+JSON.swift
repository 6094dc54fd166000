/// Appends JSON values: strings escaped as the specification requires (§10), numbers in decimal.
extension OutputBuffer {
    /// Appends `text` as a JSON string with its quotes. `/` and everything above U+007F are not escaped.
    package mutating func appendJSONString(_ text: Span<UInt8>) {
        // Makes room for both quotes at once.
        //
        // Safety: each quote is stored where `tail` made room for it.
        unsafe tail(min(text.count, Self.pieceBytes) + 2).pointee = UInt8(ascii: "\"")
        unsafe advance(1)
        if text.count <= Self.pieceBytes {
            appendJSONContent(text)
        } else {
            appendPieces(of: text) { $0.appendJSONContent($1) }
        }
        unsafe tail(1).pointee = UInt8(ascii: "\"")
        unsafe advance(1)
    }

    @inline(__always)
    private mutating func appendJSONContent(_ text: Span<UInt8>) {
        let plain = appendPlain(text)
        if plain < text.count { appendEscaped(text, from: plain) }
    }

    /// Appends `text` as a JSON string, or `null` if it is empty.
    package mutating func appendJSONStringOrNull(_ text: Span<UInt8>) {
        if text.isEmpty {
            append("null")
        } else {
            appendJSONString(text)
        }
    }

    /// Appends the remainder of a string, from the first byte that needs an escape.
    @inline(never)
    private mutating func appendEscaped(_ text: Span<UInt8>, from start: Int) {
        var start = start
        while start < text.count {
            let escape = JSONEscape(of: text[start])
            // Safety: eight bytes are stored where `tail` made room for six, with the slack after them.
            let target = UnsafeMutableRawPointer(unsafe tail(JSONEscape.maximumCount))
            unsafe target.storeBytes(of: escape.bytes.littleEndian, as: UInt64.self)
            unsafe advance(escape.count)
            start += 1
            start += appendPlain(text.extracting(droppingFirst: start))
        }
    }

    /// Appends the bytes up to the first that needs an escape, and returns their number.
    @inline(__always)
    private mutating func appendPlain(_ text: Span<UInt8>) -> Int {
        let target = unsafe tail(text.count)
        let plain = unsafe text.withUnsafeBufferPointer { bytes in
            guard let source = bytes.baseAddress else { return 0 }
            // Safety: the source has `count` bytes, and `tail` made room for all of them.
            return unsafe copyPlain(source, count: bytes.count, to: target)
        }
        // Safety: `copyPlain` copied at most as many bytes as `tail` made room for.
        unsafe advance(plain)
        return plain
    }

    /// Appends the digits of `number`, with a sign if it is negative.
    package mutating func appendDecimal(_ number: Int64) {
        if number < 0 { append("-") }
        appendDecimal(number.magnitude)
    }

    /// Appends the digits of `number`.
    package mutating func appendDecimal(_ number: UInt64) {
        let target = unsafe tail(DecimalDigits.maximumCount)
        // Safety: `tail` made room for the longest number.
        if number < 10 {
            unsafe target.pointee = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number)
            unsafe advance(1)
            return
        }
        unsafe advance(DecimalDigits.write(number, to: target))
    }
}
