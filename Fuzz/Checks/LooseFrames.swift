import SheafBytes

/// What a file of frames would hold if its lengths and checksums were right: a fuzzer, which can't make them so, gets
/// past them and to what is inside.
///
/// A file that is right is taken apart as it is. In one that is not, a payload ends at the header that stands nearest to
/// where it should end, so that what was put in or taken out of one frame leaves the others as they are.
struct LooseFrames {
    private(set) var frames: [(kind: UInt8, payload: [UInt8])] = []

    static let magicBytes = 8
    private static let headerBytes = 16
    /// Of a frame that ends its file.
    private static let endKind: UInt8 = 0

    /// - Parameters:
    ///   - file: bytes behind a magic.
    ///   - singles: the kinds whose frames hold one record: all that is in them.
    init(_ file: ArraySlice<UInt8>, singles: Set<UInt8>) {
        let bytes = Array(file)
        let starts = bytes.indices.filter { Self.isHeader(bytes[$0...]) }
        var start = 0
        while start + Self.headerBytes <= bytes.count, bytes[start] != Self.endKind {
            let place = start + Self.headerBytes
            let length = (0..<4).reduce(0) { $0 | Int(bytes[start + 4 + $1]) << (8 * $1) }
            let announced = min(place + length, bytes.count)
            let end = starts.filter { $0 >= place }.min { abs($0 - announced) < abs($1 - announced) }
            let payload = Array(bytes[place..<(end ?? bytes.count)])
            let kind = bytes[start]
            frames.append((kind, Self.records(of: payload, isSingle: singles.contains(kind))))
            start = end ?? bytes.count
        }
    }

    /// The file, with lengths and checksums that are right.
    func file(_ magic: FrameMagic) -> [UInt8] {
        do {
            let output = CollectedBytes()
            var writer = try FrameWriter(output, magic: magic)
            for frame in frames { try writer.write(frame.payload.span, kind: frame.kind) }
            try writer.end()
            return output.bytes
        } catch {
            fatalError("memory can't be written to: \(error)")
        }
    }

    /// Whether a frame's header may begin here: what is in payloads seldom looks like it. Payloads are shorter than 64 KiB,
    /// as inputs are.
    private static func isHeader(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count >= headerBytes, bytes[bytes.startIndex] <= 5 else { return false }
        return [1, 2, 3, 6, 7].allSatisfy { bytes[bytes.startIndex + $0] == 0 }
    }

    /// A payload whose records end where it ends.
    private static func records(of payload: [UInt8], isSingle: Bool) -> [UInt8] {
        var output = OutputBuffer()
        var reader = ByteReader(payload.span)
        repeat {
            let announced = reader.number()
            let place = reader.offset
            let rest = payload.count - place
            let count = reader.isValid && !isSingle ? Int(min(announced, UInt64(rest))) : rest
            output.appendText(payload.span.extracting(place..<(place + count)))
            reader = ByteReader(payload.span, from: place + count)
        } while !reader.isAtEnd
        return [UInt8](copying: output.bytes)
    }
}

/// Collects what is written.
final class CollectedBytes: WritableFile {
    private(set) var bytes: [UInt8] = []

    func write(_ bytes: Span<UInt8>) throws(StorageError) { self.bytes.append(bytes) }
    func takeAccess(_ access: FileAccess) {}
    func sync() throws(StorageError) {}
    func close() {}
}
