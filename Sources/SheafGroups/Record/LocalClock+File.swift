import SheafBytes

/// Reading the files of the IANA time zone database (RFC 9636).
///
///     header | times of 4 bytes, which are ignored | header | times of 8 bytes | rule for the times after them
extension LocalClock {
    /// The year until which the rule for times after the last transition is applied.
    private static let lastYear = 2_200

    /// - Returns: nil if the bytes are not a file of the database, of version 2 or later.
    package init?(name: String, contentsOfFile bytes: Span<UInt8>) {
        guard let old = Block(bytes, at: 0, timeBytes: 4),
            let block = Block(bytes, at: old.end, timeBytes: 8), bytes.count > block.end + 1
        else { return nil }
        var first = block.offset(ofType: 0, in: bytes)
        var transitions: [Transition] = []
        for index in 0..<block.timeCount {
            guard let offset = block.offset(ofType: block.type(index, in: bytes), in: bytes) else {
                return nil
            }
            let (time, overflows) = block.time(index, in: bytes).multipliedReportingOverflow(by: 1_000)
            // Snapshots are after 1970.
            if overflows || time <= 0 {
                first = offset
            } else {
                transitions.append(Transition(time: time, offset: offset))
            }
        }
        guard var first else { return nil }
        let footer = bytes.extracting(block.end..<bytes.count)
        guard footer[0] == UInt8(ascii: "\n"), footer[footer.count - 1] == UInt8(ascii: "\n") else {
            return nil
        }
        let rule = footer.extracting(1..<footer.count - 1)
        if !rule.isEmpty {
            guard let rule = ZoneRule(rule) else { return nil }
            if let summer = rule.summer {
                let last = transitions.last?.time ?? 0
                for year in 1970...Self.lastYear {
                    let start = summer.start.time(in: year) - rule.offset
                    let end = summer.end.time(in: year) - summer.offset
                    var changes = [
                        Transition(time: start, offset: summer.offset),
                        Transition(time: end, offset: rule.offset),
                    ]
                    if end < start { changes.swapAt(0, 1) }
                    transitions += changes.filter { $0.time > last }
                }
            } else if transitions.isEmpty {
                first = rule.offset
            }
        }
        self.init(name: name, first: first, transitions: transitions)
    }

    /// A header, and where the data after it is.
    private struct Block {
        let timeCount: Int
        private let typeCount: Int
        private let timeBytes: Int
        private let start: Int
        let end: Int

        init?(_ bytes: Span<UInt8>, at start: Int, timeBytes: Int) {
            let magic = Array("TZif".utf8)
            guard bytes.count - start >= 44, bytes.extracting(start..<start + 4).isEqual(to: magic.span),
                bytes[start + 4] >= UInt8(ascii: "2")
            else { return nil }
            let counts = (0..<6).map { Int(Self.number(bytes, at: start + 20 + 4 * $0, byteCount: 4)) }
            guard counts.allSatisfy({ (0...1 << 20).contains($0) }) else { return nil }
            (timeCount, typeCount, self.timeBytes) = (counts[3], counts[4], timeBytes)
            self.start = start + 44
            end =
                start + 44 + timeCount * (timeBytes + 1) + typeCount * 6 + counts[5]
                + counts[2] * (timeBytes + 4) + counts[1] + counts[0]
            guard end <= bytes.count, typeCount > 0 else { return nil }
        }

        func time(_ index: Int, in bytes: Span<UInt8>) -> Int64 {
            Self.number(bytes, at: start + index * timeBytes, byteCount: timeBytes)
        }

        func type(_ index: Int, in bytes: Span<UInt8>) -> Int {
            Int(bytes[start + timeCount * timeBytes + index])
        }

        /// The difference from UTC in milliseconds.
        func offset(ofType type: Int, in bytes: Span<UInt8>) -> Int64? {
            guard type < typeCount else { return nil }
            return Self.number(bytes, at: start + timeCount * (timeBytes + 1) + type * 6, byteCount: 4)
                * 1_000
        }

        /// A signed number, its first byte the highest.
        private static func number(_ bytes: Span<UInt8>, at offset: Int, byteCount: Int) -> Int64 {
            var number: Int64 = bytes[offset] >= 0x80 ? -1 : 0
            for index in offset..<offset + byteCount { number = number << 8 | Int64(bytes[index]) }
            return number
        }
    }
}

/// The rule of a zone for all later years, as POSIX writes it: `CET-1CEST,M3.5.0,M10.5.0/3`. In milliseconds.
private struct ZoneRule {
    let offset: Int64
    let summer: (offset: Int64, start: YearlyTime, end: YearlyTime)?

    init?(_ text: Span<UInt8>) {
        var reader = Reader(text: text)
        guard reader.skipName(), let offset = reader.time(hours: 24) else { return nil }
        self.offset = -offset
        if reader.isAtEnd {
            summer = nil
            return
        }
        guard reader.skipName() else { return nil }
        // An hour later, unless another difference follows.
        var summerOffset = 3_600_000 - offset
        if reader.next != UInt8(ascii: ",") {
            guard let time = reader.time(hours: 24) else { return nil }
            summerOffset = -time
        }
        guard reader.skip(","), let start = YearlyTime(&reader), reader.skip(","),
            let end = YearlyTime(&reader),
            reader.isAtEnd
        else { return nil }
        summer = (summerOffset, start, end)
    }

    /// A time of each year.
    struct YearlyTime {
        private let day: Day
        private let time: Int64

        private enum Day {
            /// The day of the year, from 1 to 365, without 29 February.
            case ordinary(Int)
            /// The day of the year, from 0 to 365.
            case any(Int)
            /// A weekday, from 0 for Sunday, in a week of a month, of which 5 is the last one.
            case weekday(Int, week: Int, month: Int)
        }

        init?(_ reader: inout Reader) {
            if reader.skip("M") {
                guard let month = reader.number(in: 1...12), reader.skip("."),
                    let week = reader.number(in: 1...5),
                    reader.skip("."), let weekday = reader.number(in: 0...6)
                else { return nil }
                day = .weekday(weekday, week: week, month: month)
            } else if reader.skip("J") {
                guard let number = reader.number(in: 1...365) else { return nil }
                day = .ordinary(number)
            } else {
                guard let number = reader.number(in: 0...365) else { return nil }
                day = .any(number)
            }
            guard reader.skip("/") else {
                time = 2 * 3_600_000
                return
            }
            guard let time = reader.time(hours: 167) else { return nil }
            self.time = time
        }

        /// Returns the time on the clock of the zone, in milliseconds since 1970.
        func time(in year: Int) -> Int64 {
            let first = DateTime.days(toYear: year, month: 1, day: 1)
            let number: Int
            switch day {
            case .any(let day): number = first + day
            case .ordinary(let day):
                // Day 60 is 1 March in every year.
                let isLeap = DateTime.days(toYear: year, month: 3, day: 1) - first == 60
                number = first + day - 1 + (isLeap && day >= 60 ? 1 : 0)
            case .weekday(let weekday, let week, let month):
                let start = DateTime.days(toYear: year, month: month, day: 1)
                let end =
                    month == 12
                    ? DateTime.days(toYear: year + 1, month: 1, day: 1)
                    : DateTime.days(toYear: year, month: month + 1, day: 1)
                // 1970-01-01 is a Thursday.
                var day = start + DateTime.modulo(weekday - (start + 4), 7) + 7 * (week - 1)
                while day >= end { day -= 7 }
                number = day
            }
            return Int64(number) * 86_400_000 + time
        }
    }

    struct Reader: ~Escapable {
        let text: Span<UInt8>
        private var index = 0

        @_lifetime(copy text)
        init(text: Span<UInt8>) { self.text = text }

        var isAtEnd: Bool { index == text.count }
        var next: UInt8? { index < text.count ? text[index] : nil }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard next == UInt8(ascii: character) else { return false }
            index += 1
            return true
        }

        /// Skips the abbreviation of a zone: letters, or any text in angle brackets.
        mutating func skipName() -> Bool {
            let start = index
            if skip("<") {
                while let next, next != UInt8(ascii: ">") { index += 1 }
                return skip(">")
            }
            while let next, UInt8(ascii: "a")...UInt8(ascii: "z") ~= next | 0x20 { index += 1 }
            return index - start >= 3
        }

        mutating func number(in range: ClosedRange<Int>) -> Int? {
            let start = index
            var number = 0
            while let next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= next, index - start < 3 {
                number = 10 * number + Int(next - UInt8(ascii: "0"))
                index += 1
            }
            return index > start && range.contains(number) ? number : nil
        }

        /// Reads hours, minutes and seconds, with or without a sign.
        mutating func time(hours limit: Int) -> Int64? {
            let isNegative = skip("-")
            if !isNegative { _ = skip("+") }
            guard let hours = number(in: 0...limit) else { return nil }
            var seconds = hours * 3_600
            for unit in [60, 1] where skip(":") {
                guard let part = number(in: 0...59) else { return nil }
                seconds += unit * part
            }
            return Int64(isNegative ? -seconds : seconds) * 1_000
        }
    }
}
