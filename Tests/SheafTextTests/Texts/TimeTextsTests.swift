import Foundation
import SheafText
import TestSupport
import Testing

@testable import SheafText

/// Times in each language, and CLDR's data for them.
@Suite struct TimeTextsTests {
    private static func times(_ locale: String) throws -> TimeTexts {
        LocalizedTexts(try #require(LocaleIdentifier(locale))).times
    }

    /// A locale, and its times: now, 1, 2 and 5 minutes ago, 3 hours ago, today, yesterday, Wednesday, dates.
    typealias Case = Example<String, [String]>

    @Test(arguments: [
        Case(
            "en_US",
            [
                "now", "1m ago", "2m ago", "5m ago", "3h ago", "11:55 AM", "Yesterday, 12:05 AM",
                "Wednesday, 9:41 PM", "January 5", "January 5, 2026",
            ]),
        Case(
            "en_GB",
            [
                "now", "1 min ago", "2 min ago", "5 min ago", "3 hr ago", "11:55", "Yesterday, 00:05",
                "Wednesday, 21:41", "5 January", "5 January 2026",
            ]),
        Case(
            "ar_EG",
            [
                "الآن", "قبل دقيقة واحدة", "قبل دقيقتين", "قبل ٥ دقائق", "قبل ٣ ساعات", "١١:٥٥ ص",
                "أمس، ١٢:٠٥ ص",
                "الأربعاء، ٩:٤١ م", "٥ يناير", "٥ يناير ٢٠٢٦",
            ]),
        Case(
            "de",
            [
                "jetzt", "vor 1 Min.", "vor 2 Min.", "vor 5 Min.", "vor 3 Std.", "11:55", "Gestern, 00:05",
                "Mittwoch, 21:41", "5. Januar", "5. Januar 2026",
            ]),
        Case(
            "es_MX",
            [
                "ahora", "hace 1 min", "hace 2 min", "hace 5 min", "hace 3 h", "11:55 a.m.",
                "Ayer, 12:05 a.m.", "Miércoles, 9:41 p.m.", "5 de enero", "5 de enero de 2026",
            ]),
        Case(
            "fr",
            [
                "maintenant", "il y a 1 min", "il y a 2 min", "il y a 5 min", "il y a 3 h", "11:55",
                "Hier, 00:05", "Mercredi, 21:41", "5 janvier", "5 janvier 2026",
            ]),
        Case(
            "he",
            [
                "עכשיו", "לפני דק׳ (1)", "לפני 2 דק׳", "לפני 5 דק׳", "לפני 3 שע׳", "11:55", "אתמול, 0:05",
                "יום רביעי, 21:41", "5 בינואר", "5 בינואר 2026",
            ]),
        Case(
            "hi",
            [
                "अब", "1 मि॰ पहले", "2 मि॰ पहले", "5 मि॰ पहले", "3 घं॰ पहले", "11:55 am", "कल, 12:05 am",
                "बुधवार, 9:41 pm", "5 जनवरी", "5 जनवरी 2026",
            ]),
        Case(
            "it",
            [
                "ora", "1 min fa", "2 min fa", "5 min fa", "3 h fa", "11:55", "Ieri, 00:05",
                "Mercoledì, 21:41",
                "5 gennaio", "5 gennaio 2026",
            ]),
        Case(
            "ja",
            [
                "今", "1 分前", "2 分前", "5 分前", "3 時間前", "11:55", "昨日 0:05", "水曜日 21:41", "1月5日",
                "2026年1月5日",
            ]),
        Case(
            "ko",
            [
                "지금", "1분 전", "2분 전", "5분 전", "3시간 전", "AM 11:55", "어제 AM 12:05", "수요일 PM 9:41", "1월 5일",
                "2026년 1월 5일",
            ]),
        Case(
            "pl",
            [
                "teraz", "1 min temu", "2 min temu", "5 min temu", "3 godz. temu", "11:55", "Wczoraj, 00:05",
                "Środa, 21:41", "5 stycznia", "5 stycznia 2026",
            ]),
        Case(
            "pt",
            [
                "agora", "há 1 min.", "há 2 min.", "há 5 min.", "há 3 h", "11:55", "Ontem, 00:05",
                "Quarta-feira, 21:41", "5 de janeiro", "5 de janeiro de 2026",
            ]),
        Case(
            "pt_PT",
            [
                "agora", "há 1 min", "há 2 min", "há 5 min", "há 3 h", "11:55", "Ontem, 00:05",
                "Quarta-feira, 21:41", "5 de janeiro", "5 de janeiro de 2026",
            ]),
        Case(
            "ru",
            [
                "сейчас", "1 мин. назад", "2 мин. назад", "5 мин. назад", "3 ч назад", "11:55",
                "Вчера, 00:05", "Среда, 21:41", "5 января", "5 января 2026 г.",
            ]),
        Case(
            "tr",
            [
                "şimdi", "1 dk. önce", "2 dk. önce", "5 dk. önce", "3 sa. önce", "11:55", "Dün 00:05",
                "Çarşamba 21:41", "5 Ocak", "5 Ocak 2026",
            ]),
        Case(
            "uk",
            [
                "зараз", "1 хв тому", "2 хв тому", "5 хв тому", "3 год тому", "11:55", "Учора, 00:05",
                "Середа, 21:41", "5 січня", "5 січня 2026 р.",
            ]),
        Case(
            "zh",
            [
                "现在", "1分钟前", "2分钟前", "5分钟前", "3小时前", "11:55", "昨天 00:05", "星期三 21:41", "1月5日",
                "2026年1月5日",
            ]),
        Case(
            "zh_Hant",
            [
                "現在", "1 分鐘前", "2 分鐘前", "5 分鐘前", "3 小時前", "上午11:55", "昨天 上午12:05", "星期三 下午9:41",
                "1月5日", "2026年1月5日",
            ]),
        // In English, but with the hour cycle of Sweden.
        Case(
            "sv_SE",
            [
                "now", "1m ago", "2m ago", "5m ago", "3h ago", "11:55", "Yesterday, 00:05",
                "Wednesday, 21:41", "January 5", "January 5, 2026",
            ]),
    ])
    func timesAreInTheLanguage(_ item: Case) throws {
        let times = try Self.times(item.input)
        let found = [
            text { times.appendNow(to: &$0) },
            text { times.appendMinutesAgo(1, to: &$0) },
            text { times.appendMinutesAgo(2, to: &$0) },
            text { times.appendMinutesAgo(5, to: &$0) },
            text { times.appendHoursAgo(3, to: &$0) },
            text { times.appendTimeOfDay(11 * 60 + 55, to: &$0) },
            text { times.appendYesterday(5, to: &$0) },
            text { times.appendWeekday(3, 21 * 60 + 41, to: &$0) },
            text { times.appendDate(year: nil, month: 1, day: 5, to: &$0) },
            text { times.appendDate(year: 2026, month: 1, day: 5, to: &$0) },
        ]
        #expect(found == item.expected)
    }

    /// Every language that Sheaf has sentences in has a case above.
    @Test(arguments: LocalizedTexts.locales) func everyLanguageHasTimes(_ locale: String) throws {
        #expect(text { try? Self.times(locale).appendNow(to: &$0) }.isEmpty == false)
    }

    /// A locale, and whether a day has 24 hours there.
    typealias Cycle = Example<String, Bool>

    @Test(arguments: [
        Cycle("en", false), Cycle("en_US", false), Cycle("en_GB", true), Cycle("en_AU", false),
        Cycle("en_DE", true), Cycle("en_150", true), Cycle("en_001", false), Cycle("en_IL", true),
        Cycle("en_HK", false), Cycle("de", true), Cycle("es", true), Cycle("es_419", false),
        Cycle("es_US", false), Cycle("fr_CA", true), Cycle("en_CA", false), Cycle("pt", true),
        Cycle("ar", false), Cycle("ar_MA", true), Cycle("zh", true), Cycle("zh_Hant", false),
        Cycle("zh_Hant_HK", false), Cycle("zh_Hans_SG", false), Cycle("hi", false), Cycle("ja", true),
        Cycle("ko", false), Cycle("sv", true), Cycle("tlh", true),
    ])
    func hoursFollowTheRegion(_ item: Cycle) throws {
        let cycle = HourCycle(try #require(LocaleIdentifier(item.input)))
        #expect((cycle == .twentyFour) == item.expected)
    }

    @Test(arguments: [
        (0, "12:00 AM"), (59, "12:59 AM"), (60, "1:00 AM"), (719, "11:59 AM"), (720, "12:00 PM"),
        (780, "1:00 PM"), (1_439, "11:59 PM"),
    ])
    func aHalfDayBeginsAtTwelve(_ minute: Int, _ expected: String) throws {
        let times = try Self.times("en_US")
        #expect(text { times.appendTimeOfDay(minute, to: &$0) } == expected)
    }

    @Test(arguments: [(1, "1"), (2026, "2026"), (12_345, "12345"), (0, "0"), (-5, "-5")])
    func yearsAreNotGrouped(_ year: Int, _ expected: String) throws {
        let times = try Self.times("en_US")
        #expect(
            text { times.appendDate(year: year, month: 12, day: 31, to: &$0) } == "December 31, \(expected)")
    }
}

/// The generated tables match CLDR's data and ICU's texts.
@Suite struct TimeDataTests {
    private struct Samples: Decodable {
        struct Row: Decodable {
            let locales: String
            let texts: [String]
        }

        let version: String
        let minutes: [Int]
        let hours: [Int]
        /// Hours and minutes.
        let times: [[Int]]
        let rows: [Row]
    }

    /// Every time is what ICU writes, in each locale of the languages that Sheaf has sentences in. Only names of days
    /// differ: they begin with a capital letter.
    @Test func textsAreThoseOfICU() throws {
        let file = try Repository.contents(of: "Data/cldr/time-samples.json")
        let samples = try JSONDecoder().decode(Samples.self, from: file)
        #expect(samples.version == CLDRTables.version)
        var compared: Set<String> = []
        for row in samples.rows {
            for name in row.locales.split(separator: " ").map(String.init) {
                let locale = try #require(LocaleIdentifier(name))
                let times = LocalizedTexts(locale).times
                var found = [text { times.appendNow(to: &$0) }]
                found += samples.minutes.map { number in text { times.appendMinutesAgo(number, to: &$0) } }
                found += samples.hours.map { number in text { times.appendHoursAgo(number, to: &$0) } }
                let days = row.texts[found.count..<found.count + 8]
                found += days
                found += samples.times.map { time in
                    text { times.appendTimeOfDay(time[0] * 60 + time[1], to: &$0) }
                }
                for year in [nil, 2026] {
                    for (month, day) in [(1, 5), (2, 28), (3, 1), (12, 31)] {
                        found.append(text { times.appendDate(year: year, month: month, day: day, to: &$0) })
                    }
                }
                let digits = LocaleDigits(locale)
                #expect(found.map { Self.ascii($0, digits) } == row.texts, "\(name)")

                let joint = try #require(CLDRTables.joints.value(for: locale))
                let midnight = text { times.appendTimeOfDay(0, to: &$0) }
                let names =
                    [text { times.appendYesterday(0, to: &$0) }]
                    + (0..<7).map { day in text { times.appendWeekday(day, 0, to: &$0) } }
                #expect(names == days.map { $0.capitalizedFirst + joint + midnight }, "\(name)")
                #expect(compared.insert(name).inserted, "\(name)")
            }
        }
        #expect(compared.count == 288)
        let languages = Set(compared.compactMap { LocaleIdentifier($0)?.language })
        #expect(languages == Set(LocalizedTexts.locales.compactMap { LocaleIdentifier($0)?.language }))
    }

    /// The text with the locale's digits replaced by ASCII digits, which the samples have.
    private static func ascii(_ text: String, _ digits: LocaleDigits) -> String {
        (UInt64(0)...9).reduce(text) { text, number in
            text.replacing(TestSupport.text { digits.append(number, to: &$0) }, with: String(number))
        }
    }

    private struct Data: Decodable {
        struct Row: Decodable {
            let locale: String
            let now: String?
            let yesterday: String?
            let joint: String?
            let minutes: [String: String]?
            let weekdays: [String]?
            let months: [String]?
            let monthDay: String?
            let date: String?
            let twelve: String?
            let twentyFour: String?
            let periods: [String]?
        }

        let version: String
        let hours24: String
        let hours12: String
        let rows: [Row]
    }

    /// The tables that ICU's texts do not cover as a whole: 12 hours where a day has 24, and joints.
    @Test func tablesMatchTheFile() throws {
        let data = try JSONDecoder().decode(Data.self, from: Repository.contents(of: "Data/cldr/times.json"))
        #expect(data.version == CLDRTables.version)
        func expect(_ table: String, _ value: (Data.Row) -> String?) {
            var rows: [String: String] = [:]
            for row in data.rows { rows[row.locale] = value(row) }
            #expect(LocaleTable(table).byLocale == rows)
        }
        expect(CLDRTables.now, \.now)
        expect(CLDRTables.yesterday, \.yesterday)
        expect(CLDRTables.joints) { row in row.joint.map { "\"\($0)\"" } }
        expect(CLDRTables.weekdays) { $0.weekdays?.joined(separator: "; ") }
        expect(CLDRTables.months) { $0.months?.joined(separator: "; ") }
        expect(CLDRTables.monthDays, \.monthDay)
        expect(CLDRTables.dates, \.date)
        expect(CLDRTables.twelveHours, \.twelve)
        expect(CLDRTables.twentyFourHours, \.twentyFour)
        expect(CLDRTables.periods) { $0.periods?.joined(separator: "; ") }
        let cycles = LocaleTable(CLDRTables.hourCycles).rows.map {
            "\($0.value) \($0.locales.joined(separator: " "))"
        }
        #expect(cycles == ["24 \(data.hours24)", "12 \(data.hours12)"])
    }
}

extension String {
    /// The value of the locale, or of the closest one that it inherits from, in a table of quoted values.
    fileprivate func value(for locale: LocaleIdentifier) -> String? {
        let values = LocaleTable(self).byLocale
        let value = locale.fallbacks.lazy.compactMap { values[$0.identifier] }.first
        return value.map { String($0.dropFirst().dropLast()) }
    }

    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
