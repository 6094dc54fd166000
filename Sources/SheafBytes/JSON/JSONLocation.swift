/// Finds locations in a JSON text, for messages; not for hot paths.
package enum JSONLocation {
    /// Returns the line (from 1) of the last of `keys`, followed from the top through objects; nil if they lead
    /// nowhere or `json` is not valid JSON, which other parsers may have accepted.
    package static func line(of keys: [String], in json: [UInt8]) -> Int? {
        guard !keys.isEmpty, firstError(in: json) == nil else { return nil }
        guard let offset = offset(of: keys[...], in: json.span, from: 0) else { return nil }
        return line(at: offset, in: json)
    }

    /// Returns the offset of the last of `keys` in the value after `start`.
    private static func offset(
        of keys: ArraySlice<String>, in json: Span<UInt8>, from start: Int
    ) -> Int? {
        let start = json.endOfJSONSpace(from: start)
        guard start < json.count, json[start] == UInt8(ascii: "{"), let wanted = keys.first else {
            return nil
        }
        var members = JSONMembers(at: start)
        while let (key, value) = members.next(in: json) {
            // With its quotes.
            let text = json.extracting(key.lowerBound - 1..<key.upperBound + 1).jsonText
            guard String(decoding: text, as: UTF8.self) == wanted else { continue }
            return keys.count == 1
                ? key.lowerBound - 1 : offset(of: keys.dropFirst(), in: json, from: value.lowerBound)
        }
        return nil
    }

    private static func line(at offset: Int, in json: [UInt8]) -> Int {
        1 + json[..<offset].count { $0 == UInt8(ascii: "\n") }
    }

    /// Returns where `json` stops being valid JSON: line and column, both from 1, the column in bytes; nil if it is
    /// valid. A text with more than `FieldScanner.maximumDepth` nested objects and arrays counts as invalid.
    package static func firstError(in json: [UInt8]) -> (line: Int, column: Int, isTooDeep: Bool)? {
        let chunk = Chunk(json)
        var scanner = FieldScanner(FieldPlan())
        let outcome = scanner.scan(TextRange(0..<json.count), of: chunk)
        guard outcome == .invalid || outcome == .tooDeep else { return nil }
        let before = json.prefix(scanner.invalidOffset)
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = 1 + before.count { $0 == UInt8(ascii: "\n") }
        return (line, before.count - lineStart + 1, outcome == .tooDeep)
    }

    /// A key that occurs twice in an object.
    package struct RepeatedKey: Equatable, Sendable {
        /// The keys from the top down to this one. An element of an array has the keys of the array.
        package let keys: [String]
        /// The line of the second occurrence, from 1.
        package let line: Int
        /// The line of the previous occurrence.
        package let firstLine: Int
    }

    /// Returns the first key that its object already has, or nil. Keys are compared as text, after their escapes are
    /// decoded. O(length).
    ///
    /// - Parameter json: valid JSON.
    package static func firstRepeatedKey(in json: [UInt8]) -> RepeatedKey? {
        var index = 0
        guard let (keys, offset, first) = firstRepeatedKey(in: json.span, from: &index) else { return nil }
        return RepeatedKey(keys: keys, line: line(at: offset, in: json), firstLine: line(at: first, in: json))
    }

    /// Moves past one value, unless a key is repeated in it.
    private static func firstRepeatedKey(
        in json: Span<UInt8>, from index: inout Int
    ) -> (keys: [String], offset: Int, first: Int)? {
        index = json.endOfJSONSpace(from: index)
        guard index < json.count else { return nil }
        let isObject = json[index] == UInt8(ascii: "{")
        guard isObject || json[index] == UInt8(ascii: "[") else {
            index = json.endOfJSONValue(from: index)
            return nil
        }
        index += 1
        var offsets: [String: Int] = [:]
        while true {
            index = json.endOfJSONSpace(from: index)
            guard index < json.count else { return nil }
            // The end of the container, or a comma before the next value.
            let byte = json[index]
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: ",") {
                index += 1
                if byte == UInt8(ascii: ",") { continue }
                return nil
            }
            guard isObject else {
                if let found = firstRepeatedKey(in: json, from: &index) { return found }
                continue
            }
            let start = index
            index = json.endOfJSONValue(from: start)
            let key = String(decoding: json.extracting(start..<index).jsonText, as: UTF8.self)
            if let first = offsets.updateValue(start, forKey: key) { return ([key], start, first) }
            // A colon.
            index = json.endOfJSONSpace(from: index) + 1
            if let (keys, offset, first) = firstRepeatedKey(in: json, from: &index) {
                return ([key] + keys, offset, first)
            }
        }
    }
}
