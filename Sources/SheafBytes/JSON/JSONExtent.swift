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
