/// A text with slots, `<person>` for example, encoded once: rendering it only appends bytes.
struct Template: Sendable {
    /// What is filled in for each record.
    enum Slot: String, Sendable {
        /// Whom or what the record is about; the same in all its texts and in its summary argument.
        case person, work, place, rival, item
        /// Another person or an emoji, new at each place.
        case other, emoji
        /// A number: `2...41`, `0...9`, `1...899` with cents, a time of day, `0.00...0.99`.
        case count, digit, amount, clock, fraction
        /// Up to ten digits, the same in all the record's texts, so that a link and the data beside it agree.
        case number
        /// Eight hexadecimal digits, and `true` or, once in ten times, `false`.
        case hex, flag
        /// The app's web host.
        case host
    }

    /// How the text around the slots is to be read.
    enum Content: Sendable {
        /// The inside of a string, not yet escaped.
        case text
        /// JSON members, escaped and without blanks; lines may be broken between them. No string holds a
        /// quotation mark.
        case json
    }

    /// Encoded bytes, and the slot that follows them; none at the end.
    struct Piece: Sendable {
        var literal: [UInt8]
        var slot: Slot?
    }

    let pieces: [Piece]

    /// Encodes a template. A slot's name that does not exist is a mistake in the tables, and traps.
    init(_ source: String, as content: Content, in dialect: JSONDialect) {
        var pieces: [Piece] = []
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
                    preconditionFailure("No slot is called <\(open)>: \(source)")
                }
                pieces.append(Piece(literal: literal, slot: slot))
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
        pieces.append(Piece(literal: literal, slot: nil))
        self.pieces = pieces
    }
}
