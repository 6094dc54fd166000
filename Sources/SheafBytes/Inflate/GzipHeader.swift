/// A parser for the header of a gzip member (RFC 1952, section 2.3). It takes one byte at a time, so that a header
/// may be split anywhere between two reads.
///
///     1f 8b | 08 | FLG | MTIME 4 | XFL | OS | [XLEN 2, extra] | [name 0] | [comment 0] | [CRC16]
package struct GzipHeader {
    /// The first two bytes of a member, and the only compression method.
    package static let magic: [UInt8] = [0x1f, 0x8b, 8]

    enum Step: Equatable {
        case more
        /// This byte was the last one of the header.
        case complete
        /// This byte is not allowed here.
        case invalid
    }

    private enum Part {
        case fixed(Int)
        case extraLength(Int)
        case extra(Int)
        case name
        case comment
        case checksum(Int)
    }

    private static let (checksumFlag, extraFlag, nameFlag): (UInt8, UInt8, UInt8) = (0x02, 0x04, 0x08)
    private static let (commentFlag, reservedFlags): (UInt8, UInt8) = (0x10, 0xe0)

    private var part = Part.fixed(0)
    private var flags: UInt8 = 0
    private var extraLength = 0
    private var storedChecksum: UInt16 = 0
    private var checksum = Checksum()

    /// Parses the next byte of the header.
    mutating func parse(_ byte: UInt8) -> Step {
        if case .checksum = part {} else { checksum.update([byte].span) }
        switch part {
        case .fixed(let index):
            guard isValidFixed(byte, at: index) else { return .invalid }
            if index == 3 { flags = byte }
            guard index == 9 else {
                part = .fixed(index + 1)
                return .more
            }
            return advance(after: 0)
        case .extraLength(let index):
            extraLength |= Int(byte) << (8 * index)
            if index == 0 {
                part = .extraLength(1)
                return .more
            }
            if extraLength == 0 { return advance(after: 1) }
            part = .extra(extraLength)
            return .more
        case .extra(let remaining):
            if remaining == 1 { return advance(after: 1) }
            part = .extra(remaining - 1)
            return .more
        case .name:
            return byte == 0 ? advance(after: 2) : .more
        case .comment:
            return byte == 0 ? advance(after: 3) : .more
        case .checksum(let index):
            storedChecksum |= UInt16(byte) << (8 * UInt16(index))
            if index == 0 {
                part = .checksum(1)
                return .more
            }
            return storedChecksum == UInt16(truncatingIfNeeded: checksum.value) ? .complete : .invalid
        }
    }

    private func isValidFixed(_ byte: UInt8, at index: Int) -> Bool {
        switch index {
        case 0...2: byte == Self.magic[index]
        case 3: byte & Self.reservedFlags == 0
        default: true
        }
    }

    /// Advances to the next optional part that the flags announce. `stage` is the number of optional parts already
    /// passed.
    private mutating func advance(after stage: Int) -> Step {
        if stage < 1, flags & Self.extraFlag != 0 {
            part = .extraLength(0)
        } else if stage < 2, flags & Self.nameFlag != 0 {
            part = .name
        } else if stage < 3, flags & Self.commentFlag != 0 {
            part = .comment
        } else if flags & Self.checksumFlag != 0 {
            part = .checksum(0)
        } else {
            return .complete
        }
        return .more
    }
}
