import TestSupport
import TestTags
import Testing

@testable import SheafBytes

/// Plain sources, and gzip sources with any number of members (specification §1).
@Suite(.tags(.spilling)) struct SourceInputTests {
    struct Case: NamedCase {
        let name: String
        let source: [UInt8]
        let content: [UInt8]
        let damage: SourceDamage?

        init(_ name: String, _ source: [UInt8], yields content: [UInt8], damage: SourceDamage? = nil) {
            self.name = name
            self.source = source
            self.content = content
            self.damage = damage
        }
    }

    static let text = [UInt8]((0..<50).map { "line \($0 * $0)\n" }.joined())
    static let member = GzipMember(text).bytes

    static let plain: [Case] = [
        Case("an empty source", [], yields: []),
        Case("one byte", [0x61], yields: [0x61]),
        Case("two bytes", [0x61, 0x0a], yields: [0x61, 0x0a]),
        Case("text", text, yields: text),
        Case("only the first magic byte", [0x1f], yields: [0x1f]),
        Case("the first magic byte and another", [0x1f, 0x8c, 0x61], yields: [0x1f, 0x8c, 0x61]),
        Case("the second magic byte first", [0x8b, 0x1f, 0x61], yields: [0x8b, 0x1f, 0x61]),
        Case("gzip data after a byte", [0x20] + member, yields: [0x20] + member),
        Case("zeros", [0, 0, 0, 0], yields: [0, 0, 0, 0]),
    ]

    static let members: [Case] = [
        Case("one member", member, yields: text),
        Case("an empty member", GzipMember("").bytes, yields: []),
        Case("empty members", GzipMember("").bytes + GzipMember("").bytes + GzipMember("").bytes, yields: []),
        Case("a member among empty ones", GzipMember("").bytes + member + GzipMember("").bytes, yields: text),
        Case("two members", member + GzipMember("end").bytes, yields: text + [UInt8]("end")),
        Case(
            "one byte per member", text.prefix(30).flatMap { GzipMember([$0]).bytes },
            yields: Array(text.prefix(30))),
        Case("a member in a member", GzipMember(member).bytes, yields: member),
        Case("every optional field", GzipMember.decorated("text").bytes, yields: [UInt8]("text")),
        Case(
            "every optional field, twice", GzipMember.decorated("a").bytes + GzipMember.decorated("b").bytes,
            yields: [UInt8]("ab")),
        Case("extra field", with({ $0.extra = [1, 2, 3] }), yields: text),
        Case("empty extra field", with({ $0.extra = [] }), yields: text),
        Case("long extra field", with({ $0.extra = [UInt8](repeating: 0x1f, count: 0x0203) }), yields: text),
        Case(
            "empty extra field and checksum",
            with({ $0.extra = [] }, { $0.hasHeaderChecksum = true }), yields: text),
        Case("name", with({ $0.name = "log.ndjson" }), yields: text),
        Case("empty name", with({ $0.name = "" }), yields: text),
        Case("comment", with({ $0.comment = "of a log" }), yields: text),
        Case("empty comment", with({ $0.comment = "" }), yields: text),
        Case(
            "name and comment",
            with({ $0.name = "n" }, { $0.comment = "c" }), yields: text),
        Case("long name", with({ $0.name = String(repeating: "n", count: 1000) }), yields: text),
        Case("header checksum", with({ $0.hasHeaderChecksum = true }), yields: text),
        Case("text flag", with({ $0.otherFlags = 0x01 }), yields: text),
        Case("a zero after the member", member + [0], yields: text),
        Case("zero padding", member + [UInt8](repeating: 0, count: 1000), yields: text),
        Case("zero padding after several members", member + member + [0, 0, 0], yields: text + text),
        Case(
            "stored block", GzipMember("").header + stored("stored") + trailer("stored"),
            yields: [UInt8]("stored")),
        Case(
            "stored blocks", GzipMember("").header + stored("a", isLast: false) + stored("") + trailer("a"),
            yields: [UInt8]("a")),
    ]

    /// Damaged sources. The offset is where decoding stopped; for a checksum or a length, it is that field's offset.
    static let damaged: [Case] = [
        Case("another method", with({ $0.method = 7 }), yields: [], damage: .init(.badHeader, 2)),
        Case("reserved flag 20", with({ $0.otherFlags = 0x20 }), yields: [], damage: .init(.badHeader, 3)),
        Case("reserved flag 40", with({ $0.otherFlags = 0x40 }), yields: [], damage: .init(.badHeader, 3)),
        Case("reserved flag 80", with({ $0.otherFlags = 0x80 }), yields: [], damage: .init(.badHeader, 3)),
        Case(
            "header checksum, low byte",
            with({ $0.hasHeaderChecksum = true }, { $0.headerChecksumError = 0x0001 }), yields: [],
            damage: .init(.badHeader, 11)),
        Case(
            "header checksum, high byte",
            with({ $0.hasHeaderChecksum = true }, { $0.headerChecksumError = 0x8000 }), yields: [],
            damage: .init(.badHeader, 11)),
        Case(
            "header of the second member", member + with({ $0.method = 0 }), yields: text,
            damage: .init(.badHeader, member.count + 2)),
        Case(
            "reserved block type", GzipMember("").header + [0x07, 0, 0, 0, 0, 0, 0, 0, 0], yields: [],
            damage: .init(.corrupt, 11)),
        Case(
            "reserved block type after a good block",
            GzipMember("").header + stored("good", isLast: false) + [0x07, 0, 0, 0], yields: [UInt8]("good"),
            damage: .init(.corrupt, 20)),
        Case(
            "checksum", with({ $0.checksumError = 1 }), yields: text,
            damage: .init(.badChecksum, member.count - 8)),
        Case(
            "checksum, last bit", with({ $0.checksumError = 1 << 31 }), yields: text,
            damage: .init(.badChecksum, member.count - 8)),
        Case(
            "length", with({ $0.lengthError = 1 }), yields: text, damage: .init(.badLength, member.count - 4)),
        Case(
            "length, last bit", with({ $0.lengthError = 1 << 31 }), yields: text,
            damage: .init(.badLength, member.count - 4)),
        Case(
            "checksum and length",
            with({ $0.checksumError = 1 }, { $0.lengthError = 1 }), yields: text,
            damage: .init(.badChecksum, member.count - 8)),
        Case(
            "checksum of the second member", member + with({ $0.checksumError = 1 }) + member,
            yields: text + text,
            damage: .init(.badChecksum, 2 * member.count - 8)),
        Case(
            "garbage", member + [UInt8(ascii: "a")], yields: text,
            damage: .init(.trailingGarbage, member.count)),
        Case(
            "plain text after a member", member + text, yields: text,
            damage: .init(.trailingGarbage, member.count)),
        Case(
            "the first magic byte and another after a member", member + [0x1f, 0x8c], yields: text,
            damage: .init(.trailingGarbage, member.count)),
        Case(
            "garbage after padding", member + [0, 0, 0x61, 0], yields: text,
            damage: .init(.trailingGarbage, member.count + 2)),
        Case(
            "a member after padding", member + [0] + member, yields: text,
            damage: .init(.trailingGarbage, member.count + 1)),
    ]

    @Test(arguments: plain + members + damaged)
    func contentAndDamageMatch(_ test: Case) {
        for step in [1, 2, 3, 7, 1 << 16] {
            for bufferBytes in [2, 3, 64, 1 << 16] {
                for outputBytes in [1, 1 << 12] {
                    let drained = Drained(
                        MemoryInput(test.source, step: step), bufferBytes: bufferBytes,
                        outputBytes: outputBytes)
                    let message = "step \(step), buffer \(bufferBytes), output \(outputBytes)"
                    #expect(drained.bytes == test.content, "\(message)")
                    #expect(drained.damage == test.damage, "\(message)")
                    #expect(drained.failure == nil, "\(message)")
                    #expect(drained.bytesInflated == UInt64(test.content.count), "\(message)")
                    if test.damage == nil {
                        #expect(drained.bytesRead == UInt64(test.source.count), "\(message)")
                    }
                }
            }
        }
    }

    /// When reading fails, the bytes read so far are still passed on, and the offset is their number.
    @Test(
        arguments: [
            ("an empty source", [], []), ("one byte", [0x61], [0x61]), ("one magic byte", [0x1f], [0x1f]),
            ("text", text, text),
            ("a header", Array(member.prefix(5)), []), ("a member", member, text),
            ("members", member + member, text + text),
            ("a member and padding", member + [0, 0], text),
        ] as [(String, [UInt8], [UInt8])])
    func readFailuresAreReportedAfterTheContent(_ name: String, _ source: [UInt8], _ content: [UInt8]) {
        for (step, bufferBytes) in [(1, 2), (7, 64), (.max, 1 << 16)] {
            let drained = Drained(FailingInput(source, step: step), bufferBytes: bufferBytes)
            #expect(drained.failure == FailingInput.failure)
            #expect(drained.failureOffset == UInt64(source.count))
            // A single byte might be half of a magic number: it is held until the next one has been read.
            #expect(drained.bytes == (source.count < 2 ? [] : content))
        }
    }

    @Test func longestExtraFieldIsSkipped() {
        let drained = Drained(Self.with({ $0.extra = [UInt8](repeating: 0x1f, count: 65_535) }))
        #expect(drained.bytes == Self.text)
        #expect(drained.damage == nil)
    }

    @Test func onlyTruncationAndCorruptionTruncateData() {
        let truncating = SourceDamage.Reason.allCases.filter {
            SourceDamage(reason: $0, offset: 0).truncatesData
        }
        #expect(
            truncating == [
                .truncated, .corrupt, .zstdTruncated, .zstdCorrupt, .zstdWindow, .zstdDictionary,
            ])
    }

    private static func with(_ changes: (inout GzipMember) -> Void...) -> [UInt8] {
        var member = GzipMember(text)
        for change in changes { change(&member) }
        return member.bytes
    }

    /// Returns an uncompressed DEFLATE block (RFC 1951, section 3.2.4).
    private static func stored(_ content: String, isLast: Bool = true) -> [UInt8] {
        let count = UInt8(content.utf8.count)
        return [isLast ? 1 : 0, count, 0, ~count, 0xff] + [UInt8](content)
    }

    private static func trailer(_ content: String) -> [UInt8] { GzipMember(content).trailer }
}
