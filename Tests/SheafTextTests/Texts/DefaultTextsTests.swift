import SheafText
import Testing

@testable import SheafText

/// The built-in texts, which have every form that their language's grammar requires.
@Suite struct DefaultTextsTests {
    @Test func textsHaveTheirLanguagesCategories() throws {
        let data = try PluralData("plurals.xml")
        for texts in DefaultTexts.all {
            // The categories that occur for integers.
            let row = try #require(data.row(texts.locale) ?? data.row(String(texts.locale.prefix(2))))
            let categories = Set(
                row.rules.filter { !$0.samples.isEmpty }.compactMap { PluralCategory(rawValue: $0.category) })
            for form in [texts.more, texts.moreFrom, texts.placeholder] {
                #expect(Set(form.keys) == categories, "\(texts.locale)")
            }
        }
    }

    @Test func requiredLanguagesExist() {
        let locales = DefaultTexts.all.map(\.locale)
        #expect(Set(locales).count == locales.count)
        for locale in locales { #expect(LocaleIdentifier(locale)?.identifier == locale) }
        let required = [
            "en", "en_GB", "de", "fr", "es", "pt_BR", "it", "ru", "uk", "pl", "he", "ar", "tr", "ja", "ko",
            "zh_Hans",
            "zh_Hant", "hi",
        ]
        for name in required {
            let texts = LocaleIdentifier(name).flatMap { DefaultTexts.texts(for: $0) }
            #expect(texts?.locale.prefix(2) == name.prefix(2))
        }
    }

    /// A text contains the count, except where its category has a single number, and the arguments where they are used.
    @Test func textsHaveTheRequiredConversions() {
        for texts in DefaultTexts.all {
            for (form, arguments) in [(texts.more, 0), (texts.moreFrom, 1), (texts.placeholder, 0)] {
                for (category, text) in form {
                    let counts = text.split(separator: "%u", omittingEmptySubsequences: false).count - 1
                    let mayBeWithout =
                        [.zero, .one, .two].contains(category) && ["ar", "he"].contains(texts.locale)
                    #expect(counts == 1 || counts == 0 && mayBeWithout, "\(texts.locale): \(text)")
                    #expect(
                        text.split(separator: "%@", omittingEmptySubsequences: false).count - 1 == arguments)
                    #expect(text.count { $0 == "%" } == counts + arguments)
                }
            }
            #expect(!texts.placeholderForOne.isEmpty && !texts.placeholderForOne.contains("%"))
        }
    }
}
