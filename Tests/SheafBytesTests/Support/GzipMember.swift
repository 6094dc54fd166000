import FuzzChecks
import TestSupport

@testable import SheafBytes

/// A gzip member built by hand (RFC 1952), so that any part of it can be invalid.
struct GzipMember: Sendable {
    var content: [UInt8]
    var magic: [UInt8] = [0x1f, 0x8b]
    var method: UInt8 = 8
    var extra: [UInt8]?
    var name: String?
    var comment: String?
    var hasHeaderChecksum = false
    /// How the content is split into blocks; nil for the compressor's own choice.
    var blocks: DeflateBlocks?
    /// Flag bits to set in addition to those that the fields above require.
    var otherFlags: UInt8 = 0
    /// XORed with the correct header checksum; so are the following two with their fields.
    var headerChecksumError: UInt16 = 0
    var checksumError: UInt32 = 0
    var lengthError: UInt32 = 0

    init(_ content: [UInt8], _ blocks: DeflateBlocks? = nil) {
        self.content = content
        self.blocks = blocks
    }

    init(_ content: String) { self.init([UInt8](content)) }

    /// A member whose header has every optional field.
    static func decorated(_ content: String) -> GzipMember {
        var member = GzipMember(content)
        member.extra = [0x41, 0x42, 0x02, 0x00, 0x00, 0xff]
        member.name = "pushes.ndjson"
        member.comment = "a comment"
        member.hasHeaderChecksum = true
        return member
    }

    var bytes: [UInt8] { header + body + trailer }

    var header: [UInt8] {
        var flags = otherFlags
        if hasHeaderChecksum { flags |= 0x02 }
        if extra != nil { flags |= 0x04 }
        if name != nil { flags |= 0x08 }
        if comment != nil { flags |= 0x10 }
        var header = magic + [method, flags, 0x12, 0x34, 0x56, 0x78, 0, 3]
        if let extra { header += Self.littleEndian(UInt16(extra.count)) + extra }
        if let name { header += [UInt8](name) + [0] }
        if let comment { header += [UInt8](comment) + [0] }
        if hasHeaderChecksum {
            let checksum = UInt16(truncatingIfNeeded: Self.checksum(header))
            header += Self.littleEndian(checksum ^ headerChecksumError)
        }
        return header
    }

    /// The raw DEFLATE stream: the compressor's output without its header and trailer.
    var body: [UInt8] {
        if let blocks { return blocks.body(of: content) }
        let member = gzip(content)
        return Array(member.dropFirst(10).dropLast(8))
    }

    var trailer: [UInt8] {
        Self.littleEndian(Self.checksum(content) ^ checksumError)
            + Self.littleEndian(UInt32(truncatingIfNeeded: content.count) ^ lengthError)
    }

    private static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> Number($0 * 8)) }
    }

    /// Computes the CRC-32 bit by bit.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var state = UInt32.max
        for byte in bytes {
            state ^= UInt32(byte)
            for _ in 0..<8 { state = state >> 1 ^ (state & 1 == 0 ? 0 : 0xedb8_8320) }
        }
        return ~state
    }
}
