import SheafBytes

/// What Sheaf itself says in a locale: the texts that it comes with, with their plurals, how numbers are written and how
/// a list is joined.
///
/// In a locale without texts, Sheaf's own sentences are American English as a whole, numbers and lists included
/// (`ofSentences`): a sentence is in one language. Lists and numbers of others' texts are the locale's anyway.
///
/// It is made once. Appending is bytes behind bytes; it allocates nothing but the room that the output needs.
public struct LocalizedTexts: Sendable {
    /// The languages that Sheaf has texts in, and the locales that have their own.
    package static let locales: [String] = DefaultTexts.all.map(\.locale).sorted()

    private let contents: Contents

    /// An object, so that what is handed to each text that is written is one reference.
    private final class Contents: Sendable {
        let locale: LocaleIdentifier
        let rules: PluralRules
        let digits: LocaleDigits
        let list: ListFormat
        let hasSentences: Bool
        /// Those of the language that the texts are in: `pt_PT` has those of Brazil.
        let textRules: PluralRules
        let placeholderForOne: [UInt8]
        let more: PluralTexts
        let moreFrom: PluralTexts
        let placeholder: PluralTexts

        init(_ locale: LocaleIdentifier, isolatesListItems: Bool?) {
            let found = DefaultTexts.texts(for: locale)
            let texts = found ?? .english
            hasSentences = found != nil
            self.locale = locale
            if locale == .default {
                rules = .english
                digits = .ascii
                list = isolatesListItems == true ? ListFormat(locale, isolatesItems: true) : .american
            } else {
                rules = PluralRules(locale)
                digits = LocaleDigits(locale)
                list = ListFormat(locale, isolatesItems: isolatesListItems ?? true)
            }
            textRules =
                texts.locale == DefaultTexts.english.locale
                ? .english : LocaleIdentifier(texts.locale).map(PluralRules.init) ?? rules
            placeholderForOne = Array(texts.placeholderForOne.utf8)
            more = PluralTexts(texts.more)
            moreFrom = PluralTexts(texts.moreFrom)
            placeholder = PluralTexts(texts.placeholder)
        }
    }

    public var locale: LocaleIdentifier { contents.locale }

    /// Whether Sheaf has texts in the locale's language.
    public var hasSentences: Bool { contents.hasSentences }

    /// What Sheaf's own sentences are written with: these texts, or American English where there are none.
    public var ofSentences: LocalizedTexts { hasSentences ? self : LocalizedTexts() }

    /// - Parameters:
    ///   - locale: what the texts are written in; `LocaleIdentifier.default` is American English.
    ///   - isolatesListItems: whether items of a list that run against the locale's direction are put between U+2068 and
    ///     U+2069, as Foundation does. Unless it is said, they are in every locale but the default one, whose texts have
    ///     been plain since before there were others.
    public init(_ locale: LocaleIdentifier = .default, isolatesListItems: Bool? = nil) {
        contents =
            locale == .default && isolatesListItems != true
            ? Self.american : Contents(locale, isolatesListItems: isolatesListItems)
    }

    /// Made once: each run's options begin with these.
    private static let american = Contents(.default, isolatesListItems: nil)

    /// Which form of a text belongs to a count in the locale's language, as CLDR has it.
    public func pluralCategory(of count: UInt64) -> PluralCategory { contents.rules.category(of: count) }

    /// Appends the number in the locale's digits, without grouping.
    public func appendNumber(_ number: UInt64, to output: inout [UInt8]) {
        contents.digits.append(number, to: &output)
    }

    /// "1 more notification", "7 more notifications".
    public func appendMore(_ count: UInt64, to output: inout [UInt8]) {
        guard hasSentences else { return ofSentences.appendMore(count, to: &output) }
        contents.more.append(
            contents.textRules.category(of: count), count: { contents.digits.append(count, to: &$0) },
            arguments: { _ in },
            to: &output)
    }

    /// "1 more notification from Ana", "7 more notifications from Ana and Bob".
    ///
    /// - Parameter arguments: appends the list, joined as that of `ofSentences`.
    public func appendMore(
        _ count: UInt64, from arguments: (inout [UInt8]) -> Void, to output: inout [UInt8]
    ) {
        guard hasSentences else { return ofSentences.appendMore(count, from: arguments, to: &output) }
        contents.moreFrom.append(
            contents.textRules.category(of: count), count: { contents.digits.append(count, to: &$0) },
            arguments: arguments,
            to: &output)
    }

    /// "Notification", "7 Notifications".
    public func appendPlaceholder(_ count: UInt64, to output: inout [UInt8]) {
        guard hasSentences else { return ofSentences.appendPlaceholder(count, to: &output) }
        if count == 1 {
            output.append(contentsOf: contents.placeholderForOne)
        } else {
            contents.placeholder.append(
                contents.textRules.category(of: count), count: { contents.digits.append(count, to: &$0) },
                arguments: { _ in },
                to: &output)
        }
    }

    /// "A", "A and B", "A, B, and C": CLDR's standard list of the locale.
    ///
    /// - Parameter item: appends the item of that index, and changes nothing before it.
    public func appendList(count: Int, item: (Int, inout [UInt8]) -> Void, to output: inout [UInt8]) {
        contents.list.append(count: count, item: item, to: &output)
    }
}
