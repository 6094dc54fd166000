/// The members of a JSON object, or the elements of an array, that was found valid: one after the other, byte by byte,
/// for texts that are rarely examined further.
///
/// If the text is not valid JSON, iteration ends early, or returns some other ranges in the text.
package struct JSONMembers {
    package struct Member {
        /// The bytes of the key between its quotes; empty in an array.
        package let key: Range<Int>
        package let value: Range<Int>
    }

    private var index: Int

    /// - Parameter start: the offset of the opening brace or bracket.
    package init(at start: Int) { index = start }

    /// Returns the next member of an object; nil after the last one. O(length of the member).
    package mutating func next(in bytes: Span<UInt8>) -> Member? {
        guard let key = nextValue(in: bytes), key.count >= 2, bytes[key.lowerBound] == UInt8(ascii: "\"")
        else { return nil }
        // A colon.
        let start = bytes.endOfJSONSpace(from: bytes.endOfJSONSpace(from: key.upperBound) + 1)
        guard start < bytes.count else { return nil }
        index = bytes.endOfJSONValue(from: start)
        return Member(key: key.lowerBound + 1..<key.upperBound - 1, value: start..<index)
    }

    /// Returns the next element of an array; nil after the last one. O(length of the element).
    package mutating func nextElement(in bytes: Span<UInt8>) -> Range<Int>? {
        guard let value = nextValue(in: bytes) else { return nil }
        index = value.upperBound
        return value
    }

    /// Returns the value after an opening brace or bracket, or after a comma.
    private func nextValue(in bytes: Span<UInt8>) -> Range<Int>? {
        let separator = bytes.endOfJSONSpace(from: index)
        guard separator < bytes.count else { return nil }
        switch bytes[separator] {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ","): break
        default: return nil
        }
        let start = bytes.endOfJSONSpace(from: separator + 1)
        let end = bytes.endOfJSONValue(from: start)
        return start < end ? start..<end : nil
    }
}

extension FieldScanner.Value {
    /// Creates the value of valid JSON. O(length of a string). Objects, arrays and words have their whole text.
    package init(_ json: Range<Int>, in bytes: Span<UInt8>) {
        let text = TextRange(json)
        switch bytes[json.lowerBound] {
        case UInt8(ascii: "{"): self.init(kind: .object, text: text, hasEscapes: false)
        case UInt8(ascii: "["): self.init(kind: .array, text: text, hasEscapes: false)
        case UInt8(ascii: "\""):
            let content = json.lowerBound + 1..<json.upperBound - 1
            self.init(
                kind: .string, text: TextRange(content),
                hasEscapes: content.contains { bytes[$0] == UInt8(ascii: "\\") })
        case UInt8(ascii: "t"), UInt8(ascii: "f"): self.init(kind: .bool, text: text, hasEscapes: false)
        case UInt8(ascii: "n"): self.init(kind: .null, text: text, hasEscapes: false)
        default: self.init(kind: .number, text: text, hasEscapes: false)
        }
    }
}
