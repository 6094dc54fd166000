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
            return columns(of: character)
        }
        let shortened = Character(String(String.UnicodeScalarView(scalars.prefix(maximumMarks))))
        output.append(contentsOf: shortened.utf8)
        return columns(of: shortened)
    }

    private static func appendAlone(
        _ scalar: Unicode.Scalar, inFlag: Bool, to output: inout [UInt8]
    ) -> Int {
        if isHarmless(scalar, inFlag: inFlag) {
            output.append(contentsOf: Character(scalar).utf8)
            return columns(of: Character(scalar))
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

// MARK: - Widths

extension DisplayText {
    /// Returns the number of terminal columns that a character takes.
    ///
    /// Widths follow Unicode's East Asian Width (UAX #11): wide and full-width characters take two columns. Marks take
    /// none, and a sequence that is displayed as one emoji takes two, however many scalars it has.
    package static func columns(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if first.isASCII, scalars.count == 1 { return 1 }
        if isEmoji(scalars, first) { return 2 }
        // In some scripts a syllable of several letters is one character.
        return scalars.reduce(0) { $0 + columns(of: $1) }
    }

    private static func isEmoji(_ scalars: Character.UnicodeScalarView, _ first: Unicode.Scalar) -> Bool {
        if first.properties.isEmojiPresentation { return true }
        return first.properties.isEmoji && scalars.contains("\u{fe0f}")
    }

    package static func columns(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        // Hangul vowels and final consonants are drawn over the preceding consonant.
        if (0x1160...0x11ff).contains(scalar.value) { return 0 }
        return isWide(scalar.value) ? 2 : 1
    }

    private static func isWide(_ value: UInt32) -> Bool {
        guard value >= wide[0].lowerBound else { return false }
        let index = wide.partitioningIndex { value <= $0.upperBound }
        return index < wide.count && wide[index].contains(value)
    }

    /// The wide (W) and full-width (F) characters of `EastAsianWidth.txt`, Unicode 15.0, in ascending order.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115f, 0x231a...0x231b, 0x2329...0x232a, 0x23e9...0x23ec, 0x23f0...0x23f0, 0x23f3...0x23f3,
        0x25fd...0x25fe, 0x2614...0x2615, 0x2648...0x2653, 0x267f...0x267f, 0x2693...0x2693, 0x26a1...0x26a1,
        0x26aa...0x26ab, 0x26bd...0x26be, 0x26c4...0x26c5, 0x26ce...0x26ce, 0x26d4...0x26d4, 0x26ea...0x26ea,
        0x26f2...0x26f3, 0x26f5...0x26f5, 0x26fa...0x26fa, 0x26fd...0x26fd, 0x2705...0x2705, 0x270a...0x270b,
        0x2728...0x2728, 0x274c...0x274c, 0x274e...0x274e, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
        0x27b0...0x27b0, 0x27bf...0x27bf, 0x2b1b...0x2b1c, 0x2b50...0x2b50, 0x2b55...0x2b55, 0x2e80...0x2e99,
        0x2e9b...0x2ef3, 0x2f00...0x2fd5, 0x2ff0...0x2ffb, 0x3000...0x303e, 0x3041...0x3096, 0x3099...0x30ff,
        0x3105...0x312f, 0x3131...0x318e, 0x3190...0x31e3, 0x31f0...0x321e, 0x3220...0x3247, 0x3250...0x4dbf,
        0x4e00...0xa48c, 0xa490...0xa4c6, 0xa960...0xa97c, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19,
        0xfe30...0xfe52, 0xfe54...0xfe66, 0xfe68...0xfe6b, 0xff01...0xff60, 0xffe0...0xffe6,
        0x16fe0...0x16fe4, 0x16ff0...0x16ff1, 0x17000...0x187f7, 0x18800...0x18cd5, 0x18d00...0x18d08,
        0x1aff0...0x1aff3, 0x1aff5...0x1affb, 0x1affd...0x1affe, 0x1b000...0x1b122, 0x1b132...0x1b132,
        0x1b150...0x1b152, 0x1b155...0x1b155, 0x1b164...0x1b167, 0x1b170...0x1b2fb, 0x1f004...0x1f004,
        0x1f0cf...0x1f0cf, 0x1f18e...0x1f18e, 0x1f191...0x1f19a, 0x1f200...0x1f202, 0x1f210...0x1f23b,
        0x1f240...0x1f248, 0x1f250...0x1f251, 0x1f260...0x1f265, 0x1f300...0x1f320, 0x1f32d...0x1f335,
        0x1f337...0x1f37c, 0x1f37e...0x1f393, 0x1f3a0...0x1f3ca, 0x1f3cf...0x1f3d3, 0x1f3e0...0x1f3f0,
        0x1f3f4...0x1f3f4, 0x1f3f8...0x1f43e, 0x1f440...0x1f440, 0x1f442...0x1f4fc, 0x1f4ff...0x1f53d,
        0x1f54b...0x1f54e, 0x1f550...0x1f567, 0x1f57a...0x1f57a, 0x1f595...0x1f596, 0x1f5a4...0x1f5a4,
        0x1f5fb...0x1f64f, 0x1f680...0x1f6c5, 0x1f6cc...0x1f6cc, 0x1f6d0...0x1f6d2, 0x1f6d5...0x1f6d7,
        0x1f6dc...0x1f6df, 0x1f6eb...0x1f6ec, 0x1f6f4...0x1f6fc, 0x1f7e0...0x1f7eb, 0x1f7f0...0x1f7f0,
        0x1f90c...0x1f93a, 0x1f93c...0x1f945, 0x1f947...0x1f9ff, 0x1fa70...0x1fa7c, 0x1fa80...0x1fa88,
        0x1fa90...0x1fabd, 0x1fabf...0x1fac5, 0x1face...0x1fadb, 0x1fae0...0x1fae8, 0x1faf0...0x1faf8,
        0x20000...0x2fffd, 0x30000...0x3fffd,
    ]
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
