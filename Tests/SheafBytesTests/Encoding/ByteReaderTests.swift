import TestSupport
import Testing

@testable import SheafBytes

/// Numbers and texts in spilled and partial state: reading accepts exactly the encodings that writing produces.
@Suite struct ByteReaderTests {
    private static func encoded(_ write: (inout OutputBuffer) -> Void) -> [UInt8] {
        var buffer = OutputBuffer()
        write(&buffer)
        return [UInt8](copying: buffer.bytes)
    }

    enum Step { case number, numberUpTo(UInt64), signedNumber, text, reject }

    enum Value: Equatable {
        case number(UInt64), signedNumber(Int64), text([UInt8]), rejected
    }

    /// The result of a sequence of reads.
    struct Reading: Equatable {
        var values: [Value] = []
        var isValid = true
        var offset = 0
        var isAtEnd = false

        init(_ bytes: [UInt8], from start: Int = 0, _ steps: [Step]) {
            var reader = ByteReader(bytes.span, from: start)
            for step in steps {
                switch step {
                case .number: values.append(.number(reader.number()))
                case .numberUpTo(let maximum): values.append(.number(reader.number(upTo: maximum)))
                case .signedNumber: values.append(.signedNumber(reader.signedNumber()))
                case .text: values.append(.text([UInt8](copying: bytes.span[reader.text()])))
                case .reject:
                    reader.reject()
                    values.append(.rejected)
                }
            }
            isValid = reader.isValid
            offset = reader.offset
            isAtEnd = reader.isAtEnd
            precondition(reader.remaining == bytes.count - offset, "the remaining bytes are the unread ones")
        }
    }

    struct Number: NamedCase {
        let number: UInt64
        let bytes: [UInt8]

        var name: String { "\(number)" }
    }

    static let numbers = [
        Number(number: 0, bytes: [0]),
        Number(number: 1, bytes: [1]),
        Number(number: 127, bytes: [0x7f]),
        Number(number: 128, bytes: [0x80, 1]),
        Number(number: 255, bytes: [0xff, 1]),
        Number(number: 16_383, bytes: [0xff, 0x7f]),
        Number(number: 16_384, bytes: [0x80, 0x80, 1]),
        Number(number: 1 << 62, bytes: [UInt8](repeating: 0x80, count: 8) + [0x40]),
        Number(number: 1 << 63, bytes: [UInt8](repeating: 0x80, count: 9) + [1]),
        Number(number: .max, bytes: [UInt8](repeating: 0xff, count: 9) + [1]),
    ]

    @Test(arguments: numbers)
    func numbersRoundTrip(_ item: Number) {
        #expect(Self.encoded { $0.appendNumber(item.number) } == item.bytes)
        let reading = Reading(item.bytes + [0x55], [.number])
        #expect(reading.values == [.number(item.number)])
        #expect(reading.isValid && !reading.isAtEnd)
        #expect(reading.offset == item.bytes.count)
    }

    @Test func powersOfTwoAndTheirNeighborsRoundTrip() {
        for shift in 0..<64 {
            let power = UInt64(1) << UInt64(shift)
            for number in [power - 1, power, power + 1] {
                let bytes = Self.encoded { $0.appendNumber(number) }
                let bits = 64 - number.leadingZeroBitCount
                #expect(bytes.count == max(1, (bits + 6) / 7), "\(number)")
                let reading = Reading(bytes, [.number])
                #expect(reading.values == [.number(number)])
                #expect(reading.isValid && reading.isAtEnd)
            }
        }
    }

    struct Signed: NamedCase {
        let number: Int64
        let bytes: [UInt8]

        var name: String { "\(number)" }
    }

    static let signedNumbers = [
        Signed(number: 0, bytes: [0]), Signed(number: -1, bytes: [1]), Signed(number: 1, bytes: [2]),
        Signed(number: -64, bytes: [0x7f]), Signed(number: 64, bytes: [0x80, 1]),
        Signed(number: .max, bytes: [0xfe] + [UInt8](repeating: 0xff, count: 8) + [1]),
        Signed(number: .min, bytes: [UInt8](repeating: 0xff, count: 9) + [1]),
    ]

    @Test(arguments: signedNumbers)
    func signedNumbersRoundTrip(_ item: Signed) {
        #expect(Self.encoded { $0.appendSignedNumber(item.number) } == item.bytes)
        let reading = Reading(item.bytes, [.signedNumber])
        #expect(reading.values == [.signedNumber(item.number)])
        #expect(reading.isValid && reading.isAtEnd)
    }

    struct Bad: NamedCase {
        let name: String
        let bytes: [UInt8]
    }

    static let badNumbers = [
        Bad(name: "no byte", bytes: []),
        Bad(name: "cut after one byte", bytes: [0x80]),
        Bad(name: "cut after nine bytes", bytes: [UInt8](repeating: 0xff, count: 9)),
        Bad(name: "0 in two bytes", bytes: [0x80, 0]),
        Bad(name: "127 in two bytes", bytes: [0xff, 0]),
        Bad(name: "128 in three bytes", bytes: [0x80, 0x81, 0]),
        Bad(name: "0 in ten bytes", bytes: [UInt8](repeating: 0x80, count: 9) + [0]),
        Bad(name: "2^64", bytes: [UInt8](repeating: 0x80, count: 9) + [2]),
        Bad(name: "the tenth byte is full", bytes: [UInt8](repeating: 0xff, count: 9) + [0x7f]),
        Bad(name: "eleven bytes", bytes: [UInt8](repeating: 0x80, count: 10) + [1]),
    ]

    @Test(arguments: badNumbers)
    func otherBytesAreInvalidNumbers(_ item: Bad) {
        let reading = Reading(item.bytes, [.number])
        #expect(reading.values == [.number(0)])
        #expect(!reading.isValid)
    }

    /// Each number has one encoding: any two or three bytes that read as a number are what writing it produces.
    @Test func eachNumberHasOneEncoding() {
        for word in stride(from: 0, to: 1 << 16, by: 7) {
            let bytes = [UInt8(word & 0xff), UInt8(word >> 8), UInt8(word & 0x83)]
            var reader = ByteReader(bytes.span)
            let number = reader.number()
            guard reader.isValid else { continue }
            let written = Self.encoded { $0.appendNumber(number) }
            if written != Array(bytes[..<reader.offset]) { Issue.record("\(bytes) is read as \(number)") }
        }
    }

    @Test func numberAboveItsMaximumIsInvalid() {
        let largest = Reading([10, 11], [.numberUpTo(10)])
        #expect(largest.values == [.number(10)])
        #expect(largest.isValid)
        let larger = Reading([10, 11], [.number, .numberUpTo(10)])
        #expect(larger.values == [.number(10), .number(0)])
        #expect(!larger.isValid)
    }

    @Test(arguments: [0, 1, 127, 128, 5_000])
    func textsRoundTrip(_ count: Int) {
        let text = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let bytes = Self.encoded {
            $0.appendNumber(7)
            $0.appendText(text.span)
            $0.appendNumber(8)
        }
        let reading = Reading(bytes, [.number, .text, .number])
        #expect(reading.values == [.number(7), .text(text), .number(8)])
        #expect(reading.isValid && reading.isAtEnd)
    }

    static let badTexts = [
        Bad(name: "no length", bytes: []),
        Bad(name: "a byte short", bytes: [3, 1, 2]),
        Bad(name: "nothing after the length", bytes: [1]),
        Bad(name: "as long as all bytes", bytes: [4, 1, 2, 3]),
        Bad(name: "the longest length", bytes: [UInt8](repeating: 0xff, count: 9) + [1, 1, 2]),
        Bad(name: "an overlong length", bytes: [0x81, 0, 1]),
    ]

    @Test(arguments: badTexts)
    func textsWithInvalidLengthsAreInvalid(_ item: Bad) {
        let reading = Reading(item.bytes, [.text])
        #expect(reading.values == [.text([])])
        #expect(!reading.isValid)
    }

    /// After the first invalid value, every number is 0 and every text is empty, even if the bytes are valid.
    @Test func nothingIsReadAfterAnInvalidValue() {
        let reading = Reading(
            [0x80, 0, 5, 1, 0x61], [.number, .number, .signedNumber, .text, .numberUpTo(9)])
        #expect(reading.values == [.number(0), .number(0), .signedNumber(0), .text([]), .number(0)])
        #expect(!reading.isValid)
    }

    @Test func callersCanRejectTheBytes() {
        let reading = Reading([5, 6], [.number, .reject, .number])
        #expect(reading.values == [.number(5), .rejected, .number(0)])
        #expect(!reading.isValid)
    }

    @Test func readingStartsAtTheGivenOffset() {
        let reading = Reading([0x80, 0x80, 9, 1, 0x61], from: 2, [.number, .text])
        #expect(reading.values == [.number(9), .text([UInt8(ascii: "a")])])
        #expect(reading.isValid && reading.isAtEnd)
    }

    @Test(arguments: Seeds.several(4))
    func randomBytesAreNeverReadOutOfBounds(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let bytes = random.bytes(random.below(30))
            let steps = (0..<12).map { _ in
                random.pick([Step.number, .signedNumber, .numberUpTo(UInt64(random.below(300))), .text])
            }
            #expect((0...bytes.count).contains(Reading(bytes, steps).offset))
        }
    }
}

/// Numbers in groups of seven bits.
@Suite struct LEB128Tests {
    @Test(
        arguments: [
            (0, [0]), (1, [1]), (0x7f, [0x7f]), (0x80, [0x80, 1]), (300, [0xac, 2]), (0x3fff, [0xff, 0x7f]),
            (0x4000, [0x80, 0x80, 1]), (.max, [UInt8](repeating: 0xff, count: 9) + [1]),
        ] as [(UInt64, [UInt8])])
    func numbersAreWrittenAndReadBack(_ number: UInt64, _ expected: [UInt8]) {
        var bytes = [UInt8](repeating: 0xee, count: 12)
        var end = 1
        var target = bytes.mutableSpan
        LEB128.write(number, to: &target, at: &end)
        #expect(Array(bytes[1..<end]) == expected)
        #expect(bytes[0] == 0xee && bytes[end...].allSatisfy { $0 == 0xee })
        #expect(LEB128.byteCount(of: number) == expected.count)
        var offset = 1
        #expect(LEB128.read(bytes.span, at: &offset) == number)
        #expect(offset == end)
    }

    @Test(
        arguments: [
            [0x80], [0xff, 0xff], [0x80, 0], [0xff, 0x80, 0], [UInt8](repeating: 0x80, count: 9) + [2],
            [UInt8](repeating: 0xff, count: 10) + [1],
        ] as [[UInt8]])
    func otherBytesAreNotNumbers(_ bytes: [UInt8]) {
        var offset = 0
        #expect(LEB128.read(bytes.span, at: &offset) == nil)
    }
}
