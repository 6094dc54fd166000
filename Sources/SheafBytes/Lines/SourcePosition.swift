/// A place between two lines of a source, from which its lines can be read on: by another process, at another time,
/// in chunks of another size.
public struct SourcePosition: Equatable, Sendable {
    /// The place or one before it: where reading begins again.
    public let point: RestartPoint
    /// How many inflated bytes the source has before the place.
    public let bytesInflated: UInt64
    /// The number of the line behind the place, counted from 1.
    public let nextLine: UInt64

    public static let start = SourcePosition(point: .start, bytesInflated: 0, nextLine: 1)

    /// How many bytes are inflated once more, from the restart point up to the place.
    public var bytesToDrop: UInt64 { bytesInflated - point.bytesInflated }
    /// How many of the source's stored bytes are not read again: what a total counts that is added to from here on.
    public var bytesRead: UInt64 { point.offset }
    /// Whether the source's first bytes are still to come, a byte order mark among them.
    public var isStart: Bool { bytesInflated == 0 }
}

extension SourcePosition {
    /// A position as it was written down somewhere; nil when its numbers can't be those of any position.
    public init?(restoring point: RestartPoint, bytesInflated: UInt64, nextLine: UInt64) {
        guard bytesInflated <= RestartPoint.maximumOffset, bytesInflated >= point.bytesInflated else {
            return nil
        }
        // Each line before has at least its LF.
        guard nextLine > 0, nextLine - 1 <= bytesInflated else { return nil }
        self.init(point: point, bytesInflated: bytesInflated, nextLine: nextLine)
    }
}
