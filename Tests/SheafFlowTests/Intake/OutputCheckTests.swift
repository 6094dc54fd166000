import SheafBytes
import Testing

@testable import SheafFlow

/// No output replaces a source, and no two outputs are one file.
@Suite struct OutputCheckTests {
    static let files: [String: MemoryStorage.Entry] = [
        "log": .file([]), "old": .file([]), "link": .link("log"), "linkToOld": .link("old"),
        "null": .device([]), "folder": .folder, "folder/log": .file([]),
    ]

    struct Case: NamedCase {
        let name: String
        var output = "-"
        var rejects: String?
        var statistics: String?
        var message: String?
    }

    @Test(arguments: [
        Case(name: "standard output"),
        Case(name: "three new files", output: "a", rejects: "b", statistics: "c"),
        Case(name: "an old file", output: "old"),
        Case(name: "one device three times", output: "null", rejects: "null", statistics: "null"),
        Case(
            name: "the snapshot over a source", output: "log",
            message: "'log' is a source: the snapshot would replace it"),
        Case(
            name: "rejects over a source", rejects: "log",
            message: "'log' is a source: --rejects would replace it"),
        Case(
            name: "statistics over a source", statistics: "folder/log",
            message: "'folder/log' is a source: --stats would replace it"),
        Case(
            name: "a link to a source", output: "link",
            message: "'link' is a source: the snapshot would replace it"),
        Case(
            name: "snapshot and rejects", output: "a", rejects: "a",
            message: "--rejects and the snapshot would both be written to 'a'"),
        Case(
            name: "rejects and statistics", rejects: "a", statistics: "a",
            message: "--stats and --rejects would both be written to 'a'"),
        Case(
            name: "standard output twice", statistics: "-",
            message: "--stats and the snapshot would both be written to '-'"),
        Case(
            name: "a file and a link to it", output: "old", statistics: "linkToOld",
            message: "--stats and the snapshot would both be written to 'linkToOld'"),
    ])
    func outputs(_ item: Case) throws {
        let storage = MemoryStorage(Self.files)
        let sources = try SourceList.expand(["-", "log", "folder"], storage: storage)
        var options = ReplayOptions(sources: [])
        options.output = item.output
        options.rejects = item.rejects
        options.statistics = item.statistics
        if let message = item.message {
            #expect(throws: ReplayError.usage(message)) {
                try OutputCheck.check(options, sources, storage: storage)
            }
        } else {
            try OutputCheck.check(options, sources, storage: storage)
        }
    }
}
