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

    /// The lines that were rendered last.
    func write(to file: OutputFile) throws(StorageError)

    /// Whether all the groups' lines have been rendered.
    var isRendered: Bool { get }
}
