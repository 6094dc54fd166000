import SheafBytes
import SheafText

/// A JSON value of a mapping file, with its location for messages.
package struct MappingValue {
    /// A member of an object, with the line of its key, from 1.
    package typealias Member = (key: String, line: Int, value: MappingValue)

    package enum Content {
        case object([Member])
        case list([MappingValue])
        case text(String)
        /// The digits as written, because not every number is representable.
        case number(String)
        case bool(Bool)
        case null
    }

    package let content: Content
    /// The keys from the top down to the value. An element of a list has the keys of the list.
    let keys: [String]
    /// The line on which the value begins, from 1.
    let line: Int

    /// - Parameter json: valid JSON.
    package init(json: [UInt8]) {
        var parser = MappingParser(json)
        self = parser.value(at: [])
    }

    package init(_ content: Content, _ keys: [String], _ line: Int) {
        self.content = content
        self.keys = keys
        self.line = line
    }

    /// The values of a list, or the value itself.
    package var elements: [MappingValue] { if case .list(let values) = content { values } else { [self] } }

    /// What the value is called in messages.
    var kind: String {
        switch content {
        case .object: "an object"
        case .list: "a list"
        case .text: "a string"
        case .number(let digits): "the number \(MappingValue.shown(digits))"
        case .bool(let value): "\(value)"
        case .null: "null"
        }
    }

    /// The number of pointers and constants in the value of a mapping, or of a part of one. O(size).
    var pointerCount: Int {
        switch content {
        case .text: 1
        case .list(let values): values.reduce(0) { $0 + $1.pointerCount }
        case .object(let members):
            members.reduce(0) { Self.isWithoutPointers($1.key) ? $0 : $0 + $1.value.pointerCount }
        case .number, .bool, .null: 0
        }
    }

    /// Whether the value of a key has no pointers and constants: descriptions, and what a value is compared with.
    private static func isWithoutPointers(_ key: String) -> Bool {
        ["about", "withoutPayload", "equals", "contains", "separator"].contains(key)
    }

    /// An error at this value.
    func error(_ message: String) -> ContentError { ContentError(line: line, keys: keys, message: message) }

    /// Returns the beginning of a text that may be very long.
    static func shown(_ text: String) -> String { text.utf8.count > 200 ? "\(text.prefix(100))…" : text }
}

/// Walks over valid JSON, so it does not check for errors. Its depth is bounded by that of valid texts.
private struct MappingParser {
    private let bytes: [UInt8]
    private var index = 0
    private var line = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

    private mutating func skipSpace() {
        let end = bytes.span.endOfJSONSpace(from: index)
        line += bytes[index..<end].count { $0 == UInt8(ascii: "\n") }
        index = end
    }

    mutating func value(at keys: [String]) -> MappingValue {
        skipSpace()
        let start = line
        return MappingValue(content(at: keys), keys, start)
    }

    private mutating func content(at keys: [String]) -> MappingValue.Content {
        switch byte {
        case UInt8(ascii: "{"):
            var members: [MappingValue.Member] = []
            while nextItem(before: UInt8(ascii: "}")) {
                let line = line
                let key = scalar()
                skipSpace()
                index += 1
                members.append((key, line, value(at: keys + [key])))
            }
            return .object(members)
        case UInt8(ascii: "["):
            var values: [MappingValue] = []
            while nextItem(before: UInt8(ascii: "]")) { values.append(value(at: keys)) }
            return .list(values)
        case UInt8(ascii: "\""): return .text(scalar())
        default:
            let word = scalar()
            switch word {
            case "true", "false": return .bool(word == "true")
            case "null": return .null
            default: return .number(word)
            }
        }
    }

    /// Skips the opening bracket, or the comma after an item. Returns false after the closing bracket.
    private mutating func nextItem(before end: UInt8) -> Bool {
        skipSpace()
        if byte != end {
            index += 1
            skipSpace()
        }
        guard byte != end, index < bytes.count else {
            index += 1
            return false
        }
        return true
    }

    private mutating func scalar() -> String {
        let start = index
        index = bytes.span.endOfJSONValue(from: start)
        return String(decoding: bytes.span.extracting(start..<index).jsonText, as: UTF8.self)
    }
}
