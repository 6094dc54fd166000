import SheafBytes
import SheafFlow
import Testing

@testable import SheafTool

@Suite struct WordingTests {
    @Test(arguments: [
        ("1048576", 1_048_576), ("1MiB", 1 << 20), ("64K", 64 << 10), ("2G", 2 << 30), ("7B", 7), ("0", 0),
    ])
    func readsSizes(text: String, bytes: Int) throws {
        #expect(try #require(ByteSize(argument: text)).bytes == bytes)
    }

    @Test(arguments: ["", "MiB", "-1", "1.5MiB", "1 MiB", "9223372036854775807K", "x"])
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
        ("30", 30_000), ("30s", 30_000), ("500ms", 500), ("5m", 300_000), ("1h", 3_600_000), ("1ms", 1),
        ("9223372036854775807ms", Int.max),
    ])
    func readsTimeSpans(text: String, milliseconds: Int) throws {
        #expect(try #require(TimeSpan(argument: text)).duration == .milliseconds(milliseconds))
    }

    @Test(arguments: [
        "", "ms", "s", "0", "0s", "-1", "-5m", "1.5s", "1 s", "1d", "x", "5sm", "9223372036854775807s",
        "9223372036854775808ms",
    ])
    func refusesOtherTimeSpans(text: String) { #expect(TimeSpan(argument: text) == nil) }

    @Test func progressOfNothingYetSaysSo() {
        #expect(ProgressLine.text(Progress(), seconds: 0) == "0 B  0 records/s  0 groups")
        #expect(ProgressLine.text(Progress(), seconds: 0, showsGroups: false) == "0 B  0 records/s")
    }
}
