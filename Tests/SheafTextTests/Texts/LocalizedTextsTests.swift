import SheafText
import TestSupport
import Testing

@testable import SheafText

/// The built-in texts in a locale.
@Suite struct LocalizedTextsTests {
    struct Case: NamedCase {
        let name: String
        let count: UInt64
        let more: String
        /// The text with the arguments Ana and Bob.
        let moreFrom: String
        let placeholder: String

        init(_ name: String, _ count: UInt64, _ more: String, _ moreFrom: String, _ placeholder: String) {
            self.name = name
            self.count = count
            self.more = more
            self.moreFrom = moreFrom
            self.placeholder = placeholder
        }

        var description: String { "\(name) \(count)" }

        /// A locale that uses the English texts.
        init(english name: String, _ count: UInt64) {
            let more = count == 1 ? "1 more notification" : "\(count) more notifications"
            let placeholder = count == 1 ? "Notification" : "\(count) Notifications"
            self.init(name, count, more, "\(more) from Ana and Bob", placeholder)
        }
    }

    @Test(arguments: [
        Case("en_US", 1, "1 more notification", "1 more notification from Ana and Bob", "Notification"),
        Case(
            "en_US", 1234, "1234 more notifications", "1234 more notifications from Ana and Bob",
            "1234 Notifications"),
        Case(english: "en_GB", 7),
        Case("de_AT", 1, "1 weitere Mitteilung", "1 weitere Mitteilung von Ana und Bob", "Mitteilung"),
        Case("de", 7, "7 weitere Mitteilungen", "7 weitere Mitteilungen von Ana und Bob", "7 Mitteilungen"),
        Case("fr", 2, "2 autres notifications", "2 autres notifications de Ana et Bob", "2 notifications"),
        Case(
            "es_MX", 1_000_000, "1000000 de notificaciones más", "1000000 de notificaciones más de Ana y Bob",
            "1000000 de notificaciones"),
        Case("pt_BR", 3, "Mais 3 notificações", "Mais 3 notificações de Ana e Bob", "3 notificações"),
        Case("ru", 21, "Ещё 21 уведомление", "Ещё 21 уведомление от Ana и Bob", "21 уведомление"),
        Case("ru", 3, "Ещё 3 уведомления", "Ещё 3 уведомления от Ana и Bob", "3 уведомления"),
        Case("ru", 1, "Ещё 1 уведомление", "Ещё 1 уведомление от Ana и Bob", "Уведомление"),
        Case("pl", 5, "Jeszcze 5 powiadomień", "Jeszcze 5 powiadomień od: Ana i Bob", "5 powiadomień"),
        Case(
            "he", 2, "עוד שני עדכונים", "עוד שני עדכונים מאת \u{2068}Ana\u{2069} ו-\u{2068}Bob\u{2069}",
            "שני עדכונים"),
        Case(
            "ar_EG", 7, "٧ إشعارات أخرى", "٧ إشعارات أخرى من \u{2068}Ana\u{2069} و\u{2068}Bob\u{2069}",
            "٧ إشعارات"),
        Case("ja", 7, "ほかに7件の通知", "ほかにAna、Bobから7件の通知", "7件の通知"),
        Case("zh-TW", 7, "還有7則通知", "還有來自Ana和Bob的7則通知", "7則通知"),
        Case("zh-CN", 7, "还有7条通知", "还有来自Ana和Bob的7条通知", "7条通知"),
        // Locales without built-in texts use English throughout, including plurals, digits and lists.
        Case(english: "lv", 21), Case(english: "fa", 7), Case(english: "sr_Latn", 7),
        Case(english: "sv_FI", 1), Case(english: "nb", 7),
    ])
    func textsAreLocalized(_ item: Case) throws {
        let texts = LocalizedTexts(try #require(LocaleIdentifier(item.name)))
        let names = ["Ana", "Bob"]
        #expect(text { texts.appendMore(item.count, to: &$0) } == item.more)
        #expect(
            text {
                texts.appendMore(
                    item.count,
                    from: {
                        texts.sentenceTexts.appendList(
                            count: 2, item: { $1 += Array(names[$0].utf8) }, to: &$0)
                    },
                    to: &$0)
            } == item.moreFrom)
        #expect(text { texts.appendPlaceholder(item.count, to: &$0) } == item.placeholder)
    }

    @Test(arguments: [
        ("en_US", true), ("en_IN", true), ("de_LI", true), ("pt_AO", true), ("zh_Hant_HK", true),
        ("ar_EG", true), ("he", true), ("sv", false), ("sv_FI", false), ("nl", false), ("fa", false),
        ("nb", false), ("sr_Latn", false), ("mn_Mong", false),
    ])
    func sentencesFallBackToEnglish(_ name: String, has: Bool) throws {
        let texts = LocalizedTexts(try #require(LocaleIdentifier(name)))
        #expect(texts.hasSentences == has)
        #expect(texts.sentenceTexts.hasSentences)
        #expect(texts.sentenceTexts.locale == (has ? texts.locale : .default))
    }

    /// Lists and numbers in an app's own texts follow the locale, whether or not it has built-in texts.
    @Test func listsAndNumbersFollowTheLocale() throws {
        let persian = LocalizedTexts(try #require(LocaleIdentifier("fa")))
        #expect(text { persian.appendNumber(7, to: &$0) } == "۷")
        let swedish = LocalizedTexts(try #require(LocaleIdentifier("sv")))
        #expect(
            text { swedish.appendList(count: 2, item: { $1.append([65, 66][$0]) }, to: &$0) } == "A och B")
    }

    @Test func categoriesFollowTheLocale() throws {
        let latvian = LocalizedTexts(try #require(LocaleIdentifier("lv")))
        #expect(latvian.pluralCategory(of: 21) == .one)
        #expect(latvian.pluralCategory(of: 0) == .zero)
        #expect(LocalizedTexts().pluralCategory(of: 21) == .other)
    }

    /// The output of the default locale never changes.
    @Test(arguments: Seeds.several(4))
    func defaultTextsAreStable(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let texts = LocalizedTexts()
        #expect(texts.locale.identifier == "en_US")
        let words = ["Ana", "Bob", "", "i", "דנה", "رنا", "ก", "日本", "\u{202e}x", "%@", "🎬", "①"]
        for round in 0..<2_000 {
            let count = round < 300 ? UInt64(round) : generator.next() >> UInt64(generator.below(64))
            let items = (0..<generator.below(8)).map { _ in Array(generator.pick(words).utf8) }
            var (new, old): ([UInt8], [UInt8]) = ([], [])
            texts.appendNumber(count, to: &new)
            texts.appendMore(count, to: &new)
            texts.appendMore(
                count, from: { texts.appendList(count: items.count, item: { $1 += items[$0] }, to: &$0) },
                to: &new)
            texts.appendPlaceholder(count, to: &new)
            let more = Array("\(count) more notification\(count == 1 ? "" : "s")".utf8)
            old += Array(String(count).utf8) + more + more + Array(" from ".utf8) + Self.list(items)
            old += Array((count == 1 ? "Notification" : "\(count) Notifications").utf8)
            #expect(new == old)
        }
    }

    /// Joins items by bytes as "A", "A and B" or "A, B, and C".
    private static func list(_ items: [[UInt8]]) -> [UInt8] {
        guard items.count > 2 else { return Array(items.joined(separator: Array(" and ".utf8))) }
        return Array(items.dropLast().joined(separator: Array(", ".utf8))) + Array(", and ".utf8)
            + items[items.count - 1]
    }
}
