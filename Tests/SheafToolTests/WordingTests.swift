import ArgumentParser
import SheafBytes
import SheafFlow
import Testing

@testable import SheafTool

@Suite struct WordingTests {
    @Test(arguments: [
        ("1048576", 1_048_576), ("1MiB", 1 << 20), ("64K", 64 << 10), ("2G", 2 << 30), ("7B", 7), ("0", 0),
        ("1gib", 1 << 30), ("3m", 3 << 20), ("2kIB", 2048),
    ])
    func readsSizes(text: String, bytes: Int) throws {
        #expect(try #require(ByteSize(argument: text)).bytes == bytes)
    }

    @Test(arguments: [
        "", "MiB", "-1", "1.5MiB", "1 MiB", "9223372036854775807K", "x", "1GB", "1kb", "1MB", "+1", "1KiBB",
    ])
    func refusesOtherSizes(text: String) { #expect(ByteSize(argument: text) == nil) }

    @Test(arguments: [(1 << 20, "1MiB"), (1000, "1000"), (3 << 30, "3GiB"), (1536, "1536"), (0, "0")])
    func writesSizes(bytes: Int, text: String) { #expect(ByteSize(bytes).description == text) }

    @Test(arguments: [
        (UInt64(0), "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"),
        (.max, "18,446,744,073,709,551,615"),
    ])
    func groupsDigits(number: UInt64, text: String) { #expect(Numbers.grouped(number) == text) }

    @Test(arguments: [
        (UInt64(0), "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1_250_000, "1.3 MB"),
        (5_000_000_000_000, "5.0 TB"),
    ])
    func writesAmounts(count: UInt64, text: String) { #expect(Numbers.bytes(count) == text) }

    @Test(arguments: [(0.4, "0:00"), (61, "1:01"), (3_723, "1:02:03")])
    func writesDurations(seconds: Double, text: String) { #expect(Numbers.duration(seconds) == text) }

    @Test(arguments: [
        ("30", Int64(30_000)), ("30s", 30_000), ("500ms", 500), ("5m", 300_000), ("1h", 3_600_000),
        ("1d", 86_400_000), ("1ms", 1),
        ("9223372036854775807ms", Int64.max),
    ])
    func readsTimeSpans(text: String, milliseconds: Int64) throws {
        #expect(try OptionValue.timeSpan(text) == milliseconds)
    }

    @Test(arguments: [
        "", "ms", "s", "0", "0s", "-1", "-5m", "1.5s", "1 s", "1D", "x", "5sm", "9223372036854775807s",
        "9223372036854775808ms",
    ])
    func refusesOtherTimeSpans(text: String) {
        #expect(throws: ValidationError.self) { try OptionValue.timeSpan(text) }
    }

    @Test(arguments: [
        ("+02:00", 120), ("-0330", -210), ("+00:00", 0), ("-23:59", -1_439), ("Z", 0), ("z", 0),
    ])
    func readsClockOffsets(text: String, minutes: Int) throws {
        #expect(try OptionValue.clockOffset(text) == minutes)
    }

    @Test(arguments: ["", "2", "02:00", "+2", "+2:00", "+24:00", "+02:60", "+02:00 ", "UTC", "++02:00"])
    func refusesOtherClockOffsets(text: String) {
        #expect(throws: ValidationError.self) { try OptionValue.clockOffset(text) }
    }

    @Test func progressStartsAtZero() {
        #expect(ProgressLine.text(RunProgress(), seconds: 0, shows: .groups) == "0 B  0 records/s  0 groups")
        #expect(ProgressLine.text(RunProgress(), seconds: 0, shows: nil) == "0 B  0 records/s")
    }

    @Test(arguments: [
        ("1GB", "write 1GiB, or 1000000000 without a unit"), ("64mb", "write 64MiB, or 64000000 without"),
        ("5kB", "write 5KiB, or 5000 without"), ("GB", "a size is a whole number"),
        ("-1GB", "a size is a whole"),
        ("99999999999999999999GB", "a size is a whole number"), ("", "a size is a whole number"),
    ])
    func anInvalidSizeExplainsTheFormat(text: String, message: String) {
        let error = #expect(throws: (any Error).self) { try ByteSize.parse(text) }
        #expect("\(String(describing: error))".contains(message))
    }

    @Test(arguments: [
        (0.0, "0.0 s"), (0.002, "0.0 s"), (0.0999, "0.1 s"), (0.1, "0.1 s (10,000 records/s)"),
        (2, "2.0 s (500 records/s)"),
    ])
    func aRateNeedsATenthOfASecond(seconds: Double, text: String) {
        #expect(Totals.time(seconds, records: 1_000) == text)
    }

    @Test(
        arguments: [
            (nil, "7 records from 1 source"), (80, "7 records from 1 source"),
            (23, "7 records from 1 source"),
            (22, "7 records from 1\nsource"), (9, "7 records\nfrom 1\nsource"),
            (3, "7\nrecords\nfrom\n1\nsource"),
            (1, "7\nrecords\nfrom\n1\nsource"), (0, "7\nrecords\nfrom\n1\nsource"),
        ] as [(Int?, String)])
    func wrapsAtWords(columns: Int?, text: String) {
        #expect(Message.wrapped("7 records from 1 source", columns: columns) == text)
    }

    @Test func rowsAreReservedForTheLinesAfterAResult() {
        #expect(Message.resultRows(rows: 24, columns: 80, showsTotals: true) == 18)
        #expect(Message.resultRows(rows: 24, columns: 80, showsTotals: false) == 20)
        #expect(Message.resultRows(rows: 50, columns: 200, showsTotals: true) == 46)
        #expect(Message.resultRows(rows: 3, columns: 1, showsTotals: true) == 1)
    }

    @Test func groupsThatAreLeftOutAreCounted() {
        #expect(Message.note(groupsLeftOut: 1).hasPrefix("\n1 more group: use --top N"))
        #expect(Message.note(groupsLeftOut: 1_234).hasPrefix("\n1,234 more groups: use --top N"))
    }

    @Test(
        arguments: [
            ("x.csv", .csv), ("x.json", .json), ("x.ndjson", .ndjson), ("x.jsonl", .ndjson), ("x.txt", .text),
            ("x.csv.gz", .csv), ("x.json.zst", .json), ("x.zst", nil), ("a.csv/x.JSON.GZ", .json), ("x", nil),
            ("x.csv.zip", nil), ("csv", nil),
            ("-", nil),
            ("", nil), (".csv", .csv), ("x.gz", nil), ("a.csv/x", nil),
        ] as [(String, FormatName?)])
    func theNameSelectsTheFormat(path: String, format: FormatName?) {
        #expect(FormatName(output: path) == format)
    }

    @Test func progressOfAGeneratedLog() {
        #expect(
            ProgressLine.text(recordsGenerated: 250, of: 1_000, seconds: 2)
                == "25 % of 1,000 records  0:06 left  125 records/s")
        #expect(ProgressLine.text(recordsGenerated: 0, of: 1, seconds: 0) == "0 % of 1 record  0 records/s")
        #expect(
            ProgressLine.text(recordsGenerated: 0, of: 0, seconds: 0) == "100 % of 0 records  0 records/s")
        #expect(
            ProgressLine.text(recordsGenerated: .max / 100, of: .max / 100, seconds: 1).hasPrefix("100 % of ")
        )
    }
}
