/// A zstd frame built by hand (RFC 8878, section 3.1.1), so that it has any blocks and any part of it can be invalid.
package struct ZstdFrame: Sendable {
    package enum Block: Sendable {
        case raw([UInt8])
        /// The same byte several times.
        case repeated(UInt8, count: Int)
        /// A block as it is stored, which may be invalid.
        case stored(kind: Int, count: Int, bytes: [UInt8])
    }

    package var blocks: [Block]
    package var magic: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd]
    /// The window's descriptor: 1 KiB by default. Absent for a single segment.
    package var window: UInt8? = 0
    /// The dictionary, of four bytes; nil for none.
    package var dictionary: UInt32?
    /// The size of the content, and the number of bytes in which it is stored.
    package var contentSize: (size: UInt64, bytes: Int)?
    /// The checksum, if there is one: its computation is left to libzstd.
    package var checksum: [UInt8] = []
    /// Flag bits to set in addition to those that the fields above require.
    package var otherFlags: UInt8 = 0

    package init(_ blocks: [Block]) { self.blocks = blocks }

    /// The content, of blocks that are raw or repeated.
    package var content: [UInt8] {
        blocks.flatMap { block -> [UInt8] in
            switch block {
            case .raw(let bytes): bytes
            case .repeated(let byte, let count): [UInt8](repeating: byte, count: count)
            case .stored: []
            }
        }
    }

    package var header: [UInt8] {
        var flags = otherFlags
        if window == nil { flags |= 0x20 }
        if dictionary != nil { flags |= 3 }
        if !checksum.isEmpty { flags |= 4 }
        switch contentSize?.bytes {
        case 2: flags |= 0x40
        case 4: flags |= 0x80
        case 8: flags |= 0xc0
        default: break
        }
        var header = magic + [flags]
        if let window { header.append(window) }
        if let dictionary { header += Self.littleEndian(UInt64(dictionary), 4) }
        if let (size, bytes) = contentSize {
            header += Self.littleEndian(bytes == 2 ? size - 256 : size, bytes)
        }
        return header
    }

    package var bytes: [UInt8] {
        var bytes = header
        for (index, block) in blocks.enumerated() {
            let last = index == blocks.count - 1 ? 1 : 0
            switch block {
            case .raw(let content): bytes += Self.littleEndian(UInt64(last | content.count << 3), 3) + content
            case .repeated(let byte, let count):
                bytes += Self.littleEndian(UInt64(last | 1 << 1 | count << 3), 3) + [byte]
            case .stored(let kind, let count, let content):
                bytes += Self.littleEndian(UInt64(last | kind << 1 | count << 3), 3) + content
            }
        }
        return bytes + checksum
    }

    /// Returns a skippable frame.
    ///
    /// - Parameter number: the lower half of its first byte.
    package static func skippable(_ content: [UInt8], number: UInt8 = 0) -> [UInt8] {
        [0x50 | number, 0x2a, 0x4d, 0x18] + littleEndian(UInt64(content.count), 4) + content
    }

    private static func littleEndian(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }
}
