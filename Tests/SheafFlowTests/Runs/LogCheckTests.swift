import Foundation
import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafChecks
@testable import SheafFlow

/// Whole checks compared with the model: the same bytes, however the work is split.
@Suite(.serialized) struct LogCheckTests {
    /// Random lines in random files, and their report.
    struct Log {
        var options = CheckOptions(sources: ["logs"])
        var files: [String: MemoryStorage.Entry] = ["logs": .folder]
        let report: String
        /// The names of all findings in the report.
        let names: Set<String>

        init(seed: UInt64, lines count: Int = 60) throws {
            var generator = CheckLineGenerator(seed: seed)
            let lines = generator.lines(count)
            var random = generator.random
            options.output = "report.json"
            options.format = .json
            options.profile = random.chance(50) ? .ios15 : .ios12
            // The model looks at one line at a time.
            options.disabled = [.problem(.repeatedPushes)]
            options.maximumLine = random.pick([4_150, Limits.lineBytes])
            if random.chance(70) {
                options.settings = try Settings(json: Array(Self.settings.utf8), file: "c")
            }
            var expected = ExpectedReport()
            // Boundaries between files; some lines are preceded by a blank line.
            let boundaries = (0..<(random.below(4))).map { _ in random.below(count) }.sorted() + [count]
            var start = 0
            for (index, end) in boundaries.enumerated() {
                let path = "logs/\(index) \"é\".log"
                var written: [[UInt8]] = []
                for line in lines[start..<end] {
                    if random.chance(10) {
                        written.append(Array(random.pick(["", " \t"]).utf8))
                        expected.blank += 1
                    }
                    written.append(Array(line.text.utf8))
                    for name in CheckModel.findings(
                        in: line, settings: options.settings, profile: options.profile,
                        maximumLine: options.maximumLine)
                    {
                        expected.note(
                            name, path, written.count, CheckModel.detail(of: name, in: line))
                    }
                }
                expected.lines += written.count
                let text = LogFiles.text(written, &random)
                files[path] = .file(random.chance(40) ? LogFiles.members(text, &random) : text)
                start = end
            }
            expected.sources = boundaries.count
            report = expected.json
            names = Set(expected.findings.keys)
        }

        private static let settings =
            #"{"apps":{"a":{"categories":{"order":{"actions":["TRACK"]}}},"#
            + #""größe":{"categories":{"größe":{"actions":[],"options":["customDismissAction"]},"order":{}}}}}"#
    }

    /// The expected report, built in a simple way.
    struct ExpectedReport {
        var sources = 0
        var lines = 0
        var blank = 0
        var findings: [String: (count: Int, path: String, line: Int, detail: String?)] = [:]

        mutating func note(_ name: String, _ path: String, _ line: Int, _ detail: String?) {
            findings[name, default: (0, path, line, detail)].count += 1
        }

        private static let warnings = Set(
            CheckFinding.all.filter { $0.severity == .warning }.map(\.name))

        var json: String {
            var errors = 0
            var warnings = 0
            for (name, finding) in findings {
                if Self.warnings.contains(name) { warnings += finding.count } else { errors += finding.count }
            }
            let items = CheckFinding.all.compactMap { finding in
                findings[finding.name].map { found in
                    "{\"name\":\"\(finding.name)\",\"severity\":\"\(finding.severity)\",\"count\":\(found.count),"
                        + "\"first\":{\"source\":\(jsonString(found.path)),\"line\":\(found.line)}"
                        + (found.detail.map { ",\"detail\":\(jsonString($0))" } ?? "") + "}"
                }
            }
            #expect(items.count == findings.count, "\(findings.keys)")
            return
                "{\"sources\":\(sources),\"lines\":\(lines),\"blank\":\(blank),\"records\":\(lines - blank),"
                + "\"errors\":\(errors),\"warnings\":\(warnings),\"findings\":[\(items.joined(separator: ","))]}\n"
        }
    }

    private func check(_ log: Log, threads: Int, chunkBytes: Int) async throws {
        var options = log.options
        options.threads = threads
        options.chunkBytes = chunkBytes
        let storage = MemoryStorage(log.files)
        let report = try await run(options, on: storage).get()
        let written = String(decoding: storage["report.json"] ?? [], as: UTF8.self)
        // The differing items are easier to read than two whole reports.
        let items = (parts(of: written), parts(of: log.report))
        let split = "\(threads) threads, chunks of \(chunkBytes)"
        #expect(
            items.0.filter { !items.1.contains($0) } == items.1.filter { !items.0.contains($0) }, "\(split)")
        #expect(written == log.report, "\(split)")
        #expect(report.json() == storage["report.json"])
        #expect(storage.openFiles == 0)
        #expect(Set(storage.entries.keys) == Set(log.files.keys).union(["report.json"]))
    }

    private func parts(of report: String) -> [String] { report.components(separatedBy: "},{") }

    @Test(arguments: Seeds.several(4))
    func reportsMatchTheModel(_ seed: UInt64) async throws {
        let log = try Log(seed: seed)
        for threads in [1, 2, 7] {
            for chunkBytes in [1, 4_096, Limits.chunkBytes] {
                try await check(log, threads: threads, chunkBytes: chunkBytes)
            }
        }
    }

    @Test(arguments: Seeds.several(40))
    func reportsOfManyLogsMatchTheModel(_ seed: UInt64) async throws {
        try await check(try Log(seed: seed &+ 100_000), threads: 2, chunkBytes: 10_000)
    }

    /// The generated logs contain every finding that they are meant to contain.
    @Test func theLogsCoverEveryFinding() throws {
        var names: Set<String> = []
        for seed in 0..<40 { names.formUnion(try Log(seed: 77_000 + UInt64(seed)).names) }
        // The generated configurations have no formats and no string tables, and the lines no arguments of titles.
        let others: Set<CheckProblem> = [
            .titleArgumentsFew, .subtitleArgumentsFew, .bodyArgumentsFew, .summaryArgumentMissing,
            .titleArgumentsUnused, .subtitleArgumentsUnused, .localizedKeyUnknown,
        ]
        let problems = CheckProblem.allCases.filter { !$0.isOfApp && !others.contains($0) }
            .map { "\($0.name)" }
        #expect(
            names.isSuperset(
                of: problems + [
                    "payload.too-large", "collapse-id.too-long", "summary.deprecated",
                    "untimed", "thread-id.misplaced", "summary-arg-count.invalid", "line.too-long",
                ]),
            "\(names)")
    }

    @Test func anEmptySourceHasNoFindings() async throws {
        let storage = MemoryStorage(["empty": .file([])])
        let report = try await run(CheckOptions(sources: ["empty"]), on: storage).get()
        #expect(report.findings == [])
        #expect(
            String(decoding: storage.output, as: UTF8.self)
                == "0 records from 1 source: 0 errors, 0 warnings\n")
    }

    /// Damage ends only its own source; among sources damaged in the same way the first is named.
    @Test(arguments: [1, 3]) func damageEndsOnlyItsSource(_ threads: Int) async throws {
        let good = #"{"app":"a","ts":1,"aps":{"alert":"x"}}"# + "\n"
        let zipped = gzip(Array(String(repeating: good, count: 100).utf8))
        let files: [String: MemoryStorage.Entry] = [
            "a.gz": .file(zipped), "b.gz": .file(zipped.dropLast(3) + []), "c.gz": .file(zipped + [1, 2, 3]),
            "d.gz": .file(zipped.dropLast(5) + []), "e": .file(Array("x\n".utf8)),
        ]
        var options = CheckOptions(sources: ["a.gz", "b.gz", "c.gz", "d.gz", "e"])
        options.threads = threads
        let report = try await run(options, on: MemoryStorage(files)).get()
        typealias Item = CheckReport.Item
        #expect(
            report.findings == [
                Item(
                    finding: .source(.truncated), count: 2, source: "b.gz",
                    position: .offset(UInt64(zipped.count - 3))),
                Item(
                    finding: .source(.trailingGarbage), count: 1, source: "c.gz",
                    position: .offset(UInt64(zipped.count))),
                Item(finding: .rejected(.jsonInvalid), count: 1, source: "e", position: .line(1)),
            ])
        #expect(report.damagedSources.map(\.source) == ["b.gz", "c.gz", "d.gz"])
        #expect(report.records == 401)
        #expect(report.errors == 4)
    }

    /// Each app counts once; the first one in a source names the next two.
    @Test(arguments: [1, 5]) func appsThatGroupBadlyAreNamed(_ threads: Int) async throws {
        func log(_ apps: [String]) -> MemoryStorage.Entry {
            let lines = apps.flatMap { app in
                (0..<20).map { #"{"app":"\#(app)","ts":1,"aps":{"alert":"x","thread-id":"\#($0)"}}"# + "\n" }
            }
            return .file(Array(lines.joined().utf8))
        }
        let storage = MemoryStorage(["a": log(["x"]), "b": log(["w", "z", "y", "v", "u"])])
        var options = CheckOptions(sources: ["a", "b"])
        options.format = .github
        options.threads = threads
        options.chunkBytes = 100
        let report = try await run(options, on: storage).get()
        #expect(report.findings.map(\.finding) == [.problem(.singleThreads)])
        let item = try #require(report.findings.first)
        #expect(item.count == 6)
        #expect(item.detail == "x, 20 of 20 threads")
        #expect(item.locations.map(\.count) == [1, 5])
        #expect(
            item.locations.last?.detail
                == "w, 20 of 20 threads; z, 20 of 20 threads; y, 20 of 20 threads; 2 more")
    }

    /// An entry with several tokens is one push; the entries of an array are several.
    @Test(arguments: [(1, true), (2, false)])
    func threadsAreThoseOfEntries(_ entries: Int, _ isFound: Bool) async throws {
        let lines = (0..<20).map { thread in
            let entry =
                #"{"tokens":["t1","t2"],"platform":1,"topic":"a","message":"x","thread-id":"\#(thread)"}"#
            return
                "{\"notifications\":[\([String](repeating: entry, count: entries).joined(separator: ","))]}\n"
        }
        let storage = MemoryStorage(["log": .file(Array(lines.joined().utf8))])
        let report = try await run(CheckOptions(sources: ["log"]), on: storage).get()
        #expect(report.records == UInt64(40 * entries))
        #expect(report.findings.contains { $0.finding == .problem(.singleThreads) } == isFound)
    }

    /// Results of service extensions for a push without `mutable-content`, in any order and any number of chunks.
    @Test(arguments: [1, 3]) func resultsOfPushesWithoutMutableContentAreFound(_ threads: Int) async throws {
        let lines = [
            #"{"event":"modified","app":"a","ts":9,"id":"x","elapsed":1,"content":{"body":"new"}}"#,
            #"{"app":"a","ts":1,"id":"x","aps":{"alert":"x","mutable-content":0}}"#,
            #"{"app":"a","ts":2,"id":"y","aps":{"alert":"y","mutable-content":1}}"#,
            #"{"event":"modified","app":"a","ts":9,"id":"y","elapsed":31}"#,
        ]
        let storage = MemoryStorage(["log": .file(Array(lines.map { $0 + "\n" }.joined().utf8))])
        var options = CheckOptions(sources: ["log"])
        (options.threads, options.chunkBytes) = (threads, 1)
        let report = try await run(options, on: storage).get()
        #expect(report.findings.map(\.finding) == [.problem(.mutableContentMissing)])
        #expect(report.findings.first?.position == .line(2))
        #expect(report.findings.first?.detail == "a, 1 of 2 identifiers with a result")
    }

    // MARK: Failures and interruptions

    private static let files: [String: MemoryStorage.Entry] = [
        "logs": .folder, "logs/a": .file(Array(String(repeating: oneLine, count: 40).utf8)),
        "logs/b": .file(Array(String(repeating: oneLine, count: 20).utf8)), "report": .file([1, 2, 3]),
    ]
    private static let oneLine = #"{"app":"a","aps":{"alert":"x"}}"# + "\n"

    private static func options(threads: Int) -> CheckOptions {
        var options = CheckOptions(sources: ["logs"])
        options.output = "report"
        options.chunkBytes = 300
        options.maximumLine = 1_000
        options.threads = threads
        return options
    }

    /// Fails the first, the second, … operation of a type, until every one has failed once.
    @Test(arguments: FailingOperation.ofOutputs) func eachOperationFails(_ item: FailingOperation)
        async throws
    {
        let options = Self.options(threads: item.threads)
        let runs = EachOperation(files: Self.files, lastOutput: "report")
        let count = try await runs.fail(item.operation, code: ENOSPC) { storage throws(ReplayError) in
            try LogCheck(options, storage: storage)
        } check: { event, result, storage in
            guard case .failure(let error) = result else {
                Issue.record("\(event) failed, the run did not")
                return
            }
            switch (item.operation, error) {
            case (.open, .source), (.read, .reading), (.create, .output), (.rename, .output),
                (.write, .writing),
                (.sync, .writing):
                break
            default: Issue.record("\(error)")
            }
            #expect(storage.entries == Self.files)
        }
        #expect(count >= 1)
    }

    /// The same for a check that also writes a baseline, which is renamed before the report.
    @Test(arguments: FailingOperation.ofOutputs) func eachOperationFailsWithABaseline(
        _ item: FailingOperation
    ) async throws {
        var options = Self.options(threads: item.threads)
        options.baselineOutput = "known.json"
        let files = Self.files.merging(["known.json": .file([4])]) { old, _ in old }
        let runs = EachOperation(files: files, lastOutput: "report")
        var failures = 0
        let count = try await runs.fail(item.operation, code: ENOSPC) { storage throws(ReplayError) in
            try LogCheck(options, storage: storage)
        } check: { event, result, storage in
            if case .failure = result { failures += 1 }
            runs.checkNothingIsLeft(storage, wasRenaming: item.operation == .rename, "\(event)")
        }
        #expect(count >= 1)
        #expect(failures == count)
    }

    @Test(arguments: [1, 3]) func aCheckCanBeInterruptedBeforeItStarts(_ threads: Int) async throws {
        let files = MemoryStorage(Self.files)
        let storage = InterceptedStorage(files)
        let check = try LogCheck(Self.options(threads: threads), storage: storage)
        check.interrupt(signal: 2)
        check.interrupt(signal: 15)
        guard case .failure(.interrupted(signal: 2)) = await run(check) else {
            Issue.record("not interrupted")
            return
        }
        #expect(files.entries == Self.files)
        #expect(!storage.events.contains { $0.operation == .read })
    }

    @Test func invalidPathsAreErrorsBeforeTheRun() {
        func error(_ change: (inout CheckOptions) -> Void) -> ReplayError? {
            var options = Self.options(threads: 1)
            change(&options)
            return #expect(throws: ReplayError.self) {
                _ = try LogCheck(options, storage: MemoryStorage(Self.files))
            }
        }
        #expect(error { $0.sources = ["none"] } == .source(path: "none", reason: "no such file or directory"))
        #expect(error { $0.output = "logs/a" } == .usage("'logs/a' is a source: the report would replace it"))
    }

    @Test func aClosedOutputIsNotAFailure() async throws {
        var options = Self.options(threads: 2)
        options.output = "-"
        let storage = InterceptedStorage(MemoryStorage(Self.files), failingWritesTo: "-", code: EPIPE)
        let report = try await run(options, on: storage).get()
        #expect(report.outputWasClosed)
        #expect(report.warnings == 60)
    }

    @Test func progressCountsUp() async throws {
        let check = try LogCheck(Self.options(threads: 2), storage: MemoryStorage(Self.files))
        let report = try await run(check).get()
        #expect(report.records == 60)
        #expect(check.progress.records == 60)
        #expect(check.progress.bytesRead == UInt64(60 * Self.oneLine.utf8.count))
        #expect(check.progress.totalBytes == check.progress.bytesRead)
        #expect(check.progress.groups == 0)
    }
}
