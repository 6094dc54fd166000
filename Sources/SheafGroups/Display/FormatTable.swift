import SheafText

/// Assigns small numbers to formats and placeholders, equal exactly when the texts are equal; 0 is none.
///
/// Showing a group compares and sums numbers; the texts are needed only when they are written.
///
/// A sentence is in one language, including its lists and numbers. If Sheaf has texts for the locale, lists and
/// numbers are the locale's in all sentences. Otherwise Sheaf's own sentences are English, an app's are in the
/// locale's language or in the app's development language, and phrases in different languages are not joined.
package struct FormatTable: Sendable {
    /// The texts for Sheaf's own sentences.
    let ownTexts: LocalizedTexts
    /// The list and number formats for texts in the locale's language.
    private let localTexts: LocalizedTexts
    /// The list and number formats for texts in the apps' development language.
    private let developmentTexts: LocalizedTexts
    /// Whether a text in the configuration itself is assumed to be in the locale's language.
    let literalsAreLocal: Bool
    private var formats: [ShownFormat] = []
    private var numbers: [CompiledString: Int] = [:]

    /// - Parameters:
    ///   - texts: the texts of the locale.
    ///   - developmentLanguage: the language of texts that are not in the locale's language, as written in a
    ///     configuration.
    package init(_ texts: LocalizedTexts = LocalizedTexts(), developmentLanguage: String = "en") {
        ownTexts = texts.sentenceTexts
        localTexts = texts
        let development = LocaleIdentifier(LanguageName.canonical(developmentLanguage)) ?? .default
        literalsAreLocal =
            texts.hasSentences
            || development.language == texts.locale.language && development.script == texts.locale.script
        if texts.hasSentences {
            developmentTexts = texts
        } else {
            developmentTexts =
                development.language == LocaleIdentifier.default.language
                ? LocalizedTexts() : LocalizedTexts(development)
        }
    }

    /// Returns the format's number, assigning the next one to a new text; 0 for nil. O(length of the text).
    mutating func number(of format: ShownFormat?) -> Int {
        guard let format else { return 0 }
        if let number = numbers[format.string] { return number }
        formats.append(format)
        numbers[format.string] = formats.count
        return formats.count
    }

    /// Returns the format with this number, which must be at least 1.
    func format(_ number: Int) -> ShownFormat { formats[number - 1] }

    /// Returns the list and number formats for an app's text.
    ///
    /// - Parameter isLocal: whether the text is in the locale's language.
    package func texts(isLocal: Bool) -> LocalizedTexts { isLocal ? localTexts : developmentTexts }

    /// Returns the list and number formats for a format's phrase, or for Sheaf's own phrase if the number is 0.
    func texts(of number: Int) -> LocalizedTexts {
        number == 0 ? ownTexts : texts(isLocal: format(number).isLocal)
    }
}
