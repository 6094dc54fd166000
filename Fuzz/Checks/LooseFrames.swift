import SheafBytes
import TestSupport

/// The frames of a file, found without relying on its checksums, to write them again with correct ones.
///
/// A fuzzer can't produce correct lengths and checksums; this way its inputs reach the code that reads the contents.
///
/// A valid file is split at its frames. In any other file, a payload ends at the header that is nearest to the end
/// that its length announces, so that bytes inserted into or removed from one frame do not affect the others.
struct LooseFrames {
    private(set) var frames: [(kind: UInt8, payload: [UInt8])] = []

    static let magicBytes = 8
    private static let headerBytes = 16
    /// The kind of the frame that ends a file.
    private static let endKind: UInt8 = 0

    /// - Parameters:
    ///   - file: the bytes after a magic.
    ///   - singles: the kinds of frames that hold a single record, which is the whole payload.
    init(_ file: ArraySlice<UInt8>, singles: Set<UInt8>) {
        let bytes = Array(file)
        let starts = bytes.indices.filter { Self.isHeader(bytes[$0...]) }
        var start = 0
        while start + Self.headerBytes <= bytes.count, bytes[start] != Self.endKind {
            let payloadStart = start + Self.headerBytes
            let length = (0..<4).reduce(0) { $0 | Int(bytes[start + 4 + $1]) << (8 * $1) }
            let announced = min(payloadStart + length, bytes.count)
            let end = starts.filter { $0 >= payloadStart }.min { abs($0 - announced) < abs($1 - announced) }
            let payload = Array(bytes[payloadStart..<(end ?? bytes.count)])
            let kind = bytes[start]
            frames.append((kind, Self.records(of: payload, isSingle: singles.contains(kind))))
            start = end ?? bytes.count
        }
    }

    /// Returns the file with correct lengths and checksums.
    func file(_ magic: FrameMagic) -> [UInt8] {
        do {
            let output = CollectingFile()
            var writer = try FrameWriter(output, magic: magic)
            for frame in frames { try writer.write(frame.payload.span, kind: frame.kind) }
            try writer.end()
            return output.bytes
        } catch {
            fatalError("writing to memory failed: \(error)")
        }
    }

    /// Whether a frame's header may begin here, which bytes inside payloads seldom look like. Like inputs, payloads are
    /// shorter than 64 KiB.
    private static func isHeader(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count >= headerBytes, bytes[bytes.startIndex] <= 5 else { return false }
        return [1, 2, 3, 6, 7].allSatisfy { bytes[bytes.startIndex + $0] == 0 }
    }

    /// Returns a payload with corrected lengths of records, so that the last one ends at the payload's end.
    private static func records(of payload: [UInt8], isSingle: Bool) -> [UInt8] {
        var output = OutputBuffer()
        var reader = ByteReader(payload.span)
        repeat {
            let announced = reader.number()
            let start = reader.offset
            let rest = payload.count - start
            let count = reader.isValid && !isSingle ? Int(min(announced, UInt64(rest))) : rest
            output.appendText(payload.span.extracting(start..<(start + count)))
            reader = ByteReader(payload.span, from: start + count)
        } while !reader.isAtEnd
        return [UInt8](copying: output.bytes)
    }
}
