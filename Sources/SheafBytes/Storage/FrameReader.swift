/// Reads a file of frames and checks each frame before returning any of its payload.
///
/// Holds one frame's payload, in the caller's buffer, which grows only as bytes are actually read: a wrong length
/// never takes memory. Payloads longer than `maximumLength` are refused, since a malicious file may really have them.
package struct FrameReader: ~Copyable {
    private var input: any ByteInput
    private var number: UInt64 = 0
    private var header: [UInt8] = []
    private let maximumLength: Int
    /// The format's version.
    package private(set) var version: UInt8 = 0
    /// The length of the longest payload read so far, in bytes.
    package private(set) var largestPayload = 0
    /// The number of bytes read so far, which is the offset of the next frame.
    package private(set) var offset: UInt64 = 0

    /// The number of bytes that are read at once.
    private static let stepBytes = 1 << 20

    /// Reads the first bytes of the file.
    ///
    /// - Parameter maximumLength: the length of the longest payload that is accepted, in bytes.
    /// - Throws: `FrameError` if they are not `magic`.
    package init(
        _ input: any ByteInput, magic: FrameMagic, maximumLength: Int = FrameHeader.maximumLength
    ) throws(FrameError) {
        self.input = input
        self.maximumLength = maximumLength
        var bytes: [UInt8] = []
        let count = try read(FrameMagic.byteCount, into: &bytes)
        let versionOffset = FrameMagic.versionOffset
        guard count == magic.bytes.count, bytes[..<versionOffset] == magic.bytes[..<versionOffset],
            bytes[(versionOffset + 1)...] == magic.bytes[(versionOffset + 1)...]
        else { throw .damaged(.foreign, offset: 0) }
        version = bytes[versionOffset]
        guard magic.readableVersions.contains(version) else {
            throw .damaged(.version(version), offset: UInt64(versionOffset))
        }
    }

    /// Reads the next frame into `payload`, whose contents it replaces.
    ///
    /// - Returns: the frame's kind; nil after the last one.
    package mutating func next(into payload: inout [UInt8]) throws(FrameError) -> UInt8? {
        let start = offset
        let header = try readHeader(at: start)
        guard header.length <= maximumLength else {
            throw .damaged(.tooLong(length: header.length, limit: maximumLength), offset: start)
        }
        largestPayload = max(largestPayload, header.length)
        guard try read(header.length, into: &payload) == header.length else {
            throw .damaged(.truncated, offset: offset)
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

    /// Returns the length of the longest payload that the headers of a file's frames specify, as far as they can be
    /// followed. Only the headers are checked.
    package static func largestPayload(of file: any ReadableFile) throws(StorageError) -> Int {
        var input: any ByteInput = file
        var buffer = [UInt8](repeating: 0, count: FrameHeader.byteCount)
        var (largest, number, offset): (Int, UInt64, UInt64) = (0, 0, UInt64(FrameMagic.byteCount))
        while true {
            try file.seek(to: offset)
            var filled = 0
            try input.fill(&buffer, count: &filled)
            guard filled == buffer.count, let header = FrameHeader(buffer.span, number: number) else {
                return largest
            }
            largest = max(largest, header.length)
            offset += UInt64(FrameHeader.byteCount + header.length)
            number += 1
        }
    }

    /// Reads the next header into a separate buffer, so that the buffer for payloads keeps its size and need not be
    /// filled with zeros again.
    private mutating func readHeader(at start: UInt64) throws(FrameError) -> FrameHeader {
        var bytes: [UInt8] = []
        swap(&bytes, &header)
        defer { swap(&bytes, &header) }
        guard try read(FrameHeader.byteCount, into: &bytes) == FrameHeader.byteCount else {
            throw .damaged(.truncated, offset: offset)
        }
        guard let header = FrameHeader(bytes.span, number: number) else {
            throw .damaged(.header, offset: start)
        }
        return header
    }

    /// Replaces the contents of `buffer` with `count` bytes, or fewer at the end of the file.
    private mutating func read(_ count: Int, into buffer: inout [UInt8]) throws(FrameError) -> Int {
        if buffer.count > count { buffer.removeLast(buffer.count - count) }
        var filled = 0
        while filled < count {
            if buffer.count == filled {
                // Doubles the capacity, but not beyond the requested count.
                buffer.reserveCapacity(min(count, max(Self.stepBytes, 2 * filled)))
                buffer.append(contentsOf: repeatElement(0, count: min(count - filled, Self.stepBytes)))
            }
            let start = filled
            let result = Result { () throws(StorageError) in try input.fill(&buffer, count: &filled) }
            offset += UInt64(filled - start)
            if case .failure(let error) = result { throw .unreadable(error, offset: offset) }
            if filled < buffer.count {
                buffer.removeLast(buffer.count - filled)
                break
            }
        }
        return filled
    }
}

/// The reason that a file of frames can't be read further.
public enum FrameError: Error, Equatable, Sendable {
    /// The bytes from `offset` on differ from those that were written.
    case damaged(Damage, offset: UInt64)
    /// Reading failed after `offset` bytes.
    case unreadable(StorageError, offset: UInt64)

    public enum Damage: Equatable, Sendable {
        /// The file has a different format.
        case foreign
        /// The format is right, but its version is not supported.
        case version(UInt8)
        /// The file ends too early.
        case truncated
        /// A frame's header is not the one that was written there.
        case header
        /// A frame's payload does not match its checksum.
        case payload
        /// There are bytes after the end frame.
        case trailing
        /// A frame is complete, but its contents are invalid.
        case content
        /// A frame's payload is longer than the reader accepts; both in bytes.
        case tooLong(length: Int, limit: Int)
    }
}

extension FrameError.Damage: CustomStringConvertible {
    public var description: String {
        switch self {
        case .foreign: "the file has a different format"
        case .version(let version): "format version \(version) is not supported"
        case .truncated: "the file is truncated"
        case .header: "a frame is missing, damaged or out of order"
        case .payload: "a frame does not match its checksum"
        case .trailing: "unexpected bytes after the end frame"
        case .content: "the contents of a frame are invalid"
        case .tooLong(let length, let limit):
            "a frame of \(Numbers.grouped(UInt64(length))) bytes is longer than the memory limit allows "
                + "(\(Numbers.grouped(UInt64(limit))))"
        }
    }
}
