@testable import SheafBytes

/// An output that collects the bytes written to it.
final class CollectingOutput: ByteOutput {
    private(set) var bytes: [UInt8] = []
    private let failsAfter: Int

    static let failure = StorageError(.write, path: "frames", code: 28)

    /// - Parameter failsAfter: the number of writes that succeed before every further write fails.
    init(failsAfter: Int = .max) { self.failsAfter = failsAfter }

    private var writes = 0

    func write(_ bytes: Span<UInt8>) throws(StorageError) {
        writes += 1
        if writes > failsAfter { throw Self.failure }
        self.bytes.append(bytes)
    }
}

/// A frame's kind and payload, as a value.
struct Frame: Equatable {
    let kind: UInt8
    let payload: [UInt8]
}

/// Writes and reads whole files of frames.
enum FrameFile {
    static let magic = FrameMagic("TESTS", version: 3)

    static func bytes(_ frames: [Frame], magic: FrameMagic = magic) throws -> [UInt8] {
        let output = CollectingOutput()
        var writer = try FrameWriter(output, magic: magic)
        for frame in frames { try writer.write(frame.payload.span, kind: frame.kind) }
        try writer.end()
        precondition(writer.byteCount == UInt64(output.bytes.count), "the writer counts its bytes")
        return output.bytes
    }

    /// Returns all frames, or the error that stopped the reader.
    static func frames(
        _ bytes: [UInt8], step: Int = .max, magic: FrameMagic = magic
    ) -> Result<[Frame], FrameError> {
        frames(MemoryInput(bytes, step: step), magic: magic)
    }

    static func frames(_ input: any ByteInput, magic: FrameMagic = magic) -> Result<[Frame], FrameError> {
        do throws(FrameError) {
            var reader = try FrameReader(input, magic: magic)
            var frames: [Frame] = []
            var payload: [UInt8] = [9, 9, 9]
            while let kind = try reader.next(into: &payload) {
                frames.append(Frame(kind: kind, payload: payload))
            }
            return .success(frames)
        } catch {
            return .failure(error)
        }
    }
}
