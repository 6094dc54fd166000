/// JSON written by hand, as `JSONText.swift` says it, for what is written by the million.
extension OutputBuffer {
    /// Appends `text` as a JSON string with its quotes. `/` and everything above U+007F stand as they are.
    public mutating func appendJSONString(_ text: Span<UInt8>) {
        // Room for both quotes at once.
        unsafe tail(min(text.count, Self.pieceBytes) + 2).pointee = 0x22
        advance(1)
        if text.count <= Self.pieceBytes {
            appendJSONContent(text)
        } else {
            appendPieces(of: text) { $0.appendJSONContent($1) }
        }
        unsafe tail(1).pointee = 0x22
        advance(1)
    }

    @inline(__always)
    private mutating func appendJSONContent(_ text: Span<UInt8>) {
        let plain = appendPlain(text)
        if plain < text.count { appendEscaped(text, from: plain) }
    }

    /// Appends `text` as a JSON string, or `null` when it is empty.
    public mutating func appendJSONStringOrNull(_ text: Span<UInt8>) {
        if text.isEmpty {
            append("null")
        } else {
            appendJSONString(text)
        }
    }

    /// The rest of a string, from the first byte that needs an escape on.
    @inline(never)
    private mutating func appendEscaped(_ text: Span<UInt8>, from start: Int) {
        var start = start
        while start < text.count {
            let escape = JSONEscape(of: text[start])
            // Safety: eight bytes are stored where there is room for six and the slack behind them.
            let target = UnsafeMutableRawPointer(unsafe tail(JSONEscape.maximumCount))
            unsafe target.storeBytes(of: escape.bytes.littleEndian, as: UInt64.self)
            advance(escape.count)
            start += 1
            start += appendPlain(text.extracting(droppingFirst: start))
        }
    }

    /// Appends the bytes up to the first that needs an escape, and returns how many they are.
    @inline(__always)
    private mutating func appendPlain(_ text: Span<UInt8>) -> Int {
        let target = unsafe tail(text.count)
        let plain = unsafe text.withUnsafeBufferPointer { bytes in
            guard let source = bytes.baseAddress else { return 0 }
            // Safety: the source has `count` bytes; the target has room for them.
            return unsafe copyPlain(source, count: bytes.count, to: target)
        }
        advance(plain)
        return plain
    }

    /// Appends the digits of `number`, with its sign when it is negative.
    public mutating func appendDecimal(_ number: Int64) {
        if number < 0 { append("-") }
        appendDecimal(number.magnitude)
    }

    /// Appends the digits of `number`.
    public mutating func appendDecimal(_ number: UInt64) {
        let target = unsafe tail(DecimalDigits.maximumCount)
        if number < 10 {
            unsafe target.pointee = 0x30 + UInt8(truncatingIfNeeded: number)
            advance(1)
            return
        }
        // Safety: there is room for the longest number.
        advance(unsafe DecimalDigits.write(number, to: target))
    }
}
