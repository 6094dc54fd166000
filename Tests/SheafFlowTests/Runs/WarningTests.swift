import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafChecks
@testable import SheafFlow

/// The warnings of a run, however its work is split.
@Suite(.serialized) struct WarningTests {
    /// Returns a line of a log.
    static func line(
        _ app: String = "com.example.a", device: String? = nil, thread: String? = nil,
        collapse: String? = nil,
        time: Int? = 1_700_000_000, pushType: String? = nil
    ) -> String {
        var members = [#""app":"\#(app)""#]
        if let time { members.append(#""timestamp":\#(time)"#) }
        if let device { members.append(#""device":"\#(device)""#) }
        if let collapse { members.append(#""apns-collapse-id":"\#(collapse)""#) }
        if let pushType { members.append(#""apns-push-type":"\#(pushType)""#) }
        let threadMember = thread.map { #","thread-id":"\#($0)""# } ?? ""
        members.append(#""payload":{"aps":{"alert":"x"\#(threadMember)}}"#)
        return "{" + members.joined(separator: ",") + "}\n"
    }

    struct Log: NamedCase {
        let name: String
        let lines: [String]
        var apps: [String] = []
        var grouping = Grouping.automatic
        var byDevice = false
        let warnings: [ReplayWarning]
    }

    private static func shared(_ devices: UInt64) -> ReplayWarning {
        .sharedGroups(devices: devices, isExact: true)
    }

    private static func unmatched(_ apps: (String, String?)...) -> ReplayWarning {
        .unmatchedApps(apps.map { .init(app: $0.0, nearest: $0.1) })
    }

    static let logs: [Log] = [
        Log(name: "nothing", lines: [], apps: ["com.example.a"], warnings: []),
        Log(name: "no devices", lines: [line(), line()], warnings: []),
        Log(name: "one device", lines: [line(device: "d"), line(device: "d")], warnings: []),
        Log(
            name: "two devices in a group", lines: [line(device: "d"), line(device: "e")],
            warnings: [shared(2)]),
        Log(
            name: "two devices in a group, grouped by device", lines: [line(device: "d"), line(device: "e")],
            byDevice: true, warnings: []),
        Log(
            name: "five devices, each with an app",
            lines: (0..<5).map { line("com.example.\($0)", device: "d\($0)") },
            warnings: []),
        Log(
            name: "five devices, each with a thread",
            lines: (0..<5).map { line(device: "d\($0)", thread: "t\($0)") },
            warnings: []),
        Log(
            name: "five devices, grouped by app",
            lines: (0..<5).map { line(device: "d\($0)", thread: "t\($0)") },
            apps: ["com.example.a"], grouping: .byApp, warnings: [shared(5)]),
        Log(
            name: "every notification alone", lines: (0..<5).map { line(device: "d\($0)") },
            apps: ["com.example.a"], grouping: .off, warnings: []),
        Log(
            name: "a device and a record without one", lines: [line(device: "d"), line()], warnings: []),
        Log(
            name: "silent records of other devices",
            lines: [line(device: "d"), line(device: "e", pushType: "background")], warnings: []),
        Log(
            name: "replaceable notifications of two devices",
            lines: [line(device: "d", collapse: "c"), line(device: "e", collapse: "c")], warnings: [shared(2)]
        ),
        Log(
            name: "a replaceable notification and another device's",
            lines: [line(device: "d", collapse: "c"), line(device: "e")], warnings: [shared(2)]),
        Log(
            name: "a version in a shared group that was replaced by one in its own",
            lines: [
                line(device: "d", thread: "t", collapse: "c", time: 1_700_000_000),
                line(device: "e", thread: "t", time: 1_700_000_001),
                line(device: "d", thread: "own", collapse: "c", time: 1_700_000_002),
            ], warnings: []),
        Log(
            name: "rejected lines of other devices", lines: [line(device: "d"), line(device: "e") + "x"],
            warnings: [shared(2)]),
        Log(
            name: "an app without records", lines: [line()], apps: ["com.example.z.other"],
            warnings: [unmatched(("com.example.z.other", nil))]),
        Log(
            name: "misspelt apps, in letters and in case",
            lines: [line("com.example.Messages"), line("com.example.Mail")],
            apps: ["com.example.mesages", "com.example.mail"],
            warnings: [
                unmatched(
                    ("com.example.mail", "com.example.Mail"), ("com.example.mesages", "com.example.Messages"))
            ]),
        Log(
            name: "an app with a name similar to one in the configuration", lines: [line("com.example.a")],
            apps: ["com.example.a", "com.example.b"], warnings: [unmatched(("com.example.b", nil))]),
        Log(
            name: "an app with silent records alone", lines: [line(pushType: "background")],
            apps: ["com.example.a"], warnings: []),
        Log(
            name: "an app with a topic suffix", lines: [line("com.example.a.voip")],
            apps: ["com.example.a"], warnings: []),
        Log(name: "19 records, all untimed", lines: (0..<19).map { _ in line(time: nil) }, warnings: []),
        Log(
            name: "20 records, all untimed", lines: (0..<20).map { _ in line(time: nil) },
            warnings: [.untimed(20, of: 20)]),
        Log(
            name: "half of 20 records untimed",
            lines: (0..<20).map { line(time: $0 < 10 ? nil : 1_700_000_000) },
            warnings: []),
        Log(
            name: "over half of 20 records untimed",
            lines: (0..<20).map { line(time: $0 < 11 ? nil : 1_700_000_000) },
            warnings: [.untimed(11, of: 20)]),
        Log(
            name: "rejected lines are not records",
            lines: (0..<20).map { _ in line(time: nil) } + ["{\n", "{\n"],
            warnings: [.untimed(20, of: 20)]),
    ]

    @Test(arguments: logs) func warningsOfReplays(_ log: Log) async throws {
        for threads in [1, 3] {
            for (chunkBytes, spillsAlways) in [(1, false), (Limits.chunkBytes, false), (1, true)] {
                let storage = MemoryStorage(["log": .file(Array(log.lines.joined().utf8)), "tmp": .folder])
                var options = ReplayOptions(sources: ["log"])
                options.output = "out"
                options.byDevice = log.byDevice
                for app in log.apps {
                    options.settings.apps[app, default: AppSettings()].grouping = log.grouping
                }
                options.threads = threads
                options.chunkBytes = chunkBytes
                options.spillsAlways = spillsAlways
                let statistics = try await run(options, on: storage).get()
                #expect(statistics.warnings == log.warnings, "\(threads) threads, spilling \(spillsAlways)")
            }
        }
    }

    /// Configured apps without records are named by a check, and by a merge as far as partial results have the records.
    @Test(arguments: logs.filter { !$0.apps.isEmpty })
    func aCheckAndAMergeNameAppsWithoutRecords(_ log: Log) async throws {
        let storage = MemoryStorage(["log": .file(Array(log.lines.joined().utf8)), "tmp": .folder])
        var settings = Settings()
        for app in log.apps { settings.apps[app, default: AppSettings()].grouping = log.grouping }
        let expected = log.warnings.filter { if case .unmatchedApps = $0 { true } else { false } }
        var checking = CheckOptions(sources: ["log"])
        checking.output = "report"
        checking.settings = settings
        checking.chunkBytes = 1
        #expect(try await run(checking, on: storage).get().sourceWarnings == expected)
        for removals in [false, true] {
            var options = ReplayOptions(sources: ["log"])
            options.partial = "part"
            options.settings = settings
            options.appliesRemovals = removals
            _ = try await run(options, on: storage).get()
            var merging = ReplayOptions(sources: ["part"])
            merging.output = "out"
            merging.settings = settings
            let merged = try await merge(merging, on: storage).get().warnings.filter {
                if case .unmatchedApps = $0 { true } else { false }
            }
            // Partial results have no silent records.
            let isSilent = log.name.contains("silent") || log.name.contains("suffix")
            #expect(merged == (isSilent ? [Self.unmatched(("com.example.a", nil))] : expected))
        }
    }

    /// An app whose only notification was removed, and one with responses alone, have records.
    @Test func aMergeKnowsTheAppsOfOtherRecords() async throws {
        let lines = [
            Self.line("a", time: 1), #"{"event":"removed","app":"a","ts":2}"# + "\n",
            #"{"event":"response","app":"b","ts":2,"action":"x"}"# + "\n",
            #"{"event":"removed","app":"c","ts":2}"# + "\n",
        ]
        let storage = MemoryStorage(["log": .file(Array(lines.joined().utf8))])
        var options = ReplayOptions(sources: ["log"])
        options.partial = "part"
        options.appliesRemovals = true
        _ = try await run(options, on: storage).get()
        var merging = ReplayOptions(sources: ["part"])
        merging.output = "out"
        for app in ["a", "b", "c", "d"] { merging.settings.apps[app] = AppSettings() }
        let merged = try await merge(merging, on: storage).get().warnings
        #expect(merged == [Self.unmatched(("d", nil))])
    }

    /// A merge gives only the warnings that partial results have the data for.
    @Test func warningsOfMerges() async throws {
        let lines = (0..<20).map { Self.line(device: "d\($0)", time: nil) }
        let storage = MemoryStorage(["log": .file(Array(lines.joined().utf8))])
        var options = ReplayOptions(sources: ["log"])
        options.partial = "part"
        let found = try await run(options, on: storage).get().warnings
        #expect(found == [.untimed(20, of: 20), .sharedGroups(devices: 20, isExact: true)])
        var merging = ReplayOptions(sources: ["part", "part"])
        merging.output = "out"
        let merged = try await merge(merging, on: storage).get().warnings
        #expect(
            merged == [.repeatedSources(count: 1, first: "part", original: "part"), .untimed(40, of: 40)])
    }

    struct Files: NamedCase {
        let name: String
        let entries: [String: MemoryStorage.Entry]
        var sources: [String] = []
        let warnings: [ReplayWarning]
    }

    private static func log(_ count: Int) -> [UInt8] {
        Array((0..<count).map { line("com.example.a", thread: "\($0)") }.joined().utf8)
    }

    static let files: [Files] = [
        Files(
            name: "a file twice", entries: ["a": .file(log(1))], sources: ["a", "a"],
            warnings: [.repeatedSources(count: 1, first: "a", original: "a")]),
        Files(
            name: "a link to a file", entries: ["a": .file(log(1)), "b": .link("a"), "c": .file(log(2))],
            sources: ["b", "c", "a"], warnings: [.repeatedSources(count: 1, first: "a", original: "b")]),
        Files(
            name: "a folder and files in it",
            entries: ["d": .folder, "d/a": .file(log(1)), "d/b": .file(log(1))],
            sources: ["d", "d/b", "d/a"],
            warnings: [.repeatedSources(count: 2, first: "d/b", original: "d/b")]),
        Files(
            name: "equal files", entries: ["a": .file(log(1)), "b": .file(log(1))], sources: ["a", "b"],
            warnings: []),
        Files(
            name: "a device twice", entries: ["a": .device([])], sources: ["a", "a"], warnings: []),
        Files(
            name: "a log and its copy, compressed",
            entries: ["d": .folder, "d/a.log": .file(log(200)), "d/a.log.gz": .file(gzip(log(200)))],
            sources: ["d"],
            warnings: [.compressedCopies(count: 1, plain: "d/a.log", compressed: "d/a.log.gz")]),
        Files(
            name: "a log that continued after its copy",
            entries: ["a": .file(log(200)), "a.gz": .file(gzip(log(150)))],
            sources: ["a.gz", "a"], warnings: [.compressedCopies(count: 1, plain: "a", compressed: "a.gz")]),
        Files(
            name: "short logs with the same beginning",
            entries: ["a": .file(log(3)), "a.gz": .file(gzip(log(2)))],
            sources: ["a", "a.gz"], warnings: []),
        Files(
            name: "empty files", entries: ["a": .file([]), "a.gz": .file(gzip([]))], sources: ["a", "a.gz"],
            warnings: []),
        Files(
            name: "another log, compressed",
            entries: ["a": .file(log(200)), "a.gz": .file(gzip(log(201).reversed()))],
            sources: ["a", "a.gz"], warnings: []),
        Files(
            name: "the log in another folder",
            entries: ["d": .folder, "a": .file(log(200)), "d/a.gz": .file(gzip(log(200)))],
            sources: ["a", "d"], warnings: []),
        Files(
            name: "a name of a compressed file without compression",
            entries: ["a": .file(log(200)), "a.gz": .link("a")],
            sources: ["a", "a.gz"], warnings: [.repeatedSources(count: 1, first: "a.gz", original: "a")]),
    ]

    @Test(arguments: files) func warningsOfSources(_ files: Files) async throws {
        var options = ReplayOptions(sources: files.sources)
        options.output = "out"
        options.threads = 2
        let found = try await run(options, on: MemoryStorage(files.entries)).get().warnings
        #expect(Self.aboutSources(found) == files.warnings)
        var check = CheckOptions(sources: files.sources)
        check.output = "out"
        let checked = try await run(check, on: MemoryStorage(files.entries)).get().sourceWarnings
        #expect(Self.aboutSources(checked) == files.warnings)
    }

    /// The warnings that are about the sources, not about the records in them.
    private static func aboutSources(_ warnings: [ReplayWarning]) -> [ReplayWarning] {
        warnings.filter { warning in
            switch warning {
            case .sharedGroups, .mostlyRejected, .sourcesWithoutRecords: false
            default: true
            }
        }
    }
}
