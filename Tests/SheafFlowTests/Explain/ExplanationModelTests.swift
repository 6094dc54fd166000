import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// Explanations of random logs compared with the model, and with replays (specification §21).
@Suite struct ExplanationModelTests {
    private struct Log {
        var options: ReplayOptions
        var lines: [[[UInt8]]]
        var random: SeededGenerator

        init(seed: UInt64) throws {
            var generator = LogGenerator(seed: seed)
            let lines = generator.lines(100)
            options = try generator.options()
            options.sources = ["logs"]
            options.output = "out.ndjson"
            options.order = .key
            options.appliesRemovals = seed % 4 != 0
            LogGenerator.addDelivery(to: &options, seed: seed)
            LogGenerator.addDecisions(to: &options, seed: seed)
            options.byDevice = true
            random = SeededGenerator(seed: seed &* 83 &+ 11)
            options.profile = random.pick(Profile.allCases)
            options.threads = random.pick([1, 2])
            options.chunkBytes = random.pick([1, 300, 8_192])
            self.lines = LogFiles.split(lines, 1 + random.below(3), &random)
        }

        var files: [String: MemoryStorage.Entry] {
            var files: [String: MemoryStorage.Entry] = ["logs": .folder]
            for (name, text) in texts { files[name] = .file(text) }
            return files
        }

        var texts: [(path: String, text: [UInt8])] {
            lines.enumerated().map { index, lines in
                ("logs/\(index)", Array(lines.map { $0 + [UInt8(ascii: "\n")] }.joined()))
            }
        }

        func explain(_ device: String) async throws -> Explanation {
            let storage = MemoryStorage(files)
            var options = options
            options.byDevice = false
            return try await run { [options] () throws(ReplayError) -> any Job<Explanation> in
                try Explainer(options, Question(device: device), storage: storage)
            }.get()
        }
    }

    private static let devices = ["d1", "d2", "d3"]

    @Test(arguments: Seeds.several(12)) func causesAreThoseOfTheModel(_ seed: UInt64) async throws {
        let log = try Log(seed: seed)
        let model = ReplayModel(log.texts, log.options)
        for device in Self.devices {
            let explanation = try await log.explain(device)
            for record in explanation.records where record.kind == "push" {
                let expected = Self.cause(of: record, in: model, log.texts)
                #expect(record.cause == expected, "\(device) \(record.place)")
            }
            let shown = explanation.records.filter { $0.cause == .shown }.count
            #expect(shown == model.delivered.count { $0.device == device })
        }
    }

    /// Returns the fate of a push in the model.
    private static func cause(
        of record: Explanation.Record, in model: ReplayModel, _ texts: [(path: String, text: [UInt8])]
    ) -> Explanation.Cause {
        let source = model.paths.firstIndex(of: record.source) ?? -1
        func isIt(_ other: RecordModel) -> Bool { other.source == source && other.line == Int(record.line) }
        if model.delivered.contains(where: isIt) { return .shown }
        if model.refusedPushes.contains(where: isIt) { return .refused }
        guard let push = model.notifications.first(where: isIt) else {
            let line = ReplayModel.split(texts[source].text)[Int(record.line) - 1]
            let other = RecordModel(line, source: source, line: Int(record.line))
            if other.outcome == .silent { return .silent }
            return other.isRefusedSilent ? .refused : .repeated
        }
        let isReplaced =
            !push.collapse.isEmpty
            && model.notifications.contains { other in
                other.device == push.device && other.app == push.app && other.collapse == push.collapse
                    && push.isOlder(than: other)
            }
        if isReplaced { return .replaced }
        let shown = push.modified(by: model.results)
        guard model.tracksDelivery else { return .removed }
        guard let effect = model.effect(on: shown) else { return .suppressed }
        return effect.isQuiet && model.options.locked ? .quiet : .removed
    }

    /// The causes add up to the statistics, which are those of a replay of the person, and the groups are its groups.
    @Test(arguments: Seeds.several(8)) func theScreenIsThatOfAReplay(_ seed: UInt64) async throws {
        let log = try Log(seed: seed)
        for device in Self.devices {
            let explanation = try await log.explain(device)
            var options = log.options
            options.onlyDevices = [device]
            let storage = MemoryStorage(log.files)
            let statistics = try await run(options, on: storage).get()
            let lines = (storage["out.ndjson"] ?? []).split(separator: UInt8(ascii: "\n")).map {
                Array($0) + [10]
            }
            #expect(Set(explanation.groups.map(\.line)) == Set(lines))
            #expect(explanation.groups.count == lines.count)
            #expect(explanation.statistics.comparable == statistics.comparable)
            let counts = Dictionary(uniqueKeysWithValues: explanation.counts.map { ($0.cause, $0.count) })
            #expect(counts[.shown] ?? 0 == statistics.grouped)
            #expect(counts[.replaced] ?? 0 == statistics.updated)
            #expect(counts[.silent] ?? 0 == statistics.silent)
            #expect(counts[.refused] ?? 0 == statistics.refused?.total ?? 0)
            #expect(counts[.repeated] ?? 0 == statistics.repeated ?? 0)
            #expect(counts[.removed] ?? 0 == statistics.removals?.removed ?? 0)
            #expect(counts[.suppressed] ?? 0 == statistics.delivery?.suppressed ?? 0)
            #expect(counts[.quiet] ?? 0 == statistics.delivery?.quiet ?? 0)
            #expect(UInt64(explanation.records.count) == counts.values.reduce(0, +))
            for group in explanation.groups {
                #expect(UInt64(group.notifications.count) == group.snapshot.count)
                #expect(group.notifications.first?.shown == group.snapshot.leading)
                #expect(group.summary?.text == group.snapshot.summary?.text)
                let arguments = group.summary.map { $0.arguments.map(\.text) } ?? []
                #expect(arguments == group.snapshot.arguments)
                let weights = group.notifications.reduce(UInt64(0)) { $0 + $1.weight }
                #expect(weights == group.snapshot.total)
            }
        }
    }

    /// Without the line that is named as the cause, another one is, or the record is on screen.
    @Test(arguments: Seeds.several(6)) func theNamedLineIsTheCause(_ seed: UInt64) async throws {
        var log = try Log(seed: seed)
        for device in Self.devices {
            let explanation = try await log.explain(device)
            let caused = explanation.records.filter { $0.by != nil }.shuffled(using: &log.random).prefix(6)
            for record in caused {
                guard let by = record.by, let source = Int(by.source.dropFirst("logs/".count)) else {
                    continue
                }
                var other = log
                other.lines[source][Int(by.line) - 1] = []
                let changed = try await other.explain(device).records.first { $0.place == record.place }
                #expect(changed?.cause != record.cause || changed?.by != record.by, "\(record.place)")
            }
        }
    }
}
