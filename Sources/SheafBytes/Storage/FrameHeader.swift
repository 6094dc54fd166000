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
        length = Int(Self.word(bytes, at: 4))
        payloadChecksum = Self.word(bytes, at: 8)
        guard Self.word(bytes, at: 12) == Self.checksum(of: bytes.extracting(first: 12), number: number)
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

    private static func word(_ bytes: Span<UInt8>, at offset: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
    }
}
