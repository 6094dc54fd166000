import CZlib
import FuzzChecks
import TestSupport
import TestTags
import Testing

@testable import SheafBytes

/// Logs that are left after every chunk and resumed by another filler: the lines, their numbers and the end are those
/// of a single filler that reads the whole log.
@Suite(.tags(.spilling)) struct ResumeTests {
    struct Case: NamedCase {
        let name: String
        let source: [UInt8]
        /// The decoded content, including an incomplete last line; of a damaged source, the content before the damage.
        let content: [UInt8]
        let reason: SourceDamage.Reason?

        init(_ name: String, plain: String) {
            self.name = name
            source = [UInt8](plain)
            content = source
            reason = nil
        }

        init(
            _ name: String, _ members: [GzipMember], trailing: [UInt8] = [],
            damage: SourceDamage.Reason? = nil
        ) {
            self.name = name
            source = members.flatMap(\.bytes) + trailing
            content = members.flatMap(\.content)
            reason = damage
        }

        /// A source of several parts.
        init(_ name: String, stored parts: [[UInt8]], yields content: [UInt8]) {
            self.name = name
            source = parts.flatMap { $0 }
            self.content = content
            reason = nil
        }

        /// A damaged source.
        init(_ name: String, damaged source: [UInt8], _ reason: SourceDamage.Reason) {
            self.name = name
            self.source = source
            content = Drained(source).bytes
            self.reason = reason
        }
    }

    /// Lines of every type, some longer than the limit of 100 bytes.
    static let text = (0..<60).map { number in
        switch number % 12 {
        case 3: "\r\n"
        case 5: " \t \n"
        case 7: String(repeating: "\(number) ", count: 28) + "\r\n"
        case 9: String(repeating: "too long ", count: 15) + "\n"
        default: "line \(number), \(number * number % 971)\n"
        }
    }.joined()
    static let farTooLong = "a\n" + String(repeating: "0123456789", count: 300) + "\nb\n\nc\n"
    static let withMark = "\u{feff}" + text
    static let bytes = [UInt8](text)

    static let plain = [
        Case("an empty source", plain: ""),
        Case("a byte", plain: "a"),
        Case("an LF", plain: "\n"),
        Case("LFs", plain: String(repeating: "\n", count: 30)),
        Case("only a byte order mark", plain: "\u{feff}"),
        Case("a byte order mark and an LF", plain: "\u{feff}\n"),
        Case("two byte order marks", plain: "\u{feff}\n\u{feff}a\n"),
        Case("text", plain: text),
        Case("text after a byte order mark", plain: withMark),
        Case("CR LF", plain: "a\r\nb\r\r\n\r\nc\r\n"),
        Case("no LF at the end", plain: text + "the end"),
        Case("a CR at the end", plain: text + "the end\r"),
        Case("a line that is far too long", plain: farTooLong),
        Case(
            "a line that is far too long without LF",
            plain: text + farTooLong + String(repeating: "x", count: 3000)),
    ]

    static let members = [
        Case("an empty member", [GzipMember("")]),
        Case("a member", [GzipMember(text)]),
        Case("a member with every field", [.decorated(text)]),
        Case("a byte order mark in a member", [GzipMember(withMark)]),
        Case(
            "a byte order mark across members",
            [GzipMember([0xef]), GzipMember([0xbb, 0xbf, 0x61, 0x0a, 0x62])]),
        Case("no LF at the end of a member", [GzipMember(text + "the end")]),
        Case("a line that is far too long in a member", [GzipMember(text + farTooLong + text)]),
        Case(
            "a line that is far too long across members",
            [GzipMember(text), GzipMember(farTooLong), GzipMember(text)]),
        Case("members", [.decorated("one\n"), GzipMember(text), GzipMember(""), .decorated(text)]),
        Case("one member per line", text.split(separator: "\n").map { GzipMember($0 + "\n") }),
        Case("one member per byte", bytes.prefix(200).map { GzipMember([$0]) }),
        Case(
            "empty members before lines", [GzipMember(""), GzipMember(""), GzipMember(text), GzipMember("")]),
        Case("zero padding", [GzipMember(text)], trailing: [UInt8](repeating: 0, count: 300)),
        Case("one block", [GzipMember(bytes, .one)]),
        Case("small blocks", [GzipMember(bytes, .small)]),
        Case("small fixed blocks", [GzipMember(bytes, .smallFixed)]),
        Case("stored blocks", [GzipMember(bytes, .stored(every: 77))]),
        Case("blocks without alignment", [GzipMember(bytes, .flushed(Z_BLOCK, every: 50))]),
        Case(
            "one fixed block per byte",
            [GzipMember(bytes, DeflateBlocks(strategy: Z_FIXED, flush: Z_BLOCK, pieceBytes: 1))]),
        Case("an empty fixed block after each", [GzipMember(bytes, .flushed(Z_PARTIAL_FLUSH, every: 50))]),
        Case("an empty stored block after each", [GzipMember(bytes, .flushed(Z_SYNC_FLUSH, every: 50))]),
        Case("no references across flushes", [GzipMember(bytes, .flushed(Z_FULL_FLUSH, every: 50))]),
        Case("members of small blocks", [GzipMember(bytes, .small), GzipMember(bytes, .stored(every: 300))]),
    ]

    static let damaged: [Case] = {
        let member = GzipMember(bytes, .small)
        func with(_ change: (inout GzipMember) -> Void) -> GzipMember {
            var changed = member
            change(&changed)
            return changed
        }
        var corrupt = member.bytes
        for index in (corrupt.count - 60)..<(corrupt.count - 40) { corrupt[index] = 0xff }
        return [
            Case("cut in the last block", damaged: member.bytes.dropLast(30), .truncated),
            Case("cut in the trailer", damaged: member.bytes.dropLast(3), .truncated),
            Case("cut in the second header", [member], trailing: [0x1f, 0x8b, 8, 0], damage: .truncated),
            Case("half a magic number", [member], trailing: [0x1f], damage: .truncated),
            Case("corrupt", damaged: corrupt, .corrupt),
            Case("corrupt in the second member", damaged: member.bytes + corrupt, .corrupt),
            Case("checksum", [with { $0.checksumError = 1 }], damage: .badChecksum),
            Case(
                "checksum of the second member", [member, with { $0.checksumError = 1 }], damage: .badChecksum
            ),
            Case("length", [with { $0.lengthError = 1 }], damage: .badLength),
            Case("header", [member], trailing: [0x1f, 0x8b, 7], damage: .badHeader),
            Case("garbage", [member], trailing: [0x61], damage: .trailingGarbage),
            Case("garbage after padding", [member], trailing: [0, 0, 0x61], damage: .trailingGarbage),
            Case("a member after padding", [member], trailing: [0] + member.bytes, damage: .trailingGarbage),
        ]
    }()

    static let frames: [Case] = {
        let one = zstd(bytes), small = zstd(bytes, hasChecksum: false, windowLog: 10, pieceBytes: 77)
        let raw = ZstdFrame(
            stride(from: 0, to: bytes.count, by: 300).map { .raw(Array(bytes[$0...].prefix(300))) })
        let skippable = ZstdFrame.skippable([UInt8](repeating: 1, count: 100))
        var corrupt = small
        for index in (corrupt.count - 60)..<(corrupt.count - 40) { corrupt[index] = 0xff }
        return [
            Case("an empty frame", stored: [zstd([])], yields: []),
            Case("a frame", stored: [one], yields: bytes),
            Case("a frame of small blocks", stored: [small], yields: bytes),
            Case("a frame of raw blocks", stored: [raw.bytes], yields: bytes),
            Case("frames", stored: [one, zstd([]), small, raw.bytes], yields: bytes + bytes + bytes),
            Case(
                "one frame per line", stored: text.split(separator: "\n").map { zstd([UInt8]($0 + "\n")) },
                yields: bytes),
            Case(
                "one frame per byte", stored: bytes.prefix(200).map { zstd([$0]) },
                yields: Array(bytes.prefix(200))),
            Case(
                "skippable frames and padding", stored: [skippable, one, skippable, one, [0, 0, 0]],
                yields: bytes + bytes),
            Case("cut in the last frame", damaged: one + small.dropLast(9), .zstdTruncated),
            Case("corrupt in the last frame", damaged: one + corrupt, .zstdCorrupt),
            Case(
                "checksum of a frame", damaged: one + one.dropLast() + [one[one.count - 1] ^ 1], .zstdChecksum
            ),
            Case("garbage after a frame", damaged: one + [0x61], .zstdGarbage),
        ]
    }()

    @Test(arguments: plain + members + damaged + frames)
    func resumingAfterEveryChunkYieldsTheSameLines(_ test: Case) throws {
        for (target, buffer, step) in [(1, 64, 1 << 16), (200, 2, 3), (500, 1 << 12, 61)] {
            let sizes = Framing.Sizes(target: target, maximumLine: 100, buffer: buffer)
            let whole = Framing(MemoryInput(test.source, step: step), sizes)
            let drained = Drained(MemoryInput(test.source, step: step), bufferBytes: buffer)
            #expect(drained.damage?.reason == test.reason)
            // Restart points are requested never, always, and for every fifth filler.
            for interval in [0, 1, 5] {
                let relay = Relay(test.source) { number in
                    Relay.Leg(
                        sizes: sizes, request: interval > 0 && number % interval == 0 ? 0 : nil,
                        step: step,
                        defersChecksum: number % 2 == 1)
                }
                let message = "\(sizes), step \(step), a request every \(interval)"
                #expect(relay.framing.lines == whole.lines, "\(message)")
                #expect(relay.framing.violations == [], "\(message)")
                #expect(relay.damage == drained.damage, "\(message)")
                #expect(relay.bytesInflated == drained.bytesInflated, "\(message)")
                if test.reason == nil {
                    #expect(relay.bytesRead == UInt64(test.source.count), "\(message)")
                }
                try expectValid(relay.positions, of: test, message)
            }
        }
    }

    /// Expects positions to be between two lines, in order, and unchanged by storing and restoring.
    private func expectValid(_ positions: [SourcePosition], of test: Case, _ message: String) throws {
        var feeds = 0
        var offset = 0
        for position in positions {
            let end = try #require(Int(exactly: position.bytesInflated))
            try #require(end > offset && end <= test.content.count, "\(message)")
            feeds += test.content[offset..<end].count { $0 == UInt8(ascii: "\n") }
            offset = end
            #expect(test.content[end - 1] == UInt8(ascii: "\n"), "\(message)")
            #expect(position.nextLine == UInt64(feeds) + 1, "\(message)")
            #expect(position.bytesRead <= UInt64(test.source.count), "\(message)")
            #expect(position.restored == position, "\(message)")
        }
        let offsets = positions.map(\.point.offset)
        #expect(offsets == offsets.sorted(), "\(message)")
    }

    /// Resumes with chunk sizes that differ from those of the previous filler.
    @Test(arguments: members.suffix(9))
    func chunkSizesMayChange(_ test: Case) {
        let lines = LineModel.lines(of: test.content, maximumLine: 100)
        for count in [1, 2, 5] {
            let relay = Relay(test.source) { number in
                let target = [1, 500, 7, 90, 2000][number % 5]
                return Relay.Leg(
                    sizes: Framing.Sizes(
                        target: target, maximumLine: 100, buffer: [64, 2, 1 << 16][number % 3]),
                    chunks: count, request: number % 4)
            }
            #expect(relay.framing.lines == lines)
            #expect(relay.framing.violations == [])
        }
    }

    /// After a requested restart point little must be inflated again; without requests there is no such point.
    @Test func requestedPointsLimitRepeatedInflation() {
        let text = [UInt8]((0..<15_000).map { "line \($0), \($0 &* $0 % 971)\n" }.joined())
        let source = GzipMember(text, .small).bytes
        let sizes = Framing.Sizes(target: 10_000)
        let requested = Relay(source) { _ in Relay.Leg(sizes: sizes, request: 0) }
        #expect(requested.positions.count > 20)
        for position in requested.positions {
            #expect(position.point.isBlock)
            // A chunk and the remainder of a block, whose 127 literals and matches are a few hundred bytes.
            #expect(position.bytesToDrop < 14_000)
        }
        let unrequested = Relay(source) { _ in Relay.Leg(sizes: sizes, chunks: 7) }
        #expect(unrequested.positions.allSatisfy { $0.point == .start && $0.bytesToDrop == $0.bytesInflated })
        #expect(requested.framing.lines == unrequested.framing.lines)
        // A single block has no end before the last byte of the stream.
        let giant = Relay(GzipMember(Array(text.prefix(50_000)), .one).bytes) { _ in
            Relay.Leg(sizes: sizes, request: 0)
        }
        #expect(giant.positions.allSatisfy { $0.point == .start })
        #expect(giant.framing.violations == [])
    }

    /// After the requested point, the starts of later members are used as restart points.
    @Test func memberStartsAreRestartPoints() {
        let text = [UInt8]((0..<4_000).map { "line \($0)\n" }.joined())
        let source = (0..<5).flatMap { _ in GzipMember(text, .one).bytes }
        let relay = Relay(source) { _ in Relay.Leg(sizes: Framing.Sizes(target: 5_000)) }
        for position in relay.positions {
            let member = position.bytesInflated / UInt64(text.count)
            #expect(position.point.bytesInflated == member * UInt64(text.count))
            #expect(position.point.kind == (member == 0 ? .start : .betweenMembers))
        }
    }

    @Test func fillerBeginsAtTheStart() throws {
        let filler = ChunkFiller(SourceInput(MemoryInput(Self.bytes)), targetBytes: 10, maximumLine: 100)
        let position = filler.position
        #expect(position == .start)
        #expect(position.isStart)
        #expect(position.restored == position)
    }

    @Test func restoredPositionsAreValidated() throws {
        let point = try #require(RestartPoint(restoring: .betweenMembers, offset: 90, bytesInflated: 1000))
        for (bytesInflated, nextLine, isPosition) in [
            (1000, 1, true), (1000, 1001, true), (1000, 1002, false), (1000, 0, false), (999, 1, false),
            (UInt64(Int64.max), 7, true), (UInt64(Int64.max) + 1, 7, false), (.max, .max, false),
            (2000, .max, false),
        ] as [(UInt64, UInt64, Bool)] {
            let position = SourcePosition(restoring: point, bytesInflated: bytesInflated, nextLine: nextLine)
            #expect((position != nil) == isPosition, "\(bytesInflated), \(nextLine)")
        }
    }
}
