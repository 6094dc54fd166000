// Each language has exactly the categories that CLDR's rules assign to whole numbers, even if their texts are the
// same.
extension DefaultTexts {
    static let all = [
        english, arabic, german, spanish, french, hebrew, hindi, italian, japanese, korean, polish,
        portuguese,
        portugueseOfPortugal, russian, simplifiedChinese, traditionalChinese, turkish, ukrainian,
    ]

    static let english = DefaultTexts(
        locale: "en",
        more: [.one: "%u more notification", .other: "%u more notifications"],
        moreFrom: [.one: "%u more notification from %@", .other: "%u more notifications from %@"],
        placeholderForOne: "Notification",
        placeholder: [.one: "%u Notification", .other: "%u Notifications"])

    private static let arabic = DefaultTexts(
        locale: "ar",
        more: [
            .zero: "لا إشعارات أخرى", .one: "إشعار واحد آخر", .two: "إشعاران آخران",
            .few: "%u إشعارات أخرى", .many: "%u إشعارًا آخر", .other: "%u إشعار آخر",
        ],
        moreFrom: [
            .zero: "لا إشعارات أخرى من %@", .one: "إشعار واحد آخر من %@", .two: "إشعاران آخران من %@",
            .few: "%u إشعارات أخرى من %@", .many: "%u إشعارًا آخر من %@", .other: "%u إشعار آخر من %@",
        ],
        placeholderForOne: "إشعار",
        placeholder: [
            .zero: "لا إشعارات", .one: "إشعار واحد", .two: "إشعاران",
            .few: "%u إشعارات", .many: "%u إشعارًا", .other: "%u إشعار",
        ])

    private static let german = DefaultTexts(
        locale: "de",
        more: [.one: "%u weitere Mitteilung", .other: "%u weitere Mitteilungen"],
        moreFrom: [.one: "%u weitere Mitteilung von %@", .other: "%u weitere Mitteilungen von %@"],
        placeholderForOne: "Mitteilung",
        placeholder: [.one: "%u Mitteilung", .other: "%u Mitteilungen"])

    private static let spanish = DefaultTexts(
        locale: "es",
        more: [
            .one: "%u notificación más", .many: "%u de notificaciones más", .other: "%u notificaciones más",
        ],
        moreFrom: [
            .one: "%u notificación más de %@", .many: "%u de notificaciones más de %@",
            .other: "%u notificaciones más de %@",
        ],
        placeholderForOne: "Notificación",
        placeholder: [.one: "%u notificación", .many: "%u de notificaciones", .other: "%u notificaciones"])

    private static let french = DefaultTexts(
        locale: "fr",
        more: [
            .one: "%u autre notification", .many: "%u d’autres notifications",
            .other: "%u autres notifications",
        ],
        moreFrom: [
            .one: "%u autre notification de %@", .many: "%u d’autres notifications de %@",
            .other: "%u autres notifications de %@",
        ],
        placeholderForOne: "Notification",
        placeholder: [.one: "%u notification", .many: "%u de notifications", .other: "%u notifications"])

    private static let hebrew = DefaultTexts(
        locale: "he",
        more: [
            .one: "עוד עדכון אחד", .two: "עוד שני עדכונים", .other: "עוד %u עדכונים",
        ],
        moreFrom: [
            .one: "עוד עדכון אחד מאת %@", .two: "עוד שני עדכונים מאת %@",
            .other: "עוד %u עדכונים מאת %@",
        ],
        placeholderForOne: "עדכון",
        placeholder: [.one: "עדכון אחד", .two: "שני עדכונים", .other: "%u עדכונים"])

    private static let hindi = DefaultTexts(
        locale: "hi",
        more: [.one: "%u और सूचना", .other: "%u और सूचनाएँ"],
        moreFrom: [.one: "%@ से %u और सूचना", .other: "%@ से %u और सूचनाएँ"],
        placeholderForOne: "सूचना",
        placeholder: [.one: "%u सूचना", .other: "%u सूचनाएँ"])

    private static let italian = DefaultTexts(
        locale: "it",
        more: [.one: "%u altra notifica", .many: "%u di altre notifiche", .other: "%u altre notifiche"],
        moreFrom: [
            .one: "%u altra notifica da %@", .many: "%u di altre notifiche da %@",
            .other: "%u altre notifiche da %@",
        ],
        placeholderForOne: "Notifica",
        placeholder: [.one: "%u notifica", .many: "%u di notifiche", .other: "%u notifiche"])

    private static let japanese = DefaultTexts(
        locale: "ja",
        more: [.other: "ほかに%u件の通知"],
        moreFrom: [.other: "ほかに%@から%u件の通知"],
        placeholderForOne: "通知",
        placeholder: [.other: "%u件の通知"])

    private static let korean = DefaultTexts(
        locale: "ko",
        more: [.other: "알림 %u개 더 있음"],
        moreFrom: [.other: "%@의 알림 %u개 더 있음"],
        placeholderForOne: "알림",
        placeholder: [.other: "알림 %u개"])

    private static let polish = DefaultTexts(
        locale: "pl",
        more: [
            .one: "Jeszcze %u powiadomienie", .few: "Jeszcze %u powiadomienia",
            .many: "Jeszcze %u powiadomień",
        ],
        moreFrom: [
            .one: "Jeszcze %u powiadomienie od: %@", .few: "Jeszcze %u powiadomienia od: %@",
            .many: "Jeszcze %u powiadomień od: %@",
        ],
        placeholderForOne: "Powiadomienie",
        placeholder: [.one: "%u powiadomienie", .few: "%u powiadomienia", .many: "%u powiadomień"])

    private static let portuguese = DefaultTexts(
        locale: "pt",
        more: [
            .one: "Mais %u notificação", .many: "Mais %u de notificações", .other: "Mais %u notificações",
        ],
        moreFrom: [
            .one: "Mais %u notificação de %@", .many: "Mais %u de notificações de %@",
            .other: "Mais %u notificações de %@",
        ],
        placeholderForOne: "Notificação",
        placeholder: [.one: "%u notificação", .many: "%u de notificações", .other: "%u notificações"])

    /// The same words as in Brazil, but with other rules: 0 is plural in Portugal.
    private static let portugueseOfPortugal = DefaultTexts(
        locale: "pt_PT", more: portuguese.more, moreFrom: portuguese.moreFrom,
        placeholderForOne: portuguese.placeholderForOne, placeholder: portuguese.placeholder)

    private static let russian = DefaultTexts(
        locale: "ru",
        more: [.one: "Ещё %u уведомление", .few: "Ещё %u уведомления", .many: "Ещё %u уведомлений"],
        moreFrom: [
            .one: "Ещё %u уведомление от %@", .few: "Ещё %u уведомления от %@",
            .many: "Ещё %u уведомлений от %@",
        ],
        placeholderForOne: "Уведомление",
        placeholder: [.one: "%u уведомление", .few: "%u уведомления", .many: "%u уведомлений"])

    private static let simplifiedChinese = DefaultTexts(
        locale: "zh",
        more: [.other: "还有%u条通知"],
        moreFrom: [.other: "还有来自%@的%u条通知"],
        placeholderForOne: "通知",
        placeholder: [.other: "%u条通知"])

    private static let traditionalChinese = DefaultTexts(
        locale: "zh_Hant",
        more: [.other: "還有%u則通知"],
        moreFrom: [.other: "還有來自%@的%u則通知"],
        placeholderForOne: "通知",
        placeholder: [.other: "%u則通知"])

    private static let turkish = DefaultTexts(
        locale: "tr",
        more: [.one: "%u bildirim daha", .other: "%u bildirim daha"],
        moreFrom: [.one: "%@ tarafından %u bildirim daha", .other: "%@ tarafından %u bildirim daha"],
        placeholderForOne: "Bildirim",
        placeholder: [.one: "%u bildirim", .other: "%u bildirim"])

    private static let ukrainian = DefaultTexts(
        locale: "uk",
        more: [.one: "Ще %u сповіщення", .few: "Ще %u сповіщення", .many: "Ще %u сповіщень"],
        moreFrom: [
            .one: "Ще %u сповіщення від %@", .few: "Ще %u сповіщення від %@", .many: "Ще %u сповіщень від %@",
        ],
        placeholderForOne: "Сповіщення",
        placeholder: [.one: "%u сповіщення", .few: "%u сповіщення", .many: "%u сповіщень"])
}
