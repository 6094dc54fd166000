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
struct SnapshotWriter<Batch: GroupBatch & ~Copyable> {
    private var groups: Batch.Source
    private let pieces: [Piece]
    private let format: GroupFormat
    private let header: [UInt8]
    private let note: String
    /// The number of lines that may still be written; nil for no limit.
    private var linesLeft: Int?
    /// Whether a group has been written.
    private var hasWritten = false
    private let queue = DispatchQueue(label: "sheaf.render", attributes: .concurrent)

    /// - Parameters:
    ///   - shards: the number of shards whose symbols the groups use.
    ///   - batch: returns an empty batch; called twice per thread.
    init(
        _ groups: Batch.Source, style: SnapshotStyle, names: SourceNames, shards: Int, threads: Int,
        batch: () -> Batch
    ) {
        self.groups = groups
        pieces = (0..<(2 * threads)).map { _ in
            Piece(batch(), GroupRenderer(style, names: names, shards: shards))
        }
        format = style.format.groupFormat
        header = style.continuesSnapshot ? [] : format.header(style)
        linesLeft = style.maximumLines
        note = style.note
    }

    /// Writes all groups to `file`.
    ///
    /// - Parameters:
    ///   - progress: counts the groups that are written.
    ///   - check: called before each piece is written; throws to stop.
    mutating func write(
        to file: any ByteOutput, progress: RunProgress, check: () throws(ReplayError) -> Void
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
            hasWritten = true
            progress.addWritten(UInt64(piece.groupCount))
            oldest = (oldest + 1) % pieces.count
            started -= 1
        }
        let ending = format.ending(noting: note, isEmpty: !hasWritten)
        try SnapshotOutput(file).write(ending.span)
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

// MARK: - Pieces

/// Consecutive groups of a snapshot.
protocol GroupBatch: ~Copyable, SendableMetatype {
    /// All groups, in order.
    associatedtype Source

    var groupCount: Int { get }

    /// Whether the batch takes so much memory that no other one may be filled before it is written.
    var isLarge: Bool { get }

    /// Whether all groups have been rendered.
    var isRendered: Bool { get }

    /// Replaces the groups with the next ones.
    mutating func take(from source: inout Source) throws(ReplayError)

    /// Renders as many of the groups not rendered yet as one buffer holds: up to `Limits.pieceBytes`, plus the line that
    /// exceeds it.
    ///
    /// - Parameter allowsLarge: whether groups that may exceed the buffer are rendered, one at a time. True for only one
    ///   batch at a time.
    mutating func render(by renderer: inout GroupRenderer, allowsLarge: Bool, to output: inout OutputBuffer)
}

extension SnapshotWriter where Batch: ~Copyable {
    /// A batch of groups and their lines: taken, rendered and written in turn.
    ///
    /// A piece belongs to one thread at a time: to the thread that renders it until the writer has waited for `rendering`,
    /// otherwise to the writer's thread. Only `groupCount` and `isLarge`, which rendering does not change, may be read at
    /// any time.
    private final class Piece: @unchecked Sendable {
        // Unchecked because a piece is used by one thread at a time; `access` checks that.
        private let access = AccessCheck()
        private var batch: Batch
        private var renderer: GroupRenderer
        /// The most recently rendered lines.
        private var output = OutputBuffer()
        // Copied from the batch, which the writer must not read while it is rendered.
        private(set) var groupCount = 0
        private(set) var isLarge = false
        /// Tracks the rendering of the piece, so that the writer can wait for it.
        let rendering = DispatchGroup()

        init(_ batch: consuming Batch, _ renderer: GroupRenderer) {
            self.batch = batch
            self.renderer = renderer
        }

        var isRendered: Bool { batch.isRendered }

        /// Replaces the piece's groups with the next ones.
        func take(from groups: inout Batch.Source) throws(ReplayError) {
            access.begin()
            defer { access.end() }
            try batch.take(from: &groups)
            (groupCount, isLarge) = (batch.groupCount, batch.isLarge)
        }

        /// Renders as many of the groups not rendered yet as one buffer holds.
        ///
        /// - Parameter drain: receives the beginning of a large group's lines; `forEachRendered` passes the remainder.
        func render(allowsLarge: Bool, drain: ((Span<UInt8>) -> Void)?) {
            access.begin()
            defer { access.end() }
            output.removePiece()
            output.drain = drain
            renderer.removeEnds()
            batch.render(by: &renderer, allowsLarge: allowsLarge, to: &output)
            output.drain = nil
            if allowsLarge { renderer.releaseLargeTexts() }
        }

        /// Calls `body` with the lines of each of the most recently rendered groups if the renderer records their ends,
        /// otherwise with all of these lines at once.
        func forEachRendered(_ body: (Span<UInt8>) throws(ReplayError) -> Void) throws(ReplayError) {
            access.begin()
            defer { access.end() }
            var start = 0
            for end in renderer.ends ?? [output.count] {
                try body(output.bytes.extracting(start..<end))
                start = end
            }
        }
    }
}

extension OutputBuffer {
    /// Removes the bytes, and releases the memory if it is more than a piece may keep.
    mutating func removePiece() {
        if heldBytes > 3 * Limits.pieceBytes { self = OutputBuffer() } else { removeAll() }
    }
}

/// Where the lines of groups are written, except for the separator that precedes the first group.
private final class SnapshotOutput {
    private let file: any ByteOutput
    /// The number of bytes still to be omitted.
    private var dropped: Int
    /// The first error of `drain`, which then writes nothing more.
    private(set) var drainError: ReplayError?

    init(_ file: any ByteOutput, dropping dropped: Int = 0) {
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
