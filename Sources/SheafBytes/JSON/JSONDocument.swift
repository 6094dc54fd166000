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
        list(items, members)
    }

    private mutating func list<Item>(_ items: [Item], _ members: (inout JSONDocument, Item) -> Void) {
        output.append("[")
        needsComma = false
        for item in items {
            if needsComma { output.append(",") }
            object { members(&$0, item) }
        }
        output.append("]")
        needsComma = true
    }

    package mutating func member<Item>(
        named name: String, _ items: [Item], _ members: (inout JSONDocument, Item) -> Void
    ) {
        begin(named: name)
        list(items, members)
    }

    /// Writes a member whose value is encoded already, except for a final LF.
    package mutating func member(_ name: StaticString, encoded value: [UInt8]) {
        begin(name)
        let end = value.last == UInt8(ascii: "\n") ? value.count - 1 : value.count
        output.append(value.span.extracting(first: end))
    }

    /// Writes a member whose value is a list of values that are encoded already, each in a line.
    package mutating func member(_ name: StaticString, encoded values: [[UInt8]]) {
        begin(name)
        output.append("[")
        for (index, value) in values.enumerated() {
            output.append(index > 0 ? ",\n" : "\n")
            output.append(value.span)
        }
        output.append("]")
    }

    /// Writes a member whose value is a list of numbers.
    package mutating func member<Number: BinaryInteger>(_ name: StaticString, numbers: [Number]) {
        begin(name)
        append(numbers)
    }

    // Names that follow from data:

    package mutating func member<Number: BinaryInteger>(named name: String, numbers: [Number]) {
        begin(named: name)
        append(numbers)
    }

    package mutating func member(named name: String, text: String) {
        begin(named: name)
        output.appendJSONString(Array(text.utf8).span)
    }

    package mutating func member(named name: String, _ number: UInt64) {
        begin(named: name)
        output.appendDecimal(number)
    }

    package mutating func member(named name: String, signed number: Int64) {
        begin(named: name)
        output.appendDecimal(number)
    }

    package mutating func member(named name: String, _ members: (inout JSONDocument) -> Void) {
        begin(named: name)
        object(members)
    }

    private mutating func append<Number: BinaryInteger>(_ numbers: [Number]) {
        output.append("[")
        for (index, number) in numbers.enumerated() {
            if index > 0 { output.append(",") }
            output.appendDecimal(Int64(clamping: number))
        }
        output.append("]")
    }

    private mutating func begin(named name: String) {
        if needsComma { output.append(",") }
        output.appendJSONString(Array(name.utf8).span)
        output.append(":")
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
