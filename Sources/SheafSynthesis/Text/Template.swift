/// A text with slots such as `<person>`, encoded once so that rendering it only appends bytes.
struct Template: Sendable {
    /// A variable part of a text, filled in for each record.
    enum Slot: String, Sendable {
        /// A subject of the record; the same in all its texts and in its summary argument.
        case person, work, place, rival, item
        /// Another person or an emoji, drawn again for each slot.
        case other, emoji
        /// A number: `2...41`, `0...9`, `1...899` with cents, a time of day, `0.00...0.99`.
        case count, digit, amount, clock, fraction
        /// Up to ten digits, the same in all the record's texts, so that links and data agree.
        case number
        /// Eight hexadecimal digits; `true` or, one time in ten, `false`.
        case hex, flag
        /// The app's web host.
        case host
    }

    /// The syntax of the text around the slots.
    enum Content: Sendable {
        /// The contents of a string, not yet escaped.
        case text
        /// JSON members, escaped and without blanks, possibly with line breaks between them. No string contains a
        /// quotation mark.
        case json
    }

    /// Encoded bytes, each with the slot that follows them; the last piece has no slot.
    let pieces: [(literal: [UInt8], slot: Slot?)]

    /// Encodes a template. An unknown slot is an error in the tables, and traps.
    init(_ source: String, as content: Content, in dialect: JSONDialect) {
        var pieces: [(literal: [UInt8], slot: Slot?)] = []
        var literal: [UInt8] = []
        var name: String?
        var isInString = false
        for scalar in source.unicodeScalars {
            if let open = name {
                guard scalar == ">" else {
                    name = open + String(scalar)
                    continue
                }
                guard let slot = Slot(rawValue: open) else {
                    preconditionFailure("Unknown slot <\(open)>: \(source)")
                }
                pieces.append((literal, slot))
                literal = []
                name = nil
            } else if scalar == "<" {
                name = ""
            } else if content == .text {
                dialect.append(scalar, to: &literal)
            } else if scalar != "\n" {
                dialect.appendPlain(scalar, to: &literal)
                if scalar == "\"" { isInString.toggle() }
                if dialect.isSpaced && !isInString && (scalar == "," || scalar == ":") {
                    literal.append(UInt8(ascii: " "))
                }
            }
        }
        precondition(name == nil, "A slot is not closed: \(source)")
        pieces.append((literal, nil))
        self.pieces = pieces
    }
}
