import Foundation
import SheafBytes
import SheafText
import TestSupport
import Testing

@testable import SheafDrafts
@testable import SheafFlow
@testable import SheafGroups

/// Mapping files that are drafted for logs of unknown make: the logs in `Data/drafts`.
@Suite struct InputDraftTests {
    /// The logs for which the drafts were developed.
    static let known = [
        "array-lines", "batch-items", "change-capture", "cloudtrail-sns", "expo-sdk", "fcm-request",
        "gcp-logging", "go-worker", "journald", "kafka-value", "logstash", "mongo-export",
        "onesignal-outbound", "pino", "rails", "recipients", "serilog", "stringified-twice",
        "structlog-http2",
    ]
    /// The logs that were held back: nothing was tuned for them.
    static let heldBack = [
        "analytics", "campaigns", "header-list", "kebab-case", "pigeon", "queue-body",
    ]
    /// Logs for which a draft must be completed by hand, with the reason.
    static let misses: [String: String] = [
        "header-list": "headers in a list of names and values"
    ]

    /// What a push is, for comparisons.
    struct Push: Equatable {
        var time: Int64?
        var texts: [String: String] = [:]
    }

    private static func path(_ name: String) -> String { "\(Repository.root)/Data/drafts/\(name).ndjson" }

    private static func pushes(of path: String, _ input: LogInput) throws -> [Push] {
        let names = [
            "app", "device", "id", "payload/aps/thread-id", "payload/aps/alert/title",
            "payload/aps/alert/body",
        ]
        return try InputDetection(path, input, records: 1000).records.compactMap { record in
            guard case .notification = record.outcome, let trace = record.trace else { return nil }
            var push = Push()
            for field in trace.fields {
                if field.name == "timestamp" { push.time = Timestamp.milliseconds(text: field.text.span) }
                if names.contains(field.name) {
                    push.texts[field.name] = String(decoding: field.text, as: UTF8.self)
                }
            }
            return push
        }
    }

    @Test(arguments: known + heldBack) func aDraftReadsItsLog(_ name: String) throws {
        let draft = try InputDraft(Self.path(name))
        var found: [Push] = []
        if let mapping = draft.mapping {
            found = try Self.pushes(of: Self.path(name), LogInput(json: mapping, file: "draft.json"))
        }
        let expected = try Self.pushes(of: Self.path("\(name).native"), .automatic)
        #expect(expected.count > 3)
        if let reason = Self.misses[name] {
            withKnownIssue("\(reason)") { #expect(found == expected) }
        } else {
            #expect(found == expected)
            #expect(draft.pushes == expected.count)
        }
    }

    /// A draft for a text in several languages has those of the locale.
    @Test func textsMayBeInSeveralLanguages() throws {
        let entries = (0..<5).map { index in
            #"{"sent_at":\#(1_767_600_000 + index),"recipient":"u\#(index)","bundle":"com.example.a","push":{"title":{"de":"Hallo","en":"Hello"},"body":{"de":"Text","en":"Words \#(index)"}}}"#
        }
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/log"
        try Data(entries.joined(separator: "\n").utf8).write(to: URL(filePath: path))
        let mapping = try #require(try InputDraft(path).mapping)
        let input = try LogInput(json: mapping, file: "draft.json")
        for (locale, title) in [("de_AT", "Hallo"), ("fr", "Hello")] {
            let pushes = try Self.pushes(of: path, input.localized(LocaleIdentifier(known: locale)))
            #expect(pushes.count == 5)
            #expect(pushes[0].texts["payload/aps/alert/title"] == title)
        }
    }

    /// At least 22 of the 25 drafts need no change.
    @Test func fewDraftsMissAnything() throws {
        let names = try Repository.names(in: "Data/drafts").filter { !$0.hasSuffix(".native.ndjson") }
        #expect(
            names.map { String($0.dropLast(".ndjson".count)) }.sorted()
                == (Self.known + Self.heldBack).sorted())
        #expect(names.count == 25)
        #expect(Self.misses.count <= 3)
    }
}
