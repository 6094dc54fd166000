import Foundation
import TestSupport
import Testing

/// `sheaf measure`, and `sheaf merge` of its partial results.
@Suite struct MeasureCommandTests {
    private static let log = "Data/measures/log.ndjson"

    private func text(_ measures: String, _ name: String) throws -> [String: Any] {
        for line in measures.split(separator: "\n") {
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            if object["measure"] as? String == name, object["app"] is NSNull { return object }
        }
        Issue.record("\(name) is missing")
        return [:]
    }

    /// Each number was counted by hand.
    @Test func theSampleHasItsMeasures() throws {
        try withFolder { command in
            try command.write(String(decoding: Repository.contents(of: Self.log), as: UTF8.self), to: "log")
            let result = try command.run("measure", "log", "--removals", "--profile", "ios15")
            #expect(result.status == 0)
            let expected: [String: (sum: Int, zero: Int, max: Int)] = [
                "pushes": (7, 0, 5), "updates": (1, 1, 1), "removed": (2, 1, 2), "suppressed": (0, 2, 0),
                "refused": (1, 1, 1), "banners": (6, 0, 5), "sounds": (3, 1, 3), "opened": (1, 1, 1),
                "dismissed": (0, 2, 0), "actions": (0, 2, 0), "groups": (4, 0, 2),
                "notifications": (4, 0, 2), "largest": (2, 0, 1), "buried": (0, 2, 0),
            ]
            for (name, numbers) in expected {
                let found = try text(result.output, name)
                #expect(found["sum"] as? Int == numbers.sum, "\(name)")
                #expect(found["zero"] as? Int == numbers.zero, "\(name)")
                #expect(found["max"] as? Int == numbers.max, "\(name)")
                #expect(found["people"] as? Int == 2, "\(name)")
            }
            #expect(result.errors.contains("10 records from 1 source, 2 people, "))
        }
    }

    /// The same numbers in all formats.
    @Test func formatsHaveTheSameRows() throws {
        try withFolder { command in
            try command.write(String(decoding: Repository.contents(of: Self.log), as: UTF8.self), to: "log")
            let lines = try command.run("measure", "log", "-q").output
            let json = try command.run("measure", "log", "-q", "--format", "json").output
            let array = try #require(
                try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [NSDictionary])
            let objects = try lines.split(separator: "\n").map {
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary
            }
            #expect(array == objects)
            let csv = try command.run("measure", "log", "-q", "--format", "csv").output
            let rows = csv.components(separatedBy: "\r\n").dropLast()
            #expect(rows.first == "at_ms,app,measure,people,zero,sum,mean,p50,p90,p95,p99,max")
            #expect(rows.count == array.count + 1)
            #expect(rows.contains("1767690000000,,pushes,2,0,7,3.500,2,5,5,5,5"))
            #expect(rows.contains("1767690000000,com.example.chat,refused,2,1,1,0.500,0,1,1,1,1"))
        }
    }

    @Test func mergesHaveTheBytesOfOneRun() throws {
        try withFolder { command in
            let lines = String(decoding: try Repository.contents(of: Self.log), as: UTF8.self)
                .split(separator: "\n").map { $0 + "\n" }
            try command.write(lines[..<4].joined(), to: "one")
            try command.write(lines[4...].joined(), to: "two")
            let options = ["--every", "1d", "--removals", "--profile", "ios15", "-q"]
            let whole = try command.run(["measure", "one", "two", "--quantiles", "10,100"] + options)
            for name in ["one", "two"] {
                let part = try command.run(["measure", name, "--partial", "\(name).partial"] + options)
                #expect(part.status == 0, "\(part.errors)")
            }
            let merged = try command.run(
                "merge", "one.partial", "two.partial", "--quantiles", "10,100", "-q")
            #expect(merged.output == whole.output)
            #expect(!merged.output.isEmpty)
            let other = try command.run(
                "merge", "one.partial", "two.partial", "--profile", "ios12")
            #expect(other.status == 64)
            #expect(other.errors.contains("has measures for ios15, but --profile is ios12"))
            try command.write(lines[4...].joined(), to: "three")
            _ = try command.run("replay", "three", "--by-device", "--partial", "three.partial")
            let mixed = try command.run("merge", "one.partial", "three.partial")
            #expect(mixed.status == 64 || mixed.status == 66, "\(mixed.errors)")
            let inspected = try command.run("partial", "inspect", "one.partial")
            #expect(inspected.output.contains("\"per\":\"app\""))
        }
    }

    /// A push without a device belongs to no person.
    @Test func pushesWithoutADeviceAreCounted() throws {
        try withFolder { command in
            try command.write(
                """
                {"app":"a","device":"d","timestamp":1700000000,"aps":{"alert":"x"}}
                {"app":"a","timestamp":1700000001,"aps":{"alert":"x"}}
                {"app":"a","timestamp":1700000002,"collapse-id":"c","aps":{"alert":"x"}}

                """, to: "log")
            let result = try command.run("measure", "log", "--stats", "stats.json")
            #expect(result.errors.contains("2 of 3 pushes have no device, and are not measured"))
            let statistics = try command.read("stats.json")
            #expect(statistics.contains("\"people\":1,\"withoutDevice\":2"))
        }
    }

    struct Mistake: NamedCase {
        var name: String { arguments.joined(separator: " ") }
        let arguments: [String]
        let message: String
    }

    static let mistakes = [
        Mistake(arguments: ["log", "--quantiles", "0"], message: "'0' is not a percentile"),
        Mistake(arguments: ["log", "--quantiles", "50,"], message: "'' is not a percentile"),
        Mistake(arguments: ["log", "--quantiles", "50,101"], message: "'101' is not a percentile"),
        Mistake(arguments: ["log", "--quantiles", "50,50.0"], message: "--quantiles has 50 twice"),
        Mistake(arguments: ["log", "--fold", "0"], message: "--fold is 0, but must be from 1 to 1000"),
        Mistake(arguments: ["log", "--per", "device"], message: "device"),
        Mistake(
            arguments: ["log", "--cells", "--quantiles", "50"],
            message: "--quantiles has no effect with --cells"),
        Mistake(
            arguments: ["log", "--partial", "p", "--fold", "3"],
            message: "--partial writes state, which --fold"),
        Mistake(
            arguments: ["log", "--partial", "p", "--cells"], message: "--partial writes state, which --cells"),
        Mistake(arguments: ["log", "-o", "x.parquet"], message: "a result is not written as Parquet"),
        Mistake(arguments: ["log", "--top", "3"], message: "--top"),
        Mistake(arguments: [], message: "Missing expected argument"),
        Mistake(arguments: ["missing.ndjson"], message: "missing.ndjson"),
    ]

    @Test(arguments: mistakes) func mistakesAreExplained(_ mistake: Mistake) throws {
        try withFolder { command in
            try command.write(#"{"app":"a","device":"d","aps":{"alert":"x"}}"# + "\n", to: "log")
            let result = try command.run(["measure"] + mistake.arguments)
            #expect(result.status == (mistake.arguments == ["missing.ndjson"] ? 66 : 64))
            #expect(result.errors.contains(mistake.message), "\(result.errors)")
            #expect(result.output.isEmpty)
        }
    }
}
