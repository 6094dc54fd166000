/// What is said in a language where an app's configuration says nothing: one text for each plural category that a count
/// can have there.
///
/// In the texts `%u` stands for the count and `%@` for the arguments as a list. The texts themselves are in
/// `DefaultTexts+Languages.swift`.
struct DefaultTexts: Sendable {
    /// A language, or a locale with texts of its own.
    let locale: String
    /// "7 more notifications"
    let more: [PluralCategory: String]
    /// "7 more notifications from Ana and Bob"
    let moreFrom: [PluralCategory: String]
    /// "Notification": what stands for the body of one notification.
    let placeholderForOne: String
    /// "7 Notifications"
    let placeholder: [PluralCategory: String]

    /// The texts in the locale's language; nil where there are none.
    static func texts(for locale: LocaleIdentifier) -> DefaultTexts? {
        // The usual one is not worth making all of them.
        if locale.language == english.locale { return english }
        for ancestor in locale.fallbacks {
            if let texts = all.first(where: { $0.locale == ancestor.identifier }) { return texts }
        }
        return nil
    }
}
