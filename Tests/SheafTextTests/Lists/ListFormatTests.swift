import Foundation
import SheafText
import TestSupport
import Testing

@testable import SheafText

/// Lists in the format of each locale, compared with Foundation.
@Suite struct ListFormatTests {
    private static func expected(_ items: [String], _ locale: String) -> String {
        items.formatted(.list(type: .and, width: .standard).locale(Locale(identifier: locale)))
    }

    private static func format(_ locale: String, isolatesItems: Bool = true) throws -> ListFormat {
        ListFormat(try #require(LocaleIdentifier(locale)), isolatesItems: isolatesItems)
    }

    struct Case: NamedCase {
        let locale: String
        let items: [String]
        let text: String
        var name: String { "\(locale): \(items)" }

        init(_ locale: String, _ items: [String], _ text: String) {
            self.locale = locale
            self.items = items
            self.text = text
        }
    }

    private static let letters = ["A", "B", "C", "D", "E", "F"]

    @Test(arguments: [
        Case("en_US", [], ""), Case("en_US", ["A"], "A"), Case("en_US", ["A", "B"], "A and B"),
        Case("en_US", ["A", "B", "C"], "A, B, and C"), Case("en_US", letters, "A, B, C, D, E, and F"),
        Case("en_GB", ["A", "B", "C"], "A, B and C"), Case("ru", ["A", "B", "C"], "A, B и C"),
        Case("ja", ["A", "B", "C"], "A、B、C"), Case("zh-TW", ["A", "B", "C"], "A、B和C"),
        Case("ml", ["A", "B", "C", "D"], "A, B, C, D എന്നിവ"), Case("ti", ["A", "B"], "Aን Bን"),
        Case("es", ["Ana", "Eva"], "Ana y Eva"), Case("es", ["Ana", "Inés"], "Ana e Inés"),
        Case("es", ["agua", "hielo"], "agua y hielo"), Case("es", ["A", "B", "hijos"], "A, B e hijos"),
        Case("he", ["דנה", "נועה"], "דנה ונועה"), Case("he", ["דנה", "7"], "דנה ו-7"),
        Case("he", ["דנה", "Ana"], "דנה ו-\u{2068}Ana\u{2069}"),
        Case("th", ["ก", "ข"], "กและข"), Case("th", ["ก", "A"], "กและ A"), Case("th", ["A", "ก"], "A และก"),
        Case("ar", ["رنا", "Ana"], "رنا و\u{2068}Ana\u{2069}"),
        Case("de", ["Ana", "רון"], "Ana und \u{2068}רון\u{2069}"),
        Case("de", ["דנה"], "\u{2068}דנה\u{2069}"),
    ])
    func listsAreFormatted(_ item: Case) throws {
        #expect(try Self.format(item.locale).text(item.items) == item.text)
        #expect(Self.expected(item.items, item.locale) == item.text)
    }

    /// The built-in American format, which needs no table, matches the table.
    @Test func americanListsMatchFoundation() throws {
        let american = try Self.format("en_US", isolatesItems: false)
        for count in 0..<8 {
            let items = (0..<count).map { "<\($0)>" }
            #expect(ListFormat.american.text(items) == american.text(items))
            #expect(ListFormat.american.text(items) == Self.expected(items, "en_US"))
        }
    }

    @Test func itemsAreIsolatedOnlyOnRequest() throws {
        let format = try Self.format("en_US", isolatesItems: false)
        #expect(format.text(["דנה", "Ana", "\u{2068}رنا\u{2069}"]) == "דנה, Ana, and \u{2068}رنا\u{2069}")
    }

    private static let words = [
        "", " ", "Ana", "Inés", "HIJO", "hiato", "Hielo", "hi", "h", "íntimo", "8", "11", "①", "②", "{0}",
        "{1}", "%@", "%u",
        ", ", " and ", "דנה", "ו", "\u{5b0}", "رنا", "٧", "ܐ", "ก", "ข a", "a ข", "日本", "가", "Яна", "Ñ",
        "e\u{301}",
        "🎬", "👩‍👩‍👧", "\u{200f}", "\u{200e}", "\u{202b}", "\u{202e}x", "\u{2067}x\u{2069}", "\u{61c}", "\u{0}",
        "\n",
        "𐤀", "𞤀", "𝔸", String(repeating: "long ", count: 100),
    ]

    /// Covers lists of one to ten of these words in every locale.
    @Test(arguments: Seeds.several(1))
    func everyLocaleMatchesFoundation(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for locale in Locale.availableIdentifiers.sorted() {
            let format = try Self.format(locale)
            let canonical = try #require(LocaleIdentifier(locale)).identifier
            for count in [1, 2, 2, 3, 4, 5, 6 + generator.below(5)] {
                let items = (0..<count).map { _ in generator.pick(Self.words) }
                #expect(format.text(items) == Self.expected(items, canonical), "\(locale)")
            }
        }
    }

    /// Covers the characters to which a language's rule applies.
    @Test(arguments: ["es", "he", "th"])
    func contextsMatchFoundation(_ locale: String) throws {
        let format = try Self.format(locale)
        let near = Array(0...0x10ff) + Array(0xfb00...0xfb50)
        for value in near + Array(stride(from: 0x1100, to: 0x11_0000, by: 1009)) {
            guard let scalar = UInt32(exactly: value).flatMap(Unicode.Scalar.init) else { continue }
            let character = String(Character(scalar))
            for items in [["①", character], [character, "①"]]
            where format.text(items) != Self.expected(items, locale) {
                Issue.record("U+\(String(value, radix: 16))")
            }
        }
    }

    /// Covers single characters.
    @Test(arguments: ["en", "he"])
    func isolationMatchesFoundation(_ locale: String) throws {
        let format = try Self.format(locale)
        let foundation = Locale(identifier: locale)
        for scalar in (UInt32(0)...0x10_ffff).compactMap(Unicode.Scalar.init) {
            // Sample the large blocks, whose characters all have the same properties.
            guard scalar.value < 0x3000 || scalar.value % 17 == 0 else { continue }
            let item = String(Character(scalar))
            let expected = [item].formatted(.list(type: .and, width: .standard).locale(foundation))
            guard format.text([item]).utf8.elementsEqual(expected.utf8) else {
                Issue.record("U+\(String(scalar.value, radix: 16))")
                return
            }
        }
    }

    @Test func invalidUTF8IsCopied() throws {
        for locale in ["en_US", "es", "he", "th"] {
            let format = try Self.format(locale, isolatesItems: false)
            let items: [[UInt8]] = [[0xff], [0xd7], [0xe0, 0xb8], [0xf0, 0x9f]]
            var output: [UInt8] = []
            format.append(count: 4, item: { $1 += items[$0] }, to: &output)
            for item in items { #expect(output.contains(item)) }
        }
    }

    /// Output before the list is not mistaken for part of an item.
    @Test func outputBeforeTheListIsKept() throws {
        for locale in ["es", "he", "th", "ar", "de"] {
            let format = try Self.format(locale)
            var output = Array("i דנה ก Ana".utf8)
            let before = output
            let items = ["①", "②"]
            format.append(count: 2, item: { $1 += Array(items[$0].utf8) }, to: &output)
            #expect(output.starts(with: before))
            #expect(String(decoding: output[before.count...], as: UTF8.self) == Self.expected(items, locale))
        }
    }
}

extension ListFormat {
    func text(_ items: [String]) -> String {
        var output: [UInt8] = []
        append(count: items.count, item: { $1 += Array(items[$0].utf8) }, to: &output)
        return String(decoding: output, as: UTF8.self)
    }
}
