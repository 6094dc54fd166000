/// Writes frames, one behind the other: pieces of a file that are checked when they are read.
///
///     | magic 8 | frame | frame | … | end frame |        frame: header 16, payload
///
/// The end frame has no payload and kind 0: a file without it was cut off. Holds nothing between two frames.
public struct FrameWriter {
    private let output: any ByteOutput
    private var number: UInt64 = 0
    /// All bytes so far, headers too.
    public private(set) var byteCount: UInt64 = 0

    static let endKind: UInt8 = 0

    /// Writes what tells the file's format and version from others.
    public init(_ output: any ByteOutput, magic: FrameMagic) throws(StorageError) {
        self.output = output
        try output.write(magic.bytes.span)
        byteCount = UInt64(FrameMagic.byteCount)
    }

    /// Writes one frame.
    ///
    /// - Parameter kind: what the payload is, 1 or more.
    public mutating func write(_ payload: Span<UInt8>, kind: UInt8) throws(StorageError) {
        precondition(kind != Self.endKind, "the end is written by `end`")
        try writeFrame(payload, kind: kind)
    }

    /// Ends the file.
    public mutating func end() throws(StorageError) { try writeFrame(Span(), kind: Self.endKind) }

    private mutating func writeFrame(_ payload: Span<UInt8>, kind: UInt8) throws(StorageError) {
        let header = FrameHeader(kind: kind, payload: payload).bytes(number: number)
        try output.write(header.span)
        if payload.count > 0 { try output.write(payload) }
        number += 1
        byteCount += UInt64(FrameHeader.byteCount + payload.count)
    }
}

/// The first eight bytes of a file of frames: five letters, the format's version, and CR LF, which a transfer that
/// changes line ends would change.
public struct FrameMagic: Sendable, Equatable {
    let bytes: [UInt8]
    /// Of the versions that can be read the newest is the one that is written.
    let readableVersions: ClosedRange<UInt8>

    static let byteCount = 8
    static let versionPlace = 5

    /// - Parameters:
    ///   - name: five ASCII letters.
    ///   - oldest: the oldest version that can still be read; none but `version` when not given.
    public init(_ name: StaticString, version: UInt8, oldest: UInt8? = nil) {
        precondition(name.utf8CodeUnitCount == Self.versionPlace, "a magic has five letters")
        var bytes: [UInt8] = []
        bytes.append(name)
        self.bytes = bytes + [version, 0x0d, 0x0a]
        readableVersions = (oldest ?? version)...version
    }

    /// Whether a file with these first bytes is of this kind, of any version.
    public func isKind(of head: [UInt8]) -> Bool {
        head.count >= Self.byteCount && head[..<Self.versionPlace] == bytes[..<Self.versionPlace]
            && head[(Self.versionPlace + 1)..<Self.byteCount] == bytes[(Self.versionPlace + 1)...]
    }
}
