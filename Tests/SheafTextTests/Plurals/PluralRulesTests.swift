import SheafText
import TestSupport
import Testing

@testable import SheafText

/// CLDR's plural rules for integers, and their lookup by locale.
@Suite struct PluralRulesTests {
    /// A locale, and the categories of `counts`, in order, by their first letters, with `-` for other.
    typealias Case = Example<String, String>

    static let counts: [UInt64] = [0, 1, 2, 3, 5, 11, 14, 20, 21, 22, 25, 100, 101, 1_000_000, .max]

    @Test(arguments: [
        Case("en", "-o-------------"), Case("en_US", "-o-------------"), Case("en-GB", "-o-------------"),
        Case("ja", "---------------"), Case("zh-Hant-TW", "---------------"), Case("fr", "oo-----------m-"),
        Case("pt-BR", "oo-----------m-"), Case("pt-PT", "-o-----------m-"), Case("pt-MZ", "-o-----------m-"),
        Case("ru", "moffmmmmofmmomm"), Case("uk_UA", "moffmmmmofmmomm"), Case("pl", "moffmmmmmfmmmmm"),
        Case("ar", "zotffmmmmmm---m"), Case("he", "-ot------------"), Case("iw", "-ot------------"),
        Case("es", "-o-----------m-"), Case("it", "-o-----------m-"), Case("ca", "-o-----------m-"),
        Case("ro", "fofffff-----f-f"), Case("mt", "fotffmm-------m"), Case("kok-Latn", "oo-------------"),
        Case("lv", "zo---zzzo--zozz"), Case("cy", "zotf-----------"), Case("br", "-otf----ot--om-"),
        Case("sr-Latn", "-off----of--o--"), Case("hi-Latn", "oo-------------"),
        Case("tlh", "---------------"),
    ])
    func countsHaveTheirCategories(_ item: Case) throws {
        let rules = PluralRules(try #require(LocaleIdentifier(item.input)))
        let letters: [PluralCategory: Character] = [
            .zero: "z", .one: "o", .two: "t", .few: "f", .many: "m", .other: "-",
        ]
        #expect(String(Self.counts.map { letters[rules.category(of: $0)]! }) == item.expected)
    }

    @Test func fallbacksBeginWithOther() {
        #expect(PluralCategory.fallbacks == [.other, .many, .few, .two, .one])
    }

    /// A condition, and the numbers from 0 to 12 that satisfy it.
    typealias Condition = Example<String, [UInt64]>

    @Test(arguments: [
        Condition("n = 1", [1]), Condition("n=1", [1]), Condition("i = 3..5", [3, 4, 5]),
        Condition("n = 0,2..3, 7", [0, 2, 3, 7]), Condition("n != 2..11", [0, 1, 12]),
        Condition("n % 5 = 1", [1, 6, 11]), Condition("n mod 5 = 1", [1, 6, 11]),
        Condition("n%5!=0..3", [4, 9]),
        Condition("n = 1 or n = 3", [1, 3]), Condition("n % 2 = 0 and n % 3 = 0", [0, 6, 12]),
        // "and" has a higher precedence than "or".
        Condition("n = 1 and n = 2 or n = 3", [3]), Condition("n = 1 or n = 2 and n = 3", [1]),
        Condition("n = 1 and n = 1 or n = 4 and n % 2 = 0", [1, 4]),
        // Operands for fractions are 0 for integers.
        Condition("v = 0 and w = 0 and f = 0 and t = 0 and n = 2", [2]), Condition("v != 0 or n = 9", [9]),
        Condition("e = 0 and c = 0 and i = 6", [6]), Condition("e != 0..5", []),
    ])
    func conditionsAreEvaluated(_ item: Condition) throws {
        let condition = try PluralCondition(item.input)
        let numbers = (0...12).filter { condition.holds(for: PluralOperands(integer: $0)) }
        #expect(numbers == item.expected)
    }

    @Test func compactNumbersHaveAnExponent() throws {
        let condition = try PluralCondition("e != 0..5 and i = 2000000")
        #expect(condition.holds(for: PluralOperands(integer: 2_000_000, exponent: 6)))
        #expect(!condition.holds(for: PluralOperands(integer: 2_000_000, exponent: 3)))
        #expect(!condition.holds(for: PluralOperands(integer: 2_000_000)))
    }

    struct Broken: NamedCase {
        let name: String
        let expected: String
        let offset: Int

        init(_ name: String, _ expected: String, _ offset: Int) {
            self.name = name
            self.expected = expected
            self.offset = offset
        }
    }

    @Test(arguments: [
        Broken("", "an operand", 0), Broken("x = 1", "an operand", 0), Broken("ni = 1", "an operand", 0),
        Broken("n", "'='", 1), Broken("n 1", "'='", 2), Broken("n is 1", "'='", 2),
        Broken("n =", "a number", 3),
        Broken("n = x", "a number", 4), Broken("n % = 1", "a number", 4), Broken("n = 1,", "a number", 6),
        Broken("n = 1..", "a number", 7), Broken("n = 2..1", "the end of an ascending range", 8),
        Broken("n = 1 and", "an operand", 9), Broken("n = 1 or or n = 2", "an operand", 9),
        Broken("n = 1 n = 2", "'and', 'or' or the end", 6),
        Broken("n = 1 andn = 2", "'and', 'or' or the end", 6),
        Broken("n = 18446744073709551616", "a number", 4),
    ])
    func invalidConditionsAreRejected(_ item: Broken) {
        let error = PluralSyntaxError(expected: item.expected, text: item.name, offset: item.offset)
        #expect(throws: error) { try PluralCondition(item.name) }
        #expect(
            error.description
                == "expected \(item.expected) at character \(item.offset) of the plural rule '\(item.name)'")
    }

    @Test(arguments: ["n = 1", "most: n = 1", "one n = 1", ":"])
    func invalidRulesAreRejected(_ text: String) {
        #expect(throws: PluralSyntaxError.self) { try PluralRules(text) }
    }

    @Test func builtInEnglishRulesMatchTheTable() throws {
        let locale = try #require(LocaleIdentifier("en"))
        let text = try #require(LocaleTable.plurals[locale])
        #expect(text == PluralRules.englishText)
    }
}
