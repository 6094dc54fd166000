import Dispatch
import SheafBytes
import SheafGroups

/// A piece of the groups in several state files: read on the writer's thread, merged and rendered on another.
final class MergedPiece<Entry: StateRecord>: GroupPiece, @unchecked Sendable {
    // Unchecked because a piece is used by one thread at a time, see `GroupPiece`; `access` checks that.
    let access = AccessCheck()
    private var contents: Contents
    // Copied from the contents, which the writer must not read while they are rendered.
    private(set) var groupCount = 0
    private(set) var isLarge = false
    let rendering = DispatchGroup()

    /// A struct, so that exclusive access to the piece's storage is claimed once per piece and not once per group.
    private struct Contents: ~Copyable {
        var groups = EncodedGroups()
        /// The index of the first group that has not been rendered.
        var index: EncodedGroups.Index = 0
        var store: GroupStore
        var renderer: GroupRenderer
        /// The most recently rendered lines: up to `Limits.pieceBytes`, plus the line that exceeds it.
        var output = OutputBuffer()

        mutating func render(allowsLarge: Bool, drain: ((Span<UInt8>) -> Void)?) {
            output.removePiece()
            output.drain = drain
            render(allowsLarge: allowsLarge)
            output.drain = nil
            if allowsLarge { renderer.forgetLargeTexts() }
        }

        private mutating func render(allowsLarge: Bool) {
            renderer.forgetEnds()
            while index < groups.end, output.position < Limits.pieceBytes {
                if groups.isLarge(groupAt: index), !allowsLarge || output.position > 0 { return }
                if store.heldBytes > Limits.temporaryStoreBytes {
                    store = GroupStore(maximumArguments: store.maximumArguments)
                    renderer.forget(shard: 0)
                }
                let state = groups.group(at: index, in: &store).state
                renderer.instant = groups.instant(ofGroupAt: index)
                groups.forgetStates()
                renderer.append(state, of: store, shard: 0, to: &output)
                index = groups.end(ofGroupAt: index)
            }
        }

        mutating func take(from merged: inout MergedGroups<Entry>) throws(ReplayError) {
            index = 0
            // Release the memory of a large group before the next one needs it.
            if groups.isLarge { groups = EncodedGroups() }
            try merged.take(into: &groups)
        }
    }

    init(_ renderer: GroupRenderer, maximumArguments: Int) {
        contents = Contents(store: GroupStore(maximumArguments: maximumArguments), renderer: renderer)
    }

    var isRendered: Bool { contents.index == contents.groups.end }

    func take(from groups: inout MergedGroups<Entry>) throws(ReplayError) {
        access.begin()
        defer { access.end() }
        try contents.take(from: &groups)
        groupCount = contents.groups.groupCount
        isLarge = contents.groups.isLarge
    }

    func render(allowsLarge: Bool, drain: ((Span<UInt8>) -> Void)?) {
        access.begin()
        defer { access.end() }
        contents.render(allowsLarge: allowsLarge, drain: drain)
    }

    func forEachRendered(_ body: (Span<UInt8>) throws(ReplayError) -> Void) throws(ReplayError) {
        access.begin()
        defer { access.end() }
        try contents.output.forEach(endingAt: contents.renderer.ends, body)
    }

}

extension SnapshotWriter {
    /// Creates a writer for the groups in state files, merged into one order.
    init<Entry>(
        _ groups: MergedGroups<Entry>, style: SnapshotStyle, names: SourceNames, maximumArguments: Int,
        threads: Int
    ) where Piece == MergedPiece<Entry> {
        let pieces = (0..<(2 * threads)).map { _ in
            MergedPiece<Entry>(
                GroupRenderer(style, names: names, shards: 1), maximumArguments: maximumArguments)
        }
        self.init(groups, pieces: pieces, style: style)
    }
}
