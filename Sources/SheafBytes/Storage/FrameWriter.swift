/// Writes a sequence of frames: pieces of a file that are checked when they are read.
///
///     | magic 8 | frame | frame | … | end frame |        frame: header 16, payload
///
/// The end frame has no payload and kind 0: a file without it is truncated. Buffers nothing between frames.
package struct FrameWriter {
    private let output: any ByteOutput
    private var number: UInt64 = 0
    /// The number of bytes written so far, including headers.
    package private(set) var byteCount: UInt64 = 0

    static let endKind: UInt8 = 0

    /// Writes the magic, which identifies the format and its version.
    package init(_ output: any ByteOutput, magic: FrameMagic) throws(StorageError) {
        self.output = output
        try output.write(magic.bytes.span)
        byteCount = UInt64(FrameMagic.byteCount)
    }

    /// Writes one frame.
    ///
    /// - Parameter kind: the type of the payload, 1 or more.
    package mutating func write(_ payload: Span<UInt8>, kind: UInt8) throws(StorageError) {
        precondition(kind != Self.endKind, "the end is written by `end`")
        try writeFrame(payload, kind: kind)
    }

    /// Writes the end frame.
    package mutating func end() throws(StorageError) { try writeFrame(Span(), kind: Self.endKind) }

    private mutating func writeFrame(_ payload: Span<UInt8>, kind: UInt8) throws(StorageError) {
        let header = FrameHeader(kind: kind, payload: payload).bytes(number: number)
        try output.write(header.span)
        if payload.count > 0 { try output.write(payload) }
        number += 1
        byteCount += UInt64(FrameHeader.byteCount + payload.count)
    }
}

/// The first eight bytes of a file of frames: five letters, the format's version, and CR LF, which shows whether a
/// transfer converted line endings.
package struct FrameMagic: Sendable, Equatable {
    let bytes: [UInt8]
    /// The versions that can be read. The newest version is written.
    let readableVersions: ClosedRange<UInt8>

    package static let byteCount = 8
    static let versionOffset = 5

    /// - Parameters:
    ///   - name: five ASCII letters.
    ///   - oldest: the oldest version that can still be read; `version` if nil.
    package init(_ name: StaticString, version: UInt8, oldest: UInt8? = nil) {
        precondition(name.utf8CodeUnitCount == Self.versionOffset, "a magic has five letters")
        var bytes: [UInt8] = []
        bytes.append(name)
        self.bytes = bytes + [version, UInt8(ascii: "\r"), UInt8(ascii: "\n")]
        readableVersions = (oldest ?? version)...version
    }

    /// Returns whether a file with these first bytes has this format, in any version.
    package func matches(_ head: [UInt8]) -> Bool {
        head.count >= Self.byteCount && head[..<Self.versionOffset] == bytes[..<Self.versionOffset]
            && head[(Self.versionOffset + 1)..<Self.byteCount] == bytes[(Self.versionOffset + 1)...]
    }
}

/// The 16 bytes before each frame's payload, with little-endian numbers:
///
///     kind 1 | 0 0 0 | payload's length 4 | payload's CRC-32 4 | header's CRC-32 4
///
/// The header's checksum covers the frame's number in its file (8 bytes, from 0) and the twelve bytes before the
/// checksum. This detects missing, duplicate and reordered frames, and a length is trusted only if the checksum
/// matches.
package struct FrameHeader: Equatable {
    var kind: UInt8
    var length: Int
    var payloadChecksum: UInt32

    static let byteCount = 16
    /// The length of the longest payload, in bytes: the maximum of the length field.
    package static let maximumLength = Int(UInt32.max)

    init(kind: UInt8, payload: Span<UInt8>) {
        precondition(payload.count <= Self.maximumLength, "a frame holds at most 4 GiB")
        self.kind = kind
        length = payload.count
        var checksum = Checksum()
        checksum.update(payload)
        payloadChecksum = checksum.value
    }

    /// Parses the header of frame `number`; nil if the bytes are not the header that was written there.
    init?(_ bytes: Span<UInt8>, number: UInt64) {
        guard bytes.count == Self.byteCount, bytes[1] == 0, bytes[2] == 0, bytes[3] == 0 else { return nil }
        kind = bytes[0]
        length = Int(bytes.number(at: 4, count: 4))
        payloadChecksum = UInt32(bytes.number(at: 8, count: 4))
        guard
            UInt32(bytes.number(at: 12, count: 4))
                == Self.checksum(of: bytes.extracting(first: 12), number: number)
        else { return nil }
    }

    /// Returns the bytes of the header for frame `number`.
    func bytes(number: UInt64) -> [UInt8] {
        var bytes: [UInt8] = [kind, 0, 0, 0]
        Self.append(UInt32(length), to: &bytes)
        Self.append(payloadChecksum, to: &bytes)
        Self.append(Self.checksum(of: bytes.span, number: number), to: &bytes)
        return bytes
    }

    private static func checksum(of fields: Span<UInt8>, number: UInt64) -> UInt32 {
        var digits: [UInt8] = []
        append(UInt32(truncatingIfNeeded: number), to: &digits)
        append(UInt32(truncatingIfNeeded: number >> 32), to: &digits)
        var checksum = Checksum()
        checksum.update(digits.span)
        checksum.update(fields)
        return checksum.value
    }

    private static func append(_ word: UInt32, to bytes: inout [UInt8]) {
        for index in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(8 * index))) }
    }
}
