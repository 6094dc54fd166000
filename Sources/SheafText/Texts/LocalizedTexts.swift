import SheafBytes

/// Sheaf's own texts in a locale, with their plural forms, and the locale's number and list formats.
///
/// In a locale without texts, Sheaf's own sentences are entirely American English, including numbers and lists
/// (`sentenceTexts`), because a sentence is in one language. Lists and numbers in other texts are still the locale's.
///
/// Created once. Appending a text copies bytes, and allocates only the output's memory.
package struct LocalizedTexts: Sendable {
    /// The languages that Sheaf has texts in, and the locales with texts of their own.
    package static let locales: [String] = DefaultTexts.locales.map(String.init).ordered()

    private let contents: Contents
    /// The contents for Sheaf's own sentences: these, or those of American English if the locale has no sentences.
    private let sentences: Contents

    /// A class, so that each text that is written receives a single reference. Its methods are not inlined, so that they
    /// retain nothing: threads would contend for the reference counts.
    private final class Contents: Sendable {
        let locale: LocaleIdentifier
        let rules: PluralRules
        let digits: LocaleDigits
        let list: ListFormat
        let hasSentences: Bool
        /// The rules of the language that the texts are in, which is English if Sheaf has no texts for the locale.
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

        @inline(never)
        func appendMore(_ count: UInt64, to output: inout [UInt8]) {
            more.append(
                textRules.category(of: count), count: { digits.append(count, to: &$0) }, arguments: { _ in },
                to: &output)
        }

        @inline(never)
        func appendMore(
            _ count: UInt64, from arguments: (inout [UInt8]) -> Void, to output: inout [UInt8]
        ) {
            moreFrom.append(
                textRules.category(of: count), count: { digits.append(count, to: &$0) }, arguments: arguments,
                to: &output)
        }

        @inline(never)
        func appendPlaceholder(_ count: UInt64, to output: inout [UInt8]) {
            if count == 1 { return Self.append(placeholderForOne, to: &output) }
            placeholder.append(
                textRules.category(of: count), count: { digits.append(count, to: &$0) }, arguments: { _ in },
                to: &output)
        }

        private static func append(_ text: [UInt8], to output: inout [UInt8]) { output.append(text.span) }
    }

    package var locale: LocaleIdentifier { contents.locale }

    /// Whether Sheaf has texts in the locale's language.
    package var hasSentences: Bool { contents.hasSentences }

    /// The texts for Sheaf's own sentences: these, or American English if the locale has no sentences.
    package var sentenceTexts: LocalizedTexts { hasSentences ? self : LocalizedTexts() }

    /// The texts of times, created by each call. Like sentences, they are in American English if the locale has no
    /// sentences, but with 12 or 24 hours as the locale's region prefers.
    package var times: TimeTexts { TimeTexts(sentenceTexts.locale, hours: HourCycle(locale)) }

    /// - Parameters:
    ///   - locale: the locale of the texts; `LocaleIdentifier.default` is American English.
    ///   - isolatesListItems: whether list items that run against the locale's direction are put between U+2068 and
    ///     U+2069, as in Foundation. By default, they are in every locale except the default, whose texts were
    ///     plain before there were other locales.
    package init(_ locale: LocaleIdentifier = .default, isolatesListItems: Bool? = nil) {
        contents =
            locale == .default && isolatesListItems != true
            ? Self.american : Contents(locale, isolatesListItems: isolatesListItems)
        sentences = contents.hasSentences ? contents : Self.american
    }

    /// Created once, because the options of every run start with these texts.
    private static let american = Contents(.default, isolatesListItems: nil)

    /// Returns the plural category of a count in the locale's language, according to CLDR.
    package func pluralCategory(of count: UInt64) -> PluralCategory { contents.rules.category(of: count) }

    /// Appends the number in the locale's digits, without grouping.
    package func appendNumber(_ number: UInt64, to output: inout [UInt8]) {
        contents.digits.append(number, to: &output)
    }

    /// Appends "1 more notification", "7 more notifications".
    package func appendMore(_ count: UInt64, to output: inout [UInt8]) {
        sentences.appendMore(count, to: &output)
    }

    /// Appends "1 more notification from Ana", "7 more notifications from Ana and Bob".
    ///
    /// - Parameter arguments: appends the list, in the list format of `sentenceTexts`.
    package func appendMore(
        _ count: UInt64, from arguments: (inout [UInt8]) -> Void, to output: inout [UInt8]
    ) {
        sentences.appendMore(count, from: arguments, to: &output)
    }

    /// Appends "Notification", "7 Notifications".
    package func appendPlaceholder(_ count: UInt64, to output: inout [UInt8]) {
        sentences.appendPlaceholder(count, to: &output)
    }

    /// Appends "A", "A and B", "A, B, and C": a list in CLDR's standard format of the locale.
    ///
    /// - Parameter item: appends the item at an index, and changes nothing before it.
    package func appendList(count: Int, item: (Int, inout [UInt8]) -> Void, to output: inout [UInt8]) {
        contents.list.append(count: count, item: item, to: &output)
    }
}

/// A locale's format of whole numbers: the digits of its default numbering system, without grouping.
struct LocaleDigits: Sendable {
    /// All ten digits in UTF-8, each `width` bytes long; empty if they are ASCII digits.
    private let digits: [UInt8]
    private let width: Int

    static let ascii = LocaleDigits(digits: [], width: 1)

    private init(digits: [UInt8], width: Int) {
        self.digits = digits
        self.width = width
    }

    init(_ locale: LocaleIdentifier) {
        guard let row = LocaleTable(ListTables.zeros).value(inheritedBy: locale) else {
            self = .ascii
            return
        }
        let digits = (UInt32(0)..<10).map { digit in
            guard let zero = UInt32(row, radix: 16), let scalar = Unicode.Scalar(zero + digit) else {
                preconditionFailure("invalid digit '\(row)' in the table of digits")
            }
            return Array(String(Character(scalar)).utf8)
        }
        self.init(digits: Array(digits.joined()), width: digits[0].count)
    }

    func append(_ number: UInt64, to output: inout [UInt8]) {
        let start = output.count
        output.appendDecimal(number)
        guard !digits.isEmpty else { return }
        // Replaces the ASCII digits in place, starting with the last digit.
        let count = output.count - start
        output.append(contentsOf: repeatElement(0, count: count * (width - 1)))
        for index in stride(from: count - 1, through: 0, by: -1) {
            let digit = Int(output[start + index] & 0x0f)
            for byte in 0..<width { output[start + index * width + byte] = digits[digit * width + byte] }
        }
    }
}
