import TestSupport
import Testing

@testable import SheafBytes

/// The first bytes of texts as numbers that compare like the bytes.
@Suite struct TextWordsTests {
    struct Case: NamedCase {
        let name: String
        let text: [UInt8]
        let high: UInt64
        let low: UInt64
    }

    @Test(arguments: [
        Case(name: "empty", text: [], high: 0, low: 0),
        Case(name: "1 byte", text: [0x61], high: 0x6100_0000_0000_0000, low: 0),
        Case(name: "NUL", text: [0], high: 0, low: 0),
        Case(name: "7 bytes", text: Array(1...7), high: 0x0102_0304_0506_0700, low: 0),
        Case(name: "8 bytes", text: Array(1...8), high: 0x0102_0304_0506_0708, low: 0),
        Case(name: "9 bytes", text: Array(1...9), high: 0x0102_0304_0506_0708, low: 0x0900_0000_0000_0000),
        Case(name: "16 bytes", text: Array(1...16), high: 0x0102_0304_0506_0708, low: 0x090a_0b0c_0d0e_0f10),
        Case(name: "33 bytes", text: Array(1...33), high: 0x0102_0304_0506_0708, low: 0x090a_0b0c_0d0e_0f10),
        Case(name: "bytes above 0x7f", text: [0xff, 0x80], high: 0xff80_0000_0000_0000, low: 0),
    ])
    func wordsHoldTheFirstSixteenBytes(_ item: Case) {
        let words = TextWords(item.text.span)
        #expect(words == TextWords(high: item.high, low: item.low))
    }

    /// The words from any offset, even past the end, are those of the text with its first `offset` bytes removed.
    @Test func offsetSkipsBytes() {
        let text = [UInt8](1...40)
        for offset in 0...50 {
            let rest = Array(text.dropFirst(offset))
            #expect(TextWords(text.span, from: offset) == TextWords(rest.span), "offset \(offset)")
        }
    }

    @Test func offsetBeforeTheTextTraps() async {
        await #expect(processExitsWith: .failure) {
            let text = [UInt8](repeating: 7, count: 20)
            _ = TextWords(text.span, from: -1)
        }
    }

    /// Different words are ordered like their texts; equal texts have equal words.
    @Test(arguments: Seeds.several(2))
    func wordsCompareLikeTheirTexts(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let first = random.bytes(random.number(0...20))
            var second = Array(first.prefix(random.number(0...20)))
            second += random.bytes(random.number(0...3)).map { random.chance(50) ? 0 : $0 }
            let (a, b) = (TextWords(first.span), TextWords(second.span))
            let order = first.span.compare(to: second.span)
            if a < b { #expect(order < 0) }
            if b < a { #expect(order > 0) }
            if order == 0 { #expect(a == b) }
            #expect(!(a < b && b < a))
        }
    }
}
