import SheafBytes

/// Texts of notifications for a terminal: nothing in them can move its cursor, change its colours or turn its lines
/// around. What could is shown instead: a control character by its picture, others by their number.
public enum DisplayText {
    /// Marks on one character beyond so many are not written: a terminal draws them over the lines around it.
    private static let maximumMarks = 16
    /// How long the pieces of a text are, or a little more.
    private static let pieceBytes = 1 << 14
    private static let ellipsis: Character = "…"

    /// The whole text.
    public static func shown(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(Array(text.utf8).span, width: nil, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a text's characters.
    ///
    /// - Parameters:
    ///   - width: how many columns there are; of a longer text the beginning, and an ellipsis. nil: all of it.
    ///   - isList: whether it may be a list of Sheaf's own, whose items stand in isolates (U+2068, U+2069) where they
    ///     run against the others. A line of the screen is turned around by nothing, so there they are left out.
    /// - Returns: how many columns it takes.
    @discardableResult
    static func append(
        _ text: Span<UInt8>, width: Int?, isList: Bool = false, to output: inout [UInt8]
    ) -> Int {
        guard width != nil || isList else { return appendAll(text, to: &output) }
        var columns = 0
        /// As far as there is room for an ellipsis behind it.
        var fitting = (count: output.count, columns: 0)
        for character in string(text) {
            if isList, character == "\u{2068}" || character == "\u{2069}" { continue }
            columns += append(character, to: &output)
            guard let width else { continue }
            if columns > width {
                output.removeSubrange(fitting.count...)
                // Where there is no room for it there is none for anything.
                guard width > 0 else { return 0 }
                output.append(contentsOf: ellipsis.utf8)
                return fitting.columns + 1
            }
            if columns < width { fitting = (output.count, columns) }
        }
        return columns
    }

    /// The whole text. Printable ASCII is copied as it is, except before a character that may be a mark on it.
    private static func appendAll(_ text: Span<UInt8>, to output: inout [UInt8]) -> Int {
        var columns = 0
        var start = 0
        while start < text.count {
            var end = start
            while end < text.count, isPlain(text[end]) { end += 1 }
            if end < text.count, end > start { end -= 1 }
            output.append(text.extracting(start..<end))
            columns += end - start
            start = end
            guard start < text.count else { break }
            // Up to between two printable characters of ASCII, which are never one character.
            repeat { end += 1 } while end < text.count && !(isPlain(text[end - 1]) && isPlain(text[end]))
            for character in string(text.extracting(start..<end)) {
                columns += append(character, to: &output)
            }
            start = end
        }
        return columns
    }

    private static func isPlain(_ byte: UInt8) -> Bool { (0x20...0x7e).contains(byte) }

    /// Calls `body` with one part of a text after the other, which can be appended by themselves: of a long text nothing
    /// else is in memory then.
    static func forEachPiece(of text: Span<UInt8>, _ body: (Span<UInt8>) -> Void) {
        var start = 0
        while text.count - start > pieceBytes {
            var end = start + pieceBytes
            // A character ends between two of ASCII, which carriage return and line feed are not split by either: each
            // is shown by itself.
            while end < text.count, text[end - 1] >= 0x80 || text[end] >= 0x80 { end += 1 }
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

    /// - Returns: how many columns it takes.
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

    /// Whether a terminal only draws it.
    private static func isHarmless(_ scalar: Unicode.Scalar, inFlag: Bool) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: return false
        case .format: break
        default: if !scalar.properties.isDefaultIgnorableCodePoint { return true }
        }
        // Of what is not drawn: joiners and variation selectors, which emoji and several scripts are written with, and
        // the letters of a region's flag.
        switch scalar.value {
        case 0x200c, 0x200d: return true
        case 0xe0020...0xe007f: return inFlag
        default: return scalar.properties.isVariationSelector
        }
    }

    /// "␛" for an escape, "<U+202E>" for what has no picture.
    private static func picture(of scalar: Unicode.Scalar) -> String {
        let value = scalar.value
        let picture = value < 0x20 ? 0x2400 + value : value == 0x7f ? 0x2421 : nil
        if let picture = picture.flatMap({ Unicode.Scalar($0) }) { return String(picture) }
        let digits = String(value, radix: 16, uppercase: true)
        return "<U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + ">"
    }
}
