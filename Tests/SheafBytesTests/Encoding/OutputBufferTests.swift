import Foundation
import TestSupport
import Testing

@testable import SheafBytes

/// Appending in blocks yields the same bytes as appending one by one.
@Suite struct OutputBufferTests {
    /// Returns the bytes that `write` appends after `before`, in a buffer with the given initial capacity.
    private func written(
        _ before: [UInt8] = [], capacity: Int = 0, _ write: (inout OutputBuffer) -> Void
    ) -> [UInt8] {
        var buffer = OutputBuffer(capacity: capacity)
        buffer.append(before.span)
        write(&buffer)
        let bytes = [UInt8](copying: buffer.bytes)
        return Array(bytes.dropFirst(before.count))
    }

    private func json(_ text: [UInt8]) -> [UInt8] {
        let escaped = text.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "\""): Array(#"\""#.utf8)
            case UInt8(ascii: "\\"): Array(#"\\"#.utf8)
            case 0x08: Array(#"\b"#.utf8)
            case 0x09: Array(#"\t"#.utf8)
            case 0x0a: Array(#"\n"#.utf8)
            case 0x0c: Array(#"\f"#.utf8)
            case 0x0d: Array(#"\r"#.utf8)
            case ..<0x10: Array(#"\u000\#(String(byte, radix: 16))"#.utf8)
            case ..<0x20: Array(#"\u00\#(String(byte, radix: 16))"#.utf8)
            default: [byte]
            }
        }
        return [0x22] + escaped + [0x22]
    }

    struct Case: NamedCase {
        let name: String
        let text: [UInt8]
    }

    static let texts = [
        Case(name: "NUL bytes", text: [UInt8](repeating: 0, count: 70)),
        Case(name: "quotes", text: [UInt8](repeating: UInt8(ascii: "\""), count: 70)),
        Case(name: "backslashes", text: [UInt8](repeating: UInt8(ascii: "\\"), count: 70)),
        Case(name: "every byte", text: Array(0...255)),
        Case(name: "every byte, from the last one", text: (0...255).reversed()),
        Case(name: "non-ASCII", text: Array(String(repeating: "é日😀", count: 20).utf8)),
    ]

    @Test(arguments: texts)
    func stringsAreEscaped(_ item: Case) {
        #expect(written { $0.appendJSONString(item.text.span) } == json(item.text))
        #expect(written([1, 2, 3]) { $0.appendJSONStringOrNull(item.text.span) } == json(item.text))
    }

    /// Covers every length with its own copying path, with and without one escaped byte at each offset.
    @Test func stringsOfEveryLengthAreEscaped() {
        for count in 0...70 {
            let plain = (0..<count).map { UInt8(0x61 + $0 % 26) }
            for capacity in [0, count, count + 2, 200] {
                #expect(written(capacity: capacity) { $0.appendJSONString(plain.span) } == json(plain))
            }
            for offset in 0..<count {
                for special: UInt8 in [0, 0x1f, 0x22, 0x5c] {
                    var text = plain
                    text[offset] = special
                    let bytes = written { $0.appendJSONString(text.span) }
                    #expect(bytes == json(text), "\(special) at \(offset) of \(count)")
                }
            }
        }
    }

    /// A cell as RFC 4180 requires it, by the bytes alone.
    private func cell(_ text: [UInt8]) -> [UInt8] {
        let special = Set(",\"\n\r".utf8)
        guard text.contains(where: special.contains) else { return text }
        return [0x22] + text.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] } + [0x22]
    }

    /// Covers a cell that is appended and one that is made of the end of the buffer, each after other bytes.
    private func expectCell(of text: [UInt8], capacity: Int = 0) {
        let before = Array("\",".utf8)
        #expect(written(before, capacity: capacity) { $0.appendCSVCell(text.span) } == cell(text))
        let made = written(before, capacity: capacity) { buffer in
            buffer.append(text.span)
            buffer.makeCSVCell(from: before.count)
        }
        #expect(made == cell(text))
    }

    @Test(arguments: texts)
    func textsAreMadeCells(_ item: Case) { expectCell(of: item.text) }

    @Test func textsOfEveryLengthAreMadeCells() {
        for count in 0...70 {
            let plain = (0..<count).map { UInt8(0x61 + $0 % 26) }
            for capacity in [0, count + 2, count + 4, 200] { expectCell(of: plain, capacity: capacity) }
            for offset in 0..<count {
                for special in [UInt8](",\"\n\r;".utf8) {
                    var text = plain
                    text[offset] = special
                    expectCell(of: text)
                    text[count - 1] = 0x22
                    expectCell(of: text, capacity: count + 3)
                }
            }
        }
    }

    @Test func emptyTextIsNullOrEmpty() {
        let nothing: [UInt8] = []
        #expect(written { $0.appendJSONStringOrNull(nothing.span) } == Array("null".utf8))
        #expect(written { $0.appendJSONString(nothing.span) } == Array("\"\"".utf8))
        #expect(written { $0.append("") } == [])
        #expect(written { $0.append(nothing.span) } == [])
    }

    @Test(
        arguments: [
            0, 1, 9, 10, 11, 99, 100, 101, 999, 1000, 9999, 10_000, 99_999_999, 100_000_000, 1_000_000_007,
            UInt64(Int64.max), 9_999_999_999_999_999_999, 10_000_000_000_000_000_000, .max,
        ] as [UInt64])
    func decimalsAreFormatted(_ number: UInt64) {
        #expect(written { $0.appendDecimal(number) } == Array(String(number).utf8))
        let signed = Int64(truncatingIfNeeded: number)
        #expect(written([0x2d]) { $0.appendDecimal(signed) } == Array(String(signed).utf8))
    }

    /// The number of digits is estimated from the number of bits.
    @Test(arguments: 0..<64)
    func decimalsNextToPowersAreFormatted(_ exponent: Int) {
        var ten: UInt64 = 1
        for _ in 0..<min(exponent, 19) { ten *= 10 }
        for power in [UInt64(1) << UInt64(exponent), ten] {
            for number in [power - 1, power, power + 1] {
                #expect(written { $0.appendDecimal(number) } == Array(String(number).utf8))
            }
        }
    }

    @Test func copiesOnlyRangesInTheBuffer() {
        let text = [UInt8](0...99)
        let copied = written(text, capacity: 100) {
            for range in [0..<100, 7..<7, 99..<101] {
                let isCopied = $0.appendCopy(of: range)
                #expect(isCopied)
            }
        }
        #expect(copied == text + [99, 0])
    }

    @Test func bufferCanBeReusedAfterRemovingAll() {
        var buffer = OutputBuffer(capacity: 4)
        buffer.append("a longer text than four")
        buffer.removeAll()
        #expect(buffer.count == 0)
        buffer.append("b")
        #expect([UInt8](copying: buffer.bytes) == [0x62])
    }

    /// Texts, literals, numbers and copies in random order yield the same bytes as an array.
    @Test(arguments: Seeds.several(3))
    func randomAppendsMatchAnArray(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var buffer = OutputBuffer(capacity: random.number(0...100))
            var expected: [UInt8] = []
            for _ in 0..<random.number(0...40) {
                let text = random.bytes(random.number(0...random.pick([3, 17, 33, 200])))
                switch random.below(4) {
                case 0: append(text, asJSON: random.chance(50), to: &buffer, &expected)
                case 1:
                    buffer.append(",\"display\":{")
                    expected.append(",\"display\":{")
                case 2:
                    let number = random.next() >> UInt64(random.below(64))
                    buffer.appendDecimal(number)
                    expected.appendDecimal(number)
                default:
                    let start = random.number(0...expected.count)
                    let end = random.number(start...expected.count)
                    let isCopied = buffer.appendCopy(of: start..<end)
                    #expect(isCopied)
                    expected.append(contentsOf: Array(expected[start..<end]))
                }
            }
            #expect([UInt8](copying: buffer.bytes) == expected)
        }
    }

    /// The drained bytes followed by the remaining ones equal the content of a buffer that is not drained.
    @Test(arguments: Seeds.several(3))
    func drainingKeepsEveryByte(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<4 {
            let drain = Drain()
            var buffer = OutputBuffer()
            buffer.drain = { drain.bytes.append($0) }
            var expected: [UInt8] = []
            var copies = (made: 0, refused: 0)
            for _ in 0..<60 {
                let length = random.number(0...random.pick([20, 3_000, 40_000, 100_000]))
                let text = [UInt8](repeating: random.pick([0x61, 0x01, 0x22]), count: length)
                switch random.below(3) {
                case 0: append(text, asJSON: random.chance(50), to: &buffer, &expected)
                case 1:
                    buffer.append("{")
                    buffer.appendDecimal(UInt64(length))
                    expected += Array("{\(length)".utf8)
                default:
                    let end = random.number(max(0, expected.count - 50_000)...expected.count)
                    let start = random.number(max(0, end - 30_000)...end)
                    if buffer.appendCopy(of: start..<end) {
                        expected += Array(expected[start..<end])
                        copies.made += 1
                    } else {
                        copies.refused += 1
                    }
                }
                #expect(buffer.position == expected.count)
                // The buffer may hold the longest piece appended at once, twice while it grows.
                #expect(buffer.heldBytes < 8 * OutputBuffer.pieceBytes)
            }
            drain.bytes.append(buffer.bytes)
            #expect(drain.bytes == expected)
            #expect(copies.made > 0 && copies.refused > 0)
            buffer.drain = nil
            buffer.removeAll()
            #expect(buffer.position == 0)
        }
    }

    private func append(
        _ text: [UInt8], asJSON: Bool, to buffer: inout OutputBuffer, _ expected: inout [UInt8]
    ) {
        if asJSON {
            buffer.appendJSONString(text.span)
            expected += json(text)
        } else {
            buffer.append(text.span)
            expected.append(text.span)
        }
    }

    private final class Drain {
        var bytes: [UInt8] = []
    }
}

@Suite struct Base64Tests {
    /// The test vectors of RFC 4648, section 10, and the two digits that differ between the alphabets.
    @Test(
        arguments: [
            ([], ""), ([0x66], "Zg=="), ([0x66, 0x6f], "Zm8="), ([0x66, 0x6f, 0x6f], "Zm9v"),
            ([0x66, 0x6f, 0x6f, 0x62], "Zm9vYg=="), ([0x66, 0x6f, 0x6f, 0x62, 0x61], "Zm9vYmE="),
            ([0x66, 0x6f, 0x6f, 0x62, 0x61, 0x72], "Zm9vYmFy"), ([0xfb, 0xff], "+/8="), ([0x00], "AA=="),
        ] as [([UInt8], String)])
    func vectorsAreEncoded(_ bytes: [UInt8], _ expected: String) {
        #expect(text { $0.appendBase64(bytes.span) } == expected)
    }

    @Test(arguments: Seeds.several(1))
    func encodesLikeFoundation(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for count in 0..<200 {
            let bytes = random.bytes(count)
            #expect(text { $0.appendBase64(bytes.span) } == Data(bytes).base64EncodedString())
        }
    }

    @Test(
        arguments: [
            ([], true), ([0x61], true), ([0xc3, 0xa9], true), ([0xc3], false),
            ([0x61, 0xff], false),
            ([0xed, 0xa0, 0x80], false), ([0x00], true),
        ] as [([UInt8], Bool)])
    func utf8IsValidated(_ bytes: [UInt8], _ isValid: Bool) {
        #expect(bytes.span.isValidUTF8 == isValid)
    }
}
