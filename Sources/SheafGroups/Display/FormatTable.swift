import SheafText

/// Formats and placeholders by small numbers, equal exactly when the texts are equal; 0 is none.
///
/// Groups are shown by comparing and summing numbers; the texts are needed only when they are written.
///
/// A sentence is in one language, lists and numbers included. Where Sheaf has texts for the locale, lists and numbers are
/// the locale's in all sentences. Where it has none, its own sentences are English, an app's are the locale's or in the
/// language that the app is developed in, and phrases of different languages are not joined.
public struct FormatTable: Sendable {
    /// How Sheaf's own sentences are written.
    let ownTexts: LocalizedTexts
    /// How lists and numbers are written in texts of the locale's language.
    private let localTexts: LocalizedTexts
    /// The same in texts of the language that the apps are developed in.
    private let developmentTexts: LocalizedTexts
    /// Whether a text of the configuration itself is taken to be in the locale's language.
    let literalsAreLocal: Bool
    private var formats: [ShownFormat] = []
    private var numbers: [ShownFormat.Key: Int] = [:]

    /// - Parameters:
    ///   - texts: the locale's.
    ///   - developmentLanguage: the language of texts that are not in the locale's; as it is written in a configuration.
    public init(_ texts: LocalizedTexts = LocalizedTexts(), developmentLanguage: String = "en") {
        ownTexts = texts.ofSentences
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

    /// The format's number, a new one for a text that is not there yet; 0 for none. O(length of the text).
    mutating func number(of format: ShownFormat?) -> Int {
        guard let format else { return 0 }
        let key = format.key
        if let number = numbers[key] { return number }
        formats.append(format)
        numbers[key] = formats.count
        return formats.count
    }

    /// The format of a number from 1 on.
    func format(_ number: Int) -> ShownFormat { formats[number - 1] }

    /// How lists and numbers are written in an app's text.
    ///
    /// - Parameter isLocal: whether it is in the locale's language.
    public func texts(isLocal: Bool) -> LocalizedTexts { isLocal ? localTexts : developmentTexts }

    /// How a phrase is written: that of a format, or Sheaf's own for number 0.
    func texts(of number: Int) -> LocalizedTexts {
        number == 0 ? ownTexts : texts(isLocal: format(number).isLocal)
    }
}
