import SheafBytes
import SheafText
import TestSupport
import Testing

@testable import SheafChecks
@testable import SheafGroups

/// The problems of how apps' notifications group, and the samples that they are found in.
@Suite struct GroupingCensusTests {
    /// A notification.
    struct Push {
        var app = "a"
        var thread = ""
        var device = ""
        var collapse = ""
        var category = ""
        var day = 20_000
        var isUntimed = false
        var identifier = ""
        var isMutable = false
        var level = InterruptionLevel.active
        /// Whether it is a service extension's result for the identifier.
        var isResult = false
    }

    private static let settings: Settings = {
        var settings = Settings()
        func category(_ format: String?) -> CategorySettings {
            var category = CategorySettings()
            category.summaryFormat = format.flatMap { try? MessageFormat($0, role: .summary) }
            return category
        }
        for (name, grouping) in [("a", Grouping.automatic), ("by app", .byApp), ("off", .off)] {
            var app = AppSettings()
            app.grouping = grouping
            app.categories = [
                "from": category("%u more from %@"), "from2": category("%u more from %@"),
                "plain": category("%u more"), "offers": category("%u more offers"), "none": category(nil),
            ]
            settings.apps[name] = app
        }
        return settings
    }()

    private func census(
        _ pushes: [Push], profile: Profile = .ios12, limits: [CheckFinding: Int] = [:],
        keys: Int = GroupingCensus.maximumKeys
    ) -> GroupingCensus {
        var census = GroupingCensus(
            KnownCategories(Self.settings), profile: profile, limits: limits, keys: keys)
        for (index, push) in pushes.enumerated() { add(push, UInt64(1 + index), to: &census) }
        return census
    }

    private func add(
        _ push: Push, _ line: UInt64, entry: UInt32 = 0, to census: inout GroupingCensus
    ) {
        var bytes: [UInt8] = []
        func range(_ text: String) -> TextRange {
            let start = bytes.count
            bytes += Array(text.utf8)
            return TextRange(start..<bytes.count)
        }
        var record = NotificationRecord()
        record.order = OrderKey(timestamp: Int64(push.day) * 86_400_000 + 5, source: 0, line: line)
        record.app = range(push.app)
        record.thread = range(push.thread)
        record.device = range(push.device)
        record.collapseIdentifier = range(push.collapse)
        record.category = range(push.category)
        record.identifier = range(push.identifier)
        record.traits = NotificationTraits(level: push.level, hasSound: false, isMutable: push.isMutable)
        if push.isResult {
            record.collapseIdentifier = record.identifier
            return census.add(result: record, of: Chunk(bytes))
        }
        census.add(
            record, of: Chunk(bytes), isUntimed: push.isUntimed,
            at: RecordPosition(source: 0, line: line, index: entry))
    }

    private func problems(
        _ pushes: [Push], profile: Profile = .ios12, limits: [CheckFinding: Int] = [:]
    ) -> [String] {
        census(pushes, profile: profile, limits: limits).problems.map {
            "\($0.problem.name) \($0.app), \($0.numbers) at \($0.first.line)"
        }
    }

    // MARK: Threads with a single notification

    @Test(arguments: [(19, 0), (20, 1), (30, 1)]) func singleThreadsNeedTwentyThreads(
        _ count: Int, _ found: Int
    ) {
        let pushes = (0..<count).map { Push(thread: "t\($0)") }
        #expect(
            problems(pushes)
                == (found == 0 ? [] : ["threads.single a, \(count) of \(count) threads at 1"]))
    }

    /// 90 % is not yet too much.
    @Test(arguments: [(36, 4, false), (37, 3, true), (18, 2, false), (19, 1, true)])
    func singleThreadsNeedOverNinetyPercent(_ single: Int, _ double: Int, _ isFound: Bool) {
        var pushes = (0..<double).flatMap { [Push(thread: "d\($0)"), Push(thread: "d\($0)", device: "x")] }
        pushes += (0..<single).map { Push(thread: "s\($0)") }
        let expected = "threads.single a, \(single) of \(single + double) threads at \(2 * double + 1)"
        #expect(problems(pushes) == (isFound ? [expected] : []))
    }

    @Test func threadsOfOtherAppsAndGroupingsDoNotCount() {
        #expect(problems((0..<30).map { Push(app: "b\($0 % 2)", thread: "t\($0)") }) == [])
        #expect(problems((0..<30).map { Push(app: "by app", thread: "t\($0)") }) == [])
        #expect(problems((0..<30).map { Push(app: "off", thread: "t\($0)") }) == [])
        #expect(problems((0..<30).map { _ in Push() }) == [])
    }

    /// The records of an entry with several tokens are one push; those of several entries in a line are not.
    @Test(arguments: [(1, 1, true), (1, 5, true), (2, 1, false), (2, 5, false)])
    func threadsAreSingleIfTheyHaveOneEntry(_ entries: Int, _ tokens: Int, _ isFound: Bool) {
        var census = GroupingCensus(KnownCategories(Self.settings))
        for line in 1...20 {
            for record in 0..<entries * tokens {
                add(
                    Push(thread: "t\(line)", device: "x\(record)", collapse: "c\(line)"), UInt64(line),
                    entry: UInt32(record / tokens * tokens), to: &census)
            }
        }
        #expect(census.problems.map(\.numbers) == (isFound ? ["20 of 20 threads"] : []))
    }

    // MARK: Collapse identifiers

    @Test(arguments: [(99, 0, false), (100, 0, true), (99, 1, false), (150, 0, true)])
    func collapseIdentifiersAreUsedTwice(_ single: Int, _ double: Int, _ isFound: Bool) {
        var pushes = (0..<single).map { Push(collapse: "s\($0)") }
        pushes += (0..<double).flatMap { [Push(collapse: "d\($0)"), Push(collapse: "d\($0)")] }
        #expect(
            problems(pushes)
                == (isFound ? ["collapse-ids.single a, \(single) collapse identifiers at 1"] : []))
    }

    @Test(arguments: [(1, 3, true), (2, 3, false)])
    func collapseIdentifiersAreUsedTwiceInTwoEntries(_ entries: Int, _ tokens: Int, _ isFound: Bool) {
        var census = GroupingCensus(KnownCategories(Self.settings))
        for line in 1...100 {
            for record in 0..<entries * tokens {
                add(
                    Push(device: "x\(record)", collapse: "c\(line)", day: 20_000 + line % 2), UInt64(line),
                    entry: UInt32(record / tokens * tokens), to: &census)
            }
        }
        #expect(census.problems.map(\.numbers) == (isFound ? ["100 collapse identifiers"] : []))
    }

    // MARK: Results of service extensions

    struct Results: NamedCase {
        let name: String
        let pushes: [Push]
        var expected: [String] = []
    }

    @Test(arguments: [
        Results(
            name: "a push without mutable-content",
            pushes: [Push(), Push(identifier: "x"), Push(identifier: "x", isResult: true)],
            expected: ["mutable-content.missing a, 1 of 1 identifier with a result at 2"]),
        Results(
            name: "a push with it",
            pushes: [Push(identifier: "x", isMutable: true), Push(identifier: "x", isResult: true)]),
        Results(
            name: "one of two",
            pushes: [
                Push(identifier: "x", isMutable: true), Push(identifier: "y"),
                Push(identifier: "x", isResult: true), Push(identifier: "y", isResult: true),
            ], expected: ["mutable-content.missing a, 1 of 2 identifiers with a result at 2"]),
        Results(
            name: "versions with and without it",
            pushes: [
                Push(collapse: "c"), Push(collapse: "c", isMutable: true),
                Push(day: 20_001, identifier: "c", isResult: true),
            ]),
        Results(
            name: "the id of a push with a collapse id",
            pushes: [
                Push(collapse: "c", identifier: "x"), Push(day: 20_001, identifier: "x", isResult: true),
            ], expected: ["mutable-content.missing a, 1 of 1 identifier with a result at 1"]),
        Results(name: "no push", pushes: [Push(identifier: "x", isResult: true)]),
        Results(
            name: "a result that is older",
            pushes: [Push(identifier: "x"), Push(day: 19_999, identifier: "x", isResult: true)]),
        Results(
            name: "another app",
            pushes: [Push(identifier: "x"), Push(app: "b", day: 20_001, identifier: "x", isResult: true)]),
        Results(
            name: "an app that is not grouped",
            pushes: [
                Push(app: "off", identifier: "x"), Push(app: "off", identifier: "x", isResult: true),
            ], expected: ["mutable-content.missing off, 1 of 1 identifier with a result at 1"]),
    ])
    func resultsAreOfPushesThatStartExtensions(_ results: Results) {
        #expect(problems(results.pushes) == results.expected)
    }

    // MARK: Crowded threads

    @Test(arguments: [(60, false), (61, true)])
    func oneThreadMayHaveSixtyNotificationsADay(_ count: Int, _ isFound: Bool) {
        let pushes = [Push](repeating: Push(device: "x"), count: count)
        let expected = ["thread.crowded a, 61 on one device in one day at 1"]
        #expect(problems(pushes) == (isFound ? expected : []))
        #expect(problems(pushes.map { Push(thread: "t", device: $0.device) }) == (isFound ? expected : []))
        #expect(problems(pushes, limits: [.problem(.crowdedThread): 61]) == [])
        let more = pushes + [Push](repeating: Push(device: "y"), count: 70)
        #expect(
            problems(more)
                == ["thread.crowded a, 70 on one device in one day at \(isFound ? 1 : count + 1)"])
    }

    @Test func otherDaysDevicesAndThreadsAreSeparate() {
        func problems(_ push: (Int) -> Push) -> [String] { self.problems((0..<61).map(push)) }
        #expect(problems { Push(device: "x", day: 20_000 + ($0 == 0 ? 1 : 0)) } == [])
        #expect(problems { Push(device: $0 == 0 ? "y" : "x") } == [])
        #expect(problems { Push(thread: $0 == 0 ? "t" : "", device: "x") } == [])
        #expect(problems { _ in Push() } == [], "without a device")
        #expect(problems { _ in Push(device: "x", isUntimed: true) } == [], "without a day")
        #expect(problems { _ in Push(app: "off", device: "x") } == [])
        #expect(problems { Push(app: "by app", thread: "t\($0)", device: "x") }.count == 1, "one group")
    }

    // MARK: What people get

    /// People of an app, each with their own device.
    struct People: NamedCase {
        let name: String
        var count = 20
        /// How many of them, the first ones, get `pushes`; the others get `ordinary` only.
        var some = 2
        var ordinary = [[Push(thread: "t0")]]
        /// In parts, which the compiler checks faster than sums.
        let pushes: [[Push]]
        var profile = Profile.ios15
        var limits: [CheckFinding: Int] = [:]
        /// The rule that is reported, with its numbers; nil for none.
        var expected: String?

        var all: [Push] {
            (0..<count).flatMap { person in
                (person < some ? pushes : ordinary).joined().map { push in
                    var push = push
                    push.device = push.device == "none" ? "" : "person \(person)"
                    return push
                }
            }
        }
    }

    private static func threads(_ count: Int, _ push: Push = Push()) -> [Push] {
        (0..<count).map { thread in
            var push = push
            push.thread = "t\(thread)"
            return push
        }
    }

    @Test(arguments: [
        People(name: "at the limit", pushes: [threads(6)]),
        People(name: "above the limit", pushes: [threads(7)], expected: "2 of 20 people"),
        People(name: "more threads than are kept", pushes: [threads(30)], expected: "2 of 20 people"),
        People(name: "few people", count: 19, pushes: [threads(7)]),
        People(name: "5 %", some: 1, pushes: [threads(7)]),
        People(name: "5 % of more people", count: 40, pushes: [threads(7)]),
        People(name: "over 5 %", count: 40, some: 3, pushes: [threads(7)], expected: "3 of 40 people"),
        People(name: "everybody", some: 20, pushes: [threads(7)], expected: "20 of 20 people"),
        People(name: "one thread", pushes: [others(7)]),
        People(name: "two days", pushes: [threads(6), others(1, Push(thread: "t6", day: 20_001))]),
        People(
            name: "twice", pushes: [threads(7), threads(7, Push(day: 20_001))], expected: "2 of 20 people"),
        People(name: "no devices", pushes: [threads(7, Push(device: "none"))]),
        People(name: "no timestamps", pushes: [threads(7, Push(isUntimed: true))]),
        People(
            name: "grouped by app", ordinary: [others(1, Push(app: "by app"))],
            pushes: [threads(7, Push(app: "by app"))]),
        People(
            name: "not grouped", ordinary: [others(1, Push(app: "off"))],
            pushes: [threads(7, Push(app: "off"))]),
        People(name: "another app", ordinary: [others(1, Push(app: "b"))], pushes: [threads(7)]),
        People(name: "a higher limit", pushes: [threads(7)], limits: [.problem(.manyThreads): 7]),
        People(
            name: "a lower limit", pushes: [threads(2)], limits: [.problem(.manyThreads): 1],
            expected: "2 of 20 people"),
        People(name: "at the highest limit", pushes: [threads(63)], limits: [.problem(.manyThreads): 63]),
        People(
            name: "above the highest limit", pushes: [threads(64)],
            limits: [.problem(.manyThreads): 63, .problem(.manyInterruptions): 100],
            expected: "2 of 20 people"),
    ])
    func threadsOfADayFitAScreen(_ people: People) {
        let found = problems(people.all, profile: people.profile, limits: people.limits)
            .filter { !$0.hasPrefix("interruptions.many") }
        #expect(found == (people.expected.map { ["threads.many a, \($0) at 1"] } ?? []))
    }

    private static func interruptions(_ count: Int, _ push: Push = Push()) -> [Push] {
        [Push](repeating: push, count: count)
    }

    @Test(arguments: [
        People(name: "at the limit", pushes: [interruptions(20)]),
        People(name: "above the limit", pushes: [interruptions(21)], expected: "a, 2 of 20 people"),
        People(name: "few people", count: 19, pushes: [interruptions(21)]),
        People(name: "5 %", some: 1, pushes: [interruptions(21)]),
        People(name: "over 5 %", count: 39, pushes: [interruptions(21)], expected: "a, 2 of 39 people"),
        People(name: "passive", pushes: [interruptions(21, Push(level: .passive))]),
        People(
            name: "passive before iOS 15", pushes: [interruptions(21, Push(level: .passive))], profile: .ios12
        ),
        People(
            name: "time-sensitive", pushes: [interruptions(21, Push(level: .timeSensitive))],
            expected: "a, 2 of 20 people"),
        People(
            name: "20 and passive ones", pushes: [interruptions(20), interruptions(9, Push(level: .passive))]),
        People(name: "two days", pushes: [interruptions(20), interruptions(20, Push(day: 20_001))]),
        People(name: "no devices", pushes: [interruptions(21, Push(device: "none"))]),
        People(name: "no timestamps", pushes: [interruptions(21, Push(isUntimed: true))]),
        People(
            name: "not grouped", ordinary: [others(1, Push(app: "off"))],
            pushes: [interruptions(21, Push(app: "off"))],
            expected: "off, 2 of 20 people"),
        People(
            name: "a higher limit", pushes: [interruptions(50)], limits: [.problem(.manyInterruptions): 50]),
        People(
            name: "a lower limit", pushes: [interruptions(2)], limits: [.problem(.manyInterruptions): 1],
            expected: "a, 2 of 20 people"),
    ])
    func appsInterruptRarely(_ people: People) {
        #expect(
            problems(people.all, profile: people.profile, limits: people.limits)
                == (people.expected.map { ["interruptions.many \($0) at 1"] } ?? []))
    }

    private static func urgent(_ thread: String = "t0", _ count: Int = 1) -> [Push] {
        [Push](repeating: Push(thread: thread, level: .timeSensitive), count: count)
    }

    private static func others(_ count: Int, _ push: Push = Push(thread: "t0")) -> [Push] {
        [Push](repeating: push, count: count)
    }

    @Test(arguments: [
        People(name: "at the limit", ordinary: [urgent()], pushes: [urgent(), others(4)]),
        People(
            name: "above the limit", ordinary: [urgent()], pushes: [urgent(), others(5)],
            expected: "a, 2 of 20 threads with urgent ones"),
        People(name: "few threads", count: 19, ordinary: [urgent()], pushes: [urgent(), others(5)]),
        People(name: "5 %", some: 1, ordinary: [urgent()], pushes: [urgent(), others(5)]),
        People(name: "few urgent threads", count: 40, some: 19, pushes: [urgent(), others(5)]),
        People(
            name: "two threads of each", count: 10, some: 1, ordinary: [urgent(), urgent("t1")],
            pushes: [urgent(), others(5), urgent("t1"), others(5, Push(thread: "t1"))],
            expected: "a, 2 of 20 threads with urgent ones"),
        People(
            name: "threads of their own", ordinary: [urgent()],
            pushes: [urgent(), others(5, Push(thread: "t1"))]),
        People(
            name: "other days", ordinary: [urgent()],
            pushes: [urgent(), others(5, Push(thread: "t0", day: 20_001))]),
        People(name: "all urgent", ordinary: [urgent()], pushes: [urgent("t0", 6)]),
        People(
            name: "time-sensitive before iOS 15", ordinary: [urgent()], pushes: [urgent(), others(5)],
            profile: .ios12),
        People(
            name: "critical before iOS 15", ordinary: [others(1, Push(level: .critical))],
            pushes: [others(5, Push()), others(1, Push(level: .critical))], profile: .ios12,
            expected: "a, 2 of 20 threads with urgent ones"),
        People(
            name: "passive ones", ordinary: [urgent()],
            pushes: [others(5, Push(thread: "t0", level: .passive)), urgent()],
            expected: "a, 2 of 20 threads with urgent ones"),
        People(
            name: "no devices", ordinary: [urgent()],
            pushes: [urgent(), others(5, Push(thread: "t0", device: "none"))]),
        People(
            name: "grouped by app", ordinary: [others(1, Push(app: "by app", level: .critical))],
            pushes: [
                others(1, Push(app: "by app", level: .critical)),
                others(5, Push(app: "by app", thread: "t1")),
            ],
            expected: "by app, 2 of 20 threads with urgent ones"),
        People(
            name: "not grouped", ordinary: [others(1, Push(app: "off", level: .critical))],
            pushes: [others(1, Push(app: "off", level: .critical)), others(5, Push(app: "off"))]),
        People(
            name: "a higher limit", ordinary: [urgent()], pushes: [urgent(), others(5)],
            limits: [.problem(.buriedUrgent): 5]),
        People(
            name: "a lower limit", ordinary: [urgent()], pushes: [urgent(), others(2)],
            limits: [.problem(.buriedUrgent): 1], expected: "a, 2 of 20 threads with urgent ones"),
    ])
    func urgentNotificationsHaveThreadsOfTheirOwn(_ people: People) {
        #expect(
            problems(people.all, profile: people.profile, limits: people.limits)
                == (people.expected.map { ["urgent.buried \($0) at 1"] } ?? []))
    }

    /// Of many people's days, those of some people are kept, not some days of each.
    @Test(arguments: [60, 400, 900]) func peopleAreKeptWithAllOfTheirDays(_ keys: Int) throws {
        let pushes = (0..<400).flatMap { person in
            (0..<5).flatMap { day in
                Self.threads(day == 4 ? 7 : 1, Push(device: "person \(person)", day: 20_000 + day))
            }
        }
        let found = census(pushes, keys: keys).problems
        #expect(found.map(\.problem) == (keys == 60 ? [] : [.manyThreads]))
        for problem in found {
            let numbers = problem.numbers.split(separator: " ").compactMap { UInt64($0) }
            #expect(numbers.count == 2 && numbers.first == numbers.last, "\(problem.numbers)")
        }
    }

    // MARK: Formats

    @Test(arguments: [
        (["from", "plain"], true), (["from", "none"], true), (["from", ""], true),
        (["from", "unknown"], true),
        (["from", "from2"], false), (["plain", "offers"], false), (["plain", "none"], false),
        (["from"], false), (["plain", "from", "from", "from"], true),
    ])
    func mixedFormatsFallBack(_ categories: [String], _ isFound: Bool) {
        let pushes = (0..<20).map { Push(thread: "t", category: categories[$0 % categories.count]) }
        #expect(problems(pushes) == (isFound ? ["formats.mixed a, 20 of 20 notifications at 1"] : []))
        #expect(problems(Array(pushes.dropLast())) == [], "of 19 notifications")
        #expect(problems(pushes.map { Push(app: "b", thread: "t", category: $0.category) }) == [])
        let separate = pushes.map { Push(thread: $0.category, category: $0.category) }
        #expect(problems(separate) == [], "in threads of their own")
    }

    // MARK: Samples

    private func randomPushes(_ seed: UInt64) -> [Push] {
        var random = SeededGenerator(seed: seed)
        let kinds = random.pick([3, 40, 400])
        let devices = random.pick([5, 60])
        return (0..<1_500).map { _ in
            Push(
                app: random.pick(["a", "b", "c", "by app"]),
                thread: random.pick(["", "t\(random.below(kinds))"]),
                device: random.pick(["", "x\(random.below(devices))"]),
                collapse: random.pick(["", "c\(random.below(kinds * 20))"]),
                category: random.pick(["", "from", "plain", "other"]), day: random.below(3),
                identifier: random.pick(["", "i\(random.below(kinds * 4))"]), isMutable: random.below(3) == 0,
                level: random.pick(InterruptionLevel.allCases),
                isResult: random.below(10) == 0)
        }
    }

    /// The problems are a function of the set of records: not of their order, nor of how they are divided among workers.
    @Test(arguments: Seeds.several(30)) func problemsDoNotDependOnTheDivision(_ seed: UInt64) {
        let pushes = randomPushes(seed)
        var random = SeededGenerator(seed: seed &+ 1)
        let limits = Dictionary(uniqueKeysWithValues: CheckFinding.limited.map { ($0, random.below(3) + 1) })
        for keys in [1, 7, 100, GroupingCensus.maximumKeys] {
            let whole = census(pushes, profile: .ios15, limits: limits, keys: keys)
            var parts = (0..<4).map { _ in census([], profile: .ios15, limits: limits, keys: keys) }
            for index in pushes.indices.shuffled(using: &random) {
                add(pushes[index], UInt64(index + 1), to: &parts[random.below(4)])
            }
            var sum = parts[0]
            for part in parts.dropFirst() { sum.add(part) }
            #expect(sum.problems == whole.problems, "\(keys) keys")
        }
    }

    /// Counts of kept keys are those of all records; the kept keys are those with the smallest hashes.
    @Test(arguments: Seeds.several(30)) func samplesKeepTheSmallestHashes(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let hashes = (0..<300).map { _ in UInt64.random(in: 0...UInt64.max, using: &random) }
        var counts: [UInt64: Int] = [:]
        var sample = HashSample<Count>(capacity: 50)
        for _ in 0..<2_000 {
            let hash = random.pick(hashes)
            counts[hash, default: 0] += 1
            sample.record(Count(), for: hash)
        }
        #expect(sample.values.mapValues(\.count) == counts.filter { $0.key <= sample.limit })
        #expect(sample.values.count <= 50)
        let (twice, overflow) = sample.limit.multipliedReportingOverflow(by: 2)
        if !overflow { #expect(counts.keys.count { $0 <= twice + 1 } > 50, "a larger limit would do") }
    }

    private struct Count: SampledValue {
        var count = 1
        mutating func merge(_ other: Count) { count += other.count }
    }

    /// An app whose name is very long, and a log of nothing but different apps.
    @Test func namesAreBounded() {
        let name = String(repeating: "n", count: 4_000)
        let problem = census((0..<20).map { Push(app: name, thread: "t\($0)") }).problems
        #expect(problem.map(\.app) == [String(repeating: "n", count: 128)])
        let many = census((0..<5_000).map { Push(app: "app \($0)", thread: "t") }, keys: 100)
        #expect(many.problems == [])
        #expect(many.nameCount <= 300)
    }
}
