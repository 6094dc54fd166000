import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// Measures of random logs compared with the model (specification §19).
@Suite struct MeasureModelTests {
    /// Random lines in random files with random options.
    private struct Log {
        var options = ReplayOptions(sources: ["logs"])
        var measures = MeasureOptions()
        let model: MeasureModel
        let files: [String: MemoryStorage.Entry]

        /// - Parameter decides: whether records may decide other pushes.
        init(seed: UInt64, decides: Bool = true) throws {
            var generator = LogGenerator(seed: seed)
            let lines = generator.lines(120)
            options = try generator.options()
            options.appliesRemovals = seed % 3 != 0
            LogGenerator.addDelivery(to: &options, seed: seed)
            if decides { LogGenerator.addDecisions(to: &options, seed: seed) }
            (options.byDevice, options.locked) = (true, false)
            var random = SeededGenerator(seed: seed &* 73 &+ 5)
            options.profile = random.pick(Profile.allCases)
            options.every = random.pick([nil, Timeline(step: 700), Timeline(step: 1_000, offset: 3_600_000)])
            measures.division = random.pick(MeasureOptions.Division.allCases)
            measures.fold = random.pick([1, 2, 4])
            measures.writesCells = random.chance(30)
            measures.quantiles = ["0.001", "50", "66.667", "100"].compactMap { Quantile($0) }
            var texts: [(path: String, text: [UInt8])] = []
            var entries: [String: MemoryStorage.Entry] = ["logs": .folder]
            for (index, lines) in LogFiles.split(lines, 1 + random.below(4), &random).enumerated() {
                let text = LogFiles.text(lines, &random)
                texts.append(("logs/\(index)", text))
                entries["logs/\(index)"] = .file(text)
            }
            files = entries
            model = MeasureModel(ReplayModel(texts, options), measures, options.every)
            options.sources = ["logs"]
            options.output = "out.ndjson"
        }

        var expected: String { measures.writesCells ? model.cellLines : model.lines }
    }

    private func expectLines(_ found: [UInt8]?, _ expected: String, _ log: Log) {
        let found = String(decoding: found ?? [], as: UTF8.self)
        guard found != expected else { return }
        let lines = (found.split(separator: "\n"), expected.split(separator: "\n"))
        let first = zip(lines.0, lines.1).first { $0 != $1 }
        Issue.record(
            """
            differs from the model per \(log.measures.division), \(lines.0.count) lines, not \(lines.1.count)
            \(first?.0 ?? "")
            \(first?.1 ?? "")
            """)
    }

    @Test(arguments: Seeds.several(12)) func aLogHasTheMeasuresOfTheModel(_ seed: UInt64) async throws {
        let log = try Log(seed: seed)
        var random = SeededGenerator(seed: seed)
        var options = log.options
        options.threads = random.pick([1, 2, 7])
        options.chunkBytes = random.pick([1, 300, 8_192])
        options.spillsAlways = options.spillsAlways || random.chance(30)
        let storage = MemoryStorage(log.files)
        let measures = log.measures
        let report = await run { [options] () throws(ReplayError) -> any Job<MeasureReport> in
            try Measures(options, measures, storage: storage)
        }
        let found = try report.get()
        expectLines(storage["out.ndjson"], log.expected, log)
        #expect(found.rows.isEmpty == (log.measures.writesCells || log.model.lines.isEmpty))
        #expect(found.statistics.withoutDevice == UInt64(log.model.withoutDevice))
        #expect(Set(storage.entries.keys.filter { !$0.hasPrefix("logs") }) == ["out.ndjson"])
    }

    /// Partial results of each source, merged in a random tree.
    @Test(arguments: Seeds.several(12)) func partialResultsGiveTheMeasures(_ seed: UInt64) async throws {
        let log = try Log(seed: seed)
        var random = SeededGenerator(seed: seed)
        let storage = MemoryStorage(log.files)
        var parts: [String] = []
        for source in log.files.keys.filter({ $0 != "logs" }).sorted() {
            var options = log.options
            options.sources = [source]
            options.partial = "part-\(parts.count)"
            parts.append(options.partial ?? "")
            options.measure(log.measures)
            _ = try await run(options, on: storage).get()
        }
        while parts.count > 2 {
            let index = random.below(parts.count - 1)
            var options = ReplayOptions(sources: Array(parts[index...index + 1]))
            options.settings = log.options.settings
            options.partial = "merged-\(parts.count)"
            _ = try await merge(options, on: storage).get()
            parts.replaceSubrange(index...index + 1, with: ["merged-\(parts.count)"])
        }
        var options = ReplayOptions(sources: parts)
        options.settings = log.options.settings
        options.output = "out.ndjson"
        options.measuresOfMerge = log.measures
        _ = try await merge(options, on: storage).get()
        expectLines(storage["out.ndjson"], log.expected, log)
    }

    /// Partial results of each source, cut between people. Each range is measured, and the measures are merged in a random
    /// tree; or the values of people are merged range by range.
    @Test(arguments: Seeds.several(8)) func rangesOfPeopleGiveTheMeasures(_ seed: UInt64) async throws {
        let log = try Log(seed: seed, decides: false)
        var random = SeededGenerator(seed: seed)
        let storage = MemoryStorage(log.files)
        func options(_ sources: [String]) -> ReplayOptions {
            var options = ReplayOptions(sources: sources)
            options.settings = log.options.settings
            options.spillsAlways = random.chance(20)
            options.measuresOfMerge = log.measures
            return options
        }
        var whole = log.options
        whole.output = "whole.ndjson"
        whole.measure(log.measures)
        let expected = try await run(whole, on: storage).get()
        var parts: [String] = []
        for (ordinal, source) in log.files.keys.filter({ $0 != "logs" }).sorted().enumerated() {
            var options = log.options
            options.sources = []
            options.namedSources = [NamedSource(path: source, name: source, ordinal: ordinal)]
            options.partial = "part-\(ordinal)"
            parts.append("part-\(ordinal)")
            options.measure(log.measures)
            _ = try await run(options, on: storage).get()
        }
        let count = 1 + random.below(5)
        var keys = options(parts.shuffled(using: &random))
        keys.output = "ranges"
        try PartialRun(.findRanges(count: count), keys, storage: storage).run()
        for part in parts {
            try PartialRun(
                .split(ranges: "ranges", folder: "of-\(part)"), options([part]), storage: storage
            ).run()
        }
        let ranges = (0..<count).map { range in
            parts.flatMap { part in
                [Slice.Kind.groups, .identities].map { "of-\(part)/\(SliceFiles.name($0, range))" }
            }.shuffled(using: &random)
        }
        var found: [Statistics] = []
        if log.measures.writesCells {
            var text: [UInt8] = []
            for slices in ranges {
                var options = options(slices)
                options.output = "out.ndjson"
                found.append(try await merge(options, on: storage).get())
                text += storage["out.ndjson"] ?? []
            }
            expectLines(text, log.expected, log)
        } else {
            var measures: [String] = []
            for (range, slices) in ranges.enumerated() {
                var options = options(slices)
                options.output = "measures-\(range)"
                measures.append("measures-\(range)")
                try PartialRun(.measure(fold: log.measures.fold), options, storage: storage).run()
            }
            while measures.count > 1, random.chance(60) {
                measures.shuffle(using: &random)
                var options = options(Array(measures.prefix(2)))
                options.partial = "merged-\(measures.count)"
                _ = try await merge(options, on: storage).get()
                measures.replaceSubrange(0..<2, with: ["merged-\(measures.count)"])
            }
            var options = options(measures.shuffled(using: &random))
            options.output = "out.ndjson"
            found.append(try await merge(options, on: storage).get())
            expectLines(storage["out.ndjson"], log.expected, log)
        }
        let counts: [(name: String, of: (Statistics) -> UInt64)] = [
            ("lines", { $0.lines }), ("records", { $0.records }), ("grouped", { $0.grouped }),
            ("updated", { $0.updated }), ("silent", { $0.silent }), ("rejected", { $0.rejectedTotal }),
            ("removed", { $0.removals?.removed ?? 0 }), ("suppressed", { $0.delivery?.suppressed ?? 0 }),
            ("banners", { $0.delivery?.banners ?? 0 }), ("refused", { $0.refused?.total ?? 0 }),
            ("people", { $0.people ?? 0 }), ("without device", { $0.withoutDevice ?? 0 }),
        ]
        for count in counts {
            #expect(found.reduce(0) { $0 + count.of($1) } == count.of(expected), "\(count.name)")
        }
    }

    /// Runs that crash, and resume from their checkpoint.
    @Test(arguments: Seeds.several(8)) func resumedRunsGiveTheMeasures(_ seed: UInt64) async throws {
        let log = try Log(seed: seed)
        var random = SeededGenerator(seed: seed)
        var options = log.options
        options.measure(log.measures)
        options.checkpoint = "checkpoint"
        options.checkpointChunks = 1 + random.below(3)
        options.chunkBytes = random.pick([300, 1_000])
        var storage = MemoryStorage(log.files)
        for _ in 0..<1 + random.below(3) {
            let moment = Moment(after: random.pick([40, 90, 200, 400]))
            _ = await run(options, on: InterceptedStorage(storage, at: moment, .crashes))
            storage = storage.restarted(losing: random.pick(MemoryStorage.Loss.allCases), &random)
        }
        storage = storage.restarted(losing: .nothing, &random)
        _ = try await run(options, on: storage).get()
        expectLines(storage["out.ndjson"], log.expected, log)
    }
}
