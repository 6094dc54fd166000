import Dispatch
import SheafBytes
import SheafGroups

/// Writes a snapshot: renders groups in parallel and writes them in order.
///
///     groups ──take──▶ | piece | piece | piece | piece |    some are rendered by other threads, while this one
///                           ▲                       │       writes the oldest one and refills it
///                           └───────────────────────┘
///
/// While the oldest piece is not ready, this thread renders, too, so that no more than the given number of threads run.
///
/// Groups that must be rendered one after the other, such as those of a shard over time, are in a lane of their own,
/// with two pieces. The lines of several lanes are merged in a given order.
///
/// Memory is bounded by the pieces, two per thread: whatever the snapshot's size, it takes the groups and
/// `Limits.pieceBytes` for each piece. A group that needs more is rendered on this thread, one at a time, and written
/// while it is being rendered.
///
/// What the writer does for each piece is compiled once for all kinds of groups: a `Piece` knows its batch by two functions.
struct SnapshotWriter {
    private var lanes: [Lane]
    /// The lane of each group; empty if there is only one.
    private let order: [UInt16]
    private let format: GroupFormat
    private let header: [UInt8]
    private let note: String
    /// The number of lines that may still be written; nil for no limit.
    private var linesLeft: Int?
    /// Whether a group has been written.
    private var hasWritten = false

    /// The number of groups of several lanes after which a run is checked, and the bytes that are written at once.
    private static var groupsPerCheck: Int { Limits.groupsPerPiece }
    private static var mergedBytes: Int { Limits.pieceBytes / 2 }

    /// Creates a writer for groups that are rendered in any order.
    ///
    /// - Parameters:
    ///   - shards: the number of shards whose symbols the groups use.
    ///   - batch: returns an empty batch; called twice per thread.
    init<Batch: GroupBatch & ~Copyable>(
        _ groups: Batch.Source, style: SnapshotStyle, names: SourceNames, shards: Int, threads: Int,
        batch: () -> Batch
    ) {
        let source = PieceSource(groups)
        let pieces = (0..<(2 * threads)).map { _ in
            Piece(PieceGroups(batch(), of: source), GroupRenderer(style, names: names, shards: shards))
        }
        let jobs = JobQueue(threads: threads - 1, lanes: 0)
        self.init([Lane(pieces, jobs, index: nil)], [], style)
    }

    /// Creates a writer for the groups of several lanes. Those of a lane are rendered in their order.
    ///
    /// - Parameters:
    ///   - shards: the number of shards whose symbols the groups of a lane use.
    ///   - batch: returns an empty batch for a lane; called twice.
    ///   - order: the lane of each group.
    init<Batch: GroupBatch & ~Copyable>(
        lanes: [Batch.Source], order: [UInt16], style: SnapshotStyle, names: SourceNames, shards: Int,
        batch: (Int) -> Batch
    ) {
        let jobs = JobQueue(threads: lanes.count - 1, lanes: lanes.count)
        let lanes = lanes.enumerated().map { index, groups in
            let source = PieceSource(groups)
            let pieces = (0..<2).map { _ in
                Piece(
                    PieceGroups(batch(index), of: source),
                    GroupRenderer(style, names: names, shards: shards, recordsEnds: lanes.count > 1))
            }
            return Lane(pieces, jobs, index: index)
        }
        self.init(lanes, lanes.count > 1 ? order : [], style)
    }

    private init(_ lanes: [Lane], _ order: [UInt16], _ style: SnapshotStyle) {
        (self.lanes, self.order) = (lanes, order)
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
        defer { for lane in lanes { lane.wait() } }
        try SnapshotOutput(file).write(header.span)
        let lines = SnapshotOutput(file, dropping: format.firstDropped)
        if order.isEmpty {
            while let piece = try nextPiece(of: 0) {
                try check()
                progress.addLeftOut(UInt64(piece.groupCount - (try take(piece, to: lines))))
                hasWritten = true
                progress.addWritten(UInt64(piece.groupCount))
            }
        } else {
            try merge(to: lines, progress: progress, check: check)
        }
        let ending = format.ending(noting: note, isEmpty: !hasWritten)
        try SnapshotOutput(file).write(ending.span)
    }

    /// Starts rendering what the free pieces of a lane hold, and waits for the next one.
    ///
    /// - Returns: the piece; nil if no groups are left.
    private mutating func nextPiece(of lane: Int) throws(ReplayError) -> Piece? {
        try lanes[lane].startPieces(isFull: isFull)
        return lanes[lane].takeOldest()
    }

    /// Writes the groups of several lanes in their order.
    private mutating func merge(
        to output: SnapshotOutput, progress: RunProgress, check: () throws(ReplayError) -> Void
    ) throws(ReplayError) {
        var current = [Piece?](repeating: nil, count: lanes.count)
        /// Lines that are yet to be written.
        var merged = OutputBuffer()
        var index = 0
        while index < order.count {
            if index % Self.groupsPerCheck == 0 {
                try check()
                progress.addWritten(UInt64(min(Self.groupsPerCheck, order.count - index)))
            }
            guard !isFull else {
                progress.addLeftOut(UInt64(order.count - index))
                let counted = (index / Self.groupsPerCheck + 1) * Self.groupsPerCheck
                progress.addWritten(UInt64(max(0, order.count - counted)))
                break
            }
            let lane = Int(order[index])
            var piece = current[lane]
            while piece?.hasLines != true {
                if let unfinished = piece, !unfinished.isRendered {
                    lanes[lane].restart()
                    guard !unfinished.hasLines else { break }
                    // The next group is large.
                    try write(&merged, to: output)
                    lanes[lane].wait()
                    try renderLarge(unfinished, to: output)
                } else {
                    piece = try nextPiece(of: lane)
                    current[lane] = piece
                    guard piece != nil else { preconditionFailure("a lane has fewer groups than expected") }
                }
            }
            guard let piece else { continue }
            let count = linesLeft == nil ? runLength(from: index) : 1
            index += try piece.takeLines(atMost: count) { text throws(ReplayError) in
                if linesLeft == nil {
                    merged.append(text)
                } else if try !write(group: text, to: output) {
                    progress.addLeftOut(1)
                }
            }
            hasWritten = true
            if merged.count >= Self.mergedBytes { try write(&merged, to: output) }
        }
        try write(&merged, to: output)
    }

    /// Returns how many of the groups from an index to the next check follow each other in their lane.
    private func runLength(from start: Int) -> Int {
        let limit = min(order.count, (start / Self.groupsPerCheck + 1) * Self.groupsPerCheck)
        var end = start + 1
        while end < limit, order[end] == order[start] { end += 1 }
        return end - start
    }

    private func write(_ lines: inout OutputBuffer, to output: SnapshotOutput) throws(ReplayError) {
        try output.write(lines.bytes)
        lines.removePiece()
    }

    /// Writes a piece's rendered groups, then renders and writes the remaining ones. There are remaining groups if the
    /// texts are so long that the piece's buffer could not hold all of them.
    ///
    /// - Returns: the number of groups written, which is all of them unless `linesLeft` is too small.
    private mutating func take(_ piece: Piece, to output: SnapshotOutput) throws(ReplayError) -> Int {
        if isFull { return 0 }
        var written = try takeRendered(piece, to: output)
        while !piece.isRendered, !isFull {
            // Those of a lane that is rendered in order wait for this one.
            lanes[0].wait()
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
}

extension SnapshotWriter {
    /// The pieces in which the groups of a source are rendered.
    private struct Lane {
        private let pieces: [Piece]
        private let jobs: JobQueue
        /// The lane among those of the jobs; nil if pieces are rendered at the same time.
        private let index: Int?
        // The pieces form a ring: the started ones are consecutive, beginning with `oldest`.
        private var oldest = 0
        private var started = 0
        /// Whether the oldest piece is being written.
        private var isTaken = false

        init(_ pieces: [Piece], _ jobs: JobQueue, index: Int?) {
            (self.pieces, self.jobs, self.index) = (pieces, jobs, index)
        }

        /// Waits until nothing is being rendered.
        func wait() { for piece in pieces { jobs.wait(for: piece.rendering) } }

        /// Renders a piece on any thread.
        private func render(_ piece: Piece) {
            piece.rendering.enter()
            let job: JobQueue.Job = {
                piece.render(allowsLarge: false, drain: nil)
                piece.rendering.leave()
            }
            if let index { jobs.enqueue(inLane: index, job) } else { jobs.enqueue(job) }
        }

        /// Fills the free pieces, including one that has been written, with the next groups, and starts rendering them. A
        /// piece stays empty if no groups are left.
        ///
        /// - Parameter isFull: whether the output has all its lines, so that nothing is rendered.
        mutating func startPieces(isFull: Bool) throws(ReplayError) {
            if isTaken {
                (isTaken, started) = (false, started - 1)
                oldest = (oldest + 1) % pieces.count
            }
            while started < pieces.count {
                let last = pieces[(oldest + started + pieces.count - 1) % pieces.count]
                if started > 0, last.isLarge || last.groupCount == 0 { break }
                let piece = pieces[(oldest + started) % pieces.count]
                try piece.takeGroups()
                started += 1
                guard piece.groupCount > 0, !isFull else { continue }
                render(piece)
            }
        }

        /// Continues to render the started pieces from the oldest one on, which has no lines left, but groups that did not fit
        /// into its buffer, and waits for it. Those after it have waited for these groups.
        func restart() {
            wait()
            for index in 0..<started {
                let piece = pieces[(oldest + index) % pieces.count]
                guard !piece.isRendered, !piece.hasLines else { continue }
                render(piece)
            }
            jobs.wait(for: pieces[oldest].rendering)
        }

        /// Waits for the oldest piece, and returns it; nil if it is empty: pieces take groups in order, so no groups are
        /// left then.
        mutating func takeOldest() -> Piece? {
            let piece = pieces[oldest]
            jobs.wait(for: piece.rendering)
            isTaken = piece.groupCount > 0
            return isTaken ? piece : nil
        }
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

/// The groups that the batches of a lane take in turn.
private final class PieceSource<Groups> {
    var groups: Groups

    init(_ groups: Groups) { self.groups = groups }
}

/// A batch of a piece, as the functions that the writer calls. Created where the type of the batch is known, so that they
/// are compiled for this type.
private struct PieceGroups {
    /// Replaces the groups with the next ones.
    let take: () throws(ReplayError) -> (groupCount: Int, isLarge: Bool)
    /// Renders groups, as `GroupBatch.render` does, and returns whether all have been rendered.
    let render: (inout GroupRenderer, _ allowsLarge: Bool, inout OutputBuffer) -> Bool

    init<Batch: GroupBatch & ~Copyable>(_ batch: consuming Batch, of source: PieceSource<Batch.Source>) {
        let owner = Owner(batch)
        take = { () throws(ReplayError) in
            try owner.batch.take(from: &source.groups)
            return (owner.batch.groupCount, owner.batch.isLarge)
        }
        render = { renderer, allowsLarge, output in
            owner.batch.render(by: &renderer, allowsLarge: allowsLarge, to: &output)
            return owner.batch.isRendered
        }
    }

    private final class Owner<Batch: GroupBatch & ~Copyable> {
        var batch: Batch

        init(_ batch: consuming Batch) { self.batch = batch }
    }
}

extension SnapshotWriter {
    /// A batch of groups and their lines: taken, rendered and written in turn.
    ///
    /// A piece belongs to one thread at a time: to the thread that renders it until the writer has waited for `rendering`,
    /// otherwise to the writer's thread. Only `groupCount` and `isLarge`, which rendering does not change, may be read at
    /// any time.
    private final class Piece: @unchecked Sendable {
        // Unchecked because a piece is used by one thread at a time; `access` checks that.
        private let access = AccessCheck()
        private let groups: PieceGroups
        private var renderer: GroupRenderer
        /// The most recently rendered lines.
        private var output = OutputBuffer()
        /// The number of its groups that `takeLines` has passed.
        private var taken = 0
        private(set) var groupCount = 0
        private(set) var isLarge = false
        private(set) var isRendered = true
        /// Tracks the rendering of the piece, so that the writer can wait for it.
        let rendering = DispatchGroup()

        init(_ groups: PieceGroups, _ renderer: GroupRenderer) {
            self.groups = groups
            self.renderer = renderer
        }

        /// Replaces the piece's groups with the next ones.
        func takeGroups() throws(ReplayError) {
            access.begin()
            defer { access.end() }
            (groupCount, isLarge) = try groups.take()
            isRendered = groupCount == 0
        }

        /// Renders as many of the groups not rendered yet as one buffer holds.
        ///
        /// - Parameter drain: receives the beginning of a large group's lines; `forEachRendered` passes the remainder.
        func render(allowsLarge: Bool, drain: ((Span<UInt8>) -> Void)?) {
            access.begin()
            defer { access.end() }
            output.removePiece()
            output.drain = drain
            taken = 0
            renderer.removeEnds()
            isRendered = groups.render(&renderer, allowsLarge, &output)
            output.drain = nil
            if allowsLarge { renderer.releaseLargeTexts() }
        }

        /// Whether there are rendered groups that `takeLines` has not passed.
        var hasLines: Bool { taken < renderer.ends?.count ?? 0 }

        /// Calls `body` with the lines of the next rendered groups.
        ///
        /// - Returns: the number of these groups, at most `count`.
        func takeLines(
            atMost count: Int, _ body: (Span<UInt8>) throws(ReplayError) -> Void
        ) throws(ReplayError) -> Int {
            access.begin()
            defer { access.end() }
            guard let ends = renderer.ends else { preconditionFailure("the ends of groups are not recorded") }
            let start = taken == 0 ? 0 : ends[taken - 1]
            let count = min(count, ends.count - taken)
            taken += count
            try body(output.bytes.extracting(start..<ends[taken - 1]))
            return count
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
