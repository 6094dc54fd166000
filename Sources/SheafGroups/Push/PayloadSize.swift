import SheafBytes

/// How many bytes a payload has as it is sent: measured in the line as it was read, before any escape is decoded.
enum PayloadSize {
    /// Of an object that begins at `start`.
    static func ofObject(at start: Int, in bytes: Span<UInt8>) -> Int {
        bytes.endOfJSONValue(from: start) - start
    }

    /// Of a bare record: the object without the members that are the envelope's. With each of them goes its comma, and the
    /// white space around it.
    ///
    ///     {"aps":{"alert":"x"},"ts":1700000000,"custom":5}
    ///      └─────counts──────┘└─does not count┘└─counts─┘
    static func ofBare(_ line: TextRange, of chunk: Chunk) -> Int {
        let bytes = chunk.bytes[line]
        let start = bytes.endOfJSONSpace(from: 0)
        var index = start + 1
        var dropped = 0
        while true {
            let member = index
            let key = bytes.endOfJSONSpace(from: member)
            let keyEnd = bytes.endOfJSONValue(from: key)
            let colon = bytes.endOfJSONSpace(from: keyEnd)
            let value = bytes.endOfJSONSpace(from: colon + 1)
            index = bytes.endOfJSONSpace(from: bytes.endOfJSONValue(from: value))
            // There is a comma for it, whether before it or behind it: the payload's `aps` stays.
            if isOfEnvelope(bytes.extracting(key..<keyEnd)) { dropped += index - member + 1 }
            guard index < bytes.count, bytes[index] == 0x2c else { return index + 1 - start - dropped }
            index += 1
        }
    }

    /// - Parameter key: with its quotes; it is compared with its escapes decoded.
    private static func isOfEnvelope(_ key: Span<UInt8>) -> Bool {
        let name = key.jsonText
        return EnvelopeNames.besideBarePayload.contains { $0.utf8.elementsEqual(name) }
    }
}
