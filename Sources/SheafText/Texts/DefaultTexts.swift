/// Sheaf's own texts in one language, for apps without formats in the configuration: one text for each plural
/// category that a count can have in the language.
///
/// In the texts `%u` stands for the count and `%@` for the arguments as a list. Each language has exactly the categories
/// that CLDR's rules assign to whole numbers, even if their texts are the same.
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

    private init(_ locale: Substring, in tables: [LocaleTable]) {
        let values = tables.map { table in
            guard let value = table.value(of: locale) else {
                preconditionFailure("a text is missing in \(locale)")
            }
            return value
        }
        self.locale = String(locale)
        more = PluralTexts.forms(values[0])
        moreFrom = PluralTexts.forms(values[1])
        placeholderForOne = String(values[2])
        placeholder = PluralTexts.forms(values[3])
    }

    /// The texts of English, which nearly every run needs. They are in the first rows, so the others are not read.
    static let english = DefaultTexts(
        "en", in: sources.map { LocaleTable(String($0.prefix { $0 != "\n" })) })

    /// The languages and locales with texts.
    static var locales: [Substring] { tables[0].rows.flatMap(\.locales) }

    /// The texts of each of `locales`.
    static var all: [DefaultTexts] { locales.map { DefaultTexts($0, in: tables) } }

    /// Returns the texts in the locale's language; nil if there are none.
    static func texts(for locale: LocaleIdentifier) -> DefaultTexts? {
        if locale.language == english.locale { return english }
        let own = locales
        let found = locale.fallbacks.lazy.map { Substring($0.identifier) }.first { own.contains($0) }
        return found.map { DefaultTexts($0, in: tables) }
    }

    private static let sources = [more, moreFrom, placeholderForOne, placeholder]
    private static let tables = sources.map { LocaleTable($0) }
}

// MARK: - Tables

// Portuguese has the same words in Brazil and in Portugal, but not the same rules: 0 is plural in Portugal.
extension DefaultTexts {
    /// More notifications: a form for each plural category | locales.
    private static let more = """
        one: %u more notification; other: %u more notifications | en
        zero: لا إشعارات أخرى; one: إشعار واحد آخر; two: إشعاران آخران; few: %u إشعارات أخرى; many: %u \
        إشعارًا آخر; other: %u إشعار آخر | ar
        one: %u weitere Mitteilung; other: %u weitere Mitteilungen | de
        one: %u notificación más; many: %u de notificaciones más; other: %u notificaciones más | es
        one: %u autre notification; many: %u d’autres notifications; other: %u autres notifications | fr
        one: עוד עדכון אחד; two: עוד שני עדכונים; other: עוד %u עדכונים | he
        one: %u और सूचना; other: %u और सूचनाएँ | hi
        one: %u altra notifica; many: %u di altre notifiche; other: %u altre notifiche | it
        other: ほかに%u件の通知 | ja
        other: 알림 %u개 더 있음 | ko
        one: Jeszcze %u powiadomienie; few: Jeszcze %u powiadomienia; many: Jeszcze %u powiadomień | pl
        one: Mais %u notificação; many: Mais %u de notificações; other: Mais %u notificações | pt pt_PT
        one: Ещё %u уведомление; few: Ещё %u уведомления; many: Ещё %u уведомлений | ru
        other: 还有%u条通知 | zh
        other: 還有%u則通知 | zh_Hant
        one: %u bildirim daha; other: %u bildirim daha | tr
        one: Ще %u сповіщення; few: Ще %u сповіщення; many: Ще %u сповіщень | uk
        """

    /// More notifications, with a list of arguments: a form for each plural category | locales.
    private static let moreFrom = """
        one: %u more notification from %@; other: %u more notifications from %@ | en
        zero: لا إشعارات أخرى من %@; one: إشعار واحد آخر من %@; two: إشعاران آخران من %@; few: %u \
        إشعارات أخرى من %@; many: %u إشعارًا آخر من %@; other: %u إشعار آخر من %@ | ar
        one: %u weitere Mitteilung von %@; other: %u weitere Mitteilungen von %@ | de
        one: %u notificación más de %@; many: %u de notificaciones más de %@; other: %u notificaciones \
        más de %@ | es
        one: %u autre notification de %@; many: %u d’autres notifications de %@; other: %u autres \
        notifications de %@ | fr
        one: עוד עדכון אחד מאת %@; two: עוד שני עדכונים מאת %@; other: עוד %u עדכונים מאת %@ | he
        one: %@ से %u और सूचना; other: %@ से %u और सूचनाएँ | hi
        one: %u altra notifica da %@; many: %u di altre notifiche da %@; other: %u altre notifiche da %@ \
        | it
        other: ほかに%@から%u件の通知 | ja
        other: %@의 알림 %u개 더 있음 | ko
        one: Jeszcze %u powiadomienie od: %@; few: Jeszcze %u powiadomienia od: %@; many: Jeszcze %u \
        powiadomień od: %@ | pl
        one: Mais %u notificação de %@; many: Mais %u de notificações de %@; other: Mais %u notificações \
        de %@ | pt pt_PT
        one: Ещё %u уведомление от %@; few: Ещё %u уведомления от %@; many: Ещё %u уведомлений от %@ | \
        ru
        other: 还有来自%@的%u条通知 | zh
        other: 還有來自%@的%u則通知 | zh_Hant
        one: %@ tarafından %u bildirim daha; other: %@ tarafından %u bildirim daha | tr
        one: Ще %u сповіщення від %@; few: Ще %u сповіщення від %@; many: Ще %u сповіщень від %@ | uk
        """

    /// The placeholder of one notification | locales.
    private static let placeholderForOne = """
        Notification | en
        إشعار | ar
        Mitteilung | de
        Notificación | es
        Notification | fr
        עדכון | he
        सूचना | hi
        Notifica | it
        通知 | ja
        알림 | ko
        Powiadomienie | pl
        Notificação | pt pt_PT
        Уведомление | ru
        通知 | zh
        通知 | zh_Hant
        Bildirim | tr
        Сповіщення | uk
        """

    /// The placeholder of several notifications: a form for each plural category | locales.
    private static let placeholder = """
        one: %u Notification; other: %u Notifications | en
        zero: لا إشعارات; one: إشعار واحد; two: إشعاران; few: %u إشعارات; many: %u إشعارًا; other: %u \
        إشعار | ar
        one: %u Mitteilung; other: %u Mitteilungen | de
        one: %u notificación; many: %u de notificaciones; other: %u notificaciones | es
        one: %u notification; many: %u de notifications; other: %u notifications | fr
        one: עדכון אחד; two: שני עדכונים; other: %u עדכונים | he
        one: %u सूचना; other: %u सूचनाएँ | hi
        one: %u notifica; many: %u di notifiche; other: %u notifiche | it
        other: %u件の通知 | ja
        other: 알림 %u개 | ko
        one: %u powiadomienie; few: %u powiadomienia; many: %u powiadomień | pl
        one: %u notificação; many: %u de notificações; other: %u notificações | pt pt_PT
        one: %u уведомление; few: %u уведомления; many: %u уведомлений | ru
        other: %u条通知 | zh
        other: %u則通知 | zh_Hant
        one: %u bildirim; other: %u bildirim | tr
        one: %u сповіщення; few: %u сповіщення; many: %u сповіщень | uk
        """
}
