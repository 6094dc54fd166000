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
/// groups and `Limits.pieceBytes` for each piece. A group that takes more than that is rendered by this thread, one at a
/// time, and written while it is rendered.
struct SnapshotWriter<Piece: GroupPiece> {
    private var groups: Piece.Groups
    private let pieces: [Piece]
    private let format: SnapshotFormat
    private let header: [UInt8]
    /// How many bytes are not written of what is written next.
    private var dropped: Int
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
        try Self.write(header.span, to: file)
        // Pieces are used in turn: those that were started come one after the other, from the oldest on.
        var oldest = 0
        var started = 0
        while true {
            while started < pieces.count {
                let last = pieces[(oldest + started + pieces.count - 1) % pieces.count]
                if started > 0, last.isLarge || last.groupCount == 0 { break }
                try start(pieces[(oldest + started) % pieces.count])
                started += 1
            }
            let piece = pieces[oldest]
            piece.rendering.wait()
            // Groups are dealt out in order: after a piece without any there are none.
            if piece.groupCount == 0 { break }
            try check()
            progress.addLeftOut(UInt64(piece.groupCount - (try take(piece, for: file))))
            progress.addWritten(UInt64(piece.groupCount))
            oldest = (oldest + 1) % pieces.count
            started -= 1
        }
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

    /// Writes the groups that were rendered, and those that are left: where texts are of an uncommon size, there are
    /// more than the piece's buffer holds.
    ///
    /// - Returns: how many groups were written, which is all of them unless `linesLeft` is too small.
    private mutating func take(_ piece: Piece, for file: OutputFile) throws(ReplayError) -> Int {
        if isFull { return 0 }
        var written = try takeRendered(piece, for: file)
        while !piece.isRendered, !isFull {
            try renderLarge(piece, for: file)
            written += try takeRendered(piece, for: file)
        }
        return linesLeft == nil ? piece.groupCount : written
    }

    private mutating func renderLarge(_ piece: Piece, for file: OutputFile) throws(ReplayError) {
        // Where lines are counted, it is not known before the end whether a group is written.
        guard linesLeft == nil else { return piece.render(allowsLarge: true, drain: nil) }
        let drain = SnapshotDrain(file, dropping: dropped)
        piece.render(allowsLarge: true) { drain.write($0) }
        dropped = drain.dropped
        if let error = drain.error { throw .writing(error) }
    }

    /// - Returns: how many groups were written, where lines are counted.
    private mutating func takeRendered(_ piece: Piece, for file: OutputFile) throws(ReplayError) -> Int {
        if linesLeft != nil {
            var written = 0
            try piece.forEachRendered { text throws(ReplayError) in
                if try write(group: text, to: file) { written += 1 }
            }
            return written
        }
        do {
            dropped -= try piece.write(to: file, droppingFirst: dropped)
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
        guard let left = linesLeft, left > 0 else { return false }
        let shown = text.extracting(droppingFirst: dropped)
        var lines = 0
        for index in shown.indices where shown[index] == UInt8(ascii: "\n") { lines += 1 }
        guard lines <= left || !hasWritten else {
            linesLeft = 0
            return false
        }
        linesLeft = left - lines
        try Self.write(shown, to: file)
        dropped = 0
        hasWritten = true
        return true
    }

    /// Deals the next groups out to a piece, of which there may be none, and starts to render them.
    private mutating func start(_ piece: Piece) throws(ReplayError) {
        try piece.take(from: &groups)
        guard piece.groupCount > 0, !isFull else { return }
        queue.async(group: piece.rendering) { piece.render(allowsLarge: false, drain: nil) }
    }
}

extension SnapshotWriter<ShardPiece> {
    /// Of the groups that shards hold in memory.
    init(_ shards: [SortedShard], options: ReplayOptions, names: SourceNames) {
        let presentation = options.presentation
        let pieces = (0..<(2 * options.threads)).map { _ in
            ShardPiece(
                shards,
                GroupRenderer(
                    options: options, presentation: presentation, names: names, shards: shards.count))
        }
        self.init(ShardMerge(shards, top: options.top), pieces: pieces, options: options)
    }
}

/// Writes the lines of a large group while it is rendered.
private final class SnapshotDrain {
    private let file: OutputFile
    /// How many more bytes are left out.
    private(set) var dropped: Int
    /// Why a write failed; nothing is written after it.
    private(set) var error: StorageError?

    init(_ file: OutputFile, dropping dropped: Int) {
        self.file = file
        self.dropped = dropped
    }

    func write(_ bytes: Span<UInt8>) {
        let leftOut = min(dropped, bytes.count)
        dropped -= leftOut
        guard error == nil, leftOut < bytes.count else { return }
        do {
            try file.write(bytes.extracting(droppingFirst: leftOut))
        } catch {
            self.error = error
        }
    }
}
