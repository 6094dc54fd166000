/// The members of a JSON object, or the elements of an array, that was found valid: one after the other, byte by byte,
/// for texts that are rarely examined further.
///
/// If the text is not valid JSON, iteration ends early, or returns some other ranges in the text.
package struct JSONMembers {
    /// The bytes of a key between its quotes, and those of its value.
    package typealias Member = (key: Range<Int>, value: Range<Int>)

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
        return (key.lowerBound + 1..<key.upperBound - 1, start..<index)
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

/// Finds the ends of JSON values byte by byte, in texts that were found valid and are rarely examined further.
extension Span where Element == UInt8 {
    /// Returns the offset after the JSON value that begins at `start`. O(length).
    ///
    /// If the text is not valid JSON, the result is some offset in the text or its end.
    package func endOfJSONValue(from start: Int) -> Int {
        var index = start
        var depth = 0
        while index < count {
            switch self[index] {
            case UInt8(ascii: "\""):
                index = endOfJSONString(from: index)
                if depth == 0 { return index }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return index }
                depth -= 1
                index += 1
                if depth == 0 { return index }
            case UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"),
                UInt8(ascii: "\r"):
                // A number or a literal ends before the byte that follows it.
                if depth == 0 { return index }
                index += 1
            default: index += 1
            }
        }
        return count
    }

    /// Returns the first offset from `start` on that is not white space.
    package func endOfJSONSpace(from start: Int) -> Int {
        var index = start
        while index < count, self[index].isJSONWhiteSpace { index += 1 }
        return index
    }

    /// Returns the offset after the closing quote of the string whose opening quote is at `start`.
    private func endOfJSONString(from start: Int) -> Int {
        var index = start + 1
        while index + ByteBlock.count <= count {
            let block = block(at: index)
            let escapes = escaping(block.equal(UInt8(ascii: "\\")))
            let closing = block.equal(UInt8(ascii: "\"")) & ~(escapes << 1)
            if closing != 0 { return index + closing.trailingZeroBitCount + 1 }
            // A backslash at the end is that of an escape with the next block's first byte.
            index += ByteBlock.count - Int(escapes >> 31)
        }
        while index < count {
            switch self[index] {
            case UInt8(ascii: "\""): return index + 1
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        return count
    }
}

/// The texts of JSON values that were found valid, for cold paths.
extension Span where Element == UInt8 {
    /// The elements of the JSON array that these bytes form: strings decoded, everything else as written.
    package var jsonArrayTexts: [[UInt8]] {
        var texts: [[UInt8]] = []
        var elements = JSONMembers(at: 0)
        while let element = elements.nextElement(in: self) { texts.append(extracting(element).jsonText) }
        return texts
    }

    /// The text of the JSON value that these bytes form: the decoded content of a string, any other value as written.
    package var jsonText: [UInt8] {
        var bytes: [UInt8] = []
        guard count >= 2, self[0] == UInt8(ascii: "\""), self[count - 1] == UInt8(ascii: "\"") else {
            bytes.append(self)
            return bytes
        }
        bytes.append(extracting(1..<count - 1))
        guard bytes.contains(UInt8(ascii: "\\")) else { return bytes }
        let content = Chunk(bytes)
        let text = content.decodeEscapes(TextRange(bytes.indices))
        bytes.removeAll(keepingCapacity: true)
        bytes.append(content.bytes(of: text))
        return bytes
    }
}
