/// How far what is in a JSON text reaches, byte after byte: for texts that were found valid, and are looked at closer only
/// rarely.
extension Span where Element == UInt8 {
    /// Where the JSON value that begins at `start` ends. O(length).
    ///
    /// Of what is no valid JSON it is some place up to the text's end.
    public func endOfJSONValue(from start: Int) -> Int {
        var index = start
        var depth = 0
        while index < count {
            switch self[index] {
            case 0x22:
                index = endOfJSONString(from: index)
                if depth == 0 { return index }
            case 0x7b, 0x5b:
                depth += 1
                index += 1
            case 0x7d, 0x5d:
                if depth == 0 { return index }
                depth -= 1
                index += 1
                if depth == 0 { return index }
            case 0x2c, 0x20, 0x09, 0x0a, 0x0d:
                // What stands alone, a number or a word, ends before what follows it.
                if depth == 0 { return index }
                index += 1
            default: index += 1
            }
        }
        return count
    }

    /// The first place from `start` on that is no white space.
    public func endOfJSONSpace(from start: Int) -> Int {
        var index = start
        while index < count {
            let byte = self[index]
            guard byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d else { break }
            index += 1
        }
        return index
    }

    /// Behind the closing quote of the string whose opening one is at `start`.
    private func endOfJSONString(from start: Int) -> Int {
        var index = start + 1
        while index < count {
            switch self[index] {
            case 0x22: return index + 1
            case 0x5c: index += 2
            default: index += 1
            }
        }
        return count
    }
}
