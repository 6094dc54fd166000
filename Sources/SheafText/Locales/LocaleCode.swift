/// A locale as one number: plain memory, for records and states. It has no variant, which no device can be set to.
///
///     language 27³ │ script 26⁴ + 1 │ region 26² + 10³ + 1          below 2⁴⁴
package struct LocaleCode: Hashable, Sendable, BitwiseCopyable {
    /// 0 for no locale, otherwise less than 2⁴⁴. Not for files: their locales are names.
    package let bits: UInt64

    package static let none = LocaleCode(bits: 0)

    /// The number of bits that a code needs.
    package static let width: UInt64 = 44

    /// - Parameter bits: those of another code.
    package init(bits: UInt64) { self.bits = bits }

    package init(_ locale: LocaleIdentifier) {
        let language = locale.language.utf8.map { UInt64($0 - UInt8(ascii: "a")) + 1 }
        let script = locale.script.map { Self.number(of: $0.lowercased().utf8) + 1 } ?? 0
        let region = locale.region.map { region in
            region.utf8.count == 2
                ? Self.number(of: region.lowercased().utf8) + 1 : (UInt64(region) ?? 0) + Self.lettered + 1
        }
        let padded = language + [UInt64](repeating: 0, count: 3 - language.count)
        bits =
            (padded.reduce(0) { $0 * 27 + $1 } * Self.scripts + script) * Self.regions + (region ?? 0)
    }

    /// Creates the code of a locale's name in canonical form, with `-`: the only text that has this code.
    package init?(tag: String) {
        guard let locale = LocaleIdentifier(tag), locale.variant == nil, locale.tag == tag else { return nil }
        self.init(locale)
    }

    /// nil for no locale.
    package var locale: LocaleIdentifier? {
        guard self != .none else { return nil }
        let (region, script) = (bits % Self.regions, bits / Self.regions % Self.scripts)
        let language = bits / Self.regions / Self.scripts
        return LocaleIdentifier(
            language: Self.text(
                of: [language / 729, language / 27 % 27, language % 27].filter { $0 > 0 }.map { $0 - 1 }),
            script: script == 0 ? nil : Self.word(script - 1, count: 4).capitalizedWord,
            region: region == 0 ? nil : Self.region(region - 1))
    }

    /// The number of scripts, and of regions, with none.
    private static let scripts: UInt64 = 26 * 26 * 26 * 26 + 1
    private static let regions: UInt64 = lettered + 1000 + 1
    /// The number of regions that are two letters; others are three digits.
    private static let lettered: UInt64 = 26 * 26

    private static func number(of letters: some Sequence<UInt8>) -> UInt64 {
        letters.reduce(0) { $0 * 26 + UInt64($1 - UInt8(ascii: "a")) }
    }

    private static func region(_ number: UInt64) -> String {
        guard number >= lettered else { return word(number, count: 2).uppercased() }
        let digits = String(number - lettered)
        return String(repeating: "0", count: 3 - digits.utf8.count) + digits
    }

    /// The letters of a number in base 26.
    private static func word(_ number: UInt64, count: Int) -> String {
        var (left, letters) = (number, [UInt64](repeating: 0, count: count))
        for index in letters.indices.reversed() {
            (left, letters[index]) = left.quotientAndRemainder(dividingBy: 26)
        }
        return text(of: letters)
    }

    private static func text(of letters: [UInt64]) -> String {
        String(decoding: letters.map { UInt8(ascii: "a") + UInt8($0) }, as: UTF8.self)
    }
}
