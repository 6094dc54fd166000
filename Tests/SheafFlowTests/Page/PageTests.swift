import Foundation
import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow
@testable import SheafReport

/// Pages of runs: their data is that of other formats, and their bytes do not depend on how the work is done.
@Suite(.tags(.extended)) struct PageTests {
    private static func data(_ page: [UInt8]) throws -> [String: Any] {
        let text = String(decoding: page, as: UTF8.self)
        let start = try #require(text.range(of: "id=\"data\">")?.upperBound)
        let end = try #require(text[start...].range(of: "</script>")?.lowerBound)
        // No text of the log can end the element.
        #expect(!text[start..<end].contains("<"))
        let found = try JSONSerialization.jsonObject(with: Data(text[start..<end].utf8))
        return try #require(found as? [String: Any])
    }

    private static func lines(_ bytes: [UInt8]?) throws -> NSArray {
        try (bytes ?? []).split(separator: UInt8(ascii: "\n"))
            .map { try JSONSerialization.jsonObject(with: Data($0)) } as NSArray
    }

    @Test(arguments: Seeds.several(25)) func aPageHasTheLinesOfTheSnapshot(_ seed: UInt64) async throws {
        let log = try RandomLog(seed: seed, lines: 60, files: 3)
        var random = SeededGenerator(seed: seed)
        var options = log.options
        (options.top, options.order, options.statistics, options.rejects) = (nil, .key, nil, nil)
        options.format = .ndjson
        let plain = log.storage()
        let statistics = try await run(options, on: plain).get()
        var pages: [[UInt8]] = []
        options.format = .html
        for _ in 0..<2 {
            let split = log.randomOptions(&random)
            (options.threads, options.chunkBytes) = (split.threads, split.chunkBytes)
            (options.partBytes, options.spillsAlways) = (split.partBytes, split.spillsAlways)
            let storage = log.storage()
            _ = try await run(options, on: storage).get()
            pages.append(storage["out/snapshot"] ?? [])
        }
        #expect(pages[0] == pages[1])
        let data = try Self.data(pages[0])
        let screens = try #require(data["screens"] as? [String: Any])
        #expect(try (screens["lines"] as? NSArray) == Self.lines(plain["out/snapshot"]))
        #expect(screens["leftOut"] == nil)
        let found = try #require(data["statistics"] as? [String: Any])
        #expect(found["records"] as? UInt64 == statistics.records)
        #expect(found["seconds"] == nil)
    }

    @Test func mergesMakeTheSamePage() async throws {
        let log = try RandomLog(seed: 1_003, lines: 60, files: 3, decides: false)
        var options = log.options
        (options.top, options.order, options.statistics, options.rejects) = (nil, .key, nil, nil)
        let storage = log.storage()
        options.format = .html
        _ = try await run(options, on: storage).get()
        let whole = storage["out/snapshot"]
        options.partial = "part"
        options.format = .ndjson
        _ = try await run(options, on: storage).get()
        var merged = log.options
        (merged.top, merged.order, merged.statistics, merged.rejects) = (nil, .key, nil, nil)
        (merged.sources, merged.format) = (["part"], .html)
        (merged.since, merged.until, merged.every) = (nil, nil, nil)
        _ = try await merge(merged, on: storage).get()
        #expect(storage["out/snapshot"] == whole)
    }

    @Test(arguments: Seeds.several(10)) func aReportHasTheResultsOfItsRuns(_ seed: UInt64) async throws {
        let log = try RandomLog(seed: seed, lines: 80, files: 2)
        var random = SeededGenerator(seed: seed)
        var options = log.options
        (options.top, options.order, options.statistics, options.rejects) = (nil, .key, nil, nil)
        (options.since, options.until) = (nil, nil)
        var pages: [[UInt8]] = []
        for _ in 0..<2 {
            let split = log.randomOptions(&random)
            (options.threads, options.chunkBytes) = (split.threads, split.chunkBytes)
            (options.partBytes, options.spillsAlways) = (split.partBytes, split.spillsAlways)
            let storage = log.storage()
            _ = try await run { [options] () throws(ReplayError) -> any Job<Statistics> in
                try Report(options, storage: storage)
            }.get()
            pages.append(storage["out/snapshot"] ?? [])
        }
        #expect(pages[0] == pages[1])
        let data = try Self.data(pages[0])
        #expect(data["kind"] as? String == "report")
        let measures = try #require(data["measures"] as? [String: Any])
        let cells = try #require(measures["cells"] as? [[String: Any]])
        let people = (cells.first?["people"] as? Int) ?? 0
        let found = try #require(data["statistics"] as? [String: Any])
        #expect(found["people"] as? Int == people)
        #expect((data["check"] as? [String: Any])?["findings"] != nil)
        // All of the few people are shown, with the lines of a replay by device.
        options.byDevice = true
        options.format = .ndjson
        let plain = log.storage()
        _ = try await run(options, on: plain).get()
        let screens = try #require(data["screens"] as? [String: Any])
        let wanted = try Self.lines(plain["out/snapshot"]).filter {
            !((($0 as? [String: Any])?["device"] as? String) ?? "").isEmpty
        }
        if people > 0 {
            #expect((screens["lines"] as? NSArray) == wanted as NSArray)
            #expect((screens["chosen"] as? [Any])?.count == people)
        }
    }

    struct Refusal: NamedCase {
        let name: String
        let change: @Sendable (inout ReplayOptions) -> Void
        let message: OptionMessage
    }

    static let refusals = [
        Refusal(
            name: "a partial result", change: { $0.partial = "part" },
            message: "\(.partial) can't be given for a report, which is made of several runs"),
        Refusal(
            name: "a checkpoint", change: { $0.checkpoint = "folder" },
            message: "\(.checkpoint) can't be given for a report, which is made of several runs"),
        Refusal(
            name: "standard input", change: { $0.sources = ["-"] },
            message: "'-' is not a regular file: a report reads its sources several times"),
        Refusal(
            name: "a source that it would replace", change: { $0.output = "log" },
            message: "'log' is a source: the snapshot would replace it"),
    ]

    @Test(arguments: refusals) func aReportNeedsFilesOfItsOwn(_ refusal: Refusal) {
        var options = ReplayOptions(sources: ["log"])
        options.output = "page.html"
        refusal.change(&options)
        let storage = MemoryStorage(["log": .file(Array("{}\n".utf8))])
        let error = #expect(throws: ReplayError.self) { try Report(options, storage: storage) }
        #expect(error == .usage(refusal.message))
    }

    /// Whatever fails, there is no page, and no temporary file.
    @Test func aReportIsWrittenAsAWhole() async throws {
        let log = try RandomLog(seed: 1_004, lines: 40, files: 2)
        var options = log.options
        (options.top, options.order, options.statistics, options.rejects) = (nil, .key, nil, nil)
        options.threads = 1
        var failures = 0
        for after in [5, 20, 50, 90, 140, 200] {
            let storage = log.storage()
            let before = Set(storage.entries.keys)
            let failing = InterceptedStorage(storage, at: Moment(after: after), .fails(EIO))
            let result = await run { [options] () throws(ReplayError) -> any Job<Statistics> in
                try Report(options, storage: failing)
            }
            guard case .failure = result else { continue }
            failures += 1
            #expect(Set(storage.entries.keys) == before, "after \(after)")
        }
        #expect(failures > 2)
    }
}

extension Report: Job {
    func run(willWrite: () -> Void) throws(ReplayError) -> Statistics {
        willWrite()
        return try run()
    }
}
