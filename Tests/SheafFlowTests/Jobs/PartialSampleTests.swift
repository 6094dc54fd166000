import Foundation
import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// `Data/partial`: a partial result must be readable as long as its version is supported.
@Suite(.tags(.spilling)) struct PartialSampleTests {
    private static let sources = [
        "Data/samples/messages/log.ndjson.gz", "Data/samples/calendar/log.ndjson.gz",
        "Data/samples/podcasts/log.ndjson.gz", "Data/damaged/rejects.ndjson",
        "Data/damaged/truncated.ndjson.gz", "Data/samples/mixed-with-arguments/log.ndjson.gz",
    ]

    private static func settings() throws -> Settings {
        let path = "Data/partial/config.json"
        return try Settings(json: Array(try Repository.contents(of: path)), file: path)
    }

    /// Covers a sample of each supported version.
    @Test(arguments: ["samples", "samples-2", "samples-3", "samples-4"])
    func theSampleGivesItsSnapshot(_ name: String) throws {
        let folder = try TemporaryFolder()
        var options = ReplayOptions(sources: ["Data/partial/\(name).partial"])
        options.output = folder.path("snapshot.ndjson")
        options.order = .recent
        options.settings = try Self.settings()
        let statistics = try Merge(options, storage: RepositoryStorage()).run()
        let expected = try Repository.contents(of: "Data/partial/expected.ndjson")
        #expect(folder.bytes("snapshot.ndjson") == Array(expected))
        #expect(statistics.sources == Self.sources.count)
        #expect(statistics.grouped == 43)
        #expect(statistics.updated == 1)
        #expect(statistics.silent == 2)
        #expect(statistics.rejectedTotal == 9)
        #expect(statistics.firstReject?.source == "Data/damaged/rejects.ndjson")
        #expect(statistics.sourceErrors.map(\.source) == ["Data/damaged/truncated.ndjson.gz"])
    }

    /// The same input still gives the same bytes: a changed format needs a new version.
    @Test func theSampleIsReproduced() throws {
        let folder = try TemporaryFolder()
        var options = ReplayOptions(sources: Self.sources)
        options.partial = folder.path("samples.partial")
        options.byDevice = true
        options.maximumArguments = 1
        options.maximumLine = 2_048
        options.settings = try Self.settings()
        _ = try Replay(options, storage: RepositoryStorage()).run()
        let expected = try Repository.contents(of: "Data/partial/samples-3.partial")
        #expect(folder.bytes("samples.partial") == Array(expected))
        options.namedSources = try NamedSource.list(
            contentsOf: "Data/partial/sources.ndjson", storage: RepositoryStorage())
        _ = try Replay(options, storage: RepositoryStorage()).run()
        #expect(
            folder.bytes("samples.partial")
                == Array(try Repository.contents(of: "Data/partial/samples-4.partial")))
    }

    @Test func rangesAreReproduced() throws {
        let folder = try TemporaryFolder()
        var options = ReplayOptions(sources: ["Data/partial/samples-4.partial"])
        options.output = folder.path("ranges")
        try PartialRun(.findRanges(count: 3), options, storage: RepositoryStorage()).run()
        #expect(folder.bytes("ranges") == Array(try Repository.contents(of: "Data/partial/ranges-2.keys")))
        for version in [1, 2] {
            let path = "Data/partial/ranges-\(version).keys"
            let ranges = try KeyFile.readRanges(path, storage: RepositoryStorage())
            #expect(ranges.count == 3)
            #expect(ranges.groups.count == 2)
            #expect(ranges.removals == nil)
            #expect(ranges.digest == 0x3abe103b42e4c7d4)
        }
    }
}
