import Foundation
import SheafBytes
import TestTags
import Testing

/// Logs and partial results that are crafted to take much memory stay within `--memory`, here its smallest useful size.
/// Serialized, because each run is a large process. State is spilled only when memory runs short, whatever the tests'
/// environment requests.
@Suite(.serialized, .tags(.extended)) struct MemoryBoundTests {
    private static let limit = 64 << 20

    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        /// An awk program that prints the log.
        let log: String
        var options = ""
        var status: Int32 = 0
        /// Text that the snapshot must contain.
        var shows = ""

        var testDescription: String { name }
    }

    /// An awk statement that prints a record with these members in `aps`, where each `%s` is the value of a variable.
    private static func record(_ members: String, _ values: String) -> String {
        let json = #"{"ts":%d,"app":"a","aps":{MEMBERS}}\n"#.replacing("MEMBERS", with: members)
        return "printf \"\(json.replacing("\"", with: "\\\""))\",i,\(values)"
    }

    private static let category = record(#""alert":{"body":"x"},"category":"%s""#, "c")
    private static let argument = record(
        #""alert":{"body":"x","summary-arg":"%s"},"thread-id":"%s""#, "a,t")
    private static let body = record(#""alert":{"body":"%s"},"thread-id":"%s""#, "b,t")

    /// An awk program that runs `body` for `i` from 0 up to `count`; `x` is `text.bytes` bytes of the letter.
    private static func loop(_ count: Int, _ text: (bytes: Int, letter: String), _ body: String) -> String {
        "BEGIN{x=\"\(text.letter)\";while(length(x)<\(text.bytes))x=x x;x=substr(x,1,\(text.bytes));"
            + "for(i=0;i<\(count);i++){\(body)}}"
    }

    private static let replaceable = record(
        #""alert":{"body":"%s"}"#, "c,b"
    ).replacing(#"\"aps\""#, with: #"\"collapse-id\":\"%s\",\"aps\""#)
    private static let both = record(
        #""alert":{"body":"x","summary-arg":"%s"},"category":"%s""#, "a,c")

    /// An awk program that prints lines with as many tokens; the alert is a key with a long argument.
    private static func tokens(_ lines: Int, _ count: Int, _ format: String) -> String {
        let start = #"{"ts":%d,"tokens":["#
        let rest =
            #"],"platform":1,"topic":"a","alert":{"loc-key":"KEY","loc-args":["\#(String(repeating: "x", count: 500))"]}}"#
        func quoted(_ text: String) -> String { text.replacing("\"", with: "\\\"") }
        return loop(
            lines, (1, "x"),
            "printf \"\(quoted(start))\",i;"
                + "for(t=0;t<\(count);t++)printf \"%s\\\"\(format)\\\"\",(t?\",\":\"\"),t;"
                + "printf \"\(quoted(rest))\\n\"")
    }

    /// An awk statement that prints an array of records that no shape has.
    private static func rejected(_ count: Int) -> String {
        "printf \"[\";for(t=0;t<\(count);t++)printf \"%s{\\\"a\\\":%d}\",(t?\",\":\"\"),t;print \"]\""
    }

    static let cases = [
        Case(
            name: "a group of 60,000 categories",
            log: loop(60_000, (300, "x"), "c=sprintf(\"%06d\",(i*7919)%60000) x;\(category)"),
            shows: #""otherCategories":{"count":58976,"weight":58976}"#),
        Case(
            name: "a group of 3,000 categories of maximum length",
            log: loop(3_000, (4_090, "x"), "c=sprintf(\"%06d\",(i*7919)%3000) x;\(category)"),
            shows: #""otherCategories":{"count":1976,"weight":1976}"#),
        Case(
            // A control character is six bytes in JSON.
            name: "a group of categories of control characters of maximum length",
            log: loop(1_100, (4_090 * 6, #"\\u0001"#), "c=sprintf(\"%06d\",i) x;\(category)"),
            shows: #""otherCategories":{"count":76,"weight":76}"#),
        Case(
            name: "a group of arguments and categories of maximum length",
            log: loop(2_000, (4_090, "x"), "a=sprintf(\"%06d\",(i*7919)%2000) x;c=a;\(both)"),
            options: "--max-arguments 1024 --format csv",
            shows: #""{""count"":976,""weight"":976}""#),
        Case(
            name: "categories of 900 KB",
            log: loop(60, (900_000, "x"), "c=sprintf(\"%06d\",i) x;\(category)"),
            status: 65),
        Case(
            name: "a group of arguments of maximum length",
            log: loop(1_500, (4_090, "x"), "t=\"t\";a=sprintf(\"%06d\",i) x;\(argument)"),
            options: "--max-arguments 1024", shows: #""argumentsTruncated":true"#),
        Case(
            name: "arguments of 1 MB",
            log: loop(60, (1_000_000, "x"), "t=\"t\";a=sprintf(\"%06d\",i) x;\(argument)"),
            options: "--max-arguments 1024", status: 65),
        Case(
            name: "40 groups of arguments of maximum length",
            log: loop(1_280, (4_090, "x"), "t=i%40;a=sprintf(\"%06d\",i) x;\(argument)"),
            shows: #""thread":"39""#),
        Case(
            name: "bodies of 1 MB", log: loop(80, (1_000_000, "x"), "t=i;b=x;\(body)"),
            shows: #""thread":"79""#),
        Case(
            name: "bodies of 900 KB that may be replaced",
            log: loop(80, (900_000, "x"), "b=x;c=i;\(replaceable)"), shows: #""count":80"#),
        Case(
            name: "the largest groups", log: loop(80, (1_000_000, "x"), "t=i;b=x;\(body)"),
            options: "--top 70",
            shows: #""thread":"11""#),
        Case(
            name: "rejected lines", log: "BEGIN{for(i=0;i<400000;i++)print \"x\"}",
            options: "--rejects rejects",
            status: 65),
        Case(
            name: "rejected lines of control characters",
            log: loop(4_000, (3_000, "\\001"), "print x"), options: "--rejects rejects", status: 65),
        Case(
            name: "lines of 14,000 tokens", log: tokens(2, 14_000, "%064d"), options: "--by-device",
            shows: #""count":2"#),
        Case(
            name: "a line of 120,000 short tokens", log: tokens(1, 120_000, "%x"),
            shows: #""count":120000"#),
        Case(
            name: "a line of 60,000 tokens with escapes", log: tokens(1, 60_000, "\\\\n"),
            shows: #""count":60000"#),
        Case(
            name: "lines of 10,000 rejected records", log: loop(5, (1, "x"), rejected(10_000)),
            options: "--rejects rejects", status: 65),
    ]

    @Test(arguments: cases)
    func aReplayStaysWithinItsMemory(_ item: Case) throws {
        try withFolder { command in
            // A path of nearly maximum length makes the source of each rejected line long.
            let folder = (0..<12).map { _ in String(repeating: "d", count: 250) }.joined(separator: "/")
            let line = """
                mkdir -p \(folder) && awk '\(item.log)' > \(folder)/log && \
                SHEAF_SPILL= exec $SHEAF replay \(folder)/log --threads 2 --memory \(Self.limit) --stats stats -o out \(item.options)
                """
            let result = try command.shell(line)
            #expect(result.status == item.status, "\(result.errors.suffix(300))")
            if item.status != 0 { #expect(result.errors.contains("rejected")) }
            try Self.checkPeak(in: command)
            let output = try command.shell("cat out").output
            #expect(item.shows.isEmpty || output.contains(item.shows))
        }
    }

    /// The file is a compressed frame of 200 MiB of zeros with a valid checksum.
    @Test func aPartialResultStaysWithinItsMemory() throws {
        try withFolder { command in
            let path = command.folder.appendingPathComponent("bomb").path
            let file = try OutputFile(path, storage: SystemStorage())
            var frames = try FrameWriter(file, magic: FrameMagic("SHEAF", version: 3, oldest: 1))
            try frames.write([UInt8](repeating: 0, count: 200 << 20).span, kind: 1)
            try frames.end()
            try file.commit()
            let result = try command.shell(
                "gzip -1 bomb && exec $SHEAF merge bomb.gz --threads 2 --memory \(Self.limit) --stats stats -o out"
            )
            #expect(result.status == 74)
            #expect(
                result.errors
                    == "sheaf: bomb.gz: damaged at byte 8: a frame of 209,715,200 bytes is longer than the memory limit "
                    + "allows (16,777,216)\n")
        }
    }

    private static func checkPeak(in command: Command) throws {
        let stats = try command.shell("cat stats").output
        let peak = try #require(stats.firstMatch(of: /"peakResidentBytes":(\d+)/)?.1)
        #expect(try #require(Int(peak)) <= limit)
    }
}
