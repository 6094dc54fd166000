import Foundation
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// Intervals, their instants and the spans of lifetimes (specification §14).
@Suite struct TimelineTests {
    struct Position: NamedCase {
        let name: String
        var step: Int64 = 1_000
        var offset: Int64 = 0
        let time: Int64
        let interval: Int64
        let instant: Int64
    }

    private static let day: Int64 = 86_400_000

    static let positions = [
        Position(name: "at an instant", time: 5_000, interval: 5, instant: 5_000),
        Position(name: "a millisecond later", time: 5_001, interval: 6, instant: 6_000),
        Position(name: "a millisecond earlier", time: 4_999, interval: 5, instant: 5_000),
        Position(name: "the first one", time: 1, interval: 1, instant: 1_000),
        Position(name: "a step of a millisecond", step: 1, time: 7, interval: 7, instant: 7),
        Position(
            name: "midnight in UTC+2", step: day, offset: 7_200_000, time: 2 * day - 7_200_000, interval: 2,
            instant: 2 * day - 7_200_000),
        Position(
            name: "after midnight in UTC+2", step: day, offset: 7_200_000, time: 2 * day - 7_199_999,
            interval: 3,
            instant: 3 * day - 7_200_000),
        Position(
            name: "midnight in UTC-3:30", step: day, offset: -12_600_000, time: 2 * day + 12_600_000,
            interval: 2,
            instant: 2 * day + 12_600_000),
        Position(
            name: "before the first midnight of a clock that is behind", step: day, offset: -12_600_000,
            time: 1,
            interval: 0, instant: 12_600_000),
        Position(name: "the last time", step: 1, time: .max, interval: .max, instant: .max),
        Position(
            name: "the last time, later than any instant", time: .max, interval: .max / 1_000 + 1,
            instant: .max),
        Position(
            name: "the last time on a clock that is ahead", step: 1, offset: 5, time: .max, interval: .max,
            instant: .max - 5),
    ]

    @Test(arguments: positions) func intervalsEndAtInstants(_ position: Position) {
        let timeline = Timeline(step: position.step, offset: position.offset)
        #expect(timeline.interval(of: position.time) == position.interval)
        #expect(timeline.instant(of: position.interval) == position.instant)
    }

    @Test(arguments: [0, -1, -500, .min]) func timesBefore1970AreInTheFirstInterval(_ time: Int64) {
        #expect(Timeline(step: 1_000).interval(of: time) == .min)
        #expect(SnapshotClock(Timeline(step: 1_000), TimeRange(5_500)).interval(of: time) == 6)
    }

    @Test(arguments: Seeds.several(5)) func aTimeIsInTheIntervalOfTheNextInstant(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let timeline = Timeline(
                step: 1 + Int64(random.below(5_000)), offset: Int64(random.below(9_000)) - 4_500)
            let time = 5_000 + Int64(random.below(100_000))
            let interval = timeline.interval(of: time)
            #expect(timeline.instant(of: interval) >= time)
            #expect(timeline.instant(of: interval - 1) < time)
        }
    }

    /// The instants of weeks are Mondays on the clock, at 0:00.
    @Test(arguments: ["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Apia"], Seeds.several(2))
    func weeksBeginOnMonday(_ name: String, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let zone = try #require(TimeZone(identifier: name))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let offset = Int64(random.below(48) - 24) * 1_800_000
        for weeks in [1, 2, 5] as [Int64] {
            let zoned = Timeline(weeks: weeks, clock: try LocalClock(zone: name))
            let shifted = Timeline(weeks: weeks, offset: offset)
            for _ in 0..<200 {
                let time = Int64.random(in: 1...4_000_000_000_000, using: &random)
                let end = zoned.instant(of: zoned.interval(of: time))
                let start = zoned.instant(of: zoned.interval(of: time) - 1)
                #expect(start < time && time <= end)
                for instant in [start, end] where instant > 0 {
                    let date = Date(timeIntervalSince1970: Double(instant) / 1000)
                    let day = calendar.dateComponents([.weekday, .hour, .minute, .second], from: date)
                    #expect(
                        (day.weekday, day.hour) == (2, 0) && (day.minute, day.second) == (0, 0), "\(instant)")
                }
                let last = shifted.instant(of: shifted.interval(of: time))
                #expect(time <= last && last - time < weeks * 604_800_000)
                #expect((last + offset - 345_600_000) % (weeks * 604_800_000) == 0)
            }
        }
    }

    @Test func weeksAreOtherStepsThanSevenDays() {
        #expect(Timeline(weeks: 1) != Timeline(step: 604_800_000))
        #expect(Timeline(step: 604_800_000).inWeeks == Timeline(weeks: 1))
        #expect(Timeline(step: 86_400_000).inWeeks == nil)
    }

    @Test func theLastInstantIsThatOfTheNewestRecord() {
        let clock = SnapshotClock(Timeline(step: 1_000), TimeRange(oldest: 1_500, newest: 4_200))
        #expect((clock.first...clock.last).map(clock.instant) == [2_000, 3_000, 4_000, 4_200])
        #expect(SnapshotClock(Timeline(step: 1_000), nil).instant(of: .min) == 0)
        #expect(SnapshotClock(Timeline(step: 1_000), TimeRange(-500)).instant(of: .min) == -500)
    }

    @Test func timesAreUnited() {
        let times = [TimeRange(500), TimeRange(-3), TimeRange(0), TimeRange(oldest: 20, newest: 90)]
        for first in times {
            for second in times { #expect(first.union(second) == second.union(first)) }
        }
        #expect(times.dropFirst().reduce(times[0]) { $0.union($1) } == TimeRange(oldest: 20, newest: 500))
        #expect(TimeRange(-3).union(TimeRange(-5)) == TimeRange(-3))
    }

    @Test(arguments: Seeds.several(5)) func spansMakeUpALife(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let origin = Int64(random.below(1_000)) - 500
            let start = origin + Int64(random.below(random.pick([2, 70, 5_000])))
            let end = start + 1 + Int64(random.below(random.pick([2, 70, 5_000])))
            var spans: [IntervalSpan] = []
            IntervalSpan.forEach(in: start..<end, origin: origin) { spans.append($0) }
            #expect(spans.first?.start == start)
            #expect(spans.last?.end == end)
            for (span, next) in zip(spans, spans.dropFirst()) { #expect(span.end == next.start) }
            #expect(spans.map(\.appears) == spans.map { $0.start == start })
            #expect(spans.map(\.vanishes) == spans.map { $0.end == end })
            for span in spans {
                let length = span.end - span.start
                #expect(length.nonzeroBitCount == 1)
                #expect((span.start - origin) % length == 0)
            }
            let lengths = Dictionary(grouping: spans) { $0.end - $0.start }
            #expect(lengths.values.allSatisfy { $0.count <= 2 })
        }
    }

    @Test func spansAreInOrderOfStartAndLength() {
        let spans = [
            IntervalSpan(start: 0, end: .max, appears: true, vanishes: false),
            IntervalSpan(start: 0, end: 8, appears: true, vanishes: true),
            IntervalSpan(start: 0, end: 8, appears: true, vanishes: false),
            IntervalSpan(start: 0, end: 8, appears: false, vanishes: true),
            IntervalSpan(start: 0, end: 4, appears: true, vanishes: true),
            IntervalSpan(start: 1, end: 2, appears: true, vanishes: true),
        ]
        for (index, span) in spans.enumerated() {
            for (other, second) in spans.enumerated() {
                #expect(span.compare(to: second).signum() == (index - other).signum())
            }
        }
    }
}
