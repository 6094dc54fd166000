import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// Files of named sources (specification §17).
@Suite struct NamedSourceTests {
    private static func list(_ text: String) throws(ConfigurationError) -> [NamedSource] {
        try NamedSource.list(contentsOf: "list", storage: MemoryStorage(["list": .file(Array(text.utf8))]))
    }

    @Test func sourcesAreInTheOrderOfTheirOrdinals() throws {
        let text = """
            {"path":"b.gz","source":"s3a://bucket/b.gz","ordinal":16777215}

            {"ordinal":0,"path":"a.gz"}\r
              {"source":"topic-3","ordinal":7}
            """
        #expect(
            try Self.list(text) == [
                NamedSource(path: "a.gz", name: "a.gz", ordinal: 0),
                NamedSource(path: "topic-3", name: "topic-3", ordinal: 7),
                NamedSource(path: "b.gz", name: "s3a://bucket/b.gz", ordinal: 16_777_215),
            ])
    }

    /// Lines that are not in the form that most lists have.
    @Test(arguments: [
        (
            #"{"ordinal":1,"path":"a","source":null,"lines":null}"#,
            NamedSource(path: "a", name: "a", ordinal: 1)
        ),
        (#"{"path":null,"source":"a","ordinal":1}"#, NamedSource(path: "a", name: "a", ordinal: 1)),
        (#" { "path" : "a\/b" , "ordinal" : 1 } "#, NamedSource(path: "a/b", name: "a/b", ordinal: 1)),
        (#"{"path":"\u00e9\ud83d\ude00","ordinal":1}"#, NamedSource(path: "é😀", name: "é😀", ordinal: 1)),
        (#"{"path":"\ufffd","ordinal":1}"#, NamedSource(path: "\u{fffd}", name: "\u{fffd}", ordinal: 1)),
        (#"{"p\u0061th":"a","ordinal":1}"#, NamedSource(path: "a", name: "a", ordinal: 1)),
        (
            #"{"path":"a","ordinal":1e1,"lines":2.0}"#,
            NamedSource(path: "a", name: "a", ordinal: 10, lines: 2)
        ),
        (
            #"{"path":"a","ordinal":1,"lines":1000000000000000}"#,
            NamedSource(path: "a", name: "a", ordinal: 1, lines: 1_000_000_000_000_000)
        ),
        ("\u{feff}{\"path\":\"a\",\"ordinal\":1}", NamedSource(path: "a", name: "a", ordinal: 1)),
    ])
    func otherFormsOfALineAreRead(_ line: String, source: NamedSource) throws {
        #expect(try Self.list(line) == [source])
    }

    struct Mistake: NamedCase {
        let name: String
        let text: String
        let message: String
    }

    static let mistakes = [
        Mistake(name: "an empty file", text: "", message: "list: the list has no sources"),
        Mistake(name: "only blank lines", text: "\n \r\n", message: "list: the list has no sources"),
        Mistake(
            name: "not JSON", text: "{\"path\":\"a\",\"ordinal\":0}\na.gz",
            message: "list:2: not valid JSON at column 1"),
        Mistake(name: "no ordinal", text: #"{"path":"a"}"#, message: "list:1: the key 'ordinal' is missing"),
        Mistake(
            name: "neither path nor source", text: #"{"ordinal":1}"#,
            message: "list:1: neither 'path' nor 'source' has a name"),
        Mistake(
            name: "an empty path", text: #"{"path":"","ordinal":1}"#,
            message: "list:1: neither 'path' nor 'source' has a name"),
        Mistake(
            name: "a misspelled key", text: #"{"path":"a","ordnial":1}"#,
            message: "list:1: ordnial: unknown key 'ordnial', did you mean 'ordinal'?"),
        Mistake(
            name: "a key twice", text: #"{"path":"a","path":"b","ordinal":1}"#,
            message: "list:1: path: repeated key 'path', already on line 1: remove one of the two"),
        Mistake(
            name: "a path that is a number", text: #"{"path":1,"ordinal":1}"#,
            message: "list:1: path: expected a string"),
        Mistake(
            name: "an ordinal that is a string", text: #"{"path":"a","ordinal":"1"}"#,
            message: "list:1: ordinal: expected a number or an object"),
        Mistake(
            name: "a negative ordinal", text: #"{"path":"a","ordinal":-1}"#,
            message: "list:1: ordinal: the ordinal must be a whole number from 0 to 16777215"),
        Mistake(
            name: "an ordinal with a fraction", text: #"{"path":"a","ordinal":1.5}"#,
            message: "list:1: ordinal: the ordinal must be a whole number from 0 to 16777215"),
        Mistake(
            name: "too large an ordinal", text: #"{"path":"a","ordinal":16777216}"#,
            message: "list:1: ordinal: the ordinal must be a whole number from 0 to 16777215"),
        Mistake(
            name: "a fraction of a line", text: #"{"path":"a","ordinal":1,"lines":0.5}"#,
            message: "list:1: lines: the number of lines must be a whole number, 0 or more"),
        Mistake(
            name: "an ordinal twice",
            text: "{\"path\":\"a\",\"ordinal\":1}\n\n{\"path\":\"b\",\"ordinal\":1}",
            message: "list:3: the ordinal 1 is also that of line 1"),
        Mistake(
            name: "a null ordinal", text: #"{"path":"a","ordinal":null}"#,
            message: "list:1: ordinal: expected a number or an object"),
        Mistake(
            name: "a null path twice", text: #"{"path":null,"path":"b","ordinal":1}"#,
            message: "list:1: path: repeated key 'path', already on line 1: remove one of the two"),
        Mistake(
            name: "an ordinal of many digits", text: #"{"path":"a","ordinal":9999999999999999}"#,
            message: "list:1: ordinal: the ordinal must be a whole number from 0 to 16777215"),
        Mistake(name: "a list", text: "[]", message: "list:1: expected a number or an object"),
    ]

    @Test(arguments: mistakes) func mistakesAreReportedWithTheirLine(_ mistake: Mistake) {
        let error = #expect(throws: ConfigurationError.self) { try Self.list(mistake.text) }
        #expect(error?.description == mistake.message)
    }

    @Test func aMissingFileIsReported() {
        let error = #expect(throws: ConfigurationError.self) {
            try NamedSource.list(contentsOf: "none", storage: MemoryStorage([:]))
        }
        #expect(error?.description == "none: the sources cannot be read: No such file or directory")
    }

    // MARK: Runs

    struct Misuse: NamedCase {
        let name: String
        let sources: [NamedSource]
        let error: ReplayError
    }

    private static func source(_ path: String, _ ordinal: Int) -> NamedSource {
        NamedSource(path: path, name: "name of \(path)", ordinal: ordinal)
    }

    static let misuses = [
        Misuse(
            name: "a missing file", sources: [source("a", 0), source("none", 1)],
            error: .source(path: "none", reason: "no such file or directory")),
        Misuse(
            name: "a folder", sources: [source("folder", 0)],
            error: .source(path: "folder", reason: "is a directory: a named source is one file")),
        Misuse(
            name: "an ordinal out of range", sources: [source("a", 1 << 24)],
            error: .usage("the ordinal of 'a' is 16777216, but must be from 0 to 16777215")),
        Misuse(
            name: "ordinals that do not ascend", sources: [source("a", 1), source("b", 1)],
            error: .usage(
                "'a' and 'b' have the ordinals 1 and 1: they must be in ascending order, and each may occur only once"
            )),
        Misuse(
            name: "standard input twice", sources: [source("-", 1), source("-", 2)],
            error: .usage("standard input ('-') can be a source only once")),
    ]

    @Test(arguments: misuses) func namedSourcesAreFiles(_ misuse: Misuse) {
        let storage = MemoryStorage([
            "a": .file([]), "b": .file([]), "folder": .folder, "folder/x": .file([]),
        ])
        var options = ReplayOptions(sources: [])
        options.namedSources = misuse.sources
        options.output = "out"
        #expect(throws: misuse.error) { try Replay(options, storage: storage) }
    }

    /// Names and ordinals appear in every output; the order of equal timestamps follows from ordinals.
    @Test func outputsHaveTheNamesOfSources() throws {
        let log = #"{"app":"a","aps":{"alert":"x"}}"# + "\nreject\n"
        let storage = MemoryStorage([
            "a": .file(Array(log.utf8)), "b": .file(Array(log.utf8)), "c": .file([0x1f, 0x8b, 8, 9]),
        ])
        var options = ReplayOptions(sources: [])
        options.namedSources = [Self.source("b", 3), Self.source("c", 4), Self.source("a", 900)]
        options.output = "out"
        options.rejects = "rejects"
        let statistics = try Replay(options, storage: storage).run()
        #expect(statistics.sources == 3)
        #expect(statistics.sourceErrors.map(\.source) == ["name of c"])
        #expect(statistics.firstReject?.source == "name of b")
        let snapshot = String(decoding: storage["out"] ?? [], as: UTF8.self)
        #expect(snapshot.contains(#""source":"name of a","line":1"#))
        let rejects = String(decoding: storage["rejects"] ?? [], as: UTF8.self).split(separator: "\n")
        #expect(
            rejects.map { $0.prefix(31) } == [
                #"{"source":"name of b","line":2,"#, #"{"source":"name of a","line":2,"#,
            ])
    }
}
