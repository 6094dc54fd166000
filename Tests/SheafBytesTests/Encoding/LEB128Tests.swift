import TestSupport
import Testing

@testable import SheafBytes

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
