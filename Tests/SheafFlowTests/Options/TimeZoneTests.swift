import Foundation
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// Snapshots in the days of a time zone, whose clock changes.
@Suite struct TimeZoneTests {
    private static let zones = [
        "Europe/Berlin", "America/New_York", "Australia/Sydney", "Asia/Kolkata", "Australia/Lord_Howe", "UTC",
        "America/St_Johns", "Europe/Dublin", "Pacific/Apia", "America/Sao_Paulo", "Asia/Kathmandu",
    ]

    private static func time(_ text: String) throws -> Int64 {
        try #require(Timestamp.instant(dateTime: text)).milliseconds
    }

    // MARK: - Clocks

    /// Another implementation of time zones has the same differences from UTC.
    @Test(arguments: zones) func differencesAreThoseOfFoundation(_ name: String) throws {
        let clock = try LocalClock(zone: name)
        let zone = try #require(TimeZone(identifier: name))
        var random = SeededGenerator(seed: 5)
        for _ in 0..<2_000 {
            let time = Int64(random.below(100 * 31_557_600)) * 1_000
            let expected = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time / 1_000)))
            #expect(clock.offset(at: time) == Int64(expected) * 1_000, "at \(time)")
        }
        for transition in clock.transitions where transition.time < 4_102_444_800_000 {
            let date = Date(timeIntervalSince1970: Double(transition.time / 1_000))
            #expect(Int64(zone.secondsFromGMT(for: date)) * 1_000 == transition.offset)
            #expect(
                Int64(zone.secondsFromGMT(for: date - 1)) * 1_000 == clock.offset(at: transition.time - 1))
        }
    }

    /// A time that a clock shows is found, also one that it shows twice or skips.
    @Test(arguments: [
        ("2026-03-29T01:59:00Z", "2026-03-29T00:59:00Z"), ("2026-03-29T02:30:00Z", "2026-03-29T01:00:00Z"),
        ("2026-03-29T03:00:00Z", "2026-03-29T01:00:00Z"), ("2026-10-25T02:30:00Z", "2026-10-25T00:30:00Z"),
        ("2026-10-25T03:00:00Z", "2026-10-25T02:00:00Z"), ("2026-07-01T12:00:00Z", "2026-07-01T10:00:00Z"),
        ("2150-01-01T12:00:00Z", "2150-01-01T11:00:00Z"),
    ])
    func aLocalTimeIsFound(_ local: String, _ expected: String) throws {
        let clock = try LocalClock(zone: "Europe/Berlin")
        #expect(clock.time(ofLocal: try Self.time(local)) == (try Self.time(expected)))
    }

    @Test(arguments: [
        ("Europe/Berln", "no time zone has the name 'Europe/Berln'; did you mean 'Europe/Berlin'?"),
        ("europe/berlin ", "no time zone has the name 'europe/berlin '; did you mean 'Europe/Berlin'?"),
        ("../../../etc/passwd", "no time zone has the name '../../../etc/passwd': one is Europe/Berlin"),
        ("tzdata.zi", "no time zone has the name 'tzdata.zi'"), ("", "no time zone has the name ''"),
    ])
    func anUnknownZoneIsRefused(_ name: String, _ message: String) {
        let error = #expect(throws: ReplayError.self) { try LocalClock(zone: name) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }

    @Test func aMissingDatabaseIsNamed() {
        let error = #expect(throws: ReplayError.self) {
            try LocalClock(zone: "Europe/Berlin", storage: MemoryStorage([:]))
        }
        #expect(error?.description.hasPrefix("there is no time zone database in ") == true)
    }

    /// Bytes that are not a file of the database never trap.
    @Test(arguments: Seeds.several(4)) func damagedFilesAreRefusedOrRead(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bytes = Array(try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin")))
        #expect(LocalClock(name: "x", contentsOfFile: bytes.span) != nil)
        for count in 0..<bytes.count {
            #expect(LocalClock(name: "x", contentsOfFile: Array(bytes[..<count]).span) == nil)
        }
        for _ in 0..<500 {
            var other = bytes
            for _ in 0..<(1 + random.below(4)) {
                other[random.below(other.count)] = UInt8(truncatingIfNeeded: random.next())
            }
            _ = LocalClock(name: "x", contentsOfFile: other.span)
        }
    }

    // MARK: - Intervals

    struct Day: NamedCase {
        let name: String
        let zone: String
        /// The instants from the first one on.
        let instants: [String]
        var step: Int64 = 86_400_000
    }

    static let days = [
        Day(
            name: "a day of 23 hours", zone: "Europe/Berlin",
            instants: [
                "2026-03-27T23:00:00Z", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z",
                "2026-03-30T22:00:00Z",
            ]),
        Day(
            name: "a day of 25 hours", zone: "Europe/Berlin",
            instants: [
                "2026-10-23T22:00:00Z", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z",
                "2026-10-26T23:00:00Z",
            ]),
        Day(
            name: "autumn in the south", zone: "Australia/Sydney",
            instants: [
                "2026-04-03T13:00:00Z", "2026-04-04T13:00:00Z", "2026-04-05T14:00:00Z",
                "2026-04-06T14:00:00Z",
            ]),
        Day(
            name: "spring in the south", zone: "Australia/Sydney",
            instants: [
                "2026-10-02T14:00:00Z", "2026-10-03T14:00:00Z", "2026-10-04T13:00:00Z",
                "2026-10-05T13:00:00Z",
            ]),
        Day(
            name: "half an hour", zone: "Australia/Lord_Howe",
            instants: [
                "2026-04-03T13:00:00Z", "2026-04-04T13:00:00Z", "2026-04-05T13:30:00Z",
                "2026-04-06T13:30:00Z",
            ]),
        Day(
            name: "no change", zone: "Asia/Kolkata",
            instants: ["2026-03-28T18:30:00Z", "2026-03-29T18:30:00Z", "2026-03-30T18:30:00Z"]),
        Day(
            name: "midnight is skipped", zone: "America/Sao_Paulo",
            instants: ["2018-11-03T03:00:00Z", "2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z"]),
        Day(
            name: "a date is skipped", zone: "Pacific/Apia",
            instants: ["2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z", "2011-12-31T10:00:00Z"]),
        Day(
            name: "quarters of a day of 23 hours", zone: "Europe/Berlin",
            instants: [
                "2026-03-28T17:00:00Z", "2026-03-28T23:00:00Z", "2026-03-29T05:00:00Z",
                "2026-03-29T11:00:00Z",
                "2026-03-29T17:00:00Z", "2026-03-29T22:00:00Z", "2026-03-30T04:00:00Z",
            ], step: 21_600_000),
        Day(
            name: "quarters of a day of 25 hours", zone: "Europe/Berlin",
            instants: [
                "2026-10-24T22:00:00Z", "2026-10-25T04:00:00Z", "2026-10-25T10:00:00Z",
                "2026-10-25T16:00:00Z",
                "2026-10-25T22:00:00Z", "2026-10-25T23:00:00Z", "2026-10-26T05:00:00Z",
            ], step: 21_600_000),
        Day(
            name: "hours", zone: "Europe/Berlin",
            instants: ["2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z", "2026-10-25T02:00:00Z"],
            step: 3_600_000),
        Day(
            name: "pairs of days", zone: "Europe/Berlin",
            instants: [
                "2026-03-27T23:00:00Z", "2026-03-29T22:00:00Z", "2026-03-31T22:00:00Z",
                "2026-04-02T22:00:00Z",
            ],
            step: 172_800_000),
    ]

    @Test(arguments: days) func instantsFollowTheLocalDays(_ item: Day) throws {
        let timeline = Timeline(step: item.step, clock: try LocalClock(zone: item.zone))
        let times = try item.instants.map { try Self.time($0) }
        let first = timeline.interval(of: times[0])
        #expect(times.indices.map { timeline.instant(of: first + Int64($0)) } == times)
        for (index, time) in times.enumerated() {
            #expect(timeline.interval(of: time) == first + Int64(index))
            #expect(timeline.interval(of: time + 1) == first + Int64(index) + 1)
        }
    }

    /// Intervals are consecutive, each time is in the one that ends next, and days begin at local midnight.
    @Test(arguments: zones) func aTimeIsInTheIntervalOfTheNextInstant(_ name: String) throws {
        var random = SeededGenerator(seed: 11)
        let clock = try LocalClock(zone: name)
        for step in [86_400_000, 3_600_000, 21_600_000, 900_000, 604_800_000] as [Int64] {
            let timeline = Timeline(step: step, clock: clock)
            for round in 0..<600 {
                // Half of the times are near a change of the clock.
                let near =
                    clock.transitions.isEmpty || round % 2 == 0 ? nil : random.pick(clock.transitions).time
                let time =
                    near.map { $0 + Int64(random.below(600_000_000)) - 300_000_000 }
                    ?? 1 + Int64(random.below(7_258_118_400_000))
                guard time > 0 else { continue }
                let interval = timeline.interval(of: time)
                let (start, end) = (timeline.instant(of: interval - 1), timeline.instant(of: interval))
                #expect(start < time && time <= end)
                #expect(timeline.interval(of: end) == interval)
                #expect(timeline.interval(of: end + 1) == interval + 1)
                guard step == 86_400_000 else { continue }
                let local = end + clock.offset(at: end)
                // Only where midnight is skipped, a day begins later.
                let before = end - 1 + clock.offset(at: end - 1)
                #expect(local % step == 0 || before / step < local / step)
            }
        }
    }

    @Test func anotherStepHasOtherIntervals() throws {
        var timeline = Timeline(step: 86_400_000, clock: try LocalClock(zone: "Europe/Berlin"))
        timeline.step = 3_600_000
        #expect(timeline == Timeline(step: 3_600_000, clock: try LocalClock(zone: "Europe/Berlin")))
        #expect(timeline.instant(of: timeline.interval(of: 1_800_000_000_001)) == 1_800_003_600_000)
        #expect(timeline != Timeline(step: 3_600_000, clock: try LocalClock(zone: "Europe/Paris")))
        #expect(timeline != Timeline(step: 3_600_000))
    }

    // MARK: - Runs

    private static func log(_ start: Int64, hours: Int) -> MemoryStorage {
        let lines = (0..<hours).map { hour in
            #"{"app":"a","ts":\#(start + 3_600_000 * Int64(hour) + 1),"aps":{"alert":"\#(hour)"}}"# + "\n"
        }
        return MemoryStorage(["log": .file(Array(lines.joined().utf8))])
    }

    private static func options(_ zone: String, step: Int64 = 86_400_000) throws -> ReplayOptions {
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        options.every = Timeline(step: step, clock: try LocalClock(zone: zone))
        options.timeZone = options.every?.clock
        return options
    }

    /// A record each hour: the counts grow by the hours of each day.
    @Test(arguments: [
        ("2026-03-28T23:00:00Z", [23, 47, 70]), ("2026-10-24T22:00:00Z", [25, 49, 70]),
    ])
    func snapshotsHaveTheRecordsOfEachDay(_ start: String, _ counts: [Int]) async throws {
        let storage = Self.log(try Self.time(start), hours: 70)
        var options = try Self.options("Europe/Berlin")
        _ = try await run(options, on: storage).get()
        let text = RandomLog.text(storage["out"])
        let found = text.matches(of: #/"count":([0-9]+),"total"/#).compactMap { Int($0.1) }
        #expect(found == counts)
        // Live snapshots, and those of a partial result, are the same.
        options.lateness = 0
        _ = try await run(options, on: storage).get()
        #expect(RandomLog.text(storage["out"]) == text)
        options.lateness = nil
        options.partial = "part"
        _ = try await run(options, on: storage).get()
        var merging = ReplayOptions(sources: ["part"])
        merging.output = "merged"
        _ = try await merge(merging, on: storage).get()
        #expect(RandomLog.text(storage["merged"]) == text)
    }

    @Test func headingsAreOnTheLocalClock() async throws {
        let storage = Self.log(try Self.time("2026-03-28T20:00:00Z"), hours: 40)
        var options = try Self.options("Europe/Berlin")
        options.format = .text(TextStyle())
        _ = try await run(options, on: storage).get()
        let headings = RandomLog.text(storage["out"]).split(separator: "\n").filter { $0.hasPrefix("2026") }
        #expect(
            headings == [
                "2026-03-29T00:00:00+01:00", "2026-03-30T00:00:00+02:00", "2026-03-30T13:00:00.001+02:00",
            ])
    }

    @Test func partialResultsOfOtherZonesAreRefused() async throws {
        let storage = Self.log(try Self.time("2026-03-28T20:00:00Z"), hours: 40)
        for zone in ["Europe/Berlin", "Europe/Athens"] {
            var options = try Self.options(zone)
            options.partial = String(zone.suffix(6))
            _ = try await run(options, on: storage).get()
        }
        var merging = ReplayOptions(sources: ["Berlin", "Athens"])
        merging.output = "merged"
        guard case .failure(.usage(let message)) = await merge(merging, on: storage) else {
            Issue.record("not refused")
            return
        }
        #expect("\(message)".contains("in the time zone Europe/Berlin"))
        #expect("\(message)".contains("in the time zone Europe/Athens"))
    }

    @Test(arguments: [7, 36]) func aStepThatNoDayHasIsRefused(_ hours: Int64) throws {
        let options = try Self.options("Europe/Berlin", step: hours * 3_600_000)
        let error = #expect(throws: ReplayError.self) {
            try Replay(options, storage: MemoryStorage(["log": .file([])]))
        }
        #expect(error?.description.contains("must divide a day, or be several days") == true)
    }
}
