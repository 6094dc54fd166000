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

    /// Returns two texts that begin alike in most cases, and often differ in NUL bytes alone.
    private static func similarTexts(_ random: inout SeededGenerator) -> ([UInt8], [UInt8]) {
        let first = random.bytes(random.number(0...20))
        var second = Array(first.prefix(random.number(0...20)))
        second += random.bytes(random.number(0...3)).map { random.chance(50) ? 0 : $0 }
        return (first, second)
    }

    /// Different words are ordered like their texts; equal texts have equal words.
    @Test(arguments: Seeds.several(2))
    func wordsCompareLikeTheirTexts(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let (first, second) = Self.similarTexts(&random)
            let (a, b) = (TextWords(first.span), TextWords(second.span))
            let order = first.span.compare(to: second.span)
            if a < b { #expect(order < 0) }
            if b < a { #expect(order > 0) }
            if order == 0 { #expect(a == b) }
            #expect(!(a < b && b < a))
        }
    }

    @Test(arguments: [
        Part(name: "no text", text: [], offset: 0, high: 0, low: 0),
        Part(name: "a NUL byte", text: [0], offset: 0, high: 0, low: 1),
        Part(name: "9 bytes", text: Array(1...9), offset: 0, high: 0x0102_0304_0506_0708, low: 9 << 56 | 9),
        Part(
            name: "15 bytes", text: Array(1...15), offset: 0, high: 0x0102_0304_0506_0708,
            low: 0x090a_0b0c_0d0e_0f0f),
        Part(
            name: "16 bytes", text: Array(1...16), offset: 0, high: 0x0102_0304_0506_0708,
            low: 0x090a_0b0c_0d0e_0f10),
        Part(
            name: "40 bytes", text: Array(1...40), offset: 0, high: 0x0102_0304_0506_0708,
            low: 0x090a_0b0c_0d0e_0f10),
        Part(name: "the last 2 of 17", text: Array(1...17), offset: 15, high: 0x1011 << 48, low: 2),
        Part(name: "past the end", text: [1, 2, 3], offset: 15, high: 0, low: 0),
    ])
    func partsHaveTheNumberOfTheirBytes(_ item: Part) {
        let words = TextWords(part: item.text.span, from: item.offset)
        #expect(words == TextWords(high: item.high, low: item.low))
        #expect(words.isWholePart == (item.text.count - item.offset < 16))
    }

    struct Part: NamedCase {
        let name: String
        let text: [UInt8]
        let offset: Int
        let high: UInt64
        let low: UInt64
    }

    /// Parts have the order of their texts; equal whole parts are those of equal texts.
    @Test(arguments: Seeds.several(2))
    func partsCompareLikeTheirTexts(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<4000 {
            let (first, second) = Self.similarTexts(&random)
            let (a, b) = (TextWords(part: first.span, from: 0), TextWords(part: second.span, from: 0))
            let order = first.span.compare(to: second.span)
            if a < b { #expect(order < 0) }
            if b < a { #expect(order > 0) }
            if a == b, a.isWholePart { #expect(order == 0) }
            if order == 0 { #expect(a == b) }
        }
    }
}
