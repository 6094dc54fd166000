/// Sheaf's own texts in one language, for apps without formats in the configuration: one text for each plural
/// category that a count can have in the language.
///
/// In the texts `%u` stands for the count and `%@` for the arguments as a list. The texts themselves are in
/// `DefaultTexts+Languages.swift`.
struct DefaultTexts: Sendable {
    /// The language, or a locale with texts of its own.
    let locale: String
    /// "7 more notifications"
    let more: [PluralCategory: String]
    /// "7 more notifications from Ana and Bob"
    let moreFrom: [PluralCategory: String]
    /// "Notification": the placeholder for the body of one notification.
    let placeholderForOne: String
    /// "7 Notifications"
    let placeholder: [PluralCategory: String]

    /// Returns the texts in the locale's language; nil if there are none.
    static func texts(for locale: LocaleIdentifier) -> DefaultTexts? {
        // Avoids creating all texts for the usual language.
        if locale.language == english.locale { return english }
        for ancestor in locale.fallbacks {
            if let texts = all.first(where: { $0.locale == ancestor.identifier }) { return texts }
        }
        return nil
    }
}
