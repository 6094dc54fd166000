/// Writes JSON texts, one at a time, into a buffer that is reused for every record.
///
/// The writer inserts commas; values are bytes that are already encoded in the current dialect.
struct JSONWriter: Sendable {
    /// The constant parts of a dialect, encoded once. A class, because every record sets one.
    final class Style: Sendable {
        /// `"name":` and `,"name":`, indexed by the raw value of `FieldName`.
        fileprivate let firstFields, laterFields: [[UInt8]]
        fileprivate let separator: [UInt8]

        init(_ dialect: JSONDialect) {
            let separator = dialect.separator
            firstFields = FieldName.allCases.map { field in
                [UInt8(ascii: "\"")] + dialect.encoded(field.text) + [UInt8(ascii: "\"")] + dialect.colon
            }
            laterFields = firstFields.map { separator + $0 }
            self.separator = separator
        }
    }

    private(set) var bytes: [UInt8] = []
    private var style: Style
    /// Whether a comma must precede the next member or element.
    private var needsSeparator = false

    init(style: Style) {
        self.style = style
    }

    /// Empties the buffer, keeping its storage, and starts a text in `style`.
    mutating func restart(in style: Style) {
        bytes.removeAll(keepingCapacity: true)
        self.style = style
        needsSeparator = false
    }

    mutating func beginObject() {
        bytes.append(UInt8(ascii: "{"))
        needsSeparator = false
    }

    mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        needsSeparator = true
    }

    mutating func field(_ name: FieldName) {
        bytes.append(contentsOf: (needsSeparator ? style.laterFields : style.firstFields)[name.rawValue])
        needsSeparator = false
    }

    /// Writes a field whose value is a string that is already encoded.
    mutating func field(_ name: FieldName, text: [UInt8]) {
        field(name)
        string { $0.append(contentsOf: text) }
    }

    /// Writes a field whose value is a whole number ≥ 0.
    mutating func field(_ name: FieldName, number: Int) {
        field(name)
        value { $0.appendDecimal(number) }
    }

    /// Writes a string, whose encoded contents `inside` appends.
    mutating func string(_ inside: (inout [UInt8]) -> Void) {
        bytes.append(UInt8(ascii: "\""))
        inside(&bytes)
        bytes.append(UInt8(ascii: "\""))
        needsSeparator = true
    }

    /// Writes a complete value, which `text` appends.
    mutating func value(_ text: (inout [UInt8]) -> Void) {
        text(&bytes)
        needsSeparator = true
    }

    /// Writes complete members, such as `"a":1,"b":2`, which `text` appends.
    mutating func members(_ text: (inout [UInt8]) -> Void) {
        if needsSeparator {
            bytes.append(contentsOf: style.separator)
        }
        text(&bytes)
        needsSeparator = true
    }

    /// Writes a JSON text as a string, escaping its quotation marks and backslashes again.
    mutating func string(holding json: [UInt8]) {
        string { bytes in
            for byte in json {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                    bytes.append(UInt8(ascii: "\\"))
                }
                bytes.append(byte)
            }
        }
    }
}
