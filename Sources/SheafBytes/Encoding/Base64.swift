extension OutputBuffer {
    /// Appends `bytes` in base64 with padding (RFC 4648, section 4).
    package mutating func appendBase64(_ bytes: Span<UInt8>) {
        let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        var index = 0
        while index < bytes.count {
            let length = min(3, bytes.count - index)
            var group: UInt32 = 0
            for offset in 0..<3 {
                group = group << 8 | (offset < length ? UInt32(bytes[index + offset]) : 0)
            }
            let target = unsafe tail(4)
            for offset in 0..<4 {
                let digit = Int(group >> UInt32(18 - 6 * offset) & 63)
                // Safety: `tail` made room for four bytes, and six bits are less than 64, the length of the alphabet.
                unsafe target[offset] = offset <= length ? alphabet.utf8Start[digit] : UInt8(ascii: "=")
            }
            // Safety: the loop has written the four bytes.
            unsafe advance(4)
            index += 3
        }
    }
}

extension Span where Element == UInt8 {
    /// Whether the bytes are valid UTF-8.
    package var isValidUTF8: Bool {
        unsafe withUnsafeBytes { bytes in
            // Safety: the initializer reads only the bytes of the buffer, which outlives the call.
            unsafe String(validating: bytes, as: UTF8.self) != nil
        }
    }
}
