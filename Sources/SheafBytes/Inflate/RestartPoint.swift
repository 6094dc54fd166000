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
        /// After a gzip member: another member, zeros or the end follows.
        case betweenMembers
        /// After a zstd frame: another frame, zeros or the end follows.
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
        /// The bytes that the block may refer to: the last inflated bytes, at most `windowBytes`.
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

/// The restart points that a source has reached and that may still be requested.
///
///     ──┬───────┬──────────────────┬────────┬──▶ inflated bytes
///       first   second             …        newest
///                  ▲─────── reach ──────────▲
///
/// Invariants: never empty; in order; the second point is inside the reach, so that each position in the reach has a
/// point at or before it. Memory: two points for each `spacing` bytes of the reach, and two more, regardless of the
/// number of members.
struct RestartPoints {
    private var points: [RestartPoint]
    /// How far before the newest point positions can be requested, in inflated bytes.
    var reach = 0

    /// The distance, in inflated bytes, that costs next to nothing to inflate again: no three points are closer
    /// together.
    private static let spacing: UInt64 = 32 << 10

    init(_ first: RestartPoint) { points = [first] }

    /// Adds a point at or after all others. O(1), and the number of points that are removed.
    mutating func add(_ point: RestartPoint) {
        let count = points.count
        if count > 1, point.bytesInflated - points[count - 2].bytesInflated < Self.spacing {
            points.removeLast()
        }
        points.append(point)
        let needed = points.lastIndex { $0.bytesInflated + UInt64(reach) <= point.bytesInflated }
        points.removeFirst(needed ?? 0)
    }

    /// Returns the newest point at or before a position inside the reach.
    func newest(before position: UInt64) -> RestartPoint {
        guard let point = points.last(where: { $0.bytesInflated <= position }) else {
            preconditionFailure("no restart point at or before the position")
        }
        return point
    }

    var count: Int { points.count }
}

/// A position between two lines of a source from which reading can resume: in another process, at another time, with
/// chunks of another size.
package struct SourcePosition: Equatable, Sendable {
    /// A restart point at or before the position, at which reading resumes.
    package let point: RestartPoint
    /// The number of inflated bytes of the source before the position.
    package let bytesInflated: UInt64
    /// The number of the line after the position, counted from 1.
    package let nextLine: UInt64

    package static let start = SourcePosition(point: .start, bytesInflated: 0, nextLine: 1)

    /// The number of bytes that are inflated again, from the restart point up to the position.
    package var bytesToDrop: UInt64 { bytesInflated - point.bytesInflated }
    /// The number of the source's stored bytes that are not read again: the initial value of a total that continues
    /// from here.
    package var bytesRead: UInt64 { point.offset }
    /// Whether the position is at the start of the source, so that a byte order mark may follow.
    package var isStart: Bool { bytesInflated == 0 }
}

extension SourcePosition {
    /// Restores a stored position; nil if the numbers can't be those of any position.
    package init?(restoring point: RestartPoint, bytesInflated: UInt64, nextLine: UInt64) {
        guard bytesInflated <= RestartPoint.maximumOffset, bytesInflated >= point.bytesInflated else {
            return nil
        }
        // Each line before the position has at least an LF.
        guard nextLine > 0, nextLine - 1 <= bytesInflated else { return nil }
        self.init(point: point, bytesInflated: bytesInflated, nextLine: nextLine)
    }
}
