import SheafBytes
import SheafText
import TestSupport
import Testing

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

    private func census(_ pushes: [Push], keys: Int = GroupingCensus.maximumKeys, from line: Int = 1)
        -> GroupingCensus
    {
        var census = GroupingCensus(KnownCategories(Self.settings), keys: keys)
        for (index, push) in pushes.enumerated() { add(push, UInt64(line + index), to: &census) }
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
        record.traits = NotificationTraits(level: .active, hasSound: false, isMutable: push.isMutable)
        if push.isResult {
            record.collapseIdentifier = record.identifier
            return census.add(result: record, of: Chunk(bytes))
        }
        census.add(
            record, of: Chunk(bytes), isUntimed: push.isUntimed,
            at: RecordPosition(source: 0, line: line, index: entry))
    }

    private func problems(_ pushes: [Push]) -> [String] {
        census(pushes).problems.map { "\($0.problem.name) \($0.app), \($0.numbers) at \($0.first.line)" }
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
                    Push(device: "x\(record)", collapse: "c\(line)"), UInt64(line),
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

    @Test(arguments: [(10_000, false), (10_001, true)])
    func oneThreadMayHaveTenThousandNotificationsADay(_ count: Int, _ isFound: Bool) {
        let pushes = [Push](repeating: Push(device: "x"), count: count)
        let expected = ["thread.crowded a, 10,001 on one device in one day at 1"]
        #expect(problems(pushes) == (isFound ? expected : []))
        #expect(problems(pushes.map { Push(thread: "t", device: $0.device) }) == (isFound ? expected : []))
    }

    @Test func otherDaysDevicesAndThreadsAreSeparate() {
        func problems(_ push: (Int) -> Push) -> [String] { self.problems((0..<10_001).map(push)) }
        #expect(problems { Push(device: "x", day: 20_000 + ($0 == 0 ? 1 : 0)) } == [])
        #expect(problems { Push(device: $0 == 0 ? "y" : "x") } == [])
        #expect(problems { Push(thread: $0 == 0 ? "t" : "", device: "x") } == [])
        #expect(problems { _ in Push() } == [], "without a device")
        #expect(problems { _ in Push(device: "x", isUntimed: true) } == [], "without a day")
        #expect(problems { _ in Push(app: "off", device: "x") } == [])
        #expect(problems { Push(app: "by app", thread: "t\($0)", device: "x") }.count == 1, "one group")
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
        return (0..<1_500).map { _ in
            Push(
                app: random.pick(["a", "b", "c", "by app"]),
                thread: random.pick(["", "t\(random.below(kinds))"]),
                device: random.pick(["", "x\(random.below(5))"]),
                collapse: random.pick(["", "c\(random.below(kinds * 20))"]),
                category: random.pick(["", "from", "plain", "other"]), day: random.below(3),
                identifier: random.pick(["", "i\(random.below(kinds * 4))"]), isMutable: random.below(3) == 0,
                isResult: random.below(10) == 0)
        }
    }

    /// The problems are a function of the set of records: not of their order, nor of how they are divided among workers.
    @Test(arguments: Seeds.several(30)) func problemsDoNotDependOnTheDivision(_ seed: UInt64) {
        let pushes = randomPushes(seed)
        var random = SeededGenerator(seed: seed &+ 1)
        for keys in [1, 7, 100, GroupingCensus.maximumKeys] {
            let whole = census(pushes, keys: keys)
            var parts = (0..<4).map { _ in census([], keys: keys) }
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
