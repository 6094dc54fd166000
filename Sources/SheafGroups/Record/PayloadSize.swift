import SheafBytes

/// How many bytes a payload has as it is sent: measured in the line as it was read, before any escape is decoded.
enum PayloadSize {
    /// Of an object that begins at `start`.
    static func ofObject(at start: Int, in bytes: Span<UInt8>) -> Int {
        bytes.endOfJSONValue(from: start) - start
    }

    /// Of a bare record: the object without the members that are the envelope's. With each of them go its comma and the
    /// white space around it.
    ///
    ///     {"aps": {"alert": "x"}, "ts": 1700000000, "custom": 5}
    ///      └──────counts───────┘└does not count,─┘ └──counts──┘
    ///                             but for a comma
    static func ofBare(_ line: TextRange, of chunk: Chunk) -> Int {
        let bytes = chunk.bytes[line]
        var index = bytes.endOfJSONSpace(from: 0) + 1
        var size = 2
        var members = 0
        /// White space that counts where a member beside it does.
        var (isBesideMember, spaceBehind) = (true, 0)
        while index < bytes.count {
            let key = bytes.endOfJSONSpace(from: index)
            let keyEnd = bytes.endOfJSONValue(from: key)
            let value = bytes.endOfJSONSpace(from: bytes.endOfJSONSpace(from: keyEnd) + 1)
            let valueEnd = bytes.endOfJSONValue(from: value)
            let end = bytes.endOfJSONSpace(from: valueEnd)
            if isOfEnvelope(bytes.extracting(key..<keyEnd)) {
                (isBesideMember, spaceBehind) = (false, 0)
            } else {
                size += valueEnd - key + (members > 0 ? 1 : 0)
                if isBesideMember { size += spaceBehind + key - index }
                (isBesideMember, spaceBehind) = (true, end - valueEnd)
                members += 1
            }
            guard end < bytes.count, bytes[end] == 0x2c else { break }
            index = end + 1
        }
        return size + spaceBehind
    }

    /// - Parameter key: with its quotes; it is compared with its escapes decoded.
    private static func isOfEnvelope(_ key: Span<UInt8>) -> Bool {
        let name = key.jsonText
        return EnvelopeNames.besideBarePayload.contains { $0.utf8.elementsEqual(name) }
    }
}
