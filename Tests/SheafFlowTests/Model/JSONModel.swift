/// A simple JSON parser (RFC 8259) that keeps numbers as written and every member of an object.
indirect enum JSONModel {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONModel])
    case object([(name: String, value: JSONModel)])

    enum Problem: Error { case invalid, tooDeep }

    init(_ bytes: [UInt8]) throws(Problem) {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .invalid }
        var parser = Parser(bytes: bytes)
        self = try parser.document()
    }

    /// The value of the last member with this name; nil if the value is not an object.
    subscript(name: String) -> JSONModel? {
        guard case .object(let members) = self else { return nil }
        return members.last { Array($0.name.utf8) == Array(name.utf8) }?.value
    }

    /// The text of a string; nil for other values.
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var isNull: Bool {
        if case .null = self { true } else { false }
    }

    private struct Parser {
        let bytes: [UInt8]
        var index = 0
        var depth = 0

        var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

        mutating func document() throws(Problem) -> JSONModel {
            space()
            let value = try value()
            space()
            guard index == bytes.count else { throw .invalid }
            return value
        }

        mutating func space() {
            while " \t\n\r".utf8.contains(byte) { index += 1 }
        }

        mutating func take(_ text: String) -> Bool {
            guard byte == text.utf8.first, bytes[index...].starts(with: text.utf8) else { return false }
            index += text.utf8.count
            return true
        }

        mutating func value() throws(Problem) -> JSONModel {
            if take("null") { return .null }
            if take("true") { return .bool(true) }
            if take("false") { return .bool(false) }
            switch byte {
            case UInt8(ascii: "\""): return .string(try string())
            case UInt8(ascii: "{"): return .object(try members())
            case UInt8(ascii: "["):
                return .array(try elements())
            default: return .number(try number())
            }
        }

        mutating func open() throws(Problem) {
            index += 1
            depth += 1
            if depth > 128 { throw .tooDeep }
            space()
        }

        /// Reads the separator or the end after a member or an element, and returns true if another one follows.
        mutating func hasNext(_ end: String) throws(Problem) -> Bool {
            space()
            if take(end) {
                depth -= 1
                return false
            }
            guard take(",") else { throw .invalid }
            space()
            return true
        }

        mutating func elements() throws(Problem) -> [JSONModel] {
            try open()
            var elements: [JSONModel] = []
            if byte == UInt8(ascii: "]") {
                _ = try hasNext("]")
                return elements
            }
            repeat { elements.append(try value()) } while try hasNext("]")
            return elements
        }

        mutating func members() throws(Problem) -> [(name: String, value: JSONModel)] {
            try open()
            var members: [(name: String, value: JSONModel)] = []
            if byte == UInt8(ascii: "}") {
                _ = try hasNext("}")
                return members
            }
            repeat {
                guard byte == UInt8(ascii: "\"") else { throw .invalid }
                let name = try string()
                space()
                guard take(":") else { throw .invalid }
                space()
                members.append((name, try value()))
            } while try hasNext("}")
            return members
        }

        mutating func number() throws(Problem) -> String {
            let start = index
            _ = take("-")
            if !take("0") { try digits() }
            if take(".") { try digits() }
            if take("e") || take("E") {
                if !take("+") { _ = take("-") }
                try digits()
            }
            return String(decoding: bytes[start..<index], as: UTF8.self)
        }

        mutating func digits() throws(Problem) {
            let start = index
            while (0x30...0x39).contains(byte) { index += 1 }
            if index == start { throw .invalid }
        }

        /// Reads a string as UTF-16 units, so that the halves of surrogate pairs combine.
        mutating func string() throws(Problem) -> String {
            index += 1
            var units: [UInt16] = []
            var plain: [UInt8] = []
            func flush(_ plain: inout [UInt8], _ units: inout [UInt16]) {
                units += Array(String(decoding: plain, as: UTF8.self).utf16)
                plain = []
            }
            while true {
                guard index < bytes.count, byte >= 0x20 else { throw .invalid }
                if take("\"") {
                    flush(&plain, &units)
                    return String(decoding: units, as: UTF16.self)
                }
                guard take("\\") else {
                    plain.append(bytes[index])
                    index += 1
                    continue
                }
                flush(&plain, &units)
                units.append(try escape())
            }
        }

        mutating func escape() throws(Problem) -> UInt16 {
            let simple: [(String, UInt16)] = [
                ("\"", 0x22), ("\\", 0x5c), ("/", 0x2f), ("b", 8), ("f", 12), ("n", 10), ("r", 13), ("t", 9),
            ]
            for (letter, unit) in simple where take(letter) { return unit }
            guard take("u"), index + 4 <= bytes.count else { throw .invalid }
            let text = String(decoding: bytes[index..<(index + 4)], as: UTF8.self)
            guard text.allSatisfy(\.isHexDigit), let unit = UInt16(text, radix: 16) else { throw .invalid }
            index += 4
            return unit
        }
    }
}

/// Returns a text as JSON, escaped according to specification §10.
func jsonString(_ text: String) -> String {
    var output = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": output += "\\\""
        case "\\": output += "\\\\"
        case "\u{8}": output += "\\b"
        case "\u{c}": output += "\\f"
        case "\n": output += "\\n"
        case "\r": output += "\\r"
        case "\t": output += "\\t"
        case "\0"..<" ":
            let digits = String(scalar.value, radix: 16)
            output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: output.unicodeScalars.append(scalar)
        }
    }
    return output + "\""
}

/// Returns a text as JSON, or `null` if it is empty.
func jsonStringOrNull(_ text: String) -> String { text.isEmpty ? "null" : jsonString(text) }

/// Whether the first text precedes the second in byte order.
func precedes(_ first: String, _ second: String) -> Bool {
    first.utf8.lexicographicallyPrecedes(second.utf8)
}
