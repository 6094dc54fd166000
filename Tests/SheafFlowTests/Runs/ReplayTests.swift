import Foundation
import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Whole replays compared with the model: the same bytes, however the work is split (specification, first paragraph).
@Suite(.serialized, .tags(.spilling)) struct ReplayTests {
    /// How the work is split, which must not affect the result.
    struct Split: NamedCase {
        let threads: Int
        let chunkBytes: Int
        /// The size of the parts in which a chunk is decoded; nil for the default.
        var partBytes: Int?

        var name: String {
            "\(threads) threads, chunks of \(chunkBytes)" + (partBytes.map { " in parts of \($0)" } ?? "")
        }
    }

    static let splits = [1, 2, 7].flatMap { threads in
        [1, 37, 4_096, Limits.chunkBytes].map { Split(threads: threads, chunkBytes: $0) }
            + [1, 300, 1_000].map { Split(threads: threads, chunkBytes: 8_192, partBytes: $0) }
    }

    /// Random lines in random files with random options, and their expected results.
    struct Log {
        var options: ReplayOptions
        let model: ReplayModel
        let snapshot: String
        /// The sources, before outputs are written.
        let files: [String: MemoryStorage.Entry]
        let bytesRead: Int
        let bytesInflated: Int

        init(seed: UInt64, lines count: Int = 120, files fileCount: Int? = nil) throws {
            var generator = LogGenerator(seed: seed)
            let lines = generator.lines(count)
            options = try generator.options()
            options.appliesRemovals = seed % 3 != 0
            LogGenerator.addDelivery(to: &options, seed: seed)
            LogGenerator.addDecisions(to: &options, seed: seed)
            var random = generator.random
            var texts: [(path: String, text: [UInt8])] = []
            var entries: [String: MemoryStorage.Entry] = ["logs": .folder]
            let parts = LogFiles.split(lines, fileCount ?? 1 + random.below(4), &random)
            for (index, lines) in parts.enumerated() {
                // Names whose byte order is the order of the files, despite their unusual characters.
                let path = "logs/\(String(UnicodeScalar(UInt8(48 + index)))) \"é\".log"
                let text = LogFiles.text(lines, &random)
                texts.append((path, text))
                entries[path] = .file(random.chance(40) ? LogFiles.members(text, &random) : text)
            }
            model = ReplayModel(texts, options)
            snapshot = model.snapshot
            files = entries
            bytesInflated = texts.reduce(0) { $0 + $1.text.count }
            let storage = MemoryStorage(entries)
            bytesRead = texts.reduce(0) { $0 + (storage[$1.path]?.count ?? 0) }
            options.sources = ["logs"]
            options.output = "out.ndjson"
            options.rejects = "rejects.ndjson"
            options.statistics = "stats.json"
        }
    }

    private func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

    private func check(_ log: Log, _ split: Split) async throws {
        var options = log.options
        options.threads = split.threads
        options.chunkBytes = split.chunkBytes
        options.partBytes = split.partBytes
        let storage = MemoryStorage(log.files)
        let statistics = try await run(options, on: storage).get()
        expectLines(text(storage["out.ndjson"]), log.snapshot, split)
        expectLines(text(storage["rejects.ndjson"]), log.model.rejects, split)
        check(statistics, log)
        #expect(storage["stats.json"] == statistics.json())
        #expect(storage.openFiles == 0)
        let left = storage.entries.keys.filter { !$0.hasPrefix("logs") }
        #expect(Set(left) == ["out.ndjson", "rejects.ndjson", "stats.json"])
    }

    /// The first differing line is easier to read than two whole texts.
    private func expectLines(_ found: String, _ expected: String, _ split: Split) {
        guard Array(found.utf8) != Array(expected.utf8) else { return }
        let lines = (found.components(separatedBy: "\n"), expected.components(separatedBy: "\n"))
        let first = zip(lines.0, lines.1).first { $0 != $1 }
        #expect(first?.0 == first?.1)
        #expect(lines.0.count == lines.1.count)
        Issue.record("differs from the model with \(split.name)")
    }

    private func check(_ statistics: Statistics, _ log: Log) {
        let model = log.model
        #expect(statistics.sources == model.paths.count)
        #expect(statistics.bytesRead == UInt64(log.bytesRead))
        #expect(statistics.bytesInflated == UInt64(log.bytesInflated))
        #expect(statistics.lines == UInt64(model.lines))
        #expect(statistics.blank == UInt64(model.blank))
        #expect(statistics.silent == UInt64(model.silent))
        let refused = statistics.refused?.counts.map { ($0.reason ?? "", $0.count) } ?? []
        #expect(Dictionary(uniqueKeysWithValues: refused) == model.refused)
        #expect(statistics.refused?.total ?? 0 == model.refused.values.reduce(0, +))
        let (unique, applies) = (model.options.unique, model.options.appliesOutcomes)
        #expect(statistics.repeated == (unique ? UInt64(model.repeated) : nil))
        #expect(statistics.outcomes == (applies ? UInt64(model.outcomes.count) : nil))
        #expect(statistics.outcomesIgnored == UInt64(model.outcomesIgnored))
        #expect(statistics.untimed == UInt64(model.untimed))
        let hasWindow = log.model.options.since != nil || log.model.options.until != nil
        #expect(
            statistics.outsideWindow
                == (hasWindow ? .init(earlier: UInt64(model.earlier), later: UInt64(model.later)) : nil))
        #expect(statistics.updated == UInt64(model.updated))
        let removals = UInt64(model.removals.count)
        if log.model.options.appliesRemovals {
            #expect(statistics.removals == .init(applied: removals, removed: UInt64(model.removed)))
        } else {
            #expect(statistics.removals == nil && statistics.removalsIgnored == removals)
        }
        let settings = UInt64(model.settings.count)
        if model.tracksDelivery {
            let expected = Statistics.Delivery(
                settings: settings, suppressed: UInt64(model.suppressed),
                quiet: model.quiet > 0 ? UInt64(model.quiet) : nil, banners: UInt64(model.banners),
                sounds: UInt64(model.sounds), modified: UInt64(model.results.count),
                expired: UInt64(model.expired))
            #expect(statistics.delivery == expected)
        } else {
            #expect(statistics.delivery == nil && statistics.settingsIgnored == settings)
            #expect(statistics.modificationsIgnored == UInt64(model.resultsIgnored))
        }
        #expect(statistics.responses == model.responseStatistics)
        #expect(statistics.badges == model.badgeStatistics)
        #expect(statistics.grouped == UInt64(model.delivered.count))
        #expect(statistics.groups == UInt64(model.groups.count))
        let rejected = statistics.rejected.map { ("\($0.reason.name)", Int($0.count)) }
        #expect(Dictionary(uniqueKeysWithValues: rejected) == model.rejected)
        let findings = statistics.findings.map { ("\($0.finding.name)", Int($0.count)) }
        #expect(Dictionary(uniqueKeysWithValues: findings) == model.findings)
        #expect(statistics.sourceErrors.isEmpty)
        #expect(!statistics.outputWasClosed)
        #expect(statistics.lines == statistics.blank + statistics.linesRead)
        #expect(statistics.linesRead == statistics.records)
        #expect(statistics.otherPlatform == 0)
        let parts = statistics.grouped + statistics.updated + statistics.silent + statistics.rejectedTotal
        let results = model.results.count + model.expired + model.resultsIgnored
        let others =
            model.removed + model.suppressed + model.quiet + model.responses.count + results + model.repeated
            + model.outcomes.count + model.outcomesIgnored
        let refusals = model.refused.values.reduce(0, +)
        #expect(statistics.records == parts + removals + settings + UInt64(others) + refusals)
        let firstReject = model.rejects.split(separator: "\n").first
        #expect((statistics.firstReject == nil) == (firstReject == nil))
        if let reject = statistics.firstReject, let firstReject {
            let start = "{\"source\":\(jsonString(reject.source)),\"line\":\(reject.line),"
            #expect(firstReject.hasPrefix("\(start)\"reason\":\"\(reject.reason.name)\""))
        }
    }

    @Test(arguments: Seeds.several(2))
    func outputsMatchTheModel(_ seed: UInt64) async throws {
        let log = try Log(seed: seed)
        for split in Self.splits { try await check(log, split) }
    }

    @Test(arguments: Seeds.several(24))
    func outputsOfManyLogsMatchTheModel(_ seed: UInt64) async throws {
        let log = try Log(seed: seed &+ 10_000, lines: 60)
        try await check(log, Self.splits[Int(seed % UInt64(Self.splits.count))])
    }

    @Test func theLogsCoverEverything() throws {
        var reasons: Set<String> = []
        var findings: Set<String> = []
        var updated = 0
        var removed = 0
        var (suppressed, quiet) = (0, 0)
        var (modified, expired, replaced) = (0, 0, 0)
        var (banners, sounds) = (0, 0)
        var (repeated, refusedLater) = (0, 0)
        var lines = ""
        for seed in 1...100 {
            let log = try Log(seed: UInt64(seed), lines: 150)
            let model = log.model
            reasons.formUnion(model.rejected.keys)
            findings.formUnion(model.findings.keys)
            updated += model.updated
            repeated += model.repeated
            refusedLater += log.model.options.appliesOutcomes ? model.refused.count : 0
            removed += model.removed
            suppressed += model.suppressed
            quiet += model.quiet
            modified += model.results.count
            banners += model.banners - model.delivered.count { $0.delivery.effect?.hasBanner == true }
            sounds += model.sounds - model.delivered.count { $0.delivery.effect?.hasSound == true }
            expired += model.expired
            replaced += model.delivered.count { !$0.extensionResult.position.isEmpty }
            lines += log.snapshot
        }
        // These logs have no mapping.
        let possible = RejectReason.allCases.filter { $0 != .inputUnmatched }
        #expect(reasons == Set(possible.map { "\($0.name)" }))
        #expect(findings.count > 4)
        #expect(updated > 50)
        #expect(repeated > 50)
        #expect(refusedLater > 50)
        #expect(removed > 50)
        #expect(suppressed > 50)
        #expect(quiet > 50)
        #expect(modified > 50)
        #expect(banners > 50 && sounds > 50)
        #expect(expired > 50)
        #expect(replaced > 50)
        for part in [
            "more notifications from ", "more messages from ", " sent ", "more images and ", "% more", "100%",
            "\"argumentsTruncated\":true", "\"summary\":null}", " Images", "\"device\":null", "2147483647",
            "\"banners\":2", "\"sounds\":1", "\"mutable\":1", "\"critical\":2",
        ] {
            #expect(lines.contains(part), "no log shows \(part)")
        }
    }

    @Test(arguments: [1, 2, 7])
    func outputsOfFortySmallFilesMatchTheModel(_ threads: Int) async throws {
        try await check(Log(seed: 40, lines: 100, files: 40), Split(threads: threads, chunkBytes: 100))
    }

    /// The same records in the same order, distributed over other files: only sources and lines differ.
    @Test(arguments: Seeds.several(4))
    func groupsDoNotDependOnTheSplitIntoFiles(_ seed: UInt64) async throws {
        var generator = LogGenerator(seed: seed)
        let lines = generator.lines(100)
        var options = try generator.options()
        options.output = "out"
        options.threads = 2
        var random = generator.random
        var snapshots: Set<String> = []
        var counts: Set<[UInt64]> = []
        for fileCount in [1, 2, 3, 9] {
            var entries: [String: MemoryStorage.Entry] = [:]
            var input: [UInt8] = []
            options.sources = []
            for (index, part) in LogFiles.split(lines, fileCount, &random).enumerated() {
                let text = LogFiles.text(part, &random)
                if fileCount == 3, index == 1 {
                    input = text
                    options.sources.append("-")
                } else {
                    entries["\(9 - index)"] = .file(text)
                    options.sources.append("\(9 - index)")
                }
            }
            let storage = MemoryStorage(entries, input: input)
            let statistics = try await run(options, on: storage).get()
            let pattern = #/,"source":"[-0-9]","line":\d+/#
            snapshots.insert(text(storage["out"]).replacing(pattern, with: ""))
            counts.insert([
                statistics.lines, statistics.grouped, statistics.updated, statistics.silent,
                statistics.rejectedTotal, statistics.groups, statistics.untimed,
            ])
        }
        #expect(snapshots.count == 1)
        #expect(snapshots.first?.isEmpty == false)
        #expect(counts.count == 1)
    }

    @Test func aCompressedOutputInflatesToTheSnapshot() async throws {
        var log = try Log(seed: 5)
        log.options.output = "out.gz"
        let storage = MemoryStorage(log.files)
        _ = try await run(log.options, on: storage).get()
        let compressed = try #require(storage["out.gz"])
        #expect(compressed.starts(with: [0x1f, 0x8b]))
        var input = SourceInput(MemoryInput(compressed))
        var inflated: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 10_000)
        while true {
            var target = buffer.mutableSpan
            let count = try input.read(into: &target)
            if count == 0 { break }
            inflated += buffer[..<count]
        }
        expectLines(text(inflated), log.snapshot, Self.splits[0])
    }

    @Test(arguments: [[], ["empty"], ["blank"], ["-"], ["empty", "blank", "-"]])
    func emptySourcesGiveAnEmptySnapshot(_ sources: [String]) async throws {
        var options = ReplayOptions(sources: sources)
        options.rejects = "rejects"
        let storage = MemoryStorage(["empty": .file([]), "blank": .file(Array("\n \n".utf8))])
        let statistics = try await run(options, on: storage).get()
        #expect(storage.output.isEmpty)
        #expect(storage["rejects"] == [])
        #expect(statistics.records == 0)
        #expect(statistics.blank == (sources.contains("blank") ? 2 : 0))
        #expect(statistics.groups == 0)
    }

    /// Two sources are damaged: the third one and the records before the damage are used.
    @Test(arguments: [1, 3])
    func recordsBeforeTheDamageAreUsed(_ threads: Int) async throws {
        let record = Array((#"{"app":"a","aps":{"alert":"x"}}"# + "\n").utf8)
        let whole = gzip(record)
        var options = ReplayOptions(sources: ["a", "b", "c"])
        options.threads = threads
        options.statistics = "stats"
        let storage = MemoryStorage([
            "a": .file(whole + Array("garbage".utf8)), "b": .file(record),
            "c": .file(Array(whole.dropLast(3))),
        ])
        let statistics = try await run(options, on: storage).get()
        #expect(statistics.sourceErrors.map(\.source) == ["a", "c"])
        #expect(statistics.sourceErrors.map(\.damage.reason.rawValue) == ["gzip.garbage", "gzip.truncated"])
        #expect(statistics.grouped == 3)
        #expect(text(storage["stats"]).contains(#""sourceErrors":[{"source":"a","reason":"gzip.garbage","#))
    }
}
