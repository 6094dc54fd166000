import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Partial results that do not fit together, and files that are none: the error names the file, and nothing is written.
@Suite(.tags(.spilling)) struct MergeCompatibilityTests {
    struct Misfit: NamedCase {
        let name: String
        let change: @Sendable (inout ReplayOptions) throws -> Void
        let what: OptionMessage
    }

    private static func settings(_ json: String) throws -> Settings {
        try Settings(json: Array(json.utf8), file: "sheaf.json")
    }

    static let misfits = [
        Misfit(name: "devices", change: { $0.byDevice = true }, what: "\(.byDevice) settings"),
        Misfit(name: "arguments", change: { $0.maximumArguments = 15 }, what: "\(.maximumArguments) values"),
        Misfit(
            name: "grouping", change: { $0.settings = try settings(#"{"apps":{"a":{"grouping":"off"}}}"#) },
            what: "app groupings"),
        Misfit(
            name: "grouping of an app without records",
            change: { $0.settings = try settings(#"{"apps":{"z":{"grouping":"byApp"}}}"#) },
            what: "app groupings"),
    ]

    @Test(arguments: misfits)
    func resultsWithDifferentSettingsAreRefused(_ misfit: Misfit) {
        let other = MergedParts.partial(MergedParts.lines) { try? misfit.change(&$0) }
        let (error, isUntouched) = MergedParts.merge(
            ["one", "two"], ["one": .file(MergedParts.good), "two": .file(other)])
        #expect(
            error
                == .usage("'two' and 'one' can't be merged: they were written with different \(misfit.what)"))
        #expect(isUntouched)
    }

    struct Inputs: NamedCase {
        let name: String
        let first: InputIdentity
        let second: InputIdentity
        let message: OptionMessage
    }

    static let inputs = [
        Inputs(
            name: "another description", first: InputIdentity(name: "fcm"),
            second: InputIdentity(name: "mine.json", digest: "1"),
            message: "'one' was read with input 'fcm', 'two' with 'mine.json'"),
        Inputs(
            name: "the default and another", first: InputIdentity(), second: InputIdentity(name: "fcm"),
            message: "'one' was read with input 'auto', 'two' with 'fcm'"),
        Inputs(
            name: "another version", first: InputIdentity(name: "mine.json", digest: "1"),
            second: InputIdentity(name: "mine.json", digest: "2"),
            message: "they were read with different versions of 'mine.json'"),
        Inputs(
            name: "an app and none", first: InputIdentity(app: "com.a"), second: InputIdentity(),
            message: "'one' was read with the app 'com.a' for records without one, 'two' with none"),
        Inputs(
            name: "two apps", first: InputIdentity(app: "com.a"), second: InputIdentity(app: "com.b"),
            message: "'one' was read with the app 'com.a' for records without one, 'two' with 'com.b'"),
        Inputs(
            name: "a window and none", first: windowed(since: 5, until: 7), second: InputIdentity(),
            message:
                "'one' was written with \(.since) 5 \(.until) 7, 'two' with neither \(.since) nor \(.until)"),
        Inputs(
            name: "delivery and none", first: InputIdentity(), second: InputIdentity(tracksDelivery: true),
            message:
                "'two' was written with \(.delivery) or a configuration of delivery, 'one' without"),
        Inputs(
            name: "two windows", first: windowed(since: 5), second: windowed(until: 5),
            message: "'one' was written with \(.since) 5, 'two' with \(.until) 5"),
        Inputs(
            name: "an app, and an app with a window", first: InputIdentity(app: "com.a"),
            second: InputIdentity(app: "com.a", filter: RecordFilter(since: .min, until: .max)),
            message:
                "'one' was written with neither \(.since) nor \(.until), 'two' with \(.since) \(Int64.min) "
                + "\(.until) \(Int64.max)"),
    ]

    private static func windowed(since: Int64? = nil, until: Int64? = nil) -> InputIdentity {
        InputIdentity(filter: RecordFilter(since: since, until: until))
    }

    @Test(arguments: inputs) func resultsWithDifferentInputsAreRefused(_ item: Inputs) {
        let parts = [item.first, item.second].map { input in
            MergedParts.partial(MergedParts.lines) { $0.use(input) }
        }
        let (error, isUntouched) = MergedParts.merge(
            ["one", "two"], ["one": .file(parts[0]), "two": .file(parts[1])])
        #expect(error == .usage("'two' and 'one' can't be merged: \(item.message)"))
        #expect(isUntouched)
    }

    /// The input is stored only if it is not the default, and merging keeps it.
    @Test(arguments: inputs.flatMap { [$0.first, $0.second] }) func resultsWithTheSameInputAreMerged(
        _ input: InputIdentity
    ) throws {
        let part = MergedParts.partial(MergedParts.lines) { $0.use(input) }
        #expect((part == MergedParts.partial(MergedParts.lines) { _ in }) == (input == InputIdentity()))
        let storage = MemoryStorage(["one": .file(part), "two": .file(part)])
        var options = ReplayOptions(sources: ["one", "two"])
        options.partial = "both"
        _ = try Merge(options, storage: storage).run()
        let header = try PartialFile.read("both", storage: storage).file.header
        #expect(header.input == input)
    }

    /// Settings that only affect how groups are shown may differ.
    @Test func displaySettingsDoNotAffectThePartialResult() {
        let other = MergedParts.partial(MergedParts.lines) { options in
            options.locked = true
            options.order = .recent
            options.threads = 3
            options.settings =
                (try? Self.settings(#"{"apps":{"a":{"name":"A","grouping":"automatic"}}}"#)) ?? Settings()
        }
        #expect(other == MergedParts.good)
    }

    struct Regrouping: NamedCase {
        let name: String
        let written: String
        let shown: String
        let message: String?
    }

    private static func grouping(_ value: String) -> String { #"{"apps":{"a":{"grouping":"\#(value)"}}}"# }

    static let regroupings = [
        Regrouping(
            name: "different", written: "{}", shown: grouping("off"),
            message: "the configuration groups 'a' as 'off', but 'one' was written with 'automatic'"),
        Regrouping(
            name: "not configured", written: grouping("byApp"), shown: #"{"apps":{"a":{"name":"A"}}}"#,
            message: "the configuration groups 'a' as 'automatic', but 'one' was written with 'byApp'"),
        Regrouping(name: "the same", written: grouping("off"), shown: grouping("off"), message: nil),
        Regrouping(
            name: "an app that is not configured", written: grouping("off"),
            shown: #"{"apps":{"b":{"name":"B"}}}"#,
            message: nil),
    ]

    @Test(arguments: regroupings)
    func theConfigurationMustMatchTheGroupingOfTheFiles(_ item: Regrouping) throws {
        let (written, shown) = (try Self.settings(item.written), try Self.settings(item.shown))
        let bytes = MergedParts.partial(MergedParts.lines) { $0.settings = written }
        let (error, isUntouched) = MergedParts.merge(["one"], ["one": .file(bytes)]) { $0.settings = shown }
        #expect(error == item.message.map { .usage("\($0)") })
        #expect(isUntouched == (item.message != nil))
    }

    // MARK: - Other files

    struct Other: NamedCase {
        let name: String
        let path: String
        let error: ReplayError
    }

    static let others = [
        Other(name: "a log", path: "log", error: .notPartial(path: "log", holds: "JSON, like a log")),
        Other(name: "an empty file", path: "empty", error: .notPartial(path: "empty", holds: "no data")),
        Other(
            name: "a spilled run", path: "run",
            error: .notPartial(path: "run", holds: "the state of an unfinished run")),
        Other(name: "a newer version", path: "newer", error: .damaged(path: "newer", .version(5), offset: 5)),
        Other(
            name: "a folder without files", path: "folder",
            error: .source(path: "folder", reason: "the directory holds no files")),
        Other(
            name: "a missing file", path: "none",
            error: .source(path: "none", reason: "no such file or directory")),
        Other(
            name: "standard input", path: "-",
            error: .usage("'-' is not a regular file: partial results are read more than once")),
        Other(
            name: "a pipe", path: "pipe",
            error: .usage("'pipe' is not a regular file: partial results are read more than once")),
        Other(
            name: "the output", path: "out",
            error: .usage("'out' is a source: the snapshot would replace it")),
    ]

    @Test(arguments: others)
    func otherFilesAreRefused(_ other: Other) throws {
        var newer = MergedParts.good
        newer[5] = 5
        let entries: [String: MemoryStorage.Entry] = [
            "good": .file(MergedParts.good), "log": .file(Array(MergedParts.lines[0].utf8)),
            "empty": .file([]),
            "run": .file(try StateText.file([])), "newer": .file(newer), "folder": .folder,
            "pipe": .device([]), "out": .file(MergedParts.good),
        ]
        for paths in [[other.path], ["good", other.path]] {
            let (error, isUntouched) = MergedParts.merge(paths, entries)
            #expect(error == other.error)
            #expect(isUntouched)
        }
    }

    @Test func aFolderExpandsToItsFilesInByteOrder() throws {
        let entries: [String: MemoryStorage.Entry] = [
            "folder": .folder, "folder/2": .file(MergedParts.good), "folder/10": .file(MergedParts.good),
        ]
        var outputs: [[UInt8]?] = []
        for paths in [["folder"], ["folder/10", "folder/2"]] {
            let storage = MemoryStorage(entries)
            var options = ReplayOptions(sources: paths)
            options.output = "out"
            _ = try Merge(options, storage: storage).run()
            outputs.append(storage["out"])
        }
        #expect(outputs[0] == outputs[1])
    }
}
