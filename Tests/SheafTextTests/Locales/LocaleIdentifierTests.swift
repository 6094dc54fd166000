import Foundation
import SheafText
import TestSupport
import Testing

@testable import SheafText

/// Locale identifiers: canonical forms, fallbacks, and invalid and unknown names.
@Suite struct LocaleIdentifierTests {
    /// A name, and its canonical form; nil if it is invalid.
    typealias Name = Example<String, String?>

    @Test(arguments: [
        Name("en", "en"), Name("en_US", "en_US"), Name("en-us", "en_US"), Name("EN_us", "en_US"),
        Name("zh-Hant-TW", "zh_Hant_TW"), Name("zh_hant_tw", "zh_Hant_TW"), Name("ZH-HANT", "zh_Hant"),
        Name("es-419", "es_419"), Name("fil", "fil"), Name("en_US_POSIX", "en_US_POSIX"),
        Name("ca-es-valencia", "ca_ES_VALENCIA"),
        // The region implies the script.
        Name("zh-TW", "zh_Hant_TW"), Name("zh_HK", "zh_Hant_HK"), Name("zh-CN", "zh_Hans_CN"),
        Name("zh-SG", "zh_Hans_SG"), Name("zh-Hans-HK", "zh_Hans_HK"), Name("zh", "zh"),
        Name("sr_ME", "sr_Latn_ME"), Name("sr-RS", "sr_RS"), Name("sr_Cyrl_ME", "sr_Cyrl_ME"),
        Name("pa-PK", "pa_Arab_PK"), Name("uz-AF", "uz_Arab_AF"), Name("yue-CN", "yue_Hans_CN"),
        // Deprecated language codes.
        Name("iw", "he"), Name("iw-IL", "he_IL"), Name("in", "id"), Name("ji", "yi"), Name("mo", "ro"),
        Name("tl", "fil"), Name("sh", "sr_Latn"), Name("sh_Cyrl", "sr_Cyrl"), Name("cmn-TW", "zh_Hant_TW"),
        Name("no", "no"), Name("nb-NO", "nb_NO"),
        // Invalid names.
        Name("", nil), Name("e", nil), Name("Base", nil), Name("english", nil), Name("en_", nil),
        Name("_US", nil),
        Name("en__US", nil), Name("en_US.UTF-8", nil), Name("en US", nil), Name("en-USA", nil),
        Name("12", nil),
        Name("en-Latin-US", nil), Name("en_US_Latn", nil), Name("én", nil), Name("en_١٢٣", nil),
        Name("C", nil),
        Name("en-u-nu-arab", nil), Name("en_US_POSIX_POSIX", nil),
    ])
    func namesAreCanonicalized(_ item: Name) {
        let locale = LocaleIdentifier(item.input)
        #expect(locale?.identifier == item.expected)
        #expect(locale?.tag == item.expected?.replacingOccurrences(of: "_", with: "-"))
        #expect(locale?.description == item.expected)
        if let locale { #expect(LocaleIdentifier(locale.tag) == locale) }
    }

    struct Chain: NamedCase {
        let name: String
        let fallbacks: [String]

        init(_ name: String, _ fallbacks: String...) {
            self.name = name
            self.fallbacks = fallbacks
        }
    }

    @Test(arguments: [
        Chain("en"), Chain("en_US", "en"), Chain("en_US_POSIX", "en_US", "en"), Chain("de_AT", "de"),
        Chain("zh-Hant-TW", "zh_Hant", "zh"), Chain("zh-TW", "zh_Hant", "zh"),
        Chain("zh-CN", "zh_Hans", "zh"),
        Chain("zh_HK", "zh_Hant", "zh"), Chain("zh_MO", "zh_Hant_HK", "zh_Hant", "zh"),
        Chain("en_GB", "en_001", "en"), Chain("en_AU", "en_001", "en"),
        Chain("en_DE", "en_150", "en_001", "en"),
        Chain("es_MX", "es_419", "es"), Chain("es_ES", "es"), Chain("pt_BR", "pt"),
        Chain("pt_MZ", "pt_PT", "pt"),
        Chain("sr_Latn"), Chain("sr_ME", "sr_Latn"), Chain("sr_RS", "sr"),
        Chain("sr_Cyrl_RS", "sr_Cyrl", "sr"),
        Chain("hi_Latn", "en_IN", "en_001", "en"), Chain("iw_IL", "he"),
        Chain("nb_NO", "nb", "no"), Chain("nb", "no"), Chain("no", "nb"), Chain("no_NO", "no", "nb"),
        Chain("nn_NO", "nn", "no", "nb"),
    ])
    func fallbacksAreInOrder(_ item: Chain) throws {
        let locale = try #require(LocaleIdentifier(item.name))
        #expect(locale.fallbacks.map(\.identifier) == [locale.identifier] + item.fallbacks)
    }

    /// The default does not depend on the environment.
    @Test func defaultIsAmericanEnglish() { #expect(LocaleIdentifier.default.identifier == "en_US") }

    @Test(arguments: [
        "en_US", "en-gb", "de", "de_US", "zh-TW", "zh_Hant_TW", "no_NO", "iw", "sr_ME", "sr_RS", "en_001",
        "es-419",
        "en_US_POSIX", "pa_PK", "hi_Latn_IN", "tzm", "guw",
    ])
    func knownNamesAreAccepted(_ name: String) throws {
        #expect(try LocaleIdentifier(known: name) == LocaleIdentifier(name))
    }

    @Test func foundationsLocalesAreKnown() throws {
        let names = Locale.availableIdentifiers
        #expect(names.count > 900)
        let unreadable = names.filter { LocaleIdentifier($0) == nil }
        #expect(unreadable == [])
        for name in names.sorted().suffix(20) { _ = try LocaleIdentifier(known: name) }
    }

    /// Each locale has a code of its own, except that variants have none.
    @Test func codesAreThoseOfLocales() throws {
        let locales = Locale.availableIdentifiers.compactMap { LocaleIdentifier($0) }
        var codes: Set<LocaleCode> = []
        for locale in locales where locale.variant == nil {
            let code = LocaleCode(locale)
            codes.insert(code)
            #expect(code.locale == locale && LocaleCode(tag: locale.tag) == code)
            #expect(code.bits > 0 && code.bits < 1 << LocaleCode.width)
        }
        #expect(codes.count == Set(locales.filter { $0.variant == nil }).count)
        #expect(LocaleCode.none.locale == nil)
    }

    @Test(arguments: [
        "aa", "zz", "aaa", "zzz", "aa-AA", "zz-ZZ", "aa-000", "zzz-Zzzz-999", "az-Aaaa", "zh-Hans-CN",
    ])
    func aCodeHasEachPart(_ tag: String) {
        #expect(LocaleCode(tag: tag)?.locale?.tag == tag)
        #expect(LocaleCode(tag: tag).map { $0.bits < 1 << LocaleCode.width } == true)
    }

    /// A known locale is found without looking for a suggestion.
    @Test(arguments: ["de", "DE_at", "zh-TW", "en_US_POSIX", "xx", "de_XX", "", "de-1994-x", "german"])
    func knownLocalesAreThoseThatAreAccepted(_ name: String) {
        #expect(LocaleIdentifier.known(name) == (try? LocaleIdentifier(known: name)))
    }

    struct Unknown: NamedCase {
        let name: String
        let message: String

        init(_ name: String, _ message: String) {
            self.name = name
            self.message = message
        }

        init(_ name: String, near: String) {
            self.init(name, "unknown locale '\(name)', did you mean '\(near)'?")
        }

        init(far name: String) {
            self.init(name, "unknown locale '\(name)' (locales are written like en_US, pt_BR or zh_Hant)")
        }
    }

    @Test(arguments: [
        Unknown("en_UX", near: "en_US"), Unknown("en-UX", near: "en_US"), Unknown("en_USA", near: "en_US"),
        Unknown("en_ZZ", near: "en_BZ"), Unknown("eng", near: "en"),
        Unknown("en_US.UTF-8", near: "en_US"), Unknown("english", near: "en"), Unknown("German", near: "de"),
        Unknown("germ", near: "de"), Unknown("engl", near: "en"), Unknown("jappanese", near: "ja"),
        Unknown("slov", near: "sk"), Unknown(far: "nederlands"),
        Unknown("de_DEE", near: "de_DE"), Unknown("zh_Hantt_TW", near: "zh_Hant_TW"),
        Unknown("sr_Latin", near: "sr_Latn"),
        Unknown("fr_FR_LYON", near: "fr_FR"), Unknown(far: ""), Unknown(far: "?"),
        Unknown(far: "american english"),
    ])
    func unknownNamesAreRejected(_ item: Unknown) {
        do {
            let locale = try LocaleIdentifier(known: item.name)
            Issue.record("\(locale) is known")
        } catch {
            #expect(error.description == item.message)
            #expect(error.name == item.name)
        }
    }
}
