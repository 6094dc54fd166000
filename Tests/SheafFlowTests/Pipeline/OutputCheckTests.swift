import SheafBytes
import TestSupport
import Testing

@testable import SheafFlow

/// No output replaces a source, and no two outputs are the same file.
@Suite struct OutputCheckTests {
    static let files: [String: MemoryStorage.Entry] = [
        "log": .file([]), "old": .file([]), "link": .link("log"), "linkToOld": .link("old"),
        "null": .device([]), "folder": .folder, "folder/log": .file([]), "linkToFolder": .link("folder"),
        "c.json": .file([]), ".out.sheaf-1x.tmp": .file([]),
    ]

    struct Case: NamedCase {
        let name: String
        var output = "-"
        var rejects: String?
        var statistics: String?
        var streams: [StandardStream: String] = [:]
        var message: OptionMessage?
    }

    @Test(arguments: [
        Case(name: "standard output"),
        Case(name: "three new files", output: "a", rejects: "b", statistics: "c"),
        Case(name: "an existing file", output: "old"),
        Case(name: "one device three times", output: "null", rejects: "null", statistics: "null"),
        Case(
            name: "the snapshot over a source", output: "log",
            message: "'log' is a source: the snapshot would replace it"),
        Case(
            name: "rejects over a source", rejects: "log",
            message: "'log' is a source: \(.rejects) would replace it"),
        Case(
            name: "statistics over a source", statistics: "folder/log",
            message: "'folder/log' is a source: \(.statistics) would replace it"),
        Case(
            name: "a link to a source", output: "link",
            message: "'link' is a source: the snapshot would replace it"),
        Case(
            name: "snapshot and rejects", output: "a", rejects: "a",
            message: "\(.rejects) and the snapshot would both be written to 'a'"),
        Case(
            name: "rejects and statistics", rejects: "a", statistics: "a",
            message: "\(.statistics) and \(.rejects) would both be written to 'a'"),
        Case(
            name: "standard output twice", statistics: "-",
            message: "\(.statistics) and the snapshot would both be written to '-'"),
        Case(
            name: "a file and a link to it", output: "old", statistics: "linkToOld",
            message: "\(.statistics) and the snapshot would both be written to 'linkToOld'"),
        Case(
            name: "a new file under two names", output: "new", statistics: "./new",
            message: "\(.statistics) and the snapshot would both be written to './new'"),
        Case(
            name: "a new file through a link to its folder", output: "folder/new",
            rejects: "linkToFolder//new",
            message: "\(.rejects) and the snapshot would both be written to 'linkToFolder//new'"),
        Case(name: "one new name in two folders", output: "folder/new", statistics: "new"),
        Case(
            name: "the snapshot over the configuration", output: "c.json",
            message: "'c.json' is a configuration file: the snapshot would replace it"),
        Case(
            name: "standard output to the configuration", streams: [.output: "c.json"],
            message: "standard output is 'c.json', a configuration file: the snapshot would be written to it"),
        Case(
            name: "standard input", output: "old", streams: [.input: "old"],
            message: "'old' is standard input, a source: the snapshot would replace it"),
        Case(
            name: "standard input through a link", statistics: "linkToOld", streams: [.input: "old"],
            message: "'linkToOld' is standard input, a source: \(.statistics) would replace it"),
        Case(
            name: "standard output to a source", streams: [.output: "log"],
            message: "standard output is 'log', a source: the snapshot would be written to it"),
        Case(
            name: "standard output to standard input", streams: [.input: "old", .output: "old"],
            message: "standard output is standard input, a source: the snapshot would be written to it"),
        Case(
            name: "standard output to another output", statistics: "old", streams: [.output: "old"],
            message: "\(.statistics) and the snapshot would both be written to 'old'"),
        Case(
            name: "another output on standard output", output: "old", rejects: "-",
            streams: [.output: "old"],
            message: "\(.rejects) and the snapshot would both be written to 'old'"),
        Case(
            name: "standard output to the replaced file, unused", output: "old", streams: [.output: "old"]),
        Case(name: "standard output to a new file", streams: [.output: "old"]),
        Case(name: "one terminal", output: "-", streams: [.input: "null", .output: "null", .error: "null"]),
        Case(
            name: "a file left by a killed run", output: "out",
            message:
                "'.out.sheaf-1x.tmp' is left over from a run writing 'out': the snapshot would remove it; rename it"
        ),
    ])
    func outputsAreChecked(_ item: Case) throws {
        let storage = MemoryStorage(Self.files, streams: item.streams)
        let sources = try SourceList.expand(["-", "log", "folder", ".out.sheaf-1x.tmp"], storage: storage)
        var options = ReplayOptions(sources: [])
        options.output = item.output
        options.rejects = item.rejects
        options.statistics = item.statistics
        options.configurationFiles = ["c.json"]
        try check(options, sources, storage, expecting: item.message)
    }

    /// Checks outputs, and expects a message if they are refused.
    private func check(
        _ options: ReplayOptions, _ sources: [Source], _ storage: any Storage,
        expecting message: OptionMessage?
    ) throws {
        guard let message else { return try OutputCheck.check(options.files, sources, storage: storage) }
        #expect(throws: ReplayError.usage(message)) {
            try OutputCheck.check(options.files, sources, storage: storage)
        }
    }

    struct CheckpointCase: NamedCase {
        let name: String
        var source = "log"
        var output = "-"
        var checkpoint = "folder"
        /// The path that the message names.
        var clash: String?
        var configuration: String?
    }

    /// No other file may have a name that a checkpoint's files can have.
    @Test(arguments: [
        CheckpointCase(name: "an output next to the folder", output: "rejects-0"),
        CheckpointCase(name: "an output with another name in the folder", output: "folder/snapshot"),
        CheckpointCase(name: "a similar name", output: "folder/rejects-0.ndjson"),
        CheckpointCase(name: "rejects", output: "folder/rejects-0", clash: "folder/rejects-0"),
        CheckpointCase(name: "a state", output: "folder/state-1-0.run", clash: "folder/state-1-0.run"),
        CheckpointCase(
            name: "the lock", output: "folder//checkpoint.lock", clash: "folder//checkpoint.lock"),
        CheckpointCase(name: "a source", source: "folder/checkpoint-7", clash: "folder/checkpoint-7"),
        CheckpointCase(
            name: "a link to one of its files", output: "linkToState", clash: "linkToState"),
        CheckpointCase(
            name: "a configuration", clash: "folder/state-1-0.run", configuration: "folder/state-1-0.run"),
        CheckpointCase(
            name: "a folder with two names", output: "folder/spill-3.run", checkpoint: "linkToFolder/",
            clash: "folder/spill-3.run"),
        CheckpointCase(
            name: "a folder that does not exist yet", output: "new/rejects-0", checkpoint: "./new/",
            clash: "new/rejects-0"),
        CheckpointCase(name: "another folder", output: "folder/rejects-0", checkpoint: "new"),
    ])
    func namesOfCheckpointFilesAreReserved(_ item: CheckpointCase) throws {
        var files = Self.files
        files["folder/checkpoint-7"] = .file([])
        files["folder/state-1-0.run"] = .file([])
        files["linkToState"] = .link("folder/state-1-0.run")
        let storage = MemoryStorage(files)
        let sources = try SourceList.expand([item.source], storage: storage)
        var options = ReplayOptions(sources: [])
        options.output = item.output
        options.checkpoint = item.checkpoint
        options.configurationFiles = [item.configuration].compactMap(\.self)
        let message: OptionMessage? = item.clash.map {
            "'\($0)' has a name that \(.checkpoint) reserves in '\(item.checkpoint)'"
        }
        try check(options, sources, storage, expecting: message)
    }

    /// An output can't have the checkpoint's path, whether or not the folder exists.
    @Test(arguments: ["new", "./new", "folder"]) func anOutputAtTheCheckpointsPathIsRefused(_ output: String)
        throws
    {
        let storage = MemoryStorage(Self.files)
        let sources = try SourceList.expand(["log"], storage: storage)
        var options = ReplayOptions(sources: [])
        options.statistics = output
        options.checkpoint = output == "folder" ? "linkToFolder" : "new"
        let folder = options.checkpoint ?? ""
        try check(
            options, sources, storage,
            expecting: "\(.checkpoint) and \(.statistics) would both be at '\(folder)'")
    }
}
