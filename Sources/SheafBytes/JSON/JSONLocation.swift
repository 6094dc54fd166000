/// Finds locations in a JSON text, for messages; not for hot paths.
package enum JSONLocation {
    /// Returns the line (from 1) of the last of `keys`, followed from the top through objects; nil if they lead
    /// nowhere or `json` is not valid JSON, which other parsers may have accepted.
    package static func line(of keys: [String], in json: [UInt8]) -> Int? {
        guard !keys.isEmpty, firstError(in: json) == nil else { return nil }
        var walker = Walker(json)
        guard let offset = walker.find(keys[...]) else { return nil }
        return 1 + json[..<offset].count { $0 == UInt8(ascii: "\n") }
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
        var walker = Walker(json)
        guard let (keys, offset, first) = walker.firstRepeatedKey() else { return nil }
        func line(_ offset: Int) -> Int { 1 + json[..<offset].count { $0 == UInt8(ascii: "\n") } }
        return RepeatedKey(keys: keys, line: line(offset), firstLine: line(first))
    }

    /// Walks over valid JSON, so it does not check for errors.
    private struct Walker {
        private let bytes: [UInt8]
        private var index = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        private var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

        private mutating func skipSpace() { index = bytes.span.endOfJSONSpace(from: index) }

        /// Returns the offset of the last key. The walker must be before an object.
        mutating func find(_ keys: ArraySlice<String>) -> Int? {
            skipSpace()
            guard byte == UInt8(ascii: "{"), let wanted = keys.first else { return nil }
            index += 1
            while true {
                skipSpace()
                let start = index
                guard let key = string() else { return nil }
                skipSpace()
                guard byte == UInt8(ascii: ":") else { return nil }
                index += 1
                if key == wanted {
                    return keys.count == 1 ? start : find(keys.dropFirst())
                }
                skipValue()
                skipSpace()
                guard byte == UInt8(ascii: ",") else { return nil }
                index += 1
            }
        }

        /// Walks past one value, unless a key is repeated in it.
        mutating func firstRepeatedKey() -> (keys: [String], offset: Int, first: Int)? {
            skipSpace()
            let isObject = byte == UInt8(ascii: "{")
            guard isObject || byte == UInt8(ascii: "[") else {
                skipValue()
                return nil
            }
            index += 1
            var offsets: [String: Int] = [:]
            while true {
                skipSpace()
                // The end of the container, or a comma before the next value.
                if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || index >= bytes.count {
                    index += 1
                    return nil
                }
                if byte == UInt8(ascii: ",") {
                    index += 1
                    continue
                }
                guard isObject else {
                    if let found = firstRepeatedKey() { return found }
                    continue
                }
                let start = index
                guard let key = string() else { return nil }
                if let first = offsets.updateValue(start, forKey: key) { return ([key], start, first) }
                skipSpace()
                index += 1
                if let (keys, offset, first) = firstRepeatedKey() { return ([key] + keys, offset, first) }
            }
        }

        private mutating func string() -> String? {
            guard byte == UInt8(ascii: "\"") else { return nil }
            let start = index
            index = bytes.span.endOfJSONValue(from: start)
            return String(decoding: bytes.span.extracting(start..<index).jsonText, as: UTF8.self)
        }

        private mutating func skipValue() {
            skipSpace()
            index = bytes.span.endOfJSONValue(from: index)
        }
    }
}
