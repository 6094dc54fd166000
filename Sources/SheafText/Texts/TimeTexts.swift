import SheafBytes

/// Times as the screen shows them in a locale: "5m ago", "Yesterday, 11:55 AM", "January 5".
///
/// The texts are CLDR's (`CLDRTables`), in the Gregorian calendar. A clock has 12 or 24 hours as the locale's region
/// prefers. The name of a day begins with a capital letter in every language, because it begins a text of its own.
package struct TimeTexts: Sendable {
    private let rules: PluralRules
    private let digits: LocaleDigits
    private let hours: HourCycle
    private let now: [UInt8]
    private let minutesAgo: PluralTexts
    private let hoursAgo: PluralTexts
    private let yesterday: [UInt8]
    /// What is between a day and a time of day: ", ".
    private let joint: [UInt8]
    /// From Sunday to Saturday.
    private let weekdays: [[UInt8]]
    /// From January to December.
    private let months: [[UInt8]]
    private let monthDay: TimePattern
    private let date: TimePattern
    private let timeOfDay: TimePattern
    /// The halves of a day.
    private let periods: [[UInt8]]

    /// - Parameters:
    ///   - locale: the locale of the texts, in a language that `CLDRTables` has.
    ///   - hours: how the hours of a day are counted.
    init(_ locale: LocaleIdentifier, hours: HourCycle) {
        rules = PluralRules(locale)
        digits = LocaleDigits(locale)
        self.hours = hours
        let chain = locale.fallbacks
        func value(_ table: String) -> Substring {
            let table = LocaleTable(table)
            guard let value = chain.lazy.compactMap({ table[$0] }).first else {
                preconditionFailure("no times in \(locale)")
            }
            return value
        }
        func names(_ table: String) -> [Substring] {
            value(table).utf8.split(separator: UInt8(ascii: ";"))
                .map { Substring($0.first == UInt8(ascii: " ") ? $0.dropFirst() : $0) }
        }
        now = Array(value(CLDRTables.now).utf8)
        minutesAgo = PluralTexts(PluralTexts.forms(value(CLDRTables.minutes)))
        hoursAgo = PluralTexts(PluralTexts.forms(value(CLDRTables.hours)))
        yesterday = Self.capitalized(value(CLDRTables.yesterday))
        joint = Array(value(CLDRTables.joints).utf8.dropFirst().dropLast())
        weekdays = names(CLDRTables.weekdays).map(Self.capitalized)
        months = names(CLDRTables.months).map { Array($0.utf8) }
        monthDay = TimePattern(value(CLDRTables.monthDays))
        date = TimePattern(value(CLDRTables.dates))
        timeOfDay = TimePattern(
            value(hours == .twelve ? CLDRTables.twelveHours : CLDRTables.twentyFourHours))
        periods = names(CLDRTables.periods).map { Array($0.utf8) }
    }

    private static func capitalized(_ text: Substring) -> [UInt8] {
        Array((text.prefix(1).uppercased() + text.dropFirst()).utf8)
    }
}

extension TimeTexts {
    /// Appends "now".
    package func appendNow(to output: inout [UInt8]) { output.append(now.span) }

    /// Appends "5m ago".
    ///
    /// - Parameter minutes: 1 to 59.
    package func appendMinutesAgo(_ minutes: Int, to output: inout [UInt8]) {
        append(minutes, minutesAgo, to: &output)
    }

    /// Appends "2h ago".
    ///
    /// - Parameter hours: 1 to 23.
    package func appendHoursAgo(_ hours: Int, to output: inout [UInt8]) {
        append(hours, hoursAgo, to: &output)
    }

    /// Appends "11:55 AM".
    ///
    /// - Parameter minute: the minutes since midnight.
    package func appendTimeOfDay(_ minute: Int, to output: inout [UInt8]) {
        timeOfDay.append(
            part: { part, output in
                let hour = minute / 60
                switch part {
                case .hour: append(hours == .twelve ? (hour + 11) % 12 + 1 : hour, to: &output)
                case .hourWithTwoDigits:
                    append(hours == .twelve ? (hour + 11) % 12 + 1 : hour, digits: 2, to: &output)
                case .minute: append(minute % 60, digits: 2, to: &output)
                case .period: output.append(contentsOf: periods[hour / 12])
                default: break
                }
            }, to: &output)
    }

    /// Appends "Yesterday, 11:55 AM".
    ///
    /// - Parameter minute: the minutes since midnight.
    package func appendYesterday(_ minute: Int, to output: inout [UInt8]) {
        output.append(yesterday.span)
        output.append(joint.span)
        appendTimeOfDay(minute, to: &output)
    }

    /// Appends "Tuesday, 11:55 AM".
    ///
    /// - Parameters:
    ///   - weekday: the day of the week, from 0 for Sunday to 6.
    ///   - minute: the minutes since midnight.
    package func appendWeekday(_ weekday: Int, _ minute: Int, to output: inout [UInt8]) {
        output.append(contentsOf: weekdays[weekday])
        output.append(joint.span)
        appendTimeOfDay(minute, to: &output)
    }

    /// Appends "January 5", or "January 5, 2026".
    ///
    /// - Parameters:
    ///   - year: the year, which is left out if nil.
    ///   - month: 1 to 12.
    ///   - day: the day of the month.
    package func appendDate(year: Int?, month: Int, day: Int, to output: inout [UInt8]) {
        (year == nil ? monthDay : date).append(
            part: { part, output in
                switch part {
                case .day: append(day, to: &output)
                case .dayWithTwoDigits: append(day, digits: 2, to: &output)
                case .month: output.append(contentsOf: months[month - 1])
                case .year: append(year ?? 0, to: &output)
                default: break
                }
            }, to: &output)
    }

    private func append(_ count: Int, _ texts: PluralTexts, to output: inout [UInt8]) {
        texts.append(
            rules.category(of: UInt64(count)), count: { append(count, to: &$0) }, arguments: { _ in },
            to: &output)
    }

    /// Appends a number in the locale's digits, with zeros before it if it has fewer than `digits`.
    private func append(_ number: Int, digits count: Int = 1, to output: inout [UInt8]) {
        if number < 0 { output.append(UInt8(ascii: "-")) }
        if count > 1, number < 10 { digits.append(0, to: &output) }
        digits.append(UInt64(number.magnitude), to: &output)
    }
}

/// The order of the parts of a date or a time of day, and the text between them: `{d} de {M} de {y}`.
///
/// Parsed once, so that appending only copies bytes.
struct TimePattern: Sendable {
    /// A part, as it is named in `CLDRTables`.
    enum Part: String {
        case day = "d"
        case dayWithTwoDigits = "dd"
        case month = "M"
        case year = "y"
        case hour = "h"
        case hourWithTwoDigits = "hh"
        case minute = "mm"
        case period = "a"
    }

    /// Texts, which may be empty, each with the part after it; the last text has no part.
    private let pieces: [(text: [UInt8], part: Part?)]

    /// - Parameter pattern: a pattern of `CLDRTables`.
    init(_ pattern: Substring) {
        var pieces: [(text: [UInt8], part: Part?)] = []
        var remainder = pattern
        while let start = remainder.firstIndex(of: "{"), let end = remainder.firstIndex(of: "}") {
            guard let part = Part(rawValue: String(remainder[remainder.index(after: start)..<end])) else {
                preconditionFailure("unknown part in the pattern '\(pattern)'")
            }
            pieces.append((Array(remainder[..<start].utf8), part))
            remainder = remainder[remainder.index(after: end)...]
        }
        self.pieces = pieces + [(Array(remainder.utf8), nil)]
    }

    /// Appends the text.
    ///
    /// - Parameter part: appends a part.
    func append(part: (Part, inout [UInt8]) -> Void, to output: inout [UInt8]) {
        for piece in pieces {
            output.append(piece.text.span)
            if let name = piece.part { part(name, &output) }
        }
    }
}

/// How the hours of a day are counted on a clock.
enum HourCycle: Sendable {
    /// From 12 over 1 to 11, twice a day.
    case twelve
    /// From 0 to 23.
    case twentyFour

    /// The preferred hour cycle of the locale's region, according to CLDR. Without a region, it is that of the region
    /// where most readers of the language are.
    init(_ locale: LocaleIdentifier) {
        let region = locale.region ?? locale.mainRegion ?? Self.world
        let names = ["\(locale.language)_\(region)", region, Self.world]
        let cycle = names.lazy.compactMap { Self.table.value(of: Substring($0)) }.first
        self = cycle == "12" ? .twelve : .twentyFour
    }

    /// CLDR's region for all regions that are not in its table.
    private static let world = "001"
    private static let table = LocaleTable(CLDRTables.hourCycles)
}
