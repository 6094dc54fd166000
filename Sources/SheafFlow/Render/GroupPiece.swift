import Dispatch
import SheafBytes

/// Some groups that follow each other in a snapshot, and their lines: taken, rendered and written in turn.
///
/// A piece belongs to one thread at a time: to the writer, or to the one that renders it until the writer has waited
/// for that.
protocol GroupPiece: AnyObject, Sendable {
    /// Where groups come from, in their order.
    associatedtype Groups

    var groupCount: Int { get }

    /// Has the piece while it is being rendered.
    var rendering: DispatchGroup { get }

    /// Takes the next groups in place of those it has.
    func take(from groups: inout Groups) throws(ReplayError)

    /// Whether it holds so much that no other piece may be filled before it is written.
    var isLarge: Bool { get }

    /// Renders groups that were not rendered yet, as many as one buffer holds.
    ///
    /// - Parameters:
    ///   - allowsLarge: whether groups that may take more than the piece's buffer are rendered, one at a time. One piece at
    ///     once may do so.
    ///   - drain: takes the beginning of a large group's lines; `write` writes their end.
    func render(allowsLarge: Bool, drain: ((Span<UInt8>) -> Void)?)

    /// Writes what was rendered last, except for its first bytes.
    ///
    /// - Returns: how many bytes were left out: fewer than `dropped` where fewer were rendered.
    func write(to file: OutputFile, droppingFirst dropped: Int) throws(StorageError) -> Int

    /// Calls `body` with the lines of each group that was rendered last, where their ends are noted.
    func forEachRendered(_ body: (Span<UInt8>) throws(ReplayError) -> Void) throws(ReplayError)

    /// Whether all the groups' lines have been rendered.
    var isRendered: Bool { get }
}

extension OutputBuffer {
    /// Writes the bytes, except for the first ones.
    ///
    /// - Returns: how many were left out.
    func write(to file: OutputFile, droppingFirst dropped: Int) throws(StorageError) -> Int {
        let dropped = min(dropped, count)
        if dropped < count { try file.write(bytes.extracting(droppingFirst: dropped)) }
        return dropped
    }

    /// Calls `body` with the bytes between these ends.
    func forEach(
        endingAt ends: [Int], _ body: (Span<UInt8>) throws(ReplayError) -> Void
    ) throws(ReplayError) {
        var start = 0
        for end in ends {
            try body(bytes.extracting(start..<end))
            start = end
        }
    }

    /// Forgets the bytes, and gives the memory back where it is more than pieces have room for.
    mutating func removePiece() {
        if heldBytes > 3 * Limits.pieceBytes { self = OutputBuffer() } else { removeAll() }
    }
}
