import SheafBytes
import SheafGroups

/// What a format writes around the groups of a snapshot. Each format is declared next to its rendering, in
/// `GroupRenderer+….swift`.
///
///     header │ separator without its first byte │ group │ separator │ group │ … │ footer
struct GroupFormat: Sendable {
    /// Whether the snapshots of ranges of groups, one after the other, are the snapshot of all of them.
    var isDivisible = false
    /// Returns what precedes the first group.
    var header: @Sendable (SnapshotStyle) -> [UInt8] = { _ in [] }
    /// Precedes each group; the first group drops its first byte.
    var separator: StaticString = ""
    /// Follows the last group.
    var footer: [UInt8] = []
    /// Whether a note follows the footer, after an empty line if there is a group.
    var hasNote = false

    /// The number of bytes that the first group drops.
    var firstDropped: Int { min(1, separator.utf8CodeUnitCount) }

    /// Returns what follows the last group.
    ///
    /// - Parameters:
    ///   - note: the note; empty for none.
    ///   - isEmpty: whether no group precedes it.
    func ending(noting note: String, isEmpty: Bool) -> [UInt8] {
        guard hasNote, !note.isEmpty else { return footer }
        return footer + Array(((isEmpty ? "" : "\n") + note + "\n").utf8)
    }
}

extension SnapshotFormat {
    var groupFormat: GroupFormat {
        switch self {
        case .ndjson: .ndjson
        case .html: .html
        case .json: .json
        case .csv, .csvISO: .csv
        case .text: .text
        }
    }
}

// Switches, not function values: calling one for each group copies the renderer.
extension GroupRenderer {
    /// Appends a group.
    ///
    /// - Parameter bytes: the buffer that holds the leading notification's texts.
    mutating func append(
        _ group: Group, _ bytes: Span<UInt8>, _ state: GroupState, _ store: borrowing GroupStore,
        to output: inout OutputBuffer
    ) {
        if isCompared { return appendCompared(group, bytes, state, store, to: &output) }
        switch format {
        case .ndjson, .html:
            appendJSON(group, bytes, state, store, to: &output)
            output.append("\n")
        case .json:
            output.append(GroupFormat.json.separator)
            appendJSON(group, bytes, state, store, to: &output)
        case .csv, .csvISO: appendCSV(group, bytes, state, store, to: &output)
        case .text(let style):
            output.append(GroupFormat.text.separator)
            appendText(group, bytes, state, store, style, to: &output)
        }
    }

    /// Appends the key of a group that has been emptied. A notification that is alone has the same key as others, so it is
    /// named by its position.
    mutating func appendEmpty(
        _ state: GroupState, _ store: borrowing GroupStore, to output: inout OutputBuffer
    ) {
        switch format {
        case .ndjson, .html:
            appendEmptyJSON(state, store, to: &output)
            output.append("\n")
        case .json:
            output.append(GroupFormat.json.separator)
            appendEmptyJSON(state, store, to: &output)
        case .csv, .csvISO: appendEmptyCSV(state, store, to: &output)
        case .text(let style):
            output.append(GroupFormat.text.separator)
            appendEmptyText(state, store, style, to: &output)
        }
    }
}
