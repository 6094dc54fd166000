import Dispatch
import SheafBytes
import SheafGroups

/// Writes a snapshot: renders groups in parallel and writes them in order.
///
///     groups ──take──▶ | piece | piece | piece | piece |    some are rendered, each on its own thread, while
///                           ▲                       │       this thread writes the oldest one and refills it
///                           └───────────────────────┘
///
/// Memory is bounded by the pieces, two per thread: whatever the snapshot's size, it takes the groups and
/// `Limits.pieceBytes` for each piece. A group that needs more is rendered on this thread, one at a time, and written
/// while it is being rendered.
struct SnapshotWriter<Piece: GroupPiece> {
    private var groups: Piece.Groups
    private let pieces: [Piece]
    private let format: SnapshotFormat
    private let header: [UInt8]
    /// The number of lines that may still be written; nil for no limit.
    private var linesLeft: Int?
    /// Whether a group has been written.
    private var hasWritten = false
    private let queue = DispatchQueue(label: "sheaf.render", attributes: .concurrent)

    /// - Parameter pieces: two per thread.
    init(_ groups: Piece.Groups, pieces: [Piece], style: SnapshotStyle) {
        self.groups = groups
        self.pieces = pieces
        format = style.format
        header =
            style.continuesSnapshot
            ? []
            : format.header(
                byDevice: style.byDevice, hasInstants: style.timeline != nil,
                hasDelivery: style.showsDelivery)
        linesLeft = style.maximumLines
    }

    /// Writes all groups to `file`.
    ///
    /// - Parameters:
    ///   - progress: counts the groups that are written.
    ///   - check: called before each piece is written; throws to stop.
    mutating func write(
        to file: OutputFile, progress: RunProgress, check: () throws(ReplayError) -> Void
    ) throws(ReplayError) {
        // However this method ends, no rendering is in progress when it returns.
        defer { for piece in pieces { piece.rendering.wait() } }
        try SnapshotOutput(file).write(header.span)
        let lines = SnapshotOutput(file, dropping: format.firstDropped)
        // The pieces form a ring: the started ones are consecutive, beginning with `oldest`.
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
            // Pieces take groups in order, so an empty piece means that no groups are left.
            if piece.groupCount == 0 { break }
            try check()
            progress.addLeftOut(UInt64(piece.groupCount - (try take(piece, to: lines))))
            progress.addWritten(UInt64(piece.groupCount))
            oldest = (oldest + 1) % pieces.count
            started -= 1
        }
        try SnapshotOutput(file).write(format.footer.span)
    }

    /// Writes a piece's rendered groups, then renders and writes the remaining ones. There are remaining groups if the
    /// texts are so long that the piece's buffer could not hold all of them.
    ///
    /// - Returns: the number of groups written, which is all of them unless `linesLeft` is too small.
    private mutating func take(_ piece: Piece, to output: SnapshotOutput) throws(ReplayError) -> Int {
        if isFull { return 0 }
        var written = try takeRendered(piece, to: output)
        while !piece.isRendered, !isFull {
            try renderLarge(piece, to: output)
            written += try takeRendered(piece, to: output)
        }
        return linesLeft == nil ? piece.groupCount : written
    }

    private func renderLarge(_ piece: Piece, to output: SnapshotOutput) throws(ReplayError) {
        // With a line limit, whether a group is written is known only once all of it has been rendered.
        guard linesLeft == nil else { return piece.render(allowsLarge: true, drain: nil) }
        piece.render(allowsLarge: true) { output.drain($0) }
        if let error = output.drainError { throw error }
    }

    /// - Returns: the number of groups written if there is a line limit, otherwise 0.
    private mutating func takeRendered(
        _ piece: Piece, to output: SnapshotOutput
    ) throws(ReplayError) -> Int {
        var written = 0
        try piece.forEachRendered { text throws(ReplayError) in
            if linesLeft == nil {
                try output.write(text)
            } else if try write(group: text, to: output) {
                written += 1
            }
        }
        return written
    }

    /// Whether the line limit has been reached.
    private var isFull: Bool { linesLeft.map { $0 <= 0 } ?? false }

    /// Writes one group's lines if all of them fit; the first group is always written. After a group that does not fit,
    /// no other group is written.
    ///
    /// - Returns: whether the group was written.
    private mutating func write(
        group text: Span<UInt8>, to output: SnapshotOutput
    ) throws(ReplayError) -> Bool {
        guard let left = linesLeft, left > 0 else { return false }
        let shown = output.dropPrefix(of: text)
        var lines = 0
        for index in shown.indices where shown[index] == UInt8(ascii: "\n") { lines += 1 }
        guard lines <= left || !hasWritten else {
            linesLeft = 0
            return false
        }
        linesLeft = left - lines
        try output.write(shown)
        hasWritten = true
        return true
    }

    /// Fills a piece with the next groups and starts rendering them. The piece stays empty if no groups are left.
    private mutating func start(_ piece: Piece) throws(ReplayError) {
        try piece.take(from: &groups)
        guard piece.groupCount > 0, !isFull else { return }
        queue.async(group: piece.rendering) { piece.render(allowsLarge: false, drain: nil) }
    }
}

extension SnapshotWriter<ShardPiece> {
    /// Creates a writer for the groups that shards hold in memory.
    init(_ shards: [SortedShard], top: Int?, style: SnapshotStyle, names: SourceNames, threads: Int) {
        let pieces = (0..<(2 * threads)).map { _ in
            ShardPiece(
                shards.map { $0.copy() }, GroupRenderer(style, names: names, shards: shards.count))
        }
        self.init(ShardMerge(shards, top: top), pieces: pieces, style: style)
    }
}

/// Where the lines of groups are written, except for the separator that precedes the first group.
private final class SnapshotOutput {
    private let file: OutputFile
    /// The number of bytes still to be omitted.
    private var dropped: Int
    /// The first error of `drain`, which then writes nothing more.
    private(set) var drainError: ReplayError?

    init(_ file: OutputFile, dropping dropped: Int = 0) {
        self.file = file
        self.dropped = dropped
    }

    /// Returns the bytes after those still to be omitted, and counts the latter as omitted.
    @_lifetime(copy bytes)
    func dropPrefix(of bytes: Span<UInt8>) -> Span<UInt8> {
        let count = min(dropped, bytes.count)
        dropped -= count
        return bytes.extracting(droppingFirst: count)
    }

    func write(_ bytes: Span<UInt8>) throws(ReplayError) {
        let shown = dropPrefix(of: bytes)
        guard !shown.isEmpty else { return }
        do {
            try file.write(shown)
        } catch {
            throw .writing(error)
        }
    }

    /// Writes the beginning of a large group's lines while the group is being rendered.
    func drain(_ bytes: Span<UInt8>) {
        guard drainError == nil else { return }
        do throws(ReplayError) {
            try write(bytes)
        } catch {
            drainError = error
        }
    }
}
