import Dispatch
import SheafBytes
import SheafGroups

/// Writes a snapshot: groups in their order, rendered side by side, written in order.
///
///     groups ──take──▶ | piece | piece | piece | piece |    some are rendered, each by a thread of its own, while
///                           ▲                       │       this thread writes the oldest and fills it again
///                           └───────────────────────┘
///
/// Holds what its pieces hold, of which there are two a thread: a snapshot of any size takes no more memory than its
/// groups and `Limits.pieceBytes` for each piece, but for the groups that `TopGroups` holds.
struct SnapshotWriter<Piece: GroupPiece> {
    private var groups: Piece.Groups
    private let pieces: [Piece]
    private let format: SnapshotFormat
    private let header: [UInt8]
    /// How many bytes are not written of what is written next.
    private var dropped: Int
    /// nil where all groups are written.
    private var top: TopGroups?
    /// How many more lines are written; nil: any number.
    private var linesLeft: Int?
    /// Whether a group was written already.
    private var hasWritten = false
    private let queue = DispatchQueue(label: "sheaf.render", attributes: .concurrent)

    /// - Parameter pieces: two a thread.
    init(_ groups: Piece.Groups, pieces: [Piece], options: ReplayOptions) {
        self.groups = groups
        self.pieces = pieces
        format = options.format
        header = format.header(byDevice: options.byDevice)
        dropped = format.firstDropped
        top = options.top.map { TopGroups(limit: $0) }
        linesLeft = options.maximumLines
    }

    /// Writes all groups to `file`.
    ///
    /// - Parameters:
    ///   - progress: is told of the groups that were written.
    ///   - check: called now and then; throws to end it.
    mutating func write(
        to file: OutputFile, progress: Progress, check: () throws(ReplayError) -> Void
    ) throws(ReplayError) {
        // Whatever ends it, nothing is rendered any more when this returns.
        defer { for piece in pieces { piece.rendering.wait() } }
        for piece in pieces { try start(piece) }
        try Self.write(header.span, to: file)
        var oldest = 0
        while true {
            let piece = pieces[oldest]
            piece.rendering.wait()
            // Groups are dealt out in order: behind a piece without any there are none.
            if piece.groupCount == 0 { break }
            try check()
            let leftOut = piece.groupCount - (try take(piece, for: file))
            progress.addLeftOut(UInt64(leftOut))
            progress.addWritten(UInt64(piece.groupCount))
            try start(piece)
            oldest = (oldest + 1) % pieces.count
        }
        for text in top?.sorted ?? [] where try !write(group: text.span, to: file) { progress.addLeftOut(1) }
        try Self.write(format.footer.span, to: file)
    }

    private static func write(_ text: Span<UInt8>, to file: OutputFile) throws(ReplayError) {
        guard !text.isEmpty else { return }
        do {
            try file.write(text)
        } catch {
            throw .writing(error)
        }
    }

    /// Takes the groups that were rendered, and those that are left: where texts are of an uncommon size, there are
    /// more than the piece's buffer holds.
    ///
    /// - Returns: how many groups were taken, which is all of them unless `linesLeft` is too small.
    private mutating func take(_ piece: Piece, for file: OutputFile) throws(ReplayError) -> Int {
        if isFull { return 0 }
        var taken = try takeRendered(piece, for: file)
        while !piece.isRendered, !isFull {
            piece.render()
            taken += try takeRendered(piece, for: file)
        }
        return top == nil && linesLeft != nil ? taken : piece.groupCount
    }

    /// Writes what was rendered, or chooses from it.
    ///
    /// - Returns: how many groups were written, where lines are counted.
    private mutating func takeRendered(_ piece: Piece, for file: OutputFile) throws(ReplayError) -> Int {
        if top != nil {
            try piece.forEachRendered { count, text in top?.add(count: count, text: text) }
            return 0
        }
        if linesLeft != nil {
            var written = 0
            try piece.forEachRendered { (_, text) throws(ReplayError) in
                if try write(group: text, to: file) { written += 1 }
            }
            return written
        }
        do {
            try piece.write(to: file, droppingFirst: dropped)
            dropped = 0
        } catch {
            throw .writing(error)
        }
        return 0
    }

    /// Whether all lines are used up.
    private var isFull: Bool { linesLeft.map { $0 <= 0 } ?? false }

    /// Writes one group's lines if all of them fit, and the first group in any case. After a group that does not fit, no
    /// other is written.
    ///
    /// - Returns: whether it was written.
    private mutating func write(group text: Span<UInt8>, to file: OutputFile) throws(ReplayError) -> Bool {
        if let left = linesLeft {
            guard left > 0 else { return false }
            let shown = text.extracting(droppingFirst: dropped)
            var lines = 0
            for index in shown.indices where shown[index] == UInt8(ascii: "\n") { lines += 1 }
            guard lines <= left || !hasWritten else {
                linesLeft = 0
                return false
            }
            linesLeft = left - lines
        }
        try Self.write(text.extracting(droppingFirst: dropped), to: file)
        dropped = 0
        hasWritten = true
        return true
    }

    /// Deals the next groups out to a piece, of which there may be none, and starts to render them.
    private mutating func start(_ piece: Piece) throws(ReplayError) {
        try piece.take(from: &groups)
        guard piece.groupCount > 0, !isFull else { return }
        // A group that has none is no group: with 1 all of them are noted.
        if let top { piece.least = max(top.least, 1) } else if linesLeft != nil { piece.least = 1 }
        queue.async(group: piece.rendering) { piece.render() }
    }
}

extension SnapshotWriter<ShardPiece> {
    /// Of the groups that shards hold in memory.
    init(_ shards: [SortedShard], options: ReplayOptions, names: SourceNames) {
        let pieces = (0..<(2 * options.threads)).map { _ in
            ShardPiece(shards, GroupRenderer(options: options, names: names, shards: shards.count))
        }
        self.init(ShardMerge(shards), pieces: pieces, options: options)
    }
}
