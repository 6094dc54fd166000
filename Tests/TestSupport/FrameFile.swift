import SheafBytes

/// A frame's kind and payload, as a value.
package struct Frame: Equatable {
    package var kind: UInt8
    package var payload: [UInt8]

    package init(kind: UInt8, payload: [UInt8]) {
        self.kind = kind
        self.payload = payload
    }
}

/// Writes and reads whole files of frames.
package enum FrameFile {
    /// The magic of files that belong to no format.
    package static let magic = FrameMagic("TESTS", version: 3)

    /// Returns a file with these frames.
    package static func bytes(_ frames: [Frame], magic: FrameMagic = magic) throws -> [UInt8] {
        let output = CollectingFile()
        var writer = try FrameWriter(output, magic: magic)
        for frame in frames { try writer.write(frame.payload.span, kind: frame.kind) }
        try writer.end()
        precondition(writer.byteCount == UInt64(output.bytes.count), "the writer counts its bytes")
        return output.bytes
    }

    /// Returns all frames, or the error that stopped the reader.
    package static func frames(
        _ bytes: [UInt8], step: Int = .max, magic: FrameMagic = magic
    ) -> Result<[Frame], FrameError> {
        frames(MemoryInput(bytes, step: step), magic: magic)
    }

    /// Returns all frames, or the error that stopped the reader.
    package static func frames(_ input: any ByteInput, magic: FrameMagic = magic) -> Result<
        [Frame], FrameError
    > {
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

    /// Returns frames in which one to three bytes of payloads were changed, removed or inserted.
    package static func changed(_ frames: [Frame], _ random: inout SeededGenerator) -> [Frame] {
        var changed = frames
        for _ in 0...random.below(2) {
            let index = random.below(changed.count)
            guard !changed[index].payload.isEmpty else { continue }
            let offset = random.below(changed[index].payload.count)
            switch random.below(4) {
            case 0: changed[index].payload[offset] ^= 1 << UInt8(random.below(8))
            case 1: changed[index].payload[offset] = random.pick([0, 1, 2, 3, 0x7f, 0x80, 0xff])
            case 2: changed[index].payload.remove(at: offset)
            default: changed[index].payload.insert(UInt8(random.below(256)), at: offset)
            }
        }
        return changed
    }
}
