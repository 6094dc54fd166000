import CZlib
import TestSupport
import Testing

@testable import SheafBytes

@Suite struct ChecksumTests {
    private static func zlib(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        unsafe bytes.withUnsafeBufferPointer {
            UInt32(unsafe crc32_z(0, $0.baseAddress, $0.count))
        }
    }

    @Test func knownChecksumsMatch() {
        var checksum = Checksum()
        #expect(checksum.value == 0)
        checksum.update(Array("123456789".utf8).span)
        #expect(checksum.value == 0xcbf4_3926)
        checksum.update([UInt8]().span)
        #expect(checksum.value == 0xcbf4_3926)
    }

    /// Covers lengths around those of one block and of several blocks, at every alignment within a word.
    @Test(arguments: Seeds.several(1))
    func everyLengthMatchesZlib(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = (0..<1100).map { _ in UInt8(random.below(256)) }
        for count in Array(0...330) + Array(1000...1030) {
            let start = random.below(17)
            let slice = bytes[start..<(start + count)]
            var checksum = Checksum()
            checksum.update(slice.span)
            #expect(checksum.value == Self.zlib(slice), "\(count) bytes from \(start)")
        }
    }

    /// The checksum does not depend on how the bytes are split.
    @Test(arguments: Seeds.several(3))
    func piecewiseChecksumsMatchZlib(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = (0..<100_000).map { _ in UInt8(random.below(256)) }
        var checksum = Checksum()
        var start = 0
        while start < bytes.count {
            let end = min(start + random.below(random.oneIn(2) ? 100 : 5000), bytes.count)
            checksum.update(bytes[start..<end].span)
            start = end
        }
        #expect(checksum.value == Self.zlib(bytes[...]))
    }
}
