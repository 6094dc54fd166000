import Foundation
import SheafText
import TestSupport
import Testing

@testable import SheafText

/// Numbers in the digits of each locale, compared with Foundation.
@Suite struct LocaleDigitsTests {
    private static func text(_ number: UInt64, _ digits: LocaleDigits) -> String {
        TestSupport.text { digits.append(number, to: &$0) }
    }

    private static func digits(_ locale: String) throws -> LocaleDigits {
        LocaleDigits(try #require(LocaleIdentifier(locale)))
    }

    /// A locale, and the number 1234567890 in it.
    typealias Case = Example<String, String>

    @Test(arguments: [
        Case("en_US", "1234567890"), Case("ru", "1234567890"), Case("he", "1234567890"),
        Case("ja", "1234567890"),
        Case("zh-Hant", "1234567890"), Case("ar_EG", "١٢٣٤٥٦٧٨٩٠"), Case("ar_AE", "1234567890"),
        Case("fa", "۱۲۳۴۵۶۷۸۹۰"), Case("ne", "१२३४५६७८९०"), Case("my", "၁၂၃၄၅၆၇၈၉၀"),
        Case("ccp", "𑄷𑄸𑄹𑄺𑄻𑄼𑄽𑄾𑄿𑄶"),
    ])
    func numbersAreFormatted(_ item: Case) throws {
        #expect(Self.text(1_234_567_890, try Self.digits(item.input)) == item.expected)
    }

    @Test func builtInDigitsAreThoseOfTheDefaultLocale() throws {
        for number in [0, 7, 1234, UInt64.max] {
            #expect(Self.text(number, .ascii) == String(number))
            #expect(Self.text(number, try Self.digits("en_US")) == String(number))
        }
    }

    @Test(arguments: Seeds.several(1))
    func everyLocaleMatchesFoundation(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for locale in Locale.availableIdentifiers.sorted() {
            let digits = try Self.digits(locale)
            let canonical = Locale(identifier: try #require(LocaleIdentifier(locale)).identifier)
            let style = IntegerFormatStyle<UInt64>(locale: canonical).grouping(.never)
            for number in [0, 10, .max, generator.next() >> UInt64(generator.below(64))] {
                #expect(Self.text(number, digits) == style.format(number), "\(locale)")
            }
        }
    }
}
