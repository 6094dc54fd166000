/// A point in a stored source from which reading can resume without the bytes before it.
///
/// DEFLATE can be restarted only between two blocks, and zstd only between two frames. Any other position is reached
/// from an earlier point by inflating the bytes in between again.
package struct RestartPoint: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// The first byte of the source; its format is not known yet.
        case start
        /// Anywhere in a plain source.
        case plain
        /// After a gzip member: another one, zeros or the end follows.
        case betweenMembers
        /// After a zstd frame: another one, zeros or the end follows.
        case betweenFrames
        /// Inside a gzip member, between two blocks.
        case block(Block)
    }

    /// The data from before a block that inflating the block requires.
    package struct Block: Equatable, Sendable {
        /// The number of bits of the last byte before the point, 0 to 7, that belong to the block.
        package let unusedBits: UInt8
        /// Those bits as a number.
        package let bits: UInt8
        /// The bytes that the block may refer to: the last ones that were inflated, at most `windowBytes`.
        package let window: [UInt8]
        /// The CRC-32 of the member's bytes before the block.
        package let checksum: UInt32
        /// The number of those bytes modulo 2³², as gzip counts them.
        package let length: UInt32

        /// How far back a block may refer, in bytes (RFC 1951).
        package static let windowBytes = 32 << 10
    }

    package let kind: Kind
    /// The offset of the next byte in the source as it is stored.
    package let offset: UInt64
    /// The number of inflated bytes of the source before the point.
    package let bytesInflated: UInt64

    package static let start = RestartPoint(kind: .start, offset: 0, bytesInflated: 0)
}

// MARK: - Restoring a stored point

extension RestartPoint {
    /// The largest offset in a file.
    static let maximumOffset = UInt64(Int64.max)

    /// Restores a stored point; nil if the numbers can't be those of any point. Whether the point belongs to this
    /// source can't be checked: a wrong point causes wrong bytes or damage, and nothing worse.
    package init?(restoring kind: Kind, offset: UInt64, bytesInflated: UInt64) {
        guard offset <= Self.maximumOffset, bytesInflated <= Self.maximumOffset else { return nil }
        switch kind {
        case .start: guard offset == 0, bytesInflated == 0 else { return nil }
        case .plain: guard offset == bytesInflated else { return nil }
        case .betweenMembers, .betweenFrames, .block: break
        }
        self.init(kind: kind, offset: offset, bytesInflated: bytesInflated)
    }
}

extension RestartPoint.Block {
    /// Restores the stored start of a block; nil if the numbers can't be those of any block.
    package init?(restoring unusedBits: UInt8, bits: UInt8, window: [UInt8], checksum: UInt32, length: UInt32)
    {
        guard unusedBits < 8, bits >> unusedBits == 0, window.count <= Self.windowBytes else { return nil }
        self.init(unusedBits: unusedBits, bits: bits, window: window, checksum: checksum, length: length)
    }
}
