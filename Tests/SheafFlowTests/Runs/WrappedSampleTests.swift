import Foundation
import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// The logs of each shape in `Data/inputs`, with each of their lines inside each wrapper, up to four deep (specification
/// §12.3): the groups are those of the log itself.
@Suite struct WrappedSampleTests {
    struct Wrapper: NamedCase {
        let name: String
        let wrap: @Sendable (String) -> String
    }

    static let wrappers: [Wrapper] = [
        .init(name: "Vector") { #"{"file":"/push.log","message":\#(jsonString($0)),"source_type":"file"}"# },
        .init(name: "Fluent Bit") { #"{"date":1700000000.5,"log":\#(jsonString($0))}"# },
        .init(name: "Docker") {
            #"{"log":\#(jsonString($0 + "\n")),"stream":"stdout","time":"2023-11-14T22:13:20Z"}"#
        },
        .init(name: "CloudWatch") {
            #"{"messageType":"DATA_MESSAGE","logEvents":[{"id":"1","timestamp":1,"message":\#(jsonString($0))}]}"#
        },
        .init(name: "Lambda") { #"{"Records":[{"EventSource":"aws:sns","Sns":\#($0)}]}"# },
        .init(name: "SQS") { #"{"Records":[{"messageId":"m","body":\#(jsonString($0)),"attributes":{}}]}"# },
        .init(name: "Kafka Connect") { #"{"schema":{"type":"struct","fields":[]},"payload":\#($0)}"# },
        .init(name: "Kafka Connect, text") { #"{"schema":null,"payload":\#(jsonString($0))}"# },
        .init(name: "an array") { "[\($0)]" },
        .init(name: "an array of a text") { "[\(jsonString($0))]" },
    ]

    /// Samples whose lines have no wrapper; all of their records have a time and an app of their own.
    static let samples = [
        "apnswift", "fcm", "gorush", "local", "node-apn", "onesignal", "parse", "pushy", "sns",
    ]

    private static func lines(of sample: String) throws -> [String] {
        String(decoding: try Repository.contents(of: "Data/inputs/\(sample)/log.ndjson"), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    /// Returns the snapshot without line numbers, and the counts.
    private static func replay(_ lines: [String]) async throws -> (snapshot: String, statistics: Statistics) {
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        options.byDevice = true
        options.threads = 2
        let storage = MemoryStorage(["log": .file(Array(lines.map { $0 + "\n" }.joined().utf8))])
        let statistics = try await run(options, on: storage).get()
        return (String(decoding: storage["out"] ?? [], as: UTF8.self), statistics)
    }

    @Test(arguments: samples)
    func wrappedLinesGiveTheSameGroups(_ sample: String) async throws {
        let lines = try Self.lines(of: sample)
        let plain = try await Self.replay(lines)
        #expect(plain.statistics.rejectedTotal == 0)
        for first in Self.wrappers.indices {
            let nest = [0, 1, 3, 7].map { Self.wrappers[(first + $0) % Self.wrappers.count] }
            for depth in [1, 4] {
                let wrapped = lines.map { line in nest.prefix(depth).reduce(line) { $1.wrap($0) } }
                let name = nest.prefix(depth).map(\.name).joined(separator: " in ")
                let replayed = try await Self.replay(wrapped)
                #expect(replayed.snapshot == plain.snapshot, "\(name)")
                #expect(replayed.statistics.rejectedTotal == 0, "\(name)")
            }
        }
    }

    @Test(arguments: wrappers)
    func fiveWrappersAreTooMany(_ wrapper: Wrapper) async throws {
        let lines = try Self.lines(of: "pushy")
        let wrapped = lines.map { line in (1...5).reduce(line) { line, _ in wrapper.wrap(line) } }
        let replayed = try await Self.replay(wrapped)
        #expect(replayed.snapshot.isEmpty)
        #expect(replayed.statistics.rejectedTotal == UInt64(lines.count))
    }
}
