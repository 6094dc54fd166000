import Foundation
import TestSupport
import TestTags
import Testing

/// Lines with very many records give the same bytes however they are decoded, and rejects of their records take as
/// much as the records.
@Suite(.tags(.extended)) struct LongArrayTests {
    struct Log: NamedCase {
        let name: String
        /// The number of tokens of each line.
        let tokens: Int
        var isByDevice = true
        /// Returns a token as JSON, without its quotes.
        let token: @Sendable (Int) -> String
    }

    static let logs = [
        Log(name: "long tokens", tokens: 12_000) { String(repeating: "0", count: 58) + String(100_000 + $0) },
        Log(name: "short tokens", tokens: 105_000, isByDevice: false) { String($0, radix: 36) },
        Log(name: "tokens with escapes", tokens: 20_000) { #"\u0064\n"# + String($0) },
    ]

    private static let splits = [
        ["--threads", "1"], ["--threads", "3", "--chunk-size", "1"],
        ["--threads", "2", "--chunk-size", "64KiB", "--memory", "64MiB"],
    ]

    @Test(arguments: logs)
    func theResultDoesNotDependOnTheSplit(_ log: Log) throws {
        try withFolder { command in
            let tokens = (0..<log.tokens).map { "\"\(log.token($0))\"" }.joined(separator: ",")
            let arguments = String(repeating: "x", count: 300)
            let line =
                #"{"ts":1,"platform":1,"topic":"a","alert":{"loc-key":"K","loc-args":["\#(arguments)"]},"tokens":[\#(tokens)]}"#
            #expect(line.utf8.count <= 1 << 20)
            try command.write(line, to: "log")
            var first: String?
            for split in Self.splits {
                let result = try command.run(
                    ["replay", "log", "--format", "ndjson", "-q", "-o", "-"]
                        + (log.isByDevice ? ["--by-device"] : []) + split)
                #expect(result.status == 0)
                #expect(result.errors.isEmpty)
                #expect(result.output == first ?? result.output, "\(split)")
                first = result.output
            }
            let groups = first?.split(separator: "\n") ?? []
            #expect(groups.count == (log.isByDevice ? log.tokens : 1))
            let count = log.isByDevice ? 1 : log.tokens
            #expect(groups.allSatisfy { $0.contains("\"count\":\(count),") })
        }
    }

    @Test func rejectsOfALineQuoteItsRecords() throws {
        try withFolder { command in
            let count = 10_000
            let line = "[\((0..<count).map { #"{"a":\#($0)}"# }.joined(separator: ","))]"
            try command.write(line, to: "log")
            let expected = (0..<count).map {
                #"{"source":"log","line":1,"index":\#($0),"reason":"payload.missing","text":"{\"a\":\#($0)}"}"#
                    + "\n"
            }
            for split in Self.splits {
                let result = try command.run(
                    ["replay", "log", "-q", "-o", "out", "--rejects", "rejects", "--stats", "stats"] + split)
                #expect(result.status == 65)
                #expect(try command.read("rejects") == expected.joined(), "\(split)")
                #expect(try command.read("stats").contains(#""records":10000,"#))
            }
        }
    }
}
