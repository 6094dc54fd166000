import SheafBytes

/// The size of a payload in bytes as it is sent, measured in the original line before any escape is decoded.
enum PayloadSize {
    /// Returns the size of the object that begins at `start`.
    static func ofObject(at start: Int, in bytes: Span<UInt8>) -> Int {
        bytes.endOfJSONValue(from: start) - start
    }

    /// Returns the size of a bare record's payload: the object without the envelope's members, their commas and the
    /// white space around them.
    ///
    ///     {"aps": {"alert": "x"}, "ts": 1700000000, "custom": 5}
    ///      └──────counts───────┘└does not count,─┘ └──counts──┘
    ///                            except for a comma
    static func ofBare(_ line: TextRange, of chunk: Chunk) -> Int {
        let bytes = chunk.bytes[line]
        var index = bytes.endOfJSONSpace(from: 0) + 1
        var size = 2
        var members = 0
        /// White space counts if the member next to it does.
        var (isNextToMember, spaceAfter) = (true, 0)
        while index < bytes.count {
            let key = bytes.endOfJSONSpace(from: index)
            let keyEnd = bytes.endOfJSONValue(from: key)
            let value = bytes.endOfJSONSpace(from: bytes.endOfJSONSpace(from: keyEnd) + 1)
            let valueEnd = bytes.endOfJSONValue(from: value)
            let end = bytes.endOfJSONSpace(from: valueEnd)
            if isEnvelopeMember(bytes.extracting(key..<keyEnd)) {
                (isNextToMember, spaceAfter) = (false, 0)
            } else {
                size += valueEnd - key + (members > 0 ? 1 : 0)
                if isNextToMember { size += spaceAfter + key - index }
                (isNextToMember, spaceAfter) = (true, end - valueEnd)
                members += 1
            }
            guard end < bytes.count, bytes[end] == UInt8(ascii: ",") else { break }
            index = end + 1
        }
        return size + spaceAfter
    }

    /// Returns whether a member belongs to the envelope.
    ///
    /// - Parameter key: the member's name with its quotes; escapes are decoded before it is compared.
    private static func isEnvelopeMember(_ key: Span<UInt8>) -> Bool {
        let name = key.jsonText
        return EnvelopeNames.outsideBarePayload.contains { $0.utf8.elementsEqual(name) }
    }
}
