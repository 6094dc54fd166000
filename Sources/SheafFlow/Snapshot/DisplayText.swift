import SheafBytes

/// Makes the texts of notifications safe for a terminal.
///
/// Nothing in the result can move the cursor, change colours or reverse the direction of letters. Characters that could
/// do so are made visible: control characters as control pictures, others as their code points. Of the characters that
/// set the direction of text, which texts of several languages need, the marks (U+200E, U+200F, U+061C) are kept, and so
/// are isolates (U+2066 to U+2068) that end in the same text: neither has an effect beyond it.
package enum DisplayText {
    /// The most scalars written for one character: a terminal would draw further marks over the adjacent lines.
    private static let maximumMarks = 16
    /// The length of a piece of text, in bytes; a piece may extend beyond it to the next character boundary.
    private static let pieceBytes = 1 << 14
    private static let ellipsis: Character = "…"

    /// Returns the whole text in its displayable form.
    package static func shown(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(Array(text.utf8).span, width: nil, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a text in its displayable form.
    ///
    /// - Parameters:
    ///   - width: the number of columns available: a longer text is cut and ends with an ellipsis. nil for no limit.
    ///   - isList: whether the text may be a list composed by Sheaf, which encloses items of the opposite writing
    ///     direction in isolates, which a terminal may not know: they are omitted.
    /// - Returns: the number of columns that the text takes.
    @discardableResult
    static func append(
        _ text: Span<UInt8>, width: Int?, isList: Bool = false, to output: inout [UInt8]
    ) -> Int {
        guard let width else { return appendAll(text, isList: isList, to: &output) }
        var columns = 0
        var isolates = Isolates(text)
        /// The longest beginning that leaves room for an ellipsis.
        var fitting = (count: output.count, columns: 0, depth: 0)
        for character in string(text) {
            if Isolates.contain(character) {
                if isList { continue }
                if isolates.keep(character) {
                    output.append(contentsOf: character.utf8)
                    if columns < width { fitting = (output.count, columns, isolates.depth) }
                    continue
                }
            }
            columns += append(character, to: &output)
            if columns > width {
                output.removeSubrange(fitting.count...)
                // If the ellipsis does not fit, nothing fits.
                guard width > 0 else { return 0 }
                output.append(contentsOf: ellipsis.utf8)
                for _ in 0..<fitting.depth { output.append(contentsOf: Isolates.end.utf8) }
                return fitting.columns + 1
            }
            if columns < width { fitting = (output.count, columns, isolates.depth) }
        }
        return columns
    }

    /// Appends the whole text. Copies runs of printable ASCII, except for a last character that may carry a mark.
    private static func appendAll(_ text: Span<UInt8>, isList: Bool, to output: inout [UInt8]) -> Int {
        var columns = 0
        var start = 0
        var isolates = Isolates(text)
        while start < text.count {
            var end = start
            while end < text.count, isPlain(text[end]) { end += 1 }
            if end < text.count, end > start { end -= 1 }
            output.append(text.extracting(start..<end))
            columns += end - start
            start = end
            guard start < text.count else { break }
            end = characterEnd(in: text, from: start + 1)
            for character in string(text.extracting(start..<end)) {
                if Isolates.contain(character) {
                    if isList { continue }
                    if isolates.keep(character) {
                        output.append(contentsOf: character.utf8)
                        continue
                    }
                }
                columns += append(character, to: &output)
            }
            start = end
        }
        return columns
    }

    private static func isPlain(_ byte: UInt8) -> Bool { (0x20...0x7e).contains(byte) }

    /// Returns the first offset from `offset` on that lies between two printable ASCII characters, where a grapheme
    /// cluster always ends, or the length of the text.
    private static func characterEnd(in text: Span<UInt8>, from offset: Int) -> Int {
        var end = offset
        while end < text.count, !(isPlain(text[end - 1]) && isPlain(text[end])) { end += 1 }
        return end
    }

    /// Calls `body` with consecutive pieces of a text that can be appended independently, so that a long text is never
    /// converted as a whole.
    static func forEachPiece(of text: Span<UInt8>, _ body: (Span<UInt8>) -> Void) {
        var start = 0
        while text.count - start > pieceBytes {
            let end = characterEnd(in: text, from: start + pieceBytes)
            body(text.extracting(start..<end))
            start = end
        }
        body(text.extracting(droppingFirst: start))
    }

    private static func string(_ text: Span<UInt8>) -> String {
        var bytes: [UInt8] = []
        bytes.append(text)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Returns: the number of columns that the character takes.
    private static func append(_ character: Character, to output: inout [UInt8]) -> Int {
        let scalars = character.unicodeScalars
        let isFlag = scalars.first == "\u{1f3f4}"
        guard scalars.allSatisfy({ isHarmless($0, inFlag: isFlag) }) else {
            return scalars.reduce(0) { $0 + appendAlone($1, inFlag: isFlag, to: &output) }
        }
        if scalars.count <= maximumMarks {
            output.append(contentsOf: character.utf8)
            return DisplayWidth.columns(of: character)
        }
        let shortened = Character(String(String.UnicodeScalarView(scalars.prefix(maximumMarks))))
        output.append(contentsOf: shortened.utf8)
        return DisplayWidth.columns(of: shortened)
    }

    private static func appendAlone(
        _ scalar: Unicode.Scalar, inFlag: Bool, to output: inout [UInt8]
    ) -> Int {
        if isHarmless(scalar, inFlag: inFlag) {
            output.append(contentsOf: Character(scalar).utf8)
            return DisplayWidth.columns(of: Character(scalar))
        }
        let picture = picture(of: scalar)
        output.append(contentsOf: picture.utf8)
        return picture.count
    }

    /// Whether a terminal draws the scalar and does nothing else.
    private static func isHarmless(_ scalar: Unicode.Scalar, inFlag: Bool) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: return false
        case .format: break
        default: if !scalar.properties.isDefaultIgnorableCodePoint { return true }
        }
        // These invisible characters are harmless: joiners and variation selectors, which emoji and several scripts
        // need, marks of direction, and the tag characters of a regional flag.
        switch scalar.value {
        case 0x200c...0x200f, 0x61c: return true
        case 0xe0020...0xe007f: return inFlag
        default: return scalar.properties.isVariationSelector
        }
    }

    /// Returns "␛" for an escape, for example, or "<U+202E>" for a scalar without a control picture.
    private static func picture(of scalar: Unicode.Scalar) -> String {
        let value = scalar.value
        let picture = value < 0x20 ? 0x2400 + value : value == 0x7f ? 0x2421 : nil
        if let picture = picture.flatMap({ Unicode.Scalar($0) }) { return String(picture) }
        return "<U+\(Numbers.padded(String(value, radix: 16, uppercase: true), to: 4))>"
    }
}

/// Which isolates of a text end in it. They set the direction of the text between their initiator and their end (Unicode
/// Standard Annex #9).
private struct Isolates {
    static let end: Character = "\u{2069}"

    /// Whether each initiator or end has its counterpart, in the order of the text.
    private var isPaired: [Bool] = []
    private var next = 0
    /// The number of isolates around the next character, of those that are kept.
    private(set) var depth = 0

    /// O(length).
    init(_ text: Span<UInt8>) {
        var open: [Int] = []
        // U+2066 to U+2069 are E2 81 A6 to E2 81 A9.
        for index in text.indices.dropLast(2) where text[index] == 0xe2 && text[index + 1] == 0x81 {
            switch text[index + 2] {
            case 0xa6...0xa8:
                open.append(isPaired.count)
                isPaired.append(false)
            case 0xa9:
                let start = open.popLast()
                if let start { isPaired[start] = true }
                isPaired.append(start != nil)
            default: continue
            }
        }
    }

    /// Whether a character is an initiator or an end.
    static func contain(_ character: Character) -> Bool { ("\u{2066}"..."\u{2069}").contains(character) }

    /// Returns whether the text's next initiator or end is kept.
    mutating func keep(_ character: Character) -> Bool {
        let isKept = isPaired[next]
        next += 1
        if isKept { depth += character == Self.end ? -1 : 1 }
        return isKept
    }
}
