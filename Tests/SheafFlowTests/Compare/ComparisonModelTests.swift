import SheafBytes
import SheafGroups
import SheafText
import Synchronization
import TestSupport
import Testing

@testable import SheafFlow

/// The fate of the groups of random logs with two random designs, found from the notifications of each group
/// (specification §20).
struct ComparisonModel {
    var changes: [String: GroupChanges] = [:]

    /// - Parameters:
    ///   - now: the replay with each design, by device.
    init(_ now: ReplayModel, _ new: ReplayModel) {
        typealias Position = [Int]
        func sets(_ model: ReplayModel) -> [(app: String, records: Set<Position>)] {
            model.groups.map { group in (group[0].app, Set(group.map { [$0.source, $0.line] })) }
        }
        let (first, second) = (sets(now), sets(new))
        let (shownNow, shownNew) = (
            Set(first.flatMap(\.records)), Set(second.flatMap(\.records))
        )
        for group in first {
            let partners = second.filter { !$0.records.isDisjoint(with: group.records) }
            changes[group.app, default: GroupChanges()].groups.now += 1
            changes[group.app]?.notifications.now += UInt64(group.records.count)
            changes[group.app]?.only.now += UInt64(group.records.subtracting(shownNew).count)
            if partners.count > 1 { changes[group.app]?.split += 1 }
            if partners.contains(where: { $0.records == group.records }) { changes[group.app]?.kept += 1 }
        }
        for group in second {
            changes[group.app, default: GroupChanges()].groups.new += 1
            changes[group.app]?.notifications.new += UInt64(group.records.count)
            changes[group.app]?.only.new += UInt64(group.records.subtracting(shownNow).count)
            if first.count(where: { !$0.records.isDisjoint(with: group.records) }) > 1 {
                changes[group.app]?.merged += 1
            }
        }
    }

    var all: GroupChanges {
        changes.values.reduce(into: GroupChanges()) { all, app in
            all.groups += app.groups
            all.notifications += app.notifications
            all.only += app.only
            all.kept += app.kept
            all.split += app.split
            all.merged += app.merged
        }
    }
}

extension ComparisonReport.App {
    /// The fate of the groups.
    var changes: GroupChanges {
        var changes = GroupChanges()
        (changes.groups, changes.notifications) = (groups, notifications)
        changes.only = only ?? Sides(now: .max, new: .max)
        (changes.kept, changes.split, changes.merged) = (kept ?? .max, split ?? .max, merged ?? .max)
        return changes
    }
}

@Suite struct ComparisonModelTests {
    /// A random log and two random designs.
    private struct Case {
        var now = ReplayOptions(sources: ["logs"])
        var new: ReplayOptions
        let texts: [(path: String, text: [UInt8])]
        let files: [String: MemoryStorage.Entry]
        var random: SeededGenerator
        let measuresAll: Bool
        /// What the other design makes of a thread.
        var thread: @Sendable (String) -> String = { $0 }

        init(seed: UInt64) throws {
            var generator = LogGenerator(seed: seed)
            let lines = generator.lines(120)
            measuresAll = seed % 2 == 0
            now = try generator.options()
            now.sources = ["logs"]
            now.appliesRemovals = seed % 3 != 0
            LogGenerator.addDelivery(to: &now, seed: seed)
            LogGenerator.addDecisions(to: &now, seed: seed)
            now.byDevice = true
            random = SeededGenerator(seed: seed &* 79 &+ 3)
            now.profile = random.pick(Profile.allCases)
            new = now
            var other = try generator.options()
            LogGenerator.addDelivery(to: &other, seed: seed &+ 500)
            switch random.below(6) {
            case 4:
                new.input = try Self.input(threads: #"{"constant":"all"}"#)
                thread = { _ in "all" }
            case 5:
                let part = #""separator":"/","part":0"#
                new.input = try Self.input(
                    threads:
                        #"{"pointer":"/payload/aps/thread-id",\#(part)},{"pointer":"/aps/thread-id",\#(part)}"#
                )
                thread = { String($0.prefix { $0 != "/" }) }
                if random.chance(50) { new.settings = other.settings }
            case 0: new.locale = try LocaleIdentifier(known: random.pick(["de", "ar", "ja"]))
            case 1:
                new.settings.apps = other.settings.apps.mapValues { app in
                    var only = AppSettings()
                    only.grouping = app.grouping
                    return only
                }
            case 2: new.settings = other.settings
            default: (new.settings, new.profile) = (other.settings, random.pick(Profile.allCases))
            }
            var texts: [(path: String, text: [UInt8])] = []
            var entries: [String: MemoryStorage.Entry] = ["logs": .folder]
            for (index, lines) in LogFiles.split(lines, 1 + random.below(4), &random).enumerated() {
                let text = LogFiles.text(lines, &random)
                texts.append(("logs/\(index)", text))
                entries["logs/\(index)"] = .file(text)
            }
            (self.texts, files) = (texts, entries)
            for path in [\Case.now, \Case.new] {
                self[keyPath: path].threads = random.pick([1, 2, 7])
                self[keyPath: path].chunkBytes = random.pick([1, 300, 8_192])
                self[keyPath: path].spillsAlways = random.chance(30)
            }
        }

        /// Returns an input that reads native records with other threads.
        static func input(threads candidates: String) throws -> LogInput {
            let mapping = #"{"fields":{"payload/aps/thread-id":[\#(candidates)]}}"#
            return try LogInput(json: Array(mapping.utf8), file: "threads.json")
        }

        /// Returns the comparison of two designs, with the snapshots in files.
        func compare(
            _ now: ReplayOptions, _ new: ReplayOptions, on storage: MemoryStorage
        ) async throws -> ComparisonReport {
            var options = ComparisonOptions()
            options.format = .json
            options.output = "comparison.json"
            options.measuresAll = measuresAll
            options.snapshots = Sides(now: "now.ndjson", new: "new.ndjson")
            return try await run { [options] () throws(ReplayError) -> any Job<ComparisonReport> in
                try Comparison(now, new, options, storage: storage)
            }.get()
        }
    }

    @Test(arguments: Seeds.several(12)) func designsDifferAsInTheModel(_ seed: UInt64) async throws {
        let log = try Case(seed: seed)
        let storage = MemoryStorage(log.files)
        let report = try await log.compare(log.now, log.new, on: storage)
        let model = ComparisonModel(
            ReplayModel(log.texts, log.now), ReplayModel(log.texts, log.new, thread: log.thread))
        #expect(report.all.changes == model.all)
        for (app, changes) in model.changes {
            let found = report.allApps.first { $0.name == app }
            #expect(found?.changes == changes, "\(app)")
        }
        #expect(report.apps.allSatisfy { $0.isChanged })
        // No file but the outputs is left.
        #expect(
            Set(storage.entries.keys.filter { !$0.hasPrefix("logs") })
                == ["comparison.json", "now.ndjson", "new.ndjson"])
    }

    /// Each side is, byte for byte, what a replay writes, and has its measures.
    @Test(arguments: Seeds.several(8)) func eachSideIsItsReplay(_ seed: UInt64) async throws {
        let log = try Case(seed: seed)
        let storage = MemoryStorage(log.files)
        let report = try await log.compare(log.now, log.new, on: storage)
        let sides: [(ReplayOptions, String, KeyPath<Sides<MeasureRow>, MeasureRow>)] = [
            (log.now, "now.ndjson", \.now), (log.new, "new.ndjson", \.new),
        ]
        for (options, name, side) in sides {
            var options = options
            (options.order, options.output) = (.key, "alone.ndjson")
            let statistics = try await run(options, on: storage).get()
            #expect(storage["alone.ndjson"] == storage[name], "\(name)")
            let found = name == "now.ndjson" ? report.statistics.now : report.statistics.new
            var expected = statistics
            (expected.people, expected.withoutDevice) = (found.people, found.withoutDevice)
            #expect(expected.comparable == found.comparable)
            options.output = "measures.ndjson"
            let measures = try await run { [options] () throws(ReplayError) -> any Job<MeasureReport> in
                try Measures(options, MeasureOptions(), storage: storage)
            }.get()
            for row in measures.rows {
                let app = row.app.map { name in report.allApps.first { $0.name == name } } ?? report.all
                guard let other = app?.measures.first(where: { $0.now.measure == row.measure }) else {
                    // What cannot differ is left out.
                    #expect(row.measure.index < Measure.firstOfScreen && !log.measuresAll)
                    continue
                }
                let differs = other[keyPath: side].differs(from: row)
                #expect(!differs, "\(row.app ?? "all") \(row.measure)")
            }
        }
    }

    /// Mappings whose records follow from native ones.
    private static let rules = [
        #"{"pointer":"/payload/aps/thread-id","separator":"-","part":0}"#,
        #"{"pointer":"/payload/aps/thread-id","separator":"/","part":1}"#, #""/payload/aps/category""#,
        #"{"pointer":"/payload/aps/category","separator":"_","part":1}"#, #"{"constant":"all"}"#,
        #""/payload/aps/thread-id""#,
    ]

    private static func lines(_ text: [UInt8]) -> Set<String> {
        Set(text.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) })
    }

    /// Records that get another thread once they are decoded are those that a replay reads by the mapping: in all forms and
    /// shapes, also if they do not fit into the parts of a chunk.
    @Test(arguments: Seeds.several(10)) func threadsByARuleAreThoseOfTheMapping(_ seed: UInt64) async throws {
        var log = try Case(seed: seed)
        log.new = log.now
        let rule = log.random.pick(Self.rules)
        log.new.input = try Case.input(threads: rule)
        for path in [\Case.now, \Case.new] {
            log[keyPath: path].threads = log.random.pick([1, 3])
            log[keyPath: path].partBytes = log.random.pick([1, 300, 100_000])
        }
        #expect(log.new.input.threadRule(from: log.now.input) != nil || !log.now.input.readsNative)
        let storage = MemoryStorage(log.files)
        let report = try await log.compare(log.now, log.new, on: storage)
        for (options, name, found) in [
            (log.now, "now.ndjson", report.statistics.now), (log.new, "new.ndjson", report.statistics.new),
        ] {
            var options = options
            (options.order, options.output) = (.key, "alone.ndjson")
            var statistics = try await run(options, on: storage).get()
            let (alone, side) = (
                Self.lines(try #require(storage["alone.ndjson"])), Self.lines(try #require(storage[name]))
            )
            #expect(alone.subtracting(side) == [], "\(name) \(rule)")
            #expect(side.subtracting(alone) == [], "\(name) \(rule)")
            #expect(storage["alone.ndjson"] == storage[name], "\(name) \(rule)")
            (statistics.people, statistics.withoutDevice) = (found.people, found.withoutDevice)
            #expect(statistics.comparable == found.comparable, "\(rule)")
        }
    }

    @Test(arguments: Seeds.several(8)) func exchangedDesignsMirror(_ seed: UInt64) async throws {
        let log = try Case(seed: seed)
        let report = try await log.compare(log.now, log.new, on: MemoryStorage(log.files))
        var (now, new) = (log.new, log.now)
        // What the designs have in common is taken from the first one.
        new.spillsAlways = now.spillsAlways
        now.locked = log.now.locked
        let mirrored = try await log.compare(now, new, on: MemoryStorage(log.files))
        func mirror(_ changes: GroupChanges) -> GroupChanges {
            var mirror = changes
            mirror.groups = Sides(now: changes.groups.new, new: changes.groups.now)
            mirror.notifications = Sides(now: changes.notifications.new, new: changes.notifications.now)
            mirror.only = Sides(now: changes.only.new, new: changes.only.now)
            (mirror.split, mirror.merged) = (changes.merged, changes.split)
            // The group that is kept may be of another app.
            return mirror
        }
        #expect(mirror(mirrored.all.changes) == report.all.changes)
        #expect(mirrored.all.leading == report.all.leading)
        #expect(mirrored.all.summaries == report.all.summaries)
        #expect(mirrored.apps.map(\.name) == report.apps.map(\.name))
        let (people, others) = (try #require(report.people), try #require(mirrored.people))
        #expect(people.count == others.count)
        #expect(people.groups.more == others.groups.fewer)
        #expect(people.banners.fewer == others.banners.more)
    }

    /// The report does not depend on how the work is divided: over threads, into chunks and parts of them, and in memory or on
    /// disk.
    @Test(arguments: Seeds.several(8)) func theDivisionOfWorkChangesNothing(_ seed: UInt64) async throws {
        let log = try Case(seed: seed)
        var reports: [[UInt8]?] = []
        for (threads, partBytes, spillsAlways) in [
            (1, 100_000, false), (7, 1, false), (2, 300, false), (3, 1, true),
        ] {
            var (now, new) = (log.now, log.new)
            (now.threads, now.partBytes, now.spillsAlways) = (threads, partBytes, spillsAlways)
            (new.threads, new.partBytes, new.spillsAlways) = (threads, partBytes, spillsAlways)
            let storage = MemoryStorage(log.files)
            _ = try await log.compare(now, new, on: storage)
            reports.append(storage["comparison.json"])
        }
        #expect(reports[0] != nil && reports.allSatisfy { $0 == reports[0] })
    }

    /// A comparison of partial comparisons, each of some of the sources, is that of all sources: with merges in between,
    /// spilled or not.
    @Test(arguments: Seeds.several(10)) func partialComparisonsGiveTheComparison(_ seed: UInt64) async throws
    {
        var log = try Case(seed: seed)
        let storage = MemoryStorage(log.files)
        _ = try await log.compare(log.now, log.new, on: storage)
        let whole = try #require(storage["comparison.json"])
        var options = ComparisonOptions()
        (options.format, options.measuresAll) = (.json, log.measuresAll)
        var parts: [String] = []
        var rest = log.texts.map(\.path)[...]
        while !rest.isEmpty {
            let count = 1 + log.random.below(rest.count)
            var (now, new) = (log.now, log.new)
            (now.sources, new.sources) = (Array(rest.prefix(count)), [])
            options.partial = "part-\(parts.count)" + log.random.pick(["", ".gz"])
            let written = try await run {
                [now, new, options] () throws(ReplayError) -> any Job<ComparisonReport> in
                try Comparison(now, new, options, storage: storage)
            }.get()
            #expect(written.statistics.now.sources == count)
            parts.append(options.partial ?? "")
            rest = rest.dropFirst(count)
        }
        if log.random.chance(50) {
            let first = Array(parts.prefix(1 + log.random.below(parts.count)))
            options.partial = "merged"
            _ = try await merge(first, log, options, on: storage).get()
            parts = ["merged"] + parts.dropFirst(first.count)
        }
        options.partial = nil
        options.output = "merged.json"
        _ = try await merge(parts, log, options, on: storage).get()
        let found = try #require(storage["merged.json"])
        #expect(String(decoding: found, as: UTF8.self) == String(decoding: whole, as: UTF8.self))
        let outputs = ["comparison.json", "now.ndjson", "new.ndjson", "merged.json"]
        #expect(
            storage.entries.keys.filter { path in
                !outputs.contains(path) && !["logs", "part-", "merged"].contains { path.hasPrefix($0) }
            } == [])
    }

    private func merge(
        _ files: [String], _ log: Case, _ options: ComparisonOptions, on storage: MemoryStorage
    ) async throws -> Result<ComparisonReport, ReplayError> {
        await run { () throws(ReplayError) -> any Job<ComparisonReport> in
            try ComparisonMerge(files, log.now, log.new, options, storage: storage)
        }
    }

    /// Notifications that are not grouped are distinct also if they have the same line number in different sources.
    @Test func ungroupedNotificationsOfSourcesAreDistinct() async throws {
        var now = ReplayOptions(sources: ["logs"])
        now.settings.apps["a", default: AppSettings()].grouping = .off
        var new = now
        let mapping = #"{"fields":{"payload/aps/thread-id":{"constant":"all"}}}"#
        new.input = try LogInput(json: Array(mapping.utf8), file: "threads.json")
        var files: [String: MemoryStorage.Entry] = ["logs": .folder]
        for index in 0..<4 {
            let line =
                "{\"app\":\"a\",\"ts\":\(index),\"aps\":{\"alert\":\"x\",\"thread-id\":\"\(index)\"}}\n"
            files["logs/\(index)"] = .file(Array(line.utf8))
        }
        var options = ComparisonOptions()
        options.output = "comparison.txt"
        let report = try await run {
            [now, new, options] () throws(ReplayError) -> any Job<ComparisonReport> in
            try Comparison(now, new, options, storage: MemoryStorage(files))
        }.get()
        #expect(report.all.groups == Sides(now: 4, new: 4))
        #expect(report.all.kept == 4 && report.all.merged == 0 && report.all.split == 0)
    }

    @Test(arguments: Seeds.several(8)) func equalDesignsAreEmpty(_ seed: UInt64) async throws {
        let log = try Case(seed: seed)
        for design in [log.now, log.new] {
            let report = try await log.compare(design, design, on: MemoryStorage(log.files))
            #expect(report.isEqual)
            #expect(report.apps.isEmpty && report.examples.isEmpty && report.screens.isEmpty)
            #expect(report.all.kept == report.all.groups.now)
        }
    }

    /// The people with more and fewer groups and banners are those whose values differ in two measurements.
    @Test(arguments: Seeds.several(6)) func peopleAreCounted(_ seed: UInt64) async throws {
        let log = try Case(seed: seed)
        let storage = MemoryStorage(log.files)
        let report = try await log.compare(log.now, log.new, on: storage)
        var values: [[String: (groups: UInt64, banners: UInt64)]] = []
        for design in [log.now, log.new] {
            var measures = MeasureOptions()
            measures.division = .none
            let people = PeopleValues()
            measures.receivePerson = { people.add($0, $1) }
            var options = design
            options.output = "measures.ndjson"
            _ = try await run { [options, measures] () throws(ReplayError) -> any Job<MeasureReport> in
                try Measures(options, measures, storage: storage)
            }.get()
            values.append(people.all)
        }
        let names = Set(values.flatMap(\.keys))
        func count(
            _ isCounted: ((groups: UInt64, banners: UInt64), (groups: UInt64, banners: UInt64)) -> Bool
        ) -> UInt64 {
            UInt64(names.count { isCounted(values[0][$0] ?? (0, 0), values[1][$0] ?? (0, 0)) })
        }
        let people = try #require(report.people)
        let groups = (more: count { $1.groups > $0.groups }, fewer: count { $1.groups < $0.groups })
        let banners = (more: count { $1.banners > $0.banners }, fewer: count { $1.banners < $0.banners })
        #expect(people.count == UInt64(names.count))
        #expect((people.groups.more, people.groups.fewer) == groups)
        #expect((people.banners.more, people.banners.fewer) == banners)
    }
}

/// Collects the groups and banners of people.
private final class PeopleValues: Sendable {
    private let values = Mutex<[String: (groups: UInt64, banners: UInt64)]>([:])

    var all: [String: (groups: UInt64, banners: UInt64)] { values.withLock(\.self) }

    func add(_ device: [UInt8], _ totals: [UInt64]) {
        values.withLock {
            $0[String(decoding: device, as: UTF8.self)] = (
                totals[Measure.groups.index], totals[Measure.banners.index]
            )
        }
    }
}
