/// Appends JSON values: strings escaped as the specification requires (§10), numbers in decimal.
extension Array where Element == UInt8 {
    /// Appends `text` as a JSON string with its quotes. `/` and everything above U+007F are not escaped.
    package mutating func appendJSONString(_ text: Span<UInt8>) {
        append(UInt8(ascii: "\""))
        var start = 0
        while true {
            let end = start + text.extracting(droppingFirst: start).plainPrefixCount
            append(text.extracting(start..<end))
            if end == text.count { break }
            appendEscape(text[end])
            start = end + 1
        }
        append(UInt8(ascii: "\""))
    }

    /// Appends `text` as a JSON string, or `null` if it is empty.
    package mutating func appendJSONStringOrNull(_ text: Span<UInt8>) {
        if text.isEmpty {
            append("null")
        } else {
            appendJSONString(text)
        }
    }

    /// Appends the digits of `number`, with a sign if it is negative.
    package mutating func appendDecimal(_ number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        appendDecimal(number.magnitude)
    }

    /// Appends the digits of `number`.
    package mutating func appendDecimal(_ number: UInt64) {
        let start = count
        append(contentsOf: repeatElement(0, count: DecimalDigits.count(of: number)))
        unsafe withUnsafeMutableBufferPointer { bytes in
            // Safety: room for all digits, at least one, was appended at `start`, so the address is not nil.
            _ = unsafe DecimalDigits.write(number, to: bytes.baseAddress! + start)
        }
    }

    private mutating func appendEscape(_ byte: UInt8) {
        let escape = JSONEscape(of: byte)
        for index in 0..<escape.count { append(UInt8(truncatingIfNeeded: escape.bytes >> UInt64(8 * index))) }
    }
}

extension Span where Element == UInt8 {
    /// The number of bytes from the start that need no escape.
    fileprivate var plainPrefixCount: Int {
        unsafe withUnsafeBytes { bytes in
            var index = 0
            while index + 32 <= bytes.count {
                // Safety: the thirty-two bytes at `index` are inside the buffer, by the condition, so its address is
                // not nil.
                let block = unsafe ByteBlock(
                    UnsafeMutablePointer(
                        mutating: bytes.baseAddress!.assumingMemoryBound(to: UInt8.self) + index))
                if block.needsEscape != 0 { break }
                index += 32
            }
            while index < bytes.count {
                // Safety: `index` is less than the number of bytes, by the condition.
                let byte = unsafe bytes[index]
                if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
                index += 1
            }
            return index
        }
    }
}
