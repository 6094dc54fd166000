/// A place in a stored source from which reading can begin: what it takes to go on there without what came before.
///
/// DEFLATE can be restarted only between two blocks. Any other place is reached from a point before it, by
/// inflating once more what lies between them.
public struct RestartPoint: Equatable, Sendable {
    public enum Place: Equatable, Sendable {
        /// The source's first byte; what the source holds is not known yet.
        case start
        /// Anywhere in a plain source.
        case plain
        /// Behind a gzip member: another one, zeros or the end.
        case betweenMembers
        /// Inside a gzip member, between two blocks.
        case block(Block)
    }

    /// What inflating needs of the member's bytes before a block.
    public struct Block: Equatable, Sendable {
        /// Of the last byte before the point so many bits, 0 to 7, belong to the block.
        public let unusedBits: UInt8
        /// Those bits, as a number.
        public let bits: UInt8
        /// What the block may refer to: the last bytes that were inflated, at most `windowBytes`.
        public let window: [UInt8]
        /// The CRC-32 of the member's bytes before the block.
        public let checksum: UInt32
        /// How many these were, modulo 2³², as gzip counts them.
        public let length: UInt32

        /// How far back a block may refer (RFC 1951).
        public static let windowBytes = 32 << 10
    }

    public let place: Place
    /// Where the next byte stands, counted in the source as it is stored.
    public let offset: UInt64
    /// How many inflated bytes the source has before the point.
    public let bytesInflated: UInt64

    public static let start = RestartPoint(place: .start, offset: 0, bytesInflated: 0)
}

// MARK: - From a stored form

extension RestartPoint {
    /// A file has no place behind this one.
    static let maximumOffset = UInt64(Int64.max)

    /// A point as it was written down somewhere; nil when its numbers can't be those of any point. That it is one of
    /// this very source nobody can tell: from a wrong point come wrong bytes or damage, and nothing worse.
    public init?(restoring place: Place, offset: UInt64, bytesInflated: UInt64) {
        guard offset <= Self.maximumOffset, bytesInflated <= Self.maximumOffset else { return nil }
        switch place {
        case .start: guard offset == 0, bytesInflated == 0 else { return nil }
        case .plain: guard offset == bytesInflated else { return nil }
        case .betweenMembers, .block: break
        }
        self.init(place: place, offset: offset, bytesInflated: bytesInflated)
    }
}

extension RestartPoint.Block {
    /// A block's start as it was written down somewhere; nil when its numbers can't be those of any block.
    public init?(restoring unusedBits: UInt8, bits: UInt8, window: [UInt8], checksum: UInt32, length: UInt32)
    {
        guard unusedBits < 8, bits >> unusedBits == 0, window.count <= Self.windowBytes else { return nil }
        self.init(unusedBits: unusedBits, bits: bits, window: window, checksum: checksum, length: length)
    }
}
