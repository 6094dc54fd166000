import SheafGroups
import TestSupport
import Testing

@testable import SheafChecks
@testable import SheafFlow

/// The rules of a check about what people get in a day, compared with the model.
@Suite struct CheckPeopleTests {
    /// A random log and the limits of its check.
    struct Log {
        var notifications: [CheckModel.Notification] = []
        var limits: [CheckFinding: Int] = [:]
        let profile: Profile

        init(seed: UInt64) {
            var random = SeededGenerator(seed: seed)
            profile = random.pick([.ios12, .ios15])
            // No person has more threads than a census keeps.
            let threads = random.pick([1, 2, 8])
            let people = random.pick([15, 25, 40])
            let passive = random.pick([10, 90])
            for rule in CheckFinding.limited { limits[rule] = random.below(7) + 1 }
            for line in 1...800 {
                let levels: [String?] = [nil, "active", "time-sensitive", "critical", "unknown"]
                let thread = random.below(threads)
                notifications.append(
                    CheckModel.Notification(
                        app: random.pick(["a", "b", "c"]),
                        device: random.chance(5) ? nil : "device \(random.below(people))",
                        time: random.chance(5)
                            ? nil
                            : 1_772_800_000_000 + random.below(3) * 86_400_000 + random.below(40_000_000),
                        thread: thread == 0 ? nil : "t\(thread)",
                        level: random.chance(passive) ? "passive" : random.pick(levels), line: line))
            }
        }

        var expected: [String: [CheckModel.AppProblem]] {
            CheckModel.problems(
                of: notifications,
                limits: Dictionary(uniqueKeysWithValues: limits.map { ($0.name, $1) }), profile: profile)
        }
    }

    @Test(arguments: Seeds.several(30)) func problemsMatchTheModel(_ seed: UInt64) async throws {
        let log = Log(seed: seed)
        let expected = log.expected
        let text = log.notifications.map { $0.json + "\n" }.joined()
        for (threads, chunkBytes) in [(1, Limits.chunkBytes), (3, 500)] {
            var options = CheckOptions(sources: ["log"])
            (options.threads, options.chunkBytes) = (threads, chunkBytes)
            (options.profile, options.limits) = (log.profile, log.limits)
            let report = try await run(options, on: MemoryStorage(["log": .file(Array(text.utf8))])).get()
            for rule in CheckFinding.limited {
                let problems = (expected[rule.name] ?? []).sorted { $0.line < $1.line }
                let item = report.findings.first { $0.finding == rule }
                #expect(item?.count ?? 0 == UInt64(problems.count), "\(rule.name)")
                #expect(item?.position == problems.first.map { .line(UInt64($0.line)) }, "\(rule.name)")
                let details = problems.map { "\($0.app), \($0.numbers)" }
                #expect(item?.detail ?? "" == details.joined(separator: "; "), "\(rule.name)")
            }
        }
    }

    /// The logs break each rule, and keep it.
    @Test func theLogsCoverEveryRule() {
        let logs = (0..<30).map { Log(seed: 1_000 + $0).expected }
        for rule in CheckFinding.limited {
            let found = logs.count { $0[rule.name] != nil }
            #expect((1..<30).contains(found), "\(rule.name): \(found)")
        }
    }

    @Test(arguments: CheckFinding.limited) func limitsHaveARange(_ rule: CheckFinding) throws {
        let range = try #require(rule.limitRange)
        for limit in [0, -1, .min, range.upperBound + 1, .max] {
            var options = CheckOptions(sources: ["log"])
            options.limits[rule] = limit
            let message: OptionMessage =
                "\(.limits) of '\(rule.name)' is \(limit), but must be from 1 to \(range.upperBound)"
            #expect(throws: ReplayError.usage(message)) { try options.validate() }
        }
        for limit in [1, range.upperBound] {
            var options = CheckOptions(sources: ["log"])
            options.limits[rule] = limit
            try options.validate()
            #expect(options.limit(of: rule) == limit)
        }
    }

    @Test func otherRulesHaveNoLimit() {
        var options = CheckOptions(sources: ["log"])
        options.limits = [.untimed: 5, .problem(.manyThreads): 5]
        let names = "threads.many, thread.crowded, interruptions.many, urgent.buried"
        let message: OptionMessage = "\(.limits): the rule 'untimed' has no limit; these have one: \(names)"
        #expect(throws: ReplayError.usage(message)) { try options.validate() }
    }

    @Test func explanationsHaveTheLimitOfTheCheck() {
        var options = CheckOptions(sources: [])
        options.limits = [.problem(.manyInterruptions): 5_000]
        let rules = CheckRules(options)
        let text = String(decoding: rules.text(TextStyle()), as: UTF8.self)
        #expect(text.contains("are interrupted over 5,000 times a day"))
        let json = String(decoding: rules.json(), as: UTF8.self)
        #expect(
            json.contains(
                #""limit":5000,"explanation":"Over 5 % of an app's people are interrupted over 5,000 "#))
        #expect(json.contains(#""limit":6,"explanation":"#))
    }
}
