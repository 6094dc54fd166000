import DequeModule
import Dispatch
import SheafBytes
import Synchronization

/// Passes a snapshot from the thread that writes it to the one that compares it.
///
/// Memory: `capacity` pieces, each as large as the writer makes it.
final class GroupPipe: ByteOutput, Sendable {
    private let state = Mutex(State())
    private let room = DispatchSemaphore(value: 0)
    private let filled = DispatchSemaphore(value: 0)

    private struct State {
        var pieces = Deque<[UInt8]>()
        /// The buffers of pieces that were read.
        var free: [[UInt8]] = []
        /// Whether nothing more is read.
        var isClosed = false
        var failure: ReplayError?
    }

    private static let capacity = 4

    init() {
        // A semaphore must not end with a smaller value than that with which it was created.
        for _ in 0..<Self.capacity { room.signal() }
    }

    func write(_ bytes: Span<UInt8>) throws(StorageError) {
        guard !bytes.isEmpty else { return }
        room.wait()
        var piece = state.withLock { $0.free.popLast() ?? [] }
        piece.append(bytes)
        let isClosed = state.withLock { [piece] state in
            state.pieces.append(piece)
            return state.isClosed
        }
        if isClosed {
            room.signal()
            throw StorageError(.write, path: "", code: EPIPE)
        }
        filled.signal()
    }

    /// Ends the snapshot.
    ///
    /// - Parameter failure: what kept the writer from writing all of them; nil if it has.
    func end(_ failure: ReplayError? = nil) {
        state.withLock { $0.failure = failure }
        filled.signal()
    }

    /// Lets the writer fail, because nothing more is read.
    func close() {
        state.withLock { $0.isClosed = true }
        room.signal()
    }

    /// Takes back the buffer of a piece that was read.
    fileprivate func reuse(_ piece: consuming [UInt8]) {
        piece.removeAll(keepingCapacity: true)
        state.withLock { [piece] state in if state.free.count < Self.capacity { state.free.append(piece) } }
    }

    /// Waits for the next piece, and returns it; nil at the end.
    ///
    /// - Throws: the failure of the writer.
    fileprivate func read() throws(ReplayError) -> [UInt8]? {
        filled.wait()
        let (piece, failure) = state.withLock { ($0.pieces.popFirst(), $0.failure) }
        if let piece {
            room.signal()
            return piece
        }
        // For the next call.
        filled.signal()
        if let failure { throw failure }
        return nil
    }
}

extension GroupPipe {
    typealias Writer = @Sendable (GroupPipe) throws(ReplayError) -> Void

    /// Reads two snapshots. Each is written on a thread of its own.
    static func reading(
        _ now: @escaping Writer, _ new: @escaping Writer,
        _ body: (inout GroupReader, inout GroupReader) throws(ReplayError) -> Void
    ) throws(ReplayError) {
        let pipes = [GroupPipe(), GroupPipe()]
        let writers = DispatchGroup()
        for (pipe, write) in zip(pipes, [now, new]) {
            // A serial queue each: Dispatch adds no thread to a concurrent one for a second if all of them wait.
            DispatchQueue(label: "sheaf.snapshot").async(group: writers) {
                do throws(ReplayError) {
                    try write(pipe)
                    pipe.end()
                } catch {
                    pipe.end(error)
                }
            }
        }
        defer {
            for pipe in pipes { pipe.close() }
            writers.wait()
        }
        var (first, second) = (try GroupReader(pipes[0]), try GroupReader(pipes[1]))
        try body(&first, &second)
    }
}

/// Reads the groups of a snapshot, as records of `ComparedGroup`.
struct GroupReader {
    private let pipe: GroupPipe
    private var piece: [UInt8] = []
    private var start = 0
    /// The current group; empty at the end.
    private(set) var group = ComparedGroup()

    /// - Parameter pipe: has the records. One may be in several pieces.
    /// - Throws: the failure of the writer.
    init(_ pipe: GroupPipe) throws(ReplayError) {
        self.pipe = pipe
        try advance()
    }

    /// Whether all groups were read.
    var isAtEnd: Bool { group.isEmpty }

    /// Goes on to the next group.
    mutating func advance() throws(ReplayError) {
        guard try fill(8) else { return group.removeAll() }
        let count = Int(piece.span.extracting(droppingFirst: start).firstWord)
        guard try fill(8 + count) else { preconditionFailure("an incomplete record of a group") }
        let first = start + 8
        start = first + count
        group.decode(piece, first..<start)
    }

    /// Reads until a number of bytes is there; returns false at the end.
    private mutating func fill(_ count: Int) throws(ReplayError) -> Bool {
        while piece.count - start < count {
            guard var more = try pipe.read() else { return false }
            if start == piece.count {
                swap(&piece, &more)
                pipe.reuse(more)
            } else {
                piece.removeFirst(start)
                piece += more
            }
            start = 0
        }
        return true
    }
}
