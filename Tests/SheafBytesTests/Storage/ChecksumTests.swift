import CZlib
import Foundation
import TestSupport
import Testing

@testable import SheafBytes

@Suite struct ChecksumTests {
    /// The numbers of bytes that this processor can fold at once.
    private static let widths = [0, 16, 32].filter { $0 <= Checksum.width }

    private static func zlib(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        unsafe bytes.withUnsafeBufferPointer {
            UInt32(unsafe crc32_z(0, $0.baseAddress, $0.count))
        }
    }

    /// Divides bit by bit (RFC 1952, section 8).
    private static func remainder(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var register = UInt32.max
        for byte in bytes {
            register ^= UInt32(byte)
            for _ in 0..<8 { register = register >> 1 ^ (register & 1 == 0 ? 0 : 0xedb8_8320) }
        }
        return ~register
    }

    #if os(Linux) && (arch(x86_64) || arch(arm64))
    /// Without this test, a processor that is not recognized would only be slower.
    @Test func recognizesProcessorsThatFold() throws {
        let words = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8).split { $0.isWhitespace }
        let foldsPairs = words.contains("vpclmulqdq") && words.contains("avx2")
        let folds = words.contains("pclmulqdq") || words.contains("pmull")
        #expect(Checksum.width == (foldsPairs ? 32 : folds ? 16 : 0))
    }
    #endif

    @Test(arguments: widths)
    func knownChecksumsMatch(width: Int) {
        var checksum = Checksum()
        #expect(checksum.value == 0)
        checksum.update(Array("123456789".utf8).span, folding: width)
        #expect(checksum.value == 0xcbf4_3926)
        checksum.update([UInt8]().span, folding: width)
        #expect(checksum.value == 0xcbf4_3926)
    }

    /// Covers lengths around those of one block and of several blocks, at every alignment within a block.
    @Test(arguments: Seeds.several(1), widths)
    func everyLengthMatchesZlib(_ seed: UInt64, width: Int) {
        var random = SeededGenerator(seed: seed)
        let bytes = (0..<1100).map { _ in UInt8(random.below(256)) }
        for count in Array(0...330) + Array(1000...1030) {
            let start = random.below(17)
            let slice = bytes[start..<(start + count)]
            var checksum = Checksum()
            checksum.update(slice.span, folding: width)
            #expect(checksum.value == Self.zlib(slice), "\(count) bytes from \(start)")
            #expect(checksum.value == Self.remainder(slice), "\(count) bytes from \(start)")
        }
    }

    /// The checksum does not depend on how the bytes are split, or on whether a part of them is folded.
    @Test(arguments: Seeds.several(3))
    func piecewiseChecksumsMatchZlib(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = (0..<100_000).map { _ in UInt8(random.below(256)) }
        var checksum = Checksum()
        var start = 0
        while start < bytes.count {
            let end = min(start + random.below(random.oneIn(2) ? 100 : 5000), bytes.count)
            checksum.update(bytes[start..<end].span, folding: Self.widths[random.below(Self.widths.count)])
            start = end
        }
        #expect(checksum.value == Self.zlib(bytes[...]))
    }
}
