/// Reads a file of frames, each of them checked before anything of it is handed on.
///
/// Holds one frame's payload, in the caller's buffer, which grows with what is really there: a wrong length never
/// takes memory. No payload is longer than `maximumLength`, since a file that was made to be harmful may really have it.
public struct FrameReader: ~Copyable {
    private var input: any ByteInput
    private var number: UInt64 = 0
    private var header: [UInt8] = []
    private let maximumLength: Int
    /// The longest payload read so far, in bytes.
    public private(set) var largestPayload = 0
    /// Bytes read so far: where the next frame starts.
    public private(set) var offset: UInt64 = 0

    /// How much is read at once.
    private static let stepBytes = 1 << 20

    /// Reads the file's first bytes.
    ///
    /// - Parameter maximumLength: the longest payload that is read, in bytes.
    /// - Throws: `FrameError` when they are not `magic`.
    public init(
        _ input: any ByteInput, magic: FrameMagic, maximumLength: Int = FrameHeader.maximumLength
    ) throws(FrameError) {
        self.input = input
        self.maximumLength = maximumLength
        var bytes: [UInt8] = []
        let count = try read(FrameMagic.byteCount, into: &bytes)
        let place = FrameMagic.versionPlace
        guard count == magic.bytes.count, bytes[..<place] == magic.bytes[..<place],
            bytes[(place + 1)...] == magic.bytes[(place + 1)...]
        else { throw .damaged(.foreign, offset: 0) }
        guard magic.readableVersions.contains(bytes[place]) else {
            throw .damaged(.version(bytes[place]), offset: UInt64(place))
        }
    }

    /// Reads the next frame into `payload`, whose contents it replaces.
    ///
    /// - Returns: the frame's kind; nil behind the last one.
    public mutating func next(into payload: inout [UInt8]) throws(FrameError) -> UInt8? {
        let start = offset
        let header = try readHeader(at: start)
        guard header.length <= maximumLength else {
            throw .damaged(.tooLong(length: header.length, limit: maximumLength), offset: start)
        }
        largestPayload = max(largestPayload, header.length)
        guard try read(header.length, into: &payload) == header.length else {
            throw .damaged(.cutOff, offset: offset)
        }
        guard FrameHeader(kind: header.kind, payload: payload.span) == header else {
            throw .damaged(.payload, offset: start)
        }
        number += 1
        guard header.kind == FrameWriter.endKind else { return header.kind }
        var rest: [UInt8] = []
        let end = offset
        guard header.length == 0, try read(1, into: &rest) == 0 else {
            throw .damaged(.trailing, offset: end)
        }
        return nil
    }

    /// The longest payload that the headers of a file's frames name, as far as they can be followed; nothing is checked
    /// but the headers.
    public static func largestPayload(of file: any ReadableFile) throws(StorageError) -> Int {
        var input: any ByteInput = file
        var buffer = [UInt8](repeating: 0, count: FrameHeader.byteCount)
        var (largest, number, offset): (Int, UInt64, UInt64) = (0, 0, UInt64(FrameMagic.byteCount))
        while true {
            try file.seek(to: offset)
            var filled = 0
            while filled < buffer.count {
                var whole = buffer.mutableSpan
                var room = whole._mutatingExtracting(filled..<whole.count)
                let count = try input.read(into: &room)
                if count == 0 { return largest }
                filled += count
            }
            guard let header = FrameHeader(buffer.span, number: number) else { return largest }
            largest = max(largest, header.length)
            offset += UInt64(FrameHeader.byteCount + header.length)
            number += 1
        }
    }

    /// Into a buffer of its own: that of payloads is then as large for the next one, and not filled anew.
    private mutating func readHeader(at start: UInt64) throws(FrameError) -> FrameHeader {
        var bytes: [UInt8] = []
        swap(&bytes, &header)
        defer { swap(&bytes, &header) }
        guard try read(FrameHeader.byteCount, into: &bytes) == FrameHeader.byteCount else {
            throw .damaged(.cutOff, offset: offset)
        }
        guard let header = FrameHeader(bytes.span, number: number) else {
            throw .damaged(.header, offset: start)
        }
        return header
    }

    /// Reads `count` bytes in place of what is in `buffer`, fewer only at the file's end.
    private mutating func read(_ count: Int, into buffer: inout [UInt8]) throws(FrameError) -> Int {
        if buffer.count > count { buffer.removeLast(buffer.count - count) }
        var filled = 0
        while filled < count {
            if buffer.count == filled {
                // Twice as much as is there, but no more than is wanted.
                buffer.reserveCapacity(min(count, max(Self.stepBytes, 2 * filled)))
                buffer.append(contentsOf: repeatElement(0, count: min(count - filled, Self.stepBytes)))
            }
            filled = try fill(&buffer, from: filled)
            if filled < buffer.count {
                buffer.removeLast(buffer.count - filled)
                break
            }
        }
        return filled
    }

    /// Reads until the buffer is full, or the file at its end. Returns how far it is filled.
    private mutating func fill(_ buffer: inout [UInt8], from start: Int) throws(FrameError) -> Int {
        var filled = start
        while filled < buffer.count {
            var whole = buffer.mutableSpan
            var room = whole._mutatingExtracting(filled..<whole.count)
            let count: Int
            do {
                count = try input.read(into: &room)
            } catch {
                throw .unreadable(error, offset: offset)
            }
            if count == 0 { break }
            filled += count
            offset += UInt64(count)
        }
        return filled
    }
}

/// Why a file of frames can't be read on.
public enum FrameError: Error, Equatable, Sendable {
    /// The bytes from `offset` on are not what was written.
    case damaged(Damage, offset: UInt64)
    /// Reading failed after `offset` bytes.
    case unreadable(StorageError, offset: UInt64)

    public enum Damage: Equatable, Sendable {
        /// It is a file of another kind.
        case foreign
        /// It is of this kind, but of a version that can't be read.
        case version(UInt8)
        /// The file ends too early.
        case cutOff
        /// A frame's header is not the one that was written there.
        case header
        /// A frame's payload does not have its checksum.
        case payload
        /// Something stands behind the end.
        case trailing
        /// A frame is whole, but what is in it makes no sense.
        case content
        /// A frame's payload is longer than the reader takes; both in bytes.
        case tooLong(length: Int, limit: Int)
    }
}

extension FrameError.Damage: CustomStringConvertible {
    public var description: String {
        switch self {
        case .foreign: "it is no file of this kind"
        case .version(let version): "its format has version \(version), which this program does not know"
        case .cutOff: "it is cut off"
        case .header: "a frame is missing, changed or out of place"
        case .payload: "a frame does not match its checksum"
        case .trailing: "something stands behind its end"
        case .content: "a frame's contents make no sense"
        case .tooLong(let length, let limit):
            "a frame of \(Numbers.grouped(UInt64(length))) bytes is longer than the memory limit allows "
                + "(\(Numbers.grouped(UInt64(limit))))"
        }
    }
}
