import Foundation
import SheafBytes
import SheafGroups
import TestSupport

@testable import SheafFlow

/// A random log in several sources, what a replay shows of it, and what `LiveGroups` does.
struct LiveLog {
    let options: LiveOptions
    let sources: [[UInt8]]

    init(seed: UInt64, lines count: Int, sources sourceCount: Int) throws {
        var generator = LogGenerator(seed: seed)
        let lines = generator.lines(count)
        var replay = try generator.options()
        var random = generator.random
        var options = LiveOptions()
        options.configuration = Configuration(replay.settings, locale: replay.locale)
        options.byDevice = replay.byDevice
        options.order = replay.order
        options.locked = replay.locked
        options.maximumArguments = replay.maximumArguments
        options.maximumLine = replay.maximumLine
        options.delivery = replay.delivery || random.chance(30)
        options.appliesRemovals = seed % 3 != 0
        LogGenerator.addDecisions(to: &replay, seed: seed)
        (options.unique, options.appliesOutcomes) = (replay.unique, replay.appliesOutcomes)
        options.profile = random.chance(20) ? .ios15 : .ios12
        self.options = options
        sources = LogFiles.split(lines, sourceCount, &random).map { LogFiles.text($0, &random) }
    }

    /// The groups and the counts of a replay.
    func replayed() async throws -> (groups: [GroupSnapshot], statistics: Statistics, rejects: [String]) {
        var replay = options.replay
        replay.sources = sources.indices.map { "\($0)" }
        replay.output = "out"
        replay.rejects = "rejects"
        let files = sources.enumerated().map { ("\($0.offset)", MemoryStorage.Entry.file($0.element)) }
        let storage = MemoryStorage(Dictionary(uniqueKeysWithValues: files))
        let statistics = try await run(replay, on: storage).get()
        let rejects = RandomLog.text(storage["rejects"]).split(separator: "\n").compactMap { line in
            line.firstMatch(of: #/"source":"(\d+)","line":(\d+),.*?"reason":"([^"]*)"/#)
                .map { "\($0.1):\($0.2) \($0.3)" }
        }
        return (try Self.groups(storage["out"] ?? []), statistics, rejects.sorted())
    }

    /// Decodes the lines of a snapshot.
    static func groups(_ lines: [UInt8]) throws -> [GroupSnapshot] {
        try lines.split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(GroupSnapshot.self, from: Data($0))
        }
    }

    /// Gives all sources to new groups, a random piece of a random source at a time.
    func live(_ random: inout SeededGenerator) throws -> (groups: LiveGroups, rejects: [String]) {
        let live = try LiveGroups(options)
        var rest = try sources.enumerated().map {
            (source: try live.addSource(named: "\($0.offset)"), bytes: $0.element[...])
        }
        var rejects: [String] = []
        func note(_ found: [LiveReject], of source: LiveSource) {
            rejects += found.map { "\(source.name):\($0.line) \($0.reason.name)" }
        }
        while !rest.isEmpty {
            let index = random.below(rest.count)
            let source = rest[index].source
            if rest[index].bytes.isEmpty {
                note(try source.finish(), of: source)
                rest.remove(at: index)
            } else {
                let piece = Array(rest[index].bytes.prefix(random.pick([1, 5, 100, 3_000])))
                note(try source.append(piece.span), of: source)
                rest[index].bytes = rest[index].bytes.dropFirst(piece.count)
            }
        }
        return (live, rejects.sorted())
    }
}
