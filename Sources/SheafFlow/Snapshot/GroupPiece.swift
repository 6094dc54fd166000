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

    /// Renders groups that were not rendered yet, as many as one buffer holds.
    func render()

    /// What was rendered last, but for its first bytes.
    func write(to file: OutputFile, droppingFirst dropped: Int) throws(StorageError)

    /// How many notifications a group must have to be rendered, for a choice of groups; 0 where there is none.
    var least: UInt64 { get set }

    /// Calls `body` with each group that was rendered last: how many notifications it has, and its lines.
    func forEachRendered(_ body: (UInt64, Span<UInt8>) throws(ReplayError) -> Void) throws(ReplayError)

    /// Whether all the groups' lines have been rendered.
    var isRendered: Bool { get }
}

extension GroupPiece {
    /// Calls `body` with each of some rendered groups.
    static func forEach(
        _ rendered: [GroupRenderer.RenderedGroup], of output: borrowing OutputBuffer,
        _ body: (UInt64, Span<UInt8>) throws(ReplayError) -> Void
    ) throws(ReplayError) {
        var start = 0
        for group in rendered {
            try body(group.count, output.bytes.extracting(start..<group.end))
            start = group.end
        }
    }
}
