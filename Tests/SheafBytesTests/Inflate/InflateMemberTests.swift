import CZlib
import FuzzChecks
import TestSupport
import TestTags
import Testing

@testable import SheafBytes

/// Members longer than their length field can express, and many short ones.
@Suite(.tags(.spilling)) struct InflateMemberTests {
    /// A member whose data repeats, generated as it is read.
    private struct RepeatingMember: ByteInput {
        private var start: [UInt8]
        private let pattern: [UInt8]
        private var repetitions: Int
        private var end: [UInt8]

        /// - Parameters:
        ///   - pattern: blocks that consist of whole bytes, fewer than are read at once.
        ///   - content: what they stand for.
        init(_ pattern: [UInt8], _ repetitions: Int, of content: [UInt8]) {
            start = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]
            self.pattern = pattern
            self.repetitions = repetitions
            let length = UInt64(content.count) * UInt64(repetitions)
            let checksum = InflateMemberTests.checksum(of: content, repetitions)
            // The last block is empty.
            end = [3, 0]
            for word in [checksum, UInt32(truncatingIfNeeded: length)] {
                end += (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
            }
        }

        mutating func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int {
            var count = Self.move(&start, to: &buffer, at: 0)
            while repetitions > 0, count + pattern.count <= buffer.count {
                buffer.write(pattern.span, at: count)
                count += pattern.count
                repetitions -= 1
            }
            if repetitions == 0 { count += Self.move(&end, to: &buffer, at: count) }
            return count
        }

        private static func move(
            _ bytes: inout [UInt8], to buffer: inout MutableSpan<UInt8>, at offset: Int
        ) -> Int {
            let count = min(bytes.count, buffer.count - offset)
            buffer.write(bytes.span.extracting(first: count), at: offset)
            bytes.removeFirst(count)
            return count
        }
    }

    /// Returns the CRC-32 of a content that repeats, from that of one repetition.
    private static func checksum(of content: [UInt8], _ repetitions: Int) -> UInt32 {
        var (sum, rest): (UInt, Int) = (0, repetitions)
        var (part, length) = (UInt(GzipMember.checksum(content)), content.count)
        while rest > 0 {
            if rest % 2 == 1 { sum = crc32_combine(sum, part, length) }
            part = crc32_combine(part, part, length)
            length *= 2
            rest /= 2
        }
        return UInt32(sum)
    }

    /// Reads all of a member, comparing a few bytes of each read, and returns the number of bytes.
    private static func length(
        of member: RepeatingMember, _ content: [UInt8], _ inflater: Inflater
    ) throws -> Int {
        var source = SourceInput(member, inflater: inflater)
        var output = [UInt8](repeating: 0, count: 1 << 20)
        var total = 0
        while true {
            var target = output.mutableSpan
            let count = try source.read(into: &target)
            if count == 0 { return total }
            for index in [0, count / 2, count - 1] {
                try #require(output[index] == content[(total + index) % content.count])
            }
            total += count
        }
    }

    /// The length field counts modulo 2³² (RFC 1952, section 2.3.1).
    @Test(arguments: Inflater.allCases)
    func lengthFieldWrapsAround(_ inflater: Inflater) throws {
        let content = (0..<65_535).map { UInt8(truncatingIfNeeded: $0 * $0 >> 7) }
        var writer = DeflateWriter()
        writer.stored(content)
        let repetitions = (1 << 32) / content.count + 2
        let member = RepeatingMember(writer.bytes, repetitions, of: content)
        let length = try Self.length(of: member, content, inflater)
        #expect(length == content.count * repetitions)
        #expect(length > 1 << 32)
    }

    /// As above, with blocks of matches.
    @Test(.enabled(if: Seeds.several(1).count > 1, "takes ten seconds"), arguments: Inflater.allCases)
    func lengthFieldWrapsAroundAfterMatches(_ inflater: Inflater) throws {
        let elements: [DeflateWriter.Element] =
            (0..<100).map { .literal(UInt8($0)) }
            + (0..<250).map { .match(length: 258, distance: 100 - $0 % 9) }
        let content = DeflateWriter.content(of: elements)
        var writer = DeflateWriter()
        writer.fixed(elements + [.end])
        // Ends the last byte of the block, so that the next one begins with a byte.
        writer.stored([])
        let repetitions = (1 << 32) / content.count + 2
        let member = RepeatingMember(writer.bytes, repetitions, of: content)
        let length = try Self.length(of: member, content, inflater)
        #expect(length == content.count * repetitions)
    }

    @Test(arguments: Inflater.allCases)
    func manyShortMembersAreRead(_ inflater: Inflater) throws {
        let members =
            GzipMember("").bytes + GzipMember("a").bytes + GzipMember("").bytes + GzipMember("bc").bytes
        let count = 25_000
        let bytes = [[UInt8]](repeating: members, count: count).flatMap { $0 }
        let drained = Drained(SourceInput(MemoryInput(bytes), inflater: inflater), outputBytes: 1 << 12)
        #expect(drained.damage == nil)
        #expect(drained.bytes == [[UInt8]](repeating: [UInt8]("abc"), count: count).flatMap { $0 })
        #expect(drained.bytesRead == UInt64(bytes.count))
    }

    /// No member refers to the bytes or uses the codes of another.
    @Test(arguments: Inflater.allCases)
    func membersDoNotShareAnything(_ inflater: Inflater) {
        let text = [UInt8]((0..<200).map { "line \($0 * $0 % 97)\n" }.joined())
        let good = GzipMember(text, DeflateBlocks(level: 9)).bytes
        var writer = DeflateWriter()
        // A reference to the previous member.
        writer.fixed([.literal(97), .match(length: 3, distance: 2), .end], isLast: true)
        let bad = GzipMember("").header + writer.bytes + GzipMember("aaaa").trailer
        for step in [1, 100, .max] {
            let input = MemoryInput(good + good + bad, step: step)
            let drained = Drained(SourceInput(input, bufferBytes: 300, inflater: inflater))
            #expect(drained.bytes == text + text + [97])
            // The header, three bits for the block's start, and 8, 7 and 5 bits with one more for the distance.
            #expect(drained.damage == SourceDamage(.corrupt, 2 * good.count + 10 + 3))
        }
    }
}
