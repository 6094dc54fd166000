import Dispatch
import SheafBytes

/// Consecutive groups of a snapshot and their lines: taken, rendered and written in turn.
///
/// A piece belongs to one thread at a time: to the thread that renders it until the writer has waited for `rendering`,
/// otherwise to the writer's thread. Only `groupCount` and `isLarge`, which rendering does not change, may be read at
/// any time.
protocol GroupPiece: AnyObject, Sendable {
    /// The source of groups, in order.
    associatedtype Groups

    var groupCount: Int { get }

    /// Tracks the rendering of the piece, so that the writer can wait for it.
    var rendering: DispatchGroup { get }

    /// Replaces the piece's groups with the next ones.
    func take(from groups: inout Groups) throws(ReplayError)

    /// Whether the piece takes so much memory that no other piece may be filled before it is written.
    var isLarge: Bool { get }

    /// Renders as many of the groups not rendered yet as one buffer holds.
    ///
    /// - Parameters:
    ///   - allowsLarge: whether groups that may exceed the piece's buffer are rendered, one at a time. True for only
    ///     one piece at a time.
    ///   - drain: receives the beginning of a large group's lines; `forEachRendered` passes the remainder.
    func render(allowsLarge: Bool, drain: ((Span<UInt8>) -> Void)?)

    /// Calls `body` with the lines of each of the most recently rendered groups if the renderer records their ends,
    /// otherwise with all of these lines at once.
    func forEachRendered(_ body: (Span<UInt8>) throws(ReplayError) -> Void) throws(ReplayError)

    /// Whether all the groups' lines have been rendered.
    var isRendered: Bool { get }
}

extension OutputBuffer {
    /// Calls `body` with the bytes between consecutive ends, or with all bytes if `ends` is nil.
    func forEach(
        endingAt ends: [Int]?, _ body: (Span<UInt8>) throws(ReplayError) -> Void
    ) throws(ReplayError) {
        var start = 0
        for end in ends ?? [count] {
            try body(bytes.extracting(start..<end))
            start = end
        }
    }

    /// Removes the bytes, and releases the memory if it is more than a piece may keep.
    mutating func removePiece() {
        if heldBytes > 3 * Limits.pieceBytes { self = OutputBuffer() } else { removeAll() }
    }
}
