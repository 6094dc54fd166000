import Foundation
import TestSupport
import Testing

/// The logs in `Data/outcomes`: pushes that a service accepted and refused, as 12 services and libraries log them. Each
/// gives its snapshot and its statistics.
@Suite struct OutcomeSampleTests {
    struct Sample: NamedCase {
        /// The folder's name.
        let name: String
        /// The shape of most entries.
        let shape: String
        /// The pushes that a device received, as written in the log.
        let accepted: Int
        /// The refused pushes by reason, as written in the log.
        let refused: [String: Int]
        var path: String { "Data/outcomes/\(name)/log.ndjson" }
    }

    static let samples = [
        Sample(
            name: "apns-http2", shape: "apns", accepted: 3,
            refused: ["Unregistered": 1, "BadDeviceToken": 1, "TooManyRequests": 1]),
        Sample(
            name: "apnswift", shape: "apns", accepted: 3,
            refused: ["Unregistered": 1, "BadDeviceToken": 1, "ServiceUnavailable": 1]),
        Sample(
            name: "expo-receipts", shape: "expo", accepted: 4,
            refused: [
                "DeviceNotRegistered": 1, "InvalidCredentials": 1, "Apple's service is unavailable.": 1,
            ]),
        Sample(
            name: "expo-tickets", shape: "expo", accepted: 4,
            refused: [
                "DeviceNotRegistered": 2, "MessageTooBig": 1, "MessageRateExceeded": 1,
                "TOO_MANY_REQUESTS": 1,
            ]),
        Sample(
            name: "fcm", shape: "fcm", accepted: 3,
            refused: ["UNREGISTERED": 1, "INVALID_ARGUMENT": 1, "RESOURCE_EXHAUSTED": 1]),
        Sample(
            name: "fcm-multicast", shape: "fcm", accepted: 5,
            refused: [
                "messaging/registration-token-not-registered": 1, "messaging/invalid-argument": 1,
                "NotRegistered": 2, "MismatchSenderId": 1,
            ]),
        Sample(
            name: "gorush", shape: "gorush", accepted: 5, refused: ["Unregistered": 2, "BadDeviceToken": 1]),
        Sample(
            name: "node-apn", shape: "node-apn", accepted: 5,
            refused: [
                "Unregistered": 1, "BadDeviceToken": 1, "apn write timed out": 1, "TooManyRequests": 1, "": 1,
            ]),
        Sample(
            name: "onesignal", shape: "onesignal", accepted: 5,
            refused: [
                "invalid_player_ids": 1, "invalid_aliases": 1, "All included players are not subscribed": 2,
            ]),
        Sample(
            name: "parse", shape: "parse", accepted: 4,
            refused: [
                "Unregistered": 1, "BadDeviceToken": 1, "Missing push configuration": 1,
                "Push is not configured": 1,
            ]),
        Sample(
            name: "pushy", shape: "pushy", accepted: 3,
            refused: ["Unregistered": 1, "ExpiredProviderToken": 1, "DeviceTokenNotForTopic": 1]),
        Sample(
            name: "sns", shape: "sns", accepted: 3,
            refused: ["Unregistered": 1, "BadDeviceToken": 1, "EndpointDisabled": 1]),
    ]

    private static func run(_ arguments: String...) throws -> Command.Result {
        try Command(folder: URL(fileURLWithPath: Repository.root)).run(arguments)
    }

    private static func golden(_ sample: Sample, _ name: String) throws -> String {
        String(decoding: try Repository.contents(of: "Data/outcomes/\(sample.name)/\(name)"), as: UTF8.self)
    }

    /// The members that describe the run, not the log.
    private static func withoutRun(_ statistics: String) -> String {
        statistics.replacing(#/,"(spilledBytes|peakResidentBytes|seconds)":[0-9.]+/#, with: "")
    }

    @Test(arguments: samples)
    func aSampleGivesItsSnapshotAndStatistics(_ sample: Sample) throws {
        for threads in ["1", "4"] {
            let result = try Self.run(
                "replay", sample.path, "--by-device", "--format", "ndjson", "-q", "-o", "-", "--threads",
                threads, "--stats", "/dev/stderr")
            #expect(result.status == 0)
            #expect(result.output == (try Self.golden(sample, "expected.ndjson")))
            #expect(Self.withoutRun(result.errors) == (try Self.golden(sample, "expected-stats.json")))
        }
    }

    /// The golden files have the counts that follow from reading the log.
    @Test(arguments: samples)
    func theRefusedPushesAreThoseOfTheLog(_ sample: Sample) throws {
        let text = try Self.golden(sample, "expected-stats.json")
        let statistics = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect((statistics["rejected"] as? [String: Int]) == ["total": 0])
        let shown = ["grouped", "updated", "silent"].compactMap { statistics[$0] as? Int }
        #expect(shown.reduce(0, +) == sample.accepted)
        let refused = try #require(statistics["refused"] as? [String: Any])
        #expect(refused["total"] as? Int == sample.refused.values.reduce(0, +))
        let counts = try #require(refused["counts"] as? [[String: Any]])
        var found: [String: Int] = [:]
        for count in counts { found[count["reason"] as? String ?? ""] = count["count"] as? Int }
        #expect(found == sample.refused)
    }

    /// The detection shows where the outcome was found, and the check counts it as information.
    @Test(arguments: samples)
    func theOutcomeIsShown(_ sample: Sample) throws {
        let shown = try Self.run("inputs", "--detect", sample.path, "--records", "100").output
        let heads = shown.split(separator: "\n").filter { $0.hasPrefix(sample.path) }
        #expect(
            heads.count { $0.hasSuffix("a push that was refused") } == sample.refused.values.reduce(0, +))
        #expect(heads.allSatisfy { $0.contains(": \(sample.shape)") })
        for reason in sample.refused.keys where reason != "" { #expect(shown.contains(reason), "\(reason)") }
        let check = try Self.run("check", sample.path)
        let total = sample.refused.values.reduce(0, +)
        #expect(check.output.contains("\(total) pushes refused by the push service: "))
        #expect(!check.output.contains("outcome.unknown"))
        // Text ends with the same sentence, whether the groups come from memory or from files.
        let lines = check.output.split(separator: "\n")
        let sentence = lines.first { $0.contains(" refused by the push") } ?? "none"
        let ending = "\n\n\(sentence)\n"
        #expect(try Self.run("replay", sample.path, "--format", "text", "-q").output.hasSuffix(ending))
        let unique = try Self.run("replay", sample.path, "--format", "text", "-q", "--unique")
        #expect(unique.output.hasSuffix(ending))
    }

    /// Every folder must have a test, and each of its files a purpose.
    @Test func everySampleIsListed() throws {
        #expect(try Repository.names(in: "Data/outcomes").sorted() == Self.samples.map(\.name))
        for sample in Self.samples {
            let files = try Repository.names(in: "Data/outcomes/\(sample.name)")
            #expect(files.sorted() == ["expected-stats.json", "expected.ndjson", "log.ndjson"])
        }
    }
}
