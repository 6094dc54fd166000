import TestSupport
import Testing

@testable import SheafBytes

/// Files of frames: written frames are read back, and anything else in the file is detected.
@Suite struct FrameTests {
    struct Case: NamedCase {
        let name: String
        let frames: [Frame]
    }

    static let cases = [
        Case(name: "no frame", frames: []),
        Case(name: "one frame", frames: [Frame(kind: 1, payload: [1, 2, 3])]),
        Case(name: "an empty frame", frames: [Frame(kind: 255, payload: [])]),
        Case(
            name: "many frames",
            frames: (0..<300).map {
                Frame(kind: UInt8(1 + $0 % 255), payload: [UInt8](repeating: UInt8($0 % 256), count: $0))
            }),
        Case(
            name: "frames around the size of one read",
            frames: [-1, 0, 1].map { Frame(kind: 2, payload: [UInt8](repeating: 7, count: 1 << 20 + $0)) }),
    ]

    @Test(arguments: cases)
    func framesRoundTrip(_ item: Case) throws {
        let bytes = try FrameFile.bytes(item.frames)
        #expect(FrameFile.frames(bytes) == .success(item.frames))
        let payloads = item.frames.reduce(0) { $0 + $1.payload.count }
        #expect(bytes.count == 8 + 16 * (item.frames.count + 1) + payloads)
    }

    @Test(arguments: [1, 2, 3, 7, 16, 1_000])
    func readsOfAnySizeYieldTheSameFrames(_ step: Int) throws {
        let frames = (0..<9).map { Frame(kind: 4, payload: [UInt8](repeating: UInt8($0), count: 3 * $0)) }
        #expect(FrameFile.frames(try FrameFile.bytes(frames), step: step) == .success(frames))
    }

    /// The bytes of one small file, so that the format does not change unnoticed.
    @Test func fileFormatIsStable() throws {
        let bytes = try FrameFile.bytes([Frame(kind: 2, payload: Array("abc"))])
        // CRC-32 of "abc" is 352441c2; those of the headers were computed with Python's zlib.crc32.
        #expect(
            bytes == [
                0x54, 0x45, 0x53, 0x54, 0x53, 3, 0x0d, 0x0a,
                2, 0, 0, 0, 3, 0, 0, 0, 0xc2, 0x41, 0x24, 0x35, 0x0e, 0xe6, 0x26, 0x67,
                0x61, 0x62, 0x63,
                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xcb, 0xa0, 0xb2, 0x6a,
            ])
    }

    static let small = [
        Frame(kind: 1, payload: Array("one")), Frame(kind: 2, payload: []),
        Frame(kind: 2, payload: Array("three")), Frame(kind: 2, payload: Array("three")),
        Frame(kind: 3, payload: [0]),
    ]

    @Test(arguments: [(1, false), (2, true), (3, true), (4, false)] as [(UInt8, Bool)])
    func versionsInRangeAreReadable(version: UInt8, isReadable: Bool) throws {
        let bytes = try FrameFile.bytes(Self.small, magic: FrameMagic("TESTS", version: version))
        let frames = FrameFile.frames(bytes, magic: FrameMagic("TESTS", version: 3, oldest: 2))
        let refusal = FrameError.damaged(.version(version), offset: 5)
        #expect(frames == (isReadable ? .success(Self.small) : .failure(refusal)))
    }

    @Test func everyFlippedBitIsDetected() throws {
        let bytes = try FrameFile.bytes(Self.small)
        for bit in 0..<(8 * bytes.count) {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            guard case .failure(.damaged(let damage, _)) = FrameFile.frames(changed) else {
                Issue.record("bit \(bit) is not checked")
                continue
            }
            if bit < 64 {
                let isVersion = bit / 8 == FrameMagic.versionOffset
                #expect(damage == (isVersion ? .version(changed[5]) : .foreign), "bit \(bit)")
            }
        }
    }

    @Test func everyChangedByteIsDetected() throws {
        let bytes = try FrameFile.bytes(Self.small)
        for (offset, byte) in bytes.enumerated() {
            for other in [0, 1, 0x7f, 0x80, 0xff, byte &+ 1] where other != byte {
                var changed = bytes
                changed[offset] = other
                #expect((try? FrameFile.frames(changed).get()) == nil, "byte \(offset)")
            }
        }
    }

    @Test func everyTruncationIsDetected() throws {
        let bytes = try FrameFile.bytes(Self.small)
        for count in bytes.indices {
            let expected: FrameError =
                count < 8 ? .damaged(.foreign, offset: 0) : .damaged(.truncated, offset: UInt64(count))
            #expect(FrameFile.frames(Array(bytes[..<count])) == .failure(expected), "after \(count) bytes")
        }
    }

    /// Splits the file into its magic, its frames and its end.
    private static func parts() throws -> [[UInt8]] {
        var rest = try FrameFile.bytes(small)[...]
        var parts: [[UInt8]] = []
        for count in [8] + small.map({ 16 + $0.payload.count }) + [16] {
            parts.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        precondition(rest.isEmpty, "the parts cover the whole file")
        return parts
    }

    @Test func missingDuplicateAndSwappedFramesAreDetected() throws {
        let parts = try Self.parts()
        for index in parts.indices {
            var removed = parts
            removed.remove(at: index)
            #expect((try? FrameFile.frames(removed.flatMap(\.self)).get()) == nil, "\(index) removed")
            var doubled = parts
            doubled.insert(parts[index], at: index)
            #expect((try? FrameFile.frames(doubled.flatMap(\.self)).get()) == nil, "\(index) doubled")
            // Swapping also covers two frames with the same content, whose numbers differ.
            for other in parts.indices where other > index {
                var swapped = parts
                swapped.swapAt(index, other)
                #expect((try? FrameFile.frames(swapped.flatMap(\.self)).get()) == nil, "\(index), \(other)")
            }
        }
    }

    @Test func trailingBytesAreDetected() throws {
        let bytes = try FrameFile.bytes(Self.small)
        let end = UInt64(bytes.count)
        for more in [[0], [0x0a], bytes, try FrameFile.bytes([])] {
            #expect(FrameFile.frames(bytes + more) == .failure(.damaged(.trailing, offset: end)))
        }
    }

    @Test func endFrameWithAPayloadIsDetected() throws {
        let payload: [UInt8] = [1]
        let header = FrameHeader(kind: FrameWriter.endKind, payload: payload.span)
        let bytes = try FrameFile.bytes([]).prefix(8) + header.bytes(number: 0) + payload
        #expect(FrameFile.frames(Array(bytes)) == .failure(.damaged(.trailing, offset: UInt64(bytes.count))))
    }

    @Test func memoryIsNotAllocatedForMissingBytes() throws {
        var header = FrameHeader(kind: 1, payload: [UInt8]().span)
        header.length = FrameHeader.maximumLength
        let bytes = try FrameFile.bytes([]).prefix(8) + header.bytes(number: 0) + [1, 2, 3]
        var reader = try FrameReader(MemoryInput(Array(bytes)), magic: FrameFile.magic)
        var payload: [UInt8] = []
        #expect(throws: FrameError.damaged(.truncated, offset: UInt64(bytes.count))) {
            try reader.next(into: &payload)
        }
        #expect(payload.capacity < 4 << 20)
    }

    /// A header may claim the maximum length, whatever the size of its payload.
    @Test func headersRoundTrip() {
        for number in [0, 1, 255, UInt64(UInt32.max), UInt64(UInt32.max) + 1, .max] {
            for length in [0, 1, 255, 256, FrameHeader.maximumLength] {
                var header = FrameHeader(kind: 7, payload: Array("abc").span)
                header.length = length
                let bytes = header.bytes(number: number)
                #expect(bytes.count == FrameHeader.byteCount)
                #expect(FrameHeader(bytes.span, number: number) == header)
                #expect(FrameHeader(bytes.span, number: number &+ 1) == nil)
                #expect(FrameHeader(bytes.span, number: number ^ 1 << 32) == nil)
            }
        }
    }

    struct Foreign: NamedCase {
        let name: String
        let bytes: [UInt8]
        let damage: FrameError
    }

    static let foreign = [
        Foreign(name: "an empty file", bytes: [], damage: .damaged(.foreign, offset: 0)),
        Foreign(name: "text", bytes: Array("{\"app\":\"a\"}\n"), damage: .damaged(.foreign, offset: 0)),
        Foreign(
            name: "another magic", bytes: Array("OTHER\u{3}\r\n"), damage: .damaged(.foreign, offset: 0)),
        Foreign(
            name: "converted line endings", bytes: Array("TESTS\u{3}\n") + [0, 0],
            damage: .damaged(.foreign, offset: 0)),
        Foreign(
            name: "a newer version", bytes: Array("TESTS\u{4}\r\n"), damage: .damaged(.version(4), offset: 5)),
        Foreign(
            name: "an older version", bytes: Array("TESTS\u{2}\r\n"), damage: .damaged(.version(2), offset: 5)
        ),
        Foreign(name: "no frames", bytes: Array("TESTS\u{3}\r\n"), damage: .damaged(.truncated, offset: 8)),
    ]

    @Test(arguments: foreign)
    func foreignFilesAreRejected(_ item: Foreign) {
        #expect(FrameFile.frames(item.bytes) == .failure(item.damage))
    }

    /// A read failure at any offset is distinguished from a damaged file.
    @Test func readFailuresAreReported() throws {
        let bytes = try FrameFile.bytes(Self.small)
        for count in 0...bytes.count {
            let input = FailingInput(Array(bytes[..<count]))
            let expected = FrameError.unreadable(FailingInput.failure, offset: UInt64(count))
            #expect(FrameFile.frames(input) == .failure(expected), "after \(count) bytes")
        }
    }

    @Test func writeFailuresAreReported() throws {
        for count in 0... {
            let output = CollectingFile(failsAfter: count)
            do throws(StorageError) {
                var writer = try FrameWriter(output, magic: FrameFile.magic)
                for frame in Self.small { try writer.write(frame.payload.span, kind: frame.kind) }
                try writer.end()
                #expect(count > Self.small.count)
                return
            } catch {
                #expect(error == CollectingFile.failure)
                #expect((try? FrameFile.frames(output.bytes).get()) == nil)
            }
        }
    }

    /// A file joined from the parts of two valid ones is rejected, unless it equals the file written from its frames.
    @Test(arguments: Seeds.several(4))
    func joinedFilesAreRejected(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let files = try (0..<3).map { _ in
            let frames = (0..<random.below(4)).map { _ in
                Frame(kind: UInt8(random.number(1...2)), payload: random.bytes(random.below(3)))
            }
            return (frames, try FrameFile.bytes(frames))
        }
        for _ in 0..<500 {
            let one = random.pick(files).1
            let other = random.pick(files).1
            let bytes = Array(
                one.prefix(random.below(one.count + 1)) + other.suffix(random.below(other.count + 1)))
            guard case .success(let frames) = FrameFile.frames(bytes) else { continue }
            #expect(try FrameFile.bytes(frames) == bytes)
        }
    }

    @Test func everyDamageHasADescription() {
        for (damage, text) in [
            (FrameError.Damage.foreign, "the file has a different format"),
            (.version(9), "format version 9 is not supported"),
            (.truncated, "the file is truncated"),
            (.header, "a frame is missing, damaged or out of order"),
            (.payload, "a frame does not match its checksum"),
            (.trailing, "unexpected bytes after the end frame"),
            (.content, "the contents of a frame are invalid"),
        ] {
            #expect("\(damage)" == text)
        }
    }
}
