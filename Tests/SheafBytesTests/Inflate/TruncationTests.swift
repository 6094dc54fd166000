import TestSupport
import TestTags
import Testing

@testable import SheafBytes

/// A source truncated at every byte yields a prefix of its content, and damage at the offset of the cut.
@Suite(.tags(.spilling)) struct TruncationTests {
    static let text = "the first line\nthe second line, which is longer\nthe third line\nthe third line\n"

    struct Source: NamedCase {
        let name: String
        let members: [GzipMember]
    }

    static let sources = [
        Source(name: "a member", members: [GzipMember(text)]),
        Source(name: "a member with every field", members: [.decorated(text)]),
        Source(name: "an empty member", members: [GzipMember("")]),
        Source(
            name: "members",
            members: [.decorated("one\n"), GzipMember(""), GzipMember(text), .decorated("x")]),
    ]

    @Test(arguments: sources, [1, 2, 7, 1 << 16])
    func truncationYieldsAPrefixAndItsOffset(_ source: Source, _ step: Int) {
        let members = source.members.map(\.bytes)
        let whole = Array(members.joined())
        let ends = members.indices.map { members[...$0].joined().count }
        for count in 2..<whole.count {
            let drained = Drained(
                MemoryInput(Array(whole.prefix(count)), step: step), bufferBytes: 2, outputBytes: 5)
            // A source that ends between members looks complete.
            let damage = ends.contains(count) ? nil : SourceDamage(.truncated, count)
            #expect(drained.damage == damage, "\(count) bytes")
            let complete = zip(source.members, ends).filter { $0.1 <= count }.flatMap(\.0.content)
            let content = source.members.flatMap(\.content)
            #expect(
                drained.bytes.starts(with: complete) && content.starts(with: drained.bytes), "\(count) bytes")
        }
        #expect(Drained(whole).damage == nil)
    }

    /// All of a member's content is decoded once its last block is complete, however much of the trailer is missing.
    @Test func contentIsCompleteBeforeTheTrailer() {
        let member = GzipMember(Self.text)
        for count in (member.bytes.count - 8)..<member.bytes.count {
            #expect(Drained(Array(member.bytes.prefix(count))).bytes == member.content, "\(count) bytes")
        }
    }

    @Test func lessThanTheMagicNumberIsPlain() {
        #expect(Drained([]).damage == nil)
        #expect(Drained([0x1f]).bytes == [0x1f])
        #expect(Drained([0x1f]).damage == nil)
        #expect(Drained([0x1f, 0x8b]).damage == SourceDamage(.truncated, 2))
    }

    @Test(arguments: Seeds.several(1))
    func damageDoesNotDependOnReadSizes(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let whole = GzipMember((0..<600).map { "line \($0), \(random.next())\n" }.joined()).bytes
        for round in 0..<40 {
            var source = whole
            let offset = random.number(12...(whole.count - 1))
            if random.oneIn(4) {
                source.removeSubrange(offset...)
            } else {
                source[offset] ^= 1 << UInt8(random.below(8))
            }
            let expected = Drained(source)
            for (step, buffer, output) in [(1, 2, 1 << 12), (7, 64, 13), (.max, 1 << 16, 1 << 20)] {
                let drained = Drained(
                    MemoryInput(source, step: step), bufferBytes: buffer, outputBytes: output)
                let message = "round \(round), step \(step), buffer \(buffer), output \(output)"
                #expect(drained.damage == expected.damage, "\(message)")
                #expect(drained.bytes == expected.bytes, "\(message)")
            }
        }
    }

    /// Every single-bit error is detected, except in bits that gzip neither protects nor uses.
    @Test func singleBitErrorsAreDetected() {
        let member = GzipMember(Self.text)
        let whole = member.bytes
        for index in whole.indices.dropFirst(2) {
            for bit in 0..<8 {
                var damaged = whole
                damaged[index] ^= 1 << UInt8(bit)
                let drained = Drained(MemoryInput(damaged), bufferBytes: 64, outputBytes: 7)
                // The text flag, time, extra flags and operating system, and the padding of the last block's last byte.
                let isUnprotected = (3...9).contains(index) || index == whole.count - 9
                if drained.damage == nil {
                    #expect(isUnprotected, "byte \(index), bit \(bit)")
                    #expect(drained.bytes == member.content, "byte \(index), bit \(bit)")
                }
            }
        }
    }
}
