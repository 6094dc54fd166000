import SheafBytes
import TestSupport
import Testing

@testable import SheafFlow

/// Text for a terminal: control characters are made visible, and text that is too long is cut between two characters.
@Suite struct DisplayTextTests {
    private static func shown(_ text: String, width: Int? = nil) -> (text: String, columns: Int) {
        var output: [UInt8] = []
        let columns = DisplayText.append(Array(text.utf8).span, width: width, to: &output)
        return (String(decoding: output, as: UTF8.self), columns)
    }

    /// An unlimited text is appended in runs of ASCII, with the same result as character by character.
    @Test(arguments: Seeds.several(4))
    func unlimitedTextEqualsTextWithTheLargestWidth(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let parts = [
            "a", "bc ", "Hello, world", "e\u{301}", "\u{301}", "日本", "👩‍👩‍👧", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "\u{600}1", "\r\n", "\n",
            "\u{1b}[1m", "\u{202e}",
            "\u{2066}", "\u{2068}", "\u{2069}", "\u{2069}", "\u{200f}", "\u{7f}",
            String(repeating: "\u{300}", count: 20), "ｶﾞ", "é", "🇩🇪",
        ]
        for _ in 0..<300 {
            let text = (0..<random.below(13)).map { _ in random.pick(parts) }.joined()
            #expect(Self.shown(text) == Self.shown(text, width: .max), "\(text.debugDescription)")
        }
    }

    struct Case: NamedCase {
        let name: String
        let text: String
        let shown: String
        let columns: Int
    }

    @Test(arguments: [
        Case(name: "nothing", text: "", shown: "", columns: 0),
        Case(name: "letters", text: "Hello", shown: "Hello", columns: 5),
        Case(name: "a combined accent", text: "e\u{301}a", shown: "e\u{301}a", columns: 2),
        Case(name: "ideographs", text: "日本", shown: "日本", columns: 4),
        Case(name: "full-width letters", text: "ＡＢ", shown: "ＡＢ", columns: 4),
        Case(name: "half-width kana", text: "ｶﾞ", shown: "ｶﾞ", columns: 2),
        Case(name: "a syllable of Hangul", text: "한", shown: "한", columns: 2),
        Case(
            name: "Hangul from three jamo", text: "\u{1112}\u{1161}\u{11ab}",
            shown: "\u{1112}\u{1161}\u{11ab}", columns: 2),
        Case(name: "an emoji", text: "😀", shown: "😀", columns: 2),
        Case(name: "a family", text: "👨‍👩‍👧", shown: "👨‍👩‍👧", columns: 2),
        Case(name: "a skin tone", text: "👋🏽", shown: "👋🏽", columns: 2),
        Case(name: "a country's flag", text: "🇩🇪", shown: "🇩🇪", columns: 2),
        Case(name: "a region's flag", text: "🏴󠁧󠁢󠁥󠁮󠁧󠁿", shown: "🏴󠁧󠁢󠁥󠁮󠁧󠁿", columns: 2),
        Case(name: "a heart as text", text: "❤", shown: "❤", columns: 1),
        Case(name: "a heart as emoji", text: "❤️", shown: "❤️", columns: 2),
        Case(name: "a keycap", text: "1️⃣", shown: "1️⃣", columns: 2),
        Case(name: "Hebrew", text: "שלום", shown: "שלום", columns: 4),
        Case(name: "Arabic with marks", text: "مَرْحَبًا", shown: "مَرْحَبًا", columns: 5),
        Case(name: "an escape sequence", text: "\u{1b}[31mred", shown: "␛[31mred", columns: 8),
        Case(name: "lines and tabs", text: "a\nb\r\nc\td", shown: "a␊b␍␊c␉d", columns: 8),
        Case(name: "DEL and NUL", text: "\u{7f}\u{0}", shown: "␡␀", columns: 2),
        Case(name: "a C1 control", text: "\u{9b}31m", shown: "<U+009B>31m", columns: 11),
        Case(
            name: "an override", text: "a\u{202e}b\u{202c}", shown: "a<U+202E>b<U+202C>", columns: 18),
        Case(name: "an isolate without its end", text: "\u{2067}x", shown: "<U+2067>x", columns: 9),
        Case(name: "the end of no isolate", text: "x\u{2069}", shown: "x<U+2069>", columns: 9),
        Case(
            name: "isolates, one of them without its end", text: "\u{2066}a\u{2068}b\u{2069}",
            shown: "<U+2066>a\u{2068}b\u{2069}", columns: 10),
        Case(
            name: "isolates in isolates", text: "\u{2066}a\u{2067}א\u{2069}\u{2069}b",
            shown: "\u{2066}a\u{2067}א\u{2069}\u{2069}b", columns: 3),
        Case(
            name: "an override in an isolate", text: "\u{2068}\u{202e}a\u{2069}",
            shown: "\u{2068}<U+202E>a\u{2069}", columns: 9),
        Case(name: "an embedding", text: "\u{202b}a\u{202c}", shown: "<U+202B>a<U+202C>", columns: 17),
        Case(
            name: "direction marks", text: "a\u{200e}\u{200f}b\u{61c}", shown: "a\u{200e}\u{200f}b\u{61c}",
            columns: 2),
        Case(name: "separators", text: "\u{2028}\u{2029}", shown: "<U+2028><U+2029>", columns: 16),
        Case(name: "zero-width spaces", text: "a\u{200b}b\u{feff}", shown: "a<U+200B>b<U+FEFF>", columns: 18),
        Case(name: "a hidden tag", text: "a\u{e0041}", shown: "a<U+E0041>", columns: 10),
        Case(name: "a joiner between letters", text: "می\u{200c}خواهم", shown: "می\u{200c}خواهم", columns: 7),
    ])
    func controlsAreMadeVisible(_ item: Case) {
        let (shown, columns) = Self.shown(item.text)
        #expect(Array(shown.unicodeScalars) == Array(item.shown.unicodeScalars))
        #expect(columns == item.columns)
    }

    struct Truncation: NamedCase {
        let text: String
        let width: Int
        let shown: String

        var name: String { "\(text) in \(width)" }
    }

    @Test(arguments: [
        Truncation(text: "Hello", width: 6, shown: "Hello"),
        Truncation(text: "Hello", width: 5, shown: "Hello"),
        Truncation(text: "Hello", width: 4, shown: "Hel…"), Truncation(text: "Hello", width: 1, shown: "…"),
        Truncation(text: "Hello", width: 0, shown: ""), Truncation(text: "", width: 0, shown: ""),
        Truncation(text: "日本語", width: 6, shown: "日本語"), Truncation(text: "日本語", width: 5, shown: "日本…"),
        Truncation(text: "日本語", width: 4, shown: "日…"), Truncation(text: "日本語", width: 2, shown: "…"),
        Truncation(text: "e\u{301}e\u{301}e\u{301}", width: 2, shown: "e\u{301}…"),
        Truncation(text: "👨‍👩‍👧👨‍👩‍👧", width: 3, shown: "👨‍👩‍👧…"), Truncation(text: "a\u{202e}b", width: 8, shown: "a…"),
        Truncation(text: "\u{2067}abc\u{2069}d", width: 4, shown: "\u{2067}abc\u{2069}d"),
        Truncation(text: "\u{2067}abc\u{2069}d", width: 3, shown: "\u{2067}ab…\u{2069}"),
        Truncation(
            text: "\u{2066}\u{2067}ab\u{2069}\u{2069}", width: 1, shown: "\u{2066}\u{2067}…\u{2069}\u{2069}"),
    ])
    func longTextIsTruncated(_ item: Truncation) {
        let (shown, columns) = Self.shown(item.text, width: item.width)
        #expect(shown == item.shown)
        #expect(columns <= item.width)
    }

    /// A terminal would draw the marks over many lines.
    @Test func aLongSequenceOfMarksIsTruncated() {
        let pile = "a" + String(repeating: "\u{301}", count: 10_000) + "b"
        let (shown, columns) = Self.shown(pile)
        #expect(shown.unicodeScalars.count == 17)
        #expect(shown.hasSuffix("b"))
        #expect(columns == 2)
    }

    /// For any characters, no control character gets through, and no line is too wide.
    @Test(arguments: Seeds.several(20)) func noControlCharacterGetsThrough(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let ranges: [ClosedRange<UInt32>] = [
            0...0xff, 0x300...0x36f, 0x590...0x6ff, 0x1100...0x11ff, 0x2000...0x206f, 0x4e00...0x4eff,
            0xfe00...0xfe0f, 0xfff0...0xffff, 0x1f1e6...0x1f3ff, 0xe0000...0xe007f,
        ]
        for _ in 0..<200 {
            var text = ""
            for _ in 0..<random.below(30) {
                let range = random.pick(ranges)
                let value = range.lowerBound + UInt32(random.below(range.count))
                if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
            }
            let width = random.below(40)
            let (shown, columns) = Self.shown(text, width: random.chance(50) ? width : nil)
            #expect(!shown.unicodeScalars.contains(where: Self.isControl), "\(Array(text.utf8))")
            #expect(Self.isolatesLeftOpen(in: shown) == 0, "\(Array(text.utf8))")
            if columns > width { continue }
            #expect(columns == Self.shown(shown).columns, "\(Array(text.utf8))")
        }
    }

    /// The number of isolates that are open at the end; -1 if one ends that is not open.
    private static func isolatesLeftOpen(in text: String) -> Int {
        var depth = 0
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x2066...0x2068: depth += 1
            case 0x2069: depth -= 1
            default: continue
            }
            if depth < 0 { return -1 }
        }
        return depth
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0, 0x200b, 0x2028...0x202e, 0x2060...0x2065, 0x206a...0x206f, 0xfeff:
            true
        default: false
        }
    }
}
