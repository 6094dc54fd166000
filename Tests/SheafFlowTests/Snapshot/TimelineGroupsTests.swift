import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Snapshots over time that are made in memory are those that are made of files, whatever pieces their lines are in.
@Suite(.tags(.extended)) struct TimelineGroupsTests {
    private static let start: Int64 = 1_767_571_200_000
    private static let step: Int64 = 60_000

    private static func push(_ app: String, _ thread: Int, at interval: Int, body: String = "b") -> String {
        let time = start + Int64(interval) * step + 1 + Int64(thread)
        return #"{"ts":\#(time),"app":"\#(app)","payload":{"aps":{"category":"C","alert":"\#(body)","#
            + #""thread-id":"\#(10_000 + thread)"}}}"#
    }

    private static func removal(_ app: String, at interval: Int) -> String {
        #"{"event":"removed","app":"\#(app)","ts":\#(start + Int64(interval) * step + 1)}"#
    }

    private static func snapshots(_ log: [String], threads: Int, spills: Bool) async throws -> [String] {
        let storage = MemoryStorage(["log": .file(Array(log.map { $0 + "\n" }.joined().utf8))])
        var options = ReplayOptions(sources: ["log"])
        (options.output, options.threads, options.spillsAlways) = ("out", threads, spills)
        (options.every, options.appliesRemovals) = (Timeline(step: step), true)
        options.settings = try Settings(
            json: Array(
                #"{"apps":{"hidden":{"showPreviews":"never","categories":{"C":{"categorySummaryFormat":"%u hidden"}}}}}"#
                    .utf8),
            file: "config.json")
        _ = try await run(options, on: storage).get()
        return String(decoding: try #require(storage["out"]), as: UTF8.self).split(separator: "\n")
            .map(String.init)
    }

    /// What pieces know of apps is not used after the store of merged states is replaced: here because of a long text in
    /// the fifth batch, after which the app of the sixth one has the number that another app had before in its piece.
    @Test(arguments: [1, 2]) func piecesForgetTheAppsOfAReplacedStore(_ threads: Int) async throws {
        let count = Limits.groupsPerPiece
        func long(_ tenths: Int) -> String {
            String(repeating: "x", count: Limits.temporaryStoreBytes / 10 * tenths)
        }
        var log: [String] = []
        for interval in 0..<4 {
            for thread in 0..<(interval == 3 ? count - 1 : count) {
                log.append(Self.push("hidden", interval * count + thread, at: interval))
            }
        }
        for thread in 0..<count - 1 { log.append(Self.push("kept", thread, at: 4)) }
        // Both notifications of this group are removed, and so merged until then.
        log += [Self.push("long", 1, at: 3, body: long(6)), Self.push("long", 1, at: 4, body: long(9))]
        for thread in 0..<count { log.append(Self.push("shown", thread, at: 5)) }
        log += ["hidden", "long", "shown"].map { Self.removal($0, at: 9) }
        let expected = try await Self.snapshots(log, threads: threads, spills: true)
        let found = try await Self.snapshots(log, threads: threads, spills: false)
        #expect(found.count == expected.count)
        let different = zip(found, expected).first { $0 != $1 }.map {
            "\($0.prefix(400)) instead of \($1.prefix(400))"
        }
        #expect(different == nil)
    }

    /// Lines that do not fit into one buffer, and groups that are rendered alone.
    @Test(arguments: [1, 2, 5]) func longLinesAreWrittenInOrder(_ threads: Int) async throws {
        var random = SeededGenerator(seed: 7)
        var log: [String] = []
        for interval in 0..<4 {
            for thread in 0..<900 where random.chance(50) {
                let size = random.chance(1) ? 70_000 : 500 + random.below(2_500)
                let app = random.pick(["a", "b", "hidden"])
                log.append(
                    Self.push(app, thread, at: interval, body: String(repeating: "é", count: size / 2)))
            }
        }
        log.append(Self.removal("b", at: 3))
        let expected = try await Self.snapshots(log, threads: threads, spills: true)
        let found = try await Self.snapshots(log, threads: threads, spills: false)
        #expect(found.count == expected.count && found == expected)
    }
}
