import SheafBytes
import Testing

/// Small JSON documents.
@Suite struct JSONDocumentTests {
    private func text(_ members: (inout JSONDocument) -> Void) -> String {
        String(decoding: JSONDocument.bytes(members), as: UTF8.self)
    }

    @Test func membersAreSeparatedByCommas() {
        let written = text { report in
            report.member("a", 0)
            report.member("b", "\"é\n")
            report.member("c") { _ in }
            report.member("d") { $0.member("x", 1) }
            report.member("e", [Int]()) { _, _ in }
            report.member("f", [1, 2]) { report, number in
                report.member("y", UInt64(number))
                report.member("z") { $0.member("x", .max) }
            }
            report.member("g", 1)
        }
        #expect(
            written == #"{"a":0,"b":"\"é\n","c":{},"d":{"x":1},"e":[],"#
                + #""f":[{"y":1,"z":{"x":18446744073709551615}},{"y":2,"z":{"x":18446744073709551615}}],"g":1}"#
                + "\n")
    }

    @Test func valuesMayBeAbsentNegativeOrBoolean() {
        let written = text { report in
            report.member("a", nil)
            report.member("b", milliseconds: .min)
            report.member("c", true)
            report.member("d", false)
        }
        #expect(written == #"{"a":null,"b":-9223372036854775808,"c":true,"d":false}"# + "\n")
    }

    @Test func reportMayBeEmpty() { #expect(text { _ in } == "{}\n") }

    @Test(
        arguments: [
            (0, 3, "0.000"), (1.0625, 3, "1.063"), (2.9996, 3, "3.000"), (12.345, 1, "12.3"),
            (0.05, 2, "0.05"),
        ] as [(Double, Int, String)])
    func decimalsAreRounded(_ number: Double, _ decimals: Int, _ written: String) {
        #expect(text { $0.member("a", number, decimals: decimals) } == #"{"a":\#(written)}"# + "\n")
    }
}
