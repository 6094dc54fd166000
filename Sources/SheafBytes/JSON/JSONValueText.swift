/// The texts of JSON values that were found valid, for cold paths.
extension Span where Element == UInt8 {
    /// The elements of the JSON array that these bytes form: strings decoded, everything else as written.
    package var jsonArrayTexts: [[UInt8]] {
        var texts: [[UInt8]] = []
        var index = endOfJSONSpace(from: 1)
        while index < count, self[index] != UInt8(ascii: "]") {
            let end = endOfJSONValue(from: index)
            if end > index { texts.append(extracting(index..<end).jsonText) }
            // A comma, or a byte that is not allowed here.
            index = endOfJSONSpace(from: end)
            if index < count, self[index] != UInt8(ascii: "]") { index = endOfJSONSpace(from: index + 1) }
        }
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
