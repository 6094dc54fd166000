import Foundation
import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Live snapshots of a run that crashes at any operation and resumes: none is written twice, and none is left out.
@Suite(.serialized, .tags(.extended)) struct StreamCheckpointTests {
    private static let folder = "checkpoint"
    private static let output = RandomLog.outputs[0]

    /// Options with live snapshots and checkpoints. What is late depends on the records of a source alone.
    private static func options(_ log: RandomLog, _ random: inout SeededGenerator) -> ReplayOptions {
        var options = log.randomOptions(&random)
        options.every = Timeline(step: random.pick([100, 250, 900, 1_700]), offset: random.pick([0, 300]))
        options.lateness = random.pick([0, 300, 700, 1_500, 4_000_000_000_000])
        options.emit = random.chance(30) ? .all : .changes
        options.top = random.chance(20) ? 1 + random.below(3) : nil
        options.memory = nil
        options.stateBytes = nil
        options.format = random.pick([.ndjson, .ndjson, .json, .csv, .text(TextStyle())])
        options.checkpoint = folder
        options.checkpointChunks = 1 + random.below(3)
        options.chunkBytes = random.pick([1, 300, 700])
        if random.chance(50) {
            // Half of the records are from the future.
            options.clock.present = { 1_700_000_001_000 }
            options.maximumAhead = random.pick([1, 500, 1_500])
        }
        return options
    }

    /// The snapshots and the statistics of a run without checkpoints.
    private static func expected(
        _ log: RandomLog, _ options: ReplayOptions
    ) async throws -> (snapshots: String, statistics: String) {
        var options = options
        options.checkpoint = nil
        options.checkpointChunks = nil
        let storage = log.storage()
        _ = try await run(options, on: storage).get()
        return (RandomLog.text(storage[output]), RandomLog.statistics(storage))
    }

    @Test(arguments: Seeds.several(8)) func aRunResumesAfterRepeatedCrashes(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed &* 7 &+ 1)
        let log = try RandomLog(
            seed: seed &+ 500, lines: 40 + random.below(120), files: 1, identifiers: seed % 2 == 0 ? 2 : nil)
        let options = Self.options(log, &random)
        let expected = try await Self.expected(log, options)
        var storage = log.storage()
        for _ in 0..<(1 + random.below(4)) {
            let moment = Moment(after: random.below(random.pick([40, 200, 800])))
            _ = await run(options, on: InterceptedStorage(storage, at: moment, .crashes))
            storage = storage.restarted(losing: random.pick(MemoryStorage.Loss.allCases), &random)
        }
        _ = try await run(options, on: storage).get()
        #expect(RandomLog.text(storage[Self.output]) == expected.snapshots)
        #expect(RandomLog.statistics(storage) == expected.statistics)
        #expect(!storage.paths.contains { $0.hasPrefix(Self.folder + "/") })
    }

    @Test func aRunResumesAfterACrashAtAnyOperation() async throws {
        var random = SeededGenerator(seed: 8)
        let log = try RandomLog(seed: 8, lines: 16, files: 1)
        var options = Self.options(log, &random)
        (options.checkpointChunks, options.chunkBytes, options.lateness) = (1, 600, 0)
        try await check(options, log.storage, &random)
    }

    /// The update and the removal of a notification that is alone come after its snapshot: the line of the next one is
    /// that it vanished.
    @Test func whatCameSinceTheLastSnapshotIsKept() async throws {
        var random = SeededGenerator(seed: 1)
        let lines = [
            #"{"app":"a","ts":1,"collapse-id":"c","aps":{"alert":"1"}}"#,
            #"{"app":"a","ts":1,"id":"x","aps":{"alert":"1"}}"#, #"{"app":"b","ts":3.5,"aps":{"alert":"2"}}"#,
            #"{"app":"a","ts":1.5,"collapse-id":"c","aps":{"alert":"3"}}"#,
            #"{"event":"settings","app":"a","ts":0.5,"delivery":"off"}"#,
            #"{"event":"settings","app":"a","ts":0.6,"delivery":"quiet"}"#,
            #"{"event":"removed","app":"a","ts":1.6,"ids":["c"]}"#,
            #"{"app":"b","ts":9,"aps":{"alert":"4"}}"#,
        ]
        var options = ReplayOptions(sources: ["log"])
        options.settings = try Settings(json: Array(#"{"apps":{"a":{"grouping":"off"}}}"#.utf8), file: "c")
        (options.output, options.statistics, options.threads) = (Self.output, "out/stats", 1)
        (options.delivery, options.appliesRemovals) = (true, true)
        (options.every, options.lateness) = (Timeline(step: 1_000), 0)
        (options.checkpoint, options.checkpointChunks, options.chunkBytes) = (Self.folder, 1, 1)
        let text = Array(lines.map { $0 + "\n" }.joined().utf8)
        try await check(options, { MemoryStorage(files: ["log": text], folders: ["out"]) }, &random)
    }

    /// Crashes at each operation, and resumes.
    private func check(
        _ options: ReplayOptions, _ newStorage: () -> MemoryStorage, _ random: inout SeededGenerator
    ) async throws {
        var whole = options
        (whole.checkpoint, whole.checkpointChunks) = (nil, nil)
        let storage = newStorage()
        _ = try await run(whole, on: storage).get()
        let expected = (RandomLog.text(storage[Self.output]), RandomLog.statistics(storage))
        var (number, resumed) = (0, 0)
        while true {
            let moment = Moment(after: number)
            var storage = newStorage()
            _ = await run(options, on: InterceptedStorage(storage, at: moment, .crashes))
            guard moment.event != nil else { break }
            let losses = MemoryStorage.Loss.allCases
            storage = storage.restarted(losing: losses[number % losses.count], &random)
            if storage.paths.contains(where: { $0.hasPrefix("\(Self.folder)/checkpoint-") }) { resumed += 1 }
            _ = try await run(options, on: storage).get()
            #expect(RandomLog.text(storage[Self.output]) == expected.0, "after operation \(number)")
            #expect(RandomLog.statistics(storage) == expected.1, "after operation \(number)")
            number += 1
        }
        #expect(resumed > 10)
    }

    /// A pipe has received what was written before a crash. If the run is killed between writing there and noting it, the
    /// last piece is repeated, but nothing is left out.
    @Test(arguments: Seeds.several(6)) func aPipeReceivesEachSnapshotOnce(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed &* 11 &+ 5)
        let log = try RandomLog(seed: seed &+ 900, lines: 40 + random.below(80), files: 1)
        var options = Self.options(log, &random)
        options.format = .ndjson
        options.statistics = nil
        let file = try await Self.expected(log, options).snapshots
        let expected = Array(file.utf8)
        options.output = "pipe"
        var entries = log.files.mapValues { MemoryStorage.Entry.file($0) }
        entries["pipe"] = .device([])
        for folder in ["logs", "out"] { entries[folder] = .folder }
        var storage = MemoryStorage(entries)
        let moment = Moment(after: random.below(300))
        let intercepted = InterceptedStorage(storage, at: moment, .crashes)
        _ = await run(options, on: intercepted)
        storage = storage.restarted()
        _ = try await run(options, on: storage).get()
        let found = storage["pipe"] ?? []
        let repeated = found.count - expected.count
        let common = zip(found, expected).prefix { $0 == $1 }.count
        #expect(repeated >= 0)
        #expect(Array(found.dropFirst(common + max(0, repeated))) == Array(expected.dropFirst(common)))
        guard let event = moment.event, !event.path.hasSuffix(CheckpointNames.snapshots) else { return }
        // Sources are read at the same time: their operations may come between writing to the pipe and noting it.
        let last = intercepted.events.last {
            $0.path == "pipe" || $0.path.hasSuffix(CheckpointNames.snapshots)
        }
        if last?.path != "pipe" || event.path == "pipe" { #expect(repeated == 0, "\(event)") }
    }

    @Test func anotherStyleIsRefused() async throws {
        var random = SeededGenerator(seed: 2)
        let log = try RandomLog(seed: 2, lines: 60, files: 1)
        var options = Self.options(log, &random)
        (options.format, options.chunkBytes) = (.ndjson, 300)
        let storage = log.storage()
        _ = await run(options, on: InterceptedStorage(storage, at: Moment(after: 120), .crashes))
        let left = storage.restarted()
        #expect(left.paths.contains { $0.hasPrefix("\(Self.folder)/checkpoint-") })
        let changes: [(inout ReplayOptions) -> Void] = [
            { $0.format = .csv }, { $0.emit = $0.emit == .all ? .changes : .all }, { $0.top = 7 },
            { $0.lateness = nil },
        ]
        for change in changes {
            var other = options
            change(&other)
            let result = await run(other, on: left.restarted())
            guard case .failure(.usage(let message)) = result else {
                Issue.record("not refused")
                continue
            }
            #expect("\(message)".hasPrefix("the checkpoint in 'checkpoint' belongs to another run: "))
        }
    }
}
