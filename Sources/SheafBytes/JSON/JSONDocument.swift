/// Writes a small JSON document: the names of members, and the commas between them.
///
/// For reports. Values that are written by the million are appended to an `OutputBuffer` directly.
package struct JSONDocument: ~Copyable {
    private var output = OutputBuffer()
    /// Whether a comma must precede the next member.
    private var needsComma = false

    private init() {}

    /// Returns one object and an LF.
    package static func bytes(_ members: (inout JSONDocument) -> Void) -> [UInt8] {
        var document = JSONDocument()
        document.object(members)
        document.output.append("\n")
        var bytes: [UInt8] = []
        bytes.append(document.output.bytes)
        return bytes
    }

    package mutating func member(_ name: StaticString, _ number: UInt64) {
        begin(name)
        output.appendDecimal(number)
    }

    /// Writes a time, which may be before 1970.
    package mutating func member(_ name: StaticString, milliseconds: Int64) {
        begin(name)
        output.appendDecimal(milliseconds)
    }

    package mutating func member(_ name: StaticString, _ value: Bool) {
        begin(name)
        output.append(value ? "true" : "false")
    }

    package mutating func member(_ name: StaticString, _ text: String) {
        begin(name)
        let bytes = Array(text.utf8)
        output.appendJSONString(bytes.span)
    }

    /// Writes a member whose value is a list of texts.
    package mutating func member(_ name: StaticString, _ texts: [String]) {
        begin(name)
        output.append("[")
        for (index, text) in texts.enumerated() {
            if index > 0 { output.append(",") }
            output.appendJSONString(Array(text.utf8).span)
        }
        output.append("]")
    }

    /// Writes a text, or null.
    package mutating func member(_ name: StaticString, _ text: String?) {
        guard let text else {
            begin(name)
            return output.append("null")
        }
        member(name, text)
    }

    /// Writes a number with decimals, rounded.
    package mutating func member(_ name: StaticString, _ number: Double, decimals: Int) {
        begin(name)
        let digits = Array(Numbers.decimal(number, decimals: decimals).utf8)
        output.append(digits.span)
    }

    /// Writes a member whose value is an object.
    package mutating func member(_ name: StaticString, _ members: (inout JSONDocument) -> Void) {
        begin(name)
        object(members)
    }

    /// Writes a member whose value is a list with an object for each item.
    package mutating func member<Item>(
        _ name: StaticString, _ items: [Item], _ members: (inout JSONDocument, Item) -> Void
    ) {
        begin(name)
        output.append("[")
        needsComma = false
        for item in items {
            if needsComma { output.append(",") }
            object { members(&$0, item) }
        }
        output.append("]")
        needsComma = true
    }

    private mutating func begin(_ name: StaticString) {
        output.append(needsComma ? ",\"" : "\"")
        output.append(name)
        output.append("\":")
        needsComma = true
    }

    private mutating func object(_ members: (inout JSONDocument) -> Void) {
        output.append("{")
        needsComma = false
        members(&self)
        output.append("}")
        needsComma = true
    }
}
