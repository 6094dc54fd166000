/// Walking over JSON that is known to be valid, for cold paths. What turns out not to be valid is walked over somehow,
/// never beyond the end.
extension Span where Element == UInt8 {
    /// Where the value ends that begins at `start`. O(its length).
    public func jsonValueEnd(from start: Int) -> Int {
        var index = start
        var depth = 0
        while index < count {
            switch self[index] {
            case UInt8(ascii: "\""):
                index = jsonStringEnd(from: index)
                if depth == 0 { return index }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return index }
                depth -= 1
                if depth == 0 { return index + 1 }
            case UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"),
                UInt8(ascii: "\r"):
                if depth == 0 { return index }
            default: break
            }
            index += 1
        }
        return count
    }

    /// Behind the closing quote of the string that begins at `start`.
    private func jsonStringEnd(from start: Int) -> Int {
        var index = start + 1
        while index < count, self[index] != UInt8(ascii: "\"") {
            index += self[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return Swift.min(index + 1, count)
    }

    /// The elements of the JSON array that these bytes are, as texts: strings decoded, everything else as it is written.
    public var jsonArrayTexts: [[UInt8]] {
        var texts: [[UInt8]] = []
        var index = 1
        while index < count {
            switch self[index] {
            case UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"),
                UInt8(ascii: "\r"):
                index += 1
            case UInt8(ascii: "]"): return texts
            default:
                let end = jsonValueEnd(from: index)
                texts.append(extracting(index..<end).jsonText)
                // What can't be a value is at least a byte.
                index = Swift.max(end, index + 1)
            }
        }
        return texts
    }

    /// The text of these bytes, which are a JSON value.
    private var jsonText: [UInt8] {
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
