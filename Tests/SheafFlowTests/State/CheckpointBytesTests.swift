import SheafBytes
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Encoding and decoding of checkpoints, including bytes that are not a checkpoint.
@Suite(.tags(.spilling)) struct CheckpointBytesTests {
    private static func bytes(of checkpoint: Checkpoint) -> [UInt8] {
        var output = OutputBuffer()
        checkpoint.append(to: &output)
        var bytes: [UInt8] = []
        bytes.append(output.bytes)
        return bytes
    }

    @Test(arguments: Seeds.several(60))
    func roundTrip(_ seed: UInt64) {
        var generator = RandomCheckpoint(seed: seed)
        let checkpoint = generator.checkpoint()
        #expect(Checkpoint(Self.bytes(of: checkpoint).span) == checkpoint)
    }

    @Test(arguments: RandomCheckpoint.restartPoints.map(\.name))
    func everyRestartPointRoundTrips(_ name: String) throws {
        let point = try #require(RandomCheckpoint.restartPoints.first { $0.name == name }).point
        for additional in [0, 1, 4 << 20] as [UInt64] {
            for line in [1, point.bytesInflated + 1] as [UInt64] {
                var options = ReplayOptions(sources: [])
                options.maximumArguments = 1
                let position = try #require(
                    SourcePosition(
                        restoring: point, bytesInflated: point.bytesInflated + additional, nextLine: line))
                let checkpoint = Checkpoint(
                    header: options.header(of: SourceTable(paths: ["a", "b"])), maximumLine: 1,
                    keepsRejects: false,
                    identities: [
                        SourceIdentity(size: 1, modified: 2, head: 3),
                        SourceIdentity(size: 0, modified: 0, head: 0),
                    ],
                    progress: [.position(position), .ended], rejects: [1: SpoolContents(byteCount: 5)],
                    counts: RunCounts(), runs: [],
                    dumps: ["state-1-0.run"], nextNumber: 0)
                #expect(Checkpoint(Self.bytes(of: checkpoint).span) == checkpoint)
            }
        }
    }

    @Test(arguments: Seeds.several(6))
    func truncatedOrExtendedBytesAreInvalid(_ seed: UInt64) {
        var generator = RandomCheckpoint(seed: seed)
        let bytes = Self.bytes(of: generator.checkpoint())
        for _ in 0..<min(300, bytes.count) {
            let count = generator.random.below(bytes.count)
            #expect(
                Checkpoint(bytes.span.extracting(first: count)) == nil, "\(count) bytes of \(bytes.count)")
        }
        #expect(Checkpoint((bytes + [0]).span) == nil)
    }

    /// If changed bytes decode as a checkpoint, that checkpoint round-trips.
    @Test(arguments: Seeds.several(20))
    func changedBytesAreInvalidOrRoundTrip(_ seed: UInt64) {
        var generator = RandomCheckpoint(seed: seed)
        let bytes = Self.bytes(of: generator.checkpoint())
        for _ in 0..<200 {
            var changed = bytes
            for _ in 0...generator.random.below(3) {
                let offset = generator.random.below(changed.count)
                switch generator.random.below(4) {
                case 0: changed[offset] ^= 1 << UInt8(generator.random.below(8))
                case 1: changed[offset] = generator.random.pick([0, 1, 0x7f, 0x80, 0xff])
                case 2: changed.remove(at: offset)
                default: changed.insert(UInt8(generator.random.below(256)), at: offset)
                }
            }
            guard let checkpoint = Checkpoint(changed.span) else { continue }
            #expect(Checkpoint(Self.bytes(of: checkpoint).span) == checkpoint)
        }
    }
}
