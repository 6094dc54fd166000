import Foundation
import SheafBytes
import SheafFlow
import SheafGroups
import TestSupport
import TestTags
import Testing

/// Replays of the logs in `Data`: each gives the bytes, the texts or the counts that are stored next to it, however the
/// work is split.
@Suite(.tags(.spilling)) struct SampleTests {
    @Test(arguments: samples, Machine.all)
    func sampleGivesItsSnapshot(_ name: String, _ machine: Machine) throws {
        let replayed = try Replayed(sample: name, machine: machine)
        let expected = try Repository.contents(of: "Data/samples/\(name)/expected.ndjson")
        #expect(replayed.snapshot == expected, "\(String(decoding: replayed.snapshot, as: UTF8.self))")
        #expect(replayed.exitStatus == 0)
    }

    /// Every sample folder must have a test.
    @Test func everySampleIsListed() throws {
        #expect(try Repository.names(in: "Data/samples").sorted() == Self.samples.sorted())
    }

    @Test(arguments: ["messages", "podcasts"])
    func plainLogGivesTheSameSnapshot(_ name: String) throws {
        let replayed = try Replayed(sample: name, log: "log.ndjson")
        let expected = String(
            decoding: try Repository.contents(of: "Data/samples/\(name)/expected.ndjson"), as: UTF8.self)
        let renamed = expected.replacingOccurrences(of: "/log.ndjson.gz\"", with: "/log.ndjson\"")
        #expect(replayed.snapshot == Data(renamed.utf8))
    }

    @Test(arguments: Shown.all)
    func groupShows(_ shown: Shown) throws {
        let replayed = try Replayed(sample: shown.sample)
        let groups = try replayed.groups().filter { $0.app == shown.app && $0.thread == shown.thread }
        let group = try #require(groups.first)
        #expect(groups.count == 1)
        #expect(group.summary?.text == shown.summary)
        #expect(group.display == shown.display ?? group.leadingAsShown)
        #expect(group.hidden.body == shown.hiddenBody ?? group.hidden.body)
    }

    /// The older of two versions is in no group, and silent pushes are counted.
    @Test func podcastsHaveAnUpdateAndASilentPush() throws {
        let statistics = try Replayed(sample: "podcasts").statistics
        #expect(statistics.updated == 1)
        #expect(statistics.silent == 1)
        #expect(statistics.grouped == 5)
    }

    /// Uses chunks of the usual size: with tiny ones, a log of this size takes too long for a test.
    @Test(arguments: Machine.threads)
    func generatedLogGivesItsCounts(_ threads: Int) throws {
        let replayed = try Replayed(["Data/generated/sample.ndjson.gz"], machine: Machine(threads: threads))
        // Only the number of spilled bytes may change if state is spilled whenever possible.
        let isSpilled = ReplayOptions(sources: []).spillsAlways
        let uncounted: Set = ["peakResidentBytes", "seconds", isSpilled ? "spilledBytes" : "seconds"]
        let counts = try canonicalJSON(Data(replayed.statistics.json()), without: uncounted)
        let expected = try canonicalJSON(
            Repository.contents(of: "Data/generated/expected-stats.json"),
            without: isSpilled ? ["spilledBytes"] : [])
        #expect(counts == expected)
        #expect(isSpilled == (replayed.statistics.spilledBytes > 0))
        #expect(UInt64(replayed.snapshot.count { $0 == UInt8(ascii: "\n") }) == replayed.statistics.groups)
    }

    private static let samples = [
        "calendar", "mail", "messages", "mixed-with-arguments", "news", "photos-and-messages", "podcasts",
        "vacation",
    ]
}

/// Logs that are damaged in one place, and unusual but valid logs.
@Suite(.tags(.spilling)) struct DamagedLogTests {
    @Test(arguments: Outcome.names, Machine.all)
    func recordsBeforeTheDamageAreUsed(_ name: String, _ machine: Machine) throws {
        let expected = try #require(try Outcome.all()[name])
        let replayed = try Replayed(
            ["Data/damaged/\(name)"], maximumLine: expected.maximumLine, machine: machine)
        let outcome = try Outcome(replayed, maximumLine: expected.maximumLine)
        #expect(outcome == expected)
    }

    @Test func everyFileIsListed() throws {
        let files = try Repository.names(in: "Data/damaged").filter { $0 != "expected.json" }
        #expect(files.sorted() == Outcome.names)
        #expect(!files.isEmpty)
    }

    /// Damage ends only its own source.
    @Test(arguments: Machine.all)
    func otherSourcesAreReadCompletely(_ machine: Machine) throws {
        let outcomes = try Outcome.all().filter { $0.value.maximumLine == nil }.sorted { $0.key < $1.key }
        let replayed = try Replayed(outcomes.map { "Data/damaged/\($0.key)" }, machine: machine)
        #expect(replayed.statistics.lines == outcomes.reduce(0) { $0 + $1.value.lines })
        let errors = replayed.statistics.sourceErrors
        let damaged = outcomes.filter { $0.value.sourceError != nil }
        #expect(errors.map(\.source) == damaged.map { "Data/damaged/\($0.key)" })
        #expect(errors.map(Outcome.SourceError.init) == damaged.map(\.value.sourceError))
        let rejected = try replayed.rejectedLines().map { [$0.source, $0.reason] }
        let expected = outcomes.flatMap { outcome in
            outcome.value.rejectedLines.map { ["Data/damaged/\(outcome.key)", $0.reason] }
        }
        #expect(rejected == expected)
    }
}

/// How the work is split, which must not affect the result.
struct Machine: Sendable, CustomTestStringConvertible {
    var threads = 2
    var chunkBytes = Limits.chunkBytes

    var testDescription: String { "threads \(threads), chunk size \(chunkBytes)" }

    static let threads = [1, 2, 7]

    static let all = threads.flatMap { threads in
        [1, 100, Limits.chunkBytes].map { Machine(threads: threads, chunkBytes: $0) }
    }
}

/// The results of a completed replay of files in the repository.
struct Replayed {
    let snapshot: Data
    let rejects: Data
    let statistics: Statistics

    init(
        _ sources: [String], settings: Settings = Settings(), maximumLine: Int? = nil,
        machine: Machine = Machine()
    ) throws {
        let folder = try TemporaryFolder()
        var options = ReplayOptions(sources: sources)
        options.output = folder.path("snapshot.ndjson")
        options.rejects = folder.path("rejects.ndjson")
        options.settings = settings
        options.maximumLine = maximumLine ?? options.maximumLine
        options.threads = machine.threads
        options.chunkBytes = machine.chunkBytes
        statistics = try Replay(options, storage: RepositoryStorage()).run()
        snapshot = Data(folder.bytes("snapshot.ndjson"))
        rejects = Data(folder.bytes("rejects.ndjson"))
    }

    /// Replays a folder of `Data/samples` with its own configuration.
    init(sample: String, log: String = "log.ndjson.gz", machine: Machine = Machine()) throws {
        let folder = "Data/samples/\(sample)"
        let configuration = try Repository.contents(of: "\(folder)/config.json")
        let settings = try Settings(json: Array(configuration), file: "\(folder)/config.json")
        try self.init(["\(folder)/\(log)"], settings: settings, machine: machine)
    }

    /// The exit status of the command if no rejects are allowed (specification §10).
    var exitStatus: Int { statistics.sourceErrors.isEmpty && statistics.rejectedTotal == 0 ? 0 : 65 }

    func groups() throws -> [GroupLine] { try decodeLines(snapshot) }

    func rejectedLines() throws -> [RejectLine] { try decodeLines(rejects) }

    private func decodeLines<Line: Decodable>(_ text: Data) throws -> [Line] {
        try text.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(Line.self, from: $0) }
    }
}

/// The fields of a snapshot's line that these tests read.
struct GroupLine: Decodable {
    struct Texts: Decodable, Equatable {
        var title, subtitle, body, summary: String?
    }

    struct Summary: Decodable {
        var text: String
    }

    let app: String
    let thread: String?
    let leading: Texts
    let summary: Summary?
    let hidden: Texts
    let display: Texts

    /// The texts that are displayed if previews are shown.
    var leadingAsShown: Texts {
        Texts(title: leading.title, subtitle: leading.subtitle, body: leading.body, summary: summary?.text)
    }
}

/// The fields of a line of the rejects file that these tests read.
struct RejectLine: Decodable {
    let source: String
    let line: UInt64
    let reason: String
}

/// The expected texts of a group in a sample.
struct Shown: Sendable, CustomTestStringConvertible {
    var sample: String
    var app: String
    var thread: String?
    var summary: String?
    /// If nil, the leading notification's texts and the summary.
    var display: GroupLine.Texts?
    /// If nil, not compared.
    var hiddenBody: String?

    var testDescription: String { "\(sample): \(app) \(thread ?? "without thread")" }

    static let all = [
        Shown(sample: "calendar", app: "com.example.calendar", summary: "4 more notifications"),
        Shown(sample: "calendar", app: "com.example.calendar", thread: "alerts", summary: "3 more alerts"),
        Shown(
            sample: "messages", app: "com.example.messages", thread: "chat/weekend-hike",
            summary: "2 more messages from Kritarth and Teja"),
        Shown(
            sample: "messages", app: "com.example.messages", thread: "chat/mina",
            summary: "2 more messages from Mina"),
        Shown(sample: "messages", app: "com.example.messages", thread: "chat/book-club", summary: nil),
        Shown(
            sample: "mail", app: "com.example.mail", thread: "account/icloud",
            summary: "1 more message from iCloud"),
        Shown(sample: "mail", app: "com.example.mail", thread: "account/work", summary: nil),
        Shown(
            sample: "mail", app: "com.example.mail", thread: "vip/noor-haddad",
            summary: "2 more messages from Noor Haddad"),
        Shown(
            sample: "mail", app: "com.example.mail", thread: "thread/7f21",
            summary: "3 more messages from Ines Prado and Tomasz Brandt"),
        Shown(
            sample: "podcasts", app: "com.example.podcasts", thread: "episodes",
            summary: "7 more episodes from Song Exploder, Radiolab, and The Daily"),
        Shown(sample: "podcasts", app: "com.example.podcasts", thread: "downloads", summary: nil),
        Shown(sample: "news", app: "com.example.news", summary: "9 more notifications"),
        Shown(
            sample: "photos-and-messages", app: "com.example.family", thread: "family",
            summary: "5 more messages and 3 more photos"),
        Shown(
            sample: "mixed-with-arguments", app: "com.example.family", thread: "family",
            summary: "8 more notifications"),
        Shown(
            sample: "vacation", app: "com.example.albums", thread: "album/vacation",
            summary: "1 more notification",
            display: GroupLine.Texts(title: "Vacation", body: "1 Image and 1 Comment"),
            hiddenBody: "1 Image and 1 Comment"),
        Shown(
            sample: "vacation", app: "com.example.albums", thread: "album/garden", summary: nil,
            display: GroupLine.Texts(title: "Garden", body: "1 Image"), hiddenBody: "1 Image"),
        Shown(
            sample: "vacation", app: "com.example.mail", summary: "1 more notification",
            display: GroupLine.Texts(body: "2 Notifications"), hiddenBody: "2 Notifications"),
        Shown(
            sample: "vacation", app: "com.example.weather", summary: nil,
            display: GroupLine.Texts(title: "Tide table", body: "High water at 15:12"),
            hiddenBody: "Notification"),
    ]
}

/// The entry of a file in `Data/damaged/expected.json`.
struct Outcome: Decodable, Equatable {
    struct SourceError: Decodable, Equatable {
        var reason: String
        var offset: UInt64
    }

    struct Rejected: Decodable, Equatable {
        var line: UInt64
        var reason: String
    }

    var exitStatus: Int
    var sourceError: SourceError?
    var lines: UInt64
    var blank: UInt64
    var groups: UInt64
    var rejected: [String: UInt64]
    var rejectedLines: [Rejected]
    /// In bytes; nil for the default.
    var maximumLine: Int?

    static func all() throws -> [String: Outcome] {
        let json = try Repository.contents(of: "Data/damaged/expected.json")
        return try JSONDecoder().decode([String: Outcome].self, from: json)
    }

    /// Empty if the file can't be read, which `everyFileIsListed` reports.
    static let names = ((try? all()) ?? [:]).keys.sorted()
}

extension Outcome {
    init(_ replayed: Replayed, maximumLine: Int?) throws {
        let statistics = replayed.statistics
        self.init(
            exitStatus: replayed.exitStatus,
            sourceError: statistics.sourceErrors.first.map(SourceError.init),
            lines: statistics.lines, blank: statistics.blank, groups: statistics.groups,
            rejected: Dictionary(
                uniqueKeysWithValues: statistics.rejected.map { ("\($0.reason.name)", $0.count) }),
            rejectedLines: try replayed.rejectedLines().map { Rejected(line: $0.line, reason: $0.reason) },
            maximumLine: maximumLine)
    }
}

extension Outcome.SourceError {
    init(_ source: Statistics.DamagedSource) {
        self.init(reason: source.damage.reason.rawValue, offset: source.damage.offset)
    }
}

/// Returns the object with sorted keys, one per line, so that differences are readable.
private func canonicalJSON(_ json: Data, without keys: Set<String> = []) throws -> String {
    let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    let kept = object.filter { !keys.contains($0.key) }
    let text = try JSONSerialization.data(withJSONObject: kept, options: [.prettyPrinted, .sortedKeys])
    return String(decoding: text, as: UTF8.self)
}
