import SheafBytes
import SheafGroups

/// How a snapshot is written in one format. Each format is declared next to its rendering, in `GroupRenderer+….swift`.
///
///     header │ separator without its first byte │ group │ separator │ group │ … │ footer
///
/// A class, because the renderer, which has a reference to it, is copied by calls of some of its methods.
final class GroupFormat: Sendable {
    /// Whether the snapshots of ranges of groups, one after the other, are the snapshot of all of them.
    let isDivisible: Bool
    /// Returns what precedes the first group.
    let header: @Sendable (SnapshotStyle) -> [UInt8]
    /// Precedes each group; the first group drops its first byte.
    let separator: StaticString
    /// Follows the last group.
    let footer: [UInt8]
    let append: Append
    let appendEmpty: AppendEmpty

    /// Appends a group. The span has the leading notification's texts.
    typealias Append =
        @Sendable (
            inout GroupRenderer, GroupRenderer.Group, Span<UInt8>, GroupState, borrowing GroupStore,
            inout OutputBuffer
        ) -> Void
    /// Appends the key of a group that has been emptied. A notification that is alone has the same key as others, so it is
    /// named by its position.
    typealias AppendEmpty =
        @Sendable (inout GroupRenderer, GroupState, borrowing GroupStore, inout OutputBuffer) -> Void

    init(
        isDivisible: Bool = false,
        header: @escaping @Sendable (SnapshotStyle) -> [UInt8] = { _ in [] }, separator: StaticString = "",
        footer: [UInt8] = [], append: @escaping Append, appendEmpty: @escaping AppendEmpty
    ) {
        (self.isDivisible, self.header) = (isDivisible, header)
        (self.separator, self.footer) = (separator, footer)
        (self.append, self.appendEmpty) = (append, appendEmpty)
    }

    /// The number of bytes that the first group drops.
    var firstDropped: Int { min(1, separator.utf8CodeUnitCount) }
}

extension SnapshotFormat {
    var groupFormat: GroupFormat {
        switch self {
        case .ndjson: .ndjson
        case .json: .json
        case .csv: .csv
        case .text(let style): .text(style)
        }
    }
}
