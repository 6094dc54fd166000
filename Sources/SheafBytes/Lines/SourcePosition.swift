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
