/// The texts of JSON values that were found valid, for cold paths.
extension Span where Element == UInt8 {
    /// The elements of the JSON array that these bytes are: strings decoded, everything else as it is written.
    public var jsonArrayTexts: [[UInt8]] {
        var texts: [[UInt8]] = []
        var index = endOfJSONSpace(from: 1)
        while index < count, self[index] != 0x5d {
            let end = endOfJSONValue(from: index)
            if end > index { texts.append(extracting(index..<end).jsonText) }
            // A comma, or what has no place here.
            index = endOfJSONSpace(from: end)
            if index < count, self[index] != 0x5d { index = endOfJSONSpace(from: index + 1) }
        }
        return texts
    }

    /// The text of the JSON value that these bytes are: of a string what is in it, of every other as it is written.
    public var jsonText: [UInt8] {
        var bytes: [UInt8] = []
        guard count >= 2, self[0] == 0x22, self[count - 1] == 0x22 else {
            bytes.append(self)
            return bytes
        }
        bytes.append(extracting(1..<count - 1))
        guard bytes.contains(0x5c) else { return bytes }
        let content = Chunk(bytes)
        let text = content.decodeEscapes(TextRange(bytes.indices))
        bytes.removeAll(keepingCapacity: true)
        bytes.append(content.bytes(of: text))
        return bytes
    }
}
