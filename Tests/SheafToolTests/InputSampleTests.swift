import Foundation
import TestSupport
import Testing

/// The logs in `Data/inputs`: each gives its snapshot, whether its shape is recognized or named, and so do the same
/// pushes as native records.
@Suite struct InputSampleTests {
    struct Sample: NamedCase {
        /// The folder's name.
        let name: String
        /// The shape, or the mapping file in the folder.
        let input: String
        /// The log's name in the folder.
        var log = "log.ndjson"
        var app: String?
        /// Whether the shape is one that is recognized.
        var isRecognized = true

        var folder: String { "Data/inputs/\(name)" }
        var options: [String] { app.map { ["--app", $0] } ?? [] }
        /// The value of `--input` that names the shape.
        var forced: String { input.hasSuffix(".json") ? "\(folder)/\(input)" : input }
    }

    static let samples = [
        Sample(name: "apnswift", input: "apns"), Sample(name: "array", input: "apns"),
        Sample(name: "cloudwatch", input: "apns"), Sample(name: "docker", input: "apns"),
        Sample(name: "expo", input: "expo", app: "com.example.garden"), Sample(name: "fcm", input: "fcm"),
        Sample(name: "fluent-bit", input: "apns"), Sample(name: "gorush", input: "gorush"),
        Sample(name: "gzip", input: "apns", log: "log.ndjson.gz"),
        Sample(name: "kafka-connect", input: "apns"), Sample(name: "lambda-sns", input: "sns"),
        Sample(name: "local", input: "local"),
        Sample(name: "mapping", input: "mapping.json", isRecognized: false),
        Sample(name: "node-apn", input: "apns"), Sample(name: "onesignal", input: "onesignal"),
        Sample(name: "parse", input: "parse"), Sample(name: "pushy", input: "apns"),
        Sample(name: "sns", input: "sns"), Sample(name: "sqs", input: "apns"),
        Sample(name: "vector", input: "apns"),
        Sample(name: "zstd", input: "apns", log: "log.ndjson.zst"),
    ]

    private static func replay(_ log: String, _ input: String, _ options: [String]) throws -> Command.Result {
        try Command(folder: URL(fileURLWithPath: Repository.root)).run(
            ["replay", log, "--by-device", "--format", "ndjson", "-q", "-o", "-", "--input", input] + options)
    }

    private static func withoutSources(_ snapshot: String) -> String {
        snapshot.replacing(#/,"source":"[^"]*","line":\d+/#, with: "")
    }

    @Test(arguments: samples)
    func aSampleGivesItsSnapshot(_ sample: Sample) throws {
        let expected = String(
            decoding: try Repository.contents(of: "\(sample.folder)/expected.ndjson"), as: UTF8.self)
        for input in [sample.forced] + (sample.isRecognized ? ["auto"] : []) {
            let result = try Self.replay("\(sample.folder)/\(sample.log)", input, sample.options)
            #expect(result.output == expected, "\(input)")
            #expect(result.errors.isEmpty)
            #expect(result.status == 0)
        }
    }

    @Test(arguments: samples)
    func nativeRecordsGiveTheSameGroups(_ sample: Sample) throws {
        let expected = String(
            decoding: try Repository.contents(of: "\(sample.folder)/expected.ndjson"), as: UTF8.self)
        let result = try Self.replay("\(sample.folder)/native.ndjson", "auto", [])
        #expect(Self.withoutSources(result.output) == Self.withoutSources(expected))
        #expect(result.errors.isEmpty)
        #expect(result.status == 0)
        #expect(expected.contains(#""count":2"#) || expected.contains(#""count":3"#), "nothing is stacked")
    }

    /// Every folder must have a test, and each of its files a purpose.
    @Test func everySampleIsListed() throws {
        #expect(try Repository.names(in: "Data/inputs").sorted() == Self.samples.map(\.name))
        for sample in Self.samples {
            let files = [sample.log, "expected.ndjson", "native.ndjson"]
            let mapping = sample.input.hasSuffix(".json") ? [sample.input] : []
            #expect(try Repository.names(in: sample.folder).sorted() == (files + mapping).sorted())
        }
    }

    /// A message of another platform is counted, not grouped.
    @Test func gorushHasAMessageForAnotherPlatform() throws {
        let result = try Self.replay("Data/inputs/gorush/log.ndjson", "auto", ["--stats", "/dev/stderr"])
        #expect(result.errors.contains(#""otherPlatform":1,"#))
    }
}
