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
    /// The versions that can be read. The newest one is written.
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
