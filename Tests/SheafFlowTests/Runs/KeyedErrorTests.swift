import Foundation
import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// What ends a run of keyed lines: nothing is written then.
@Suite(.serialized) struct KeyedErrorTests {
    private static let record = #"{"app":"a","aps":{"alert":"x"}}"#

    private static func options(_ change: (inout ReplayOptions) -> Void = { _ in }) -> ReplayOptions {
        var options = ReplayOptions(sources: ["-"])
        options.isKeyed = true
        options.output = "out"
        options.rejects = "rejects"
        options.statistics = "stats"
        change(&options)
        return options
    }

    /// Runs the options on standard input, and returns the error.
    private static func error(
        _ input: [UInt8], _ change: (inout ReplayOptions) -> Void = { _ in }
    ) async -> ReplayError? {
        let storage = MemoryStorage(input: input)
        guard case .failure(let error) = await run(options(change), on: storage) else { return nil }
        #expect(storage.entries.isEmpty, "no file is left")
        return error
    }

    typealias Case = Example<[UInt8], String>

    private static let malformed = "does not begin with an ordinal, a tab, a line number and a tab: it is"

    static let wrongLines = [
        Case("a record", record, "-: line 3 \(malformed) '{\"app\":\"a\",\"aps\":{\"alert\":\"x\"}}'"),
        Case(
            "a long record", "{\"app\":\"a\",\"aps\":{\"alert\":\"a long text\"}}",
            "-: line 3 \(malformed) '{\"app\":\"a\",\"aps\":{\"alert\":\"a lon…'"),
        Case("a key without a second tab", "0\t9", "-: line 3 \(malformed) '0\\t9'"),
        Case("control characters", "0\u{0}\t", "-: line 3 \(malformed) '0\\u{0}\\t'"),
        Case("no UTF-8", [0xff, 0x41], "-: line 3 \(malformed) '\u{fffd}A'"),
        Case(
            "an ordinal out of range", "16777216\t1\t{}",
            "-: line 3 begins with an ordinal that is not below 16777216: it is '16777216\\t1\\t{}'"),
        Case(
            "line 0", "0\t0\t{}",
            "-: line 3 has a line number that is not from 1 to 1099511627775: it is '0\\t0\\t{}'"),
        Case(
            "an ordinal that is not listed", "5\t1\t{}",
            "-: line 3 has the ordinal 5, which none of the listed sources has"),
    ]

    @Test(arguments: wrongLines, [1, 3])
    func aLineWithoutAKeyEndsTheRun(_ item: Case, _ threads: Int) async {
        let start = Array("0\t1\t\(Self.record)\n \n".utf8)
        let found = await Self.error(start + item.input + [0x0a] + start) { options in
            options.namedSources = [0, 4, 6].map { NamedSource(path: "", name: "s\($0)", ordinal: $0) }
            options.threads = threads
            options.chunkBytes = 10
        }
        #expect(found?.description == item.expected)
        guard case .source("-", _)? = found else {
            Issue.record("\(String(describing: found))")
            return
        }
    }

    /// Of many wrong lines, the first one is reported, whichever thread finds one first; also before damage.
    @Test(arguments: [1, 2, 3], [1, 40, 4_096])
    func theFirstWrongLineIsReported(_ threads: Int, _ chunkBytes: Int) async {
        let good = (1...50).map { "0\t\($0)\t\(Self.record)\n" }.joined()
        let text = Array((good + String(repeating: "wrong\n", count: 500)).utf8)
        for input in [text, gzip(text), gzip(text) + Array("garbage".utf8)] {
            let found = await Self.error(input) { options in
                (options.threads, options.chunkBytes) = (threads, chunkBytes)
                options.partBytes = 1
            }
            #expect(found?.description == "-: line 51 \(Self.malformed) 'wrong'")
        }
    }

    static let damaged = [
        Case(
            "a truncated gzip stream", Array(gzip(Array("0\t1\t\(record)\n".utf8)).dropLast(5)),
            "-: the gzip data ends in the middle of a member, at byte "),
        Case(
            "bytes after gzip", gzip(Array("0\t1\t\(record)\n".utf8)) + [1, 2, 3],
            "-: bytes after the last gzip member are not gzip data, at byte "),
        Case(
            "a truncated zstd stream", Array(zstd(Array("0\t1\t\(record)\n".utf8)).dropLast(3)),
            "-: the zstd data ends in the middle of a frame, at byte "),
    ]

    @Test(arguments: damaged, [1, 3])
    func damageEndsTheRun(_ item: Case, _ threads: Int) async {
        let found = await Self.error(item.input) { $0.threads = threads }
        let message = found?.description ?? "no error"
        #expect(message.hasPrefix(item.expected), "\(message)")
        #expect(message.hasSuffix(", and nothing tells which lines are missing"), "\(message)")
    }

    @Test func aFileOfAnotherTypeEndsTheRun() async {
        let png: [UInt8] =
            [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + [UInt8](repeating: 0, count: 600)
        let found = await Self.error(png)
        #expect(found?.description.hasPrefix("-: ") == true)
        #expect(found?.description.contains("missing") == false)
    }

    // MARK: - Repeated lines

    typealias Repeated = Example<[(Int, Int)], String?>

    static let repeatedLines = [
        Repeated("no line", [(3, 1), (3, 2), (4, 1), (3, 4)], nil),
        Repeated(
            "the only line", [(3, 2), (3, 2)],
            "third: 2 lines have the ordinal 3, but their line numbers are from 2 to 2: at least one is repeated"
        ),
        Repeated(
            "a line among others", [(3, 1), (4, 1), (3, 3), (3, 2), (3, 1)],
            "third: 4 lines have the ordinal 3, but their line numbers are from 1 to 3: at least one is repeated"
        ),
        Repeated("a line that is not certainly repeated", [(3, 1), (3, 1), (3, 9)], nil),
    ]

    @Test(arguments: repeatedLines, [1, 3])
    func certainlyRepeatedLinesEndTheRun(_ item: Repeated, _ threads: Int) async {
        let text = item.input.map { "\($0.0)\t\($0.1)\t\(Self.record)\n" }.joined()
        let found = await Self.error(Array(text.utf8)) { options in
            options.namedSources = [(3, "third"), (4, "fourth")]
                .map { NamedSource(path: "", name: $0.1, ordinal: $0.0) }
            (options.threads, options.chunkBytes) = (threads, 1)
        }
        #expect(found?.description == item.expected)
    }

    /// Blank and rejected lines are lines of their source, too.
    @Test(arguments: ["", "reject", " "]) func anyLineMayBeRepeated(_ json: String) async {
        let found = await Self.error(Array("0\t1\t\(json)\n0\t1\t\(Self.record)\n".utf8))
        #expect(found?.description.hasPrefix("0: 2 lines have the ordinal 0") == true)
    }

    /// Two partial results that certainly have a line in common are not merged.
    @Test func repeatedLinesInTwoPartialResultsAreRefused() async throws {
        let storage = MemoryStorage()
        for (name, lines) in [("one", [1, 2, 4]), ("two", [3, 5]), ("three", [2, 3])] {
            storage["log"] = Array(lines.map { "7\t\($0)\t\(Self.record)\n" }.joined().utf8)
            let options = Self.options {
                $0.sources = ["log"]
                $0.partial = name
                ($0.rejects, $0.statistics) = (nil, nil)
            }
            _ = try await run(options, on: storage).get()
        }
        var options = ReplayOptions(sources: ["one", "two"])
        options.output = "out"
        #expect(try await merge(options, on: storage).get().lines == 5)
        options.sources = ["one", "three", "two"]
        let result = await merge(options, on: storage)
        guard case .failure(.usage(let message)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(message.description.hasSuffix("of source 7, '7', that 'one' covers"))
    }

    // MARK: - Options

    @Test func optionsThatNeedPositionsAreRefused() async {
        let timeline = Timeline(step: 1_000)
        let refused: [(String, (inout ReplayOptions) -> Void)] = [
            ("`isKeyed` can't be given with `checkpoint`", { $0.checkpoint = "c" }),
            ("`isKeyed` can't be given with `lateness`", { ($0.every, $0.lateness) = (timeline, 0) }),
            (
                "`isKeyed` can't be given with `lateness`",
                { ($0.every, $0.lateness, $0.speed) = (timeline, 0, 1) }
            ),
            ("`isKeyed` can't be given with `speed`", { ($0.every, $0.speed) = (timeline, 1) }),
            (
                "'' and '' have the ordinals 2 and 2",
                { $0.namedSources = [2, 2].map { NamedSource(path: "", name: "n", ordinal: $0) } }
            ),
            (
                "the ordinal of '' is 16777216",
                { $0.namedSources = [NamedSource(path: "", name: "n", ordinal: 1 << 24)] }
            ),
        ]
        for (message, change) in refused {
            guard case .usage(let found)? = await Self.error([], change) else {
                Issue.record("not refused: \(message)")
                continue
            }
            #expect(found.description.hasPrefix(message), "\(found)")
        }
    }

    // MARK: - Faults

    private static let runs: EachOperation = {
        var random = SeededGenerator(seed: 4)
        func lines(_ source: Int) -> [UInt8] {
            Array((1...40).map { "\(source)\t\($0)\t\($0 % 3 == 0 ? "reject" : record)\n" }.joined().utf8)
        }
        return EachOperation(
            files: [
                "logs": .folder, "logs/a": .file(lines(0)),
                "logs/b.gz": .file(LogFiles.members(lines(1), &random)),
                "out": .folder, "out/snapshot": .file([1]), "out/rejects": .file([2]),
                "out/stats": .file([3]),
            ], lastOutput: "out/snapshot")
    }()

    private static func failingOptions(threads: Int) -> ReplayOptions {
        options {
            $0.sources = ["logs"]
            ($0.output, $0.rejects, $0.statistics) = ("out/snapshot", "out/rejects", "out/stats")
            ($0.threads, $0.chunkBytes, $0.maximumLine) = (threads, 200, 1_000)
        }
    }

    @Test(arguments: FailingOperation.ofOutputs)
    func eachOperationFails(_ item: FailingOperation) async throws {
        let options = Self.failingOptions(threads: item.threads)
        let count = try await Self.runs.fail(item.operation, code: ENOSPC) { storage throws(ReplayError) in
            try Replay(options, storage: storage)
        } check: { event, result, storage in
            guard case .failure(let found) = result else {
                Issue.record("\(event) failed, the run did not")
                return
            }
            let expected = try #require(EachOperation.error(for: event, code: ENOSPC))
            #expect(Self.runs.isSame(found, expected), "\(event): \(found)")
            Self.runs.checkNothingIsLeft(storage, wasRenaming: event.operation == .rename, "\(event)")
        }
        #expect(count >= 2)
    }

    @Test(arguments: [1, 3])
    func aRunCanBeInterruptedAtAnyOperation(_ threads: Int) async throws {
        let options = Self.failingOptions(threads: threads)
        let operations = try await Self.runs.interrupt { storage throws(ReplayError) in
            try Replay(options, storage: storage)
        }
        #expect(operations.isSuperset(of: [.open, .read, .create, .write]))
    }
}
