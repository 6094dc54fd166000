import Dispatch
import SheafBytes
import SheafGroups
import Synchronization

/// Adds decoded records to live snapshots in the order of each source, and writes the snapshots that are due.
///
/// One record is added at a time, so that what is late does not depend on threads or chunks. Parcels that were decoded
/// too early wait for their turn; their number is fixed.
final class LiveStage: @unchecked Sendable {
    // Unchecked because everything is used on the queue, except for `isStopped` and `pause`.
    let queue = DispatchQueue(label: "sheaf.live")
    private let snapshots: LiveSnapshots
    private let output: OutputFile
    private let byDevice: Bool
    private let sourceCount: Int
    private let maximumBytes: Int
    private let pace: RecordPace?
    private var sources: [Int: Progress] = [:]
    /// The next source to be read.
    private var nextSource = 0
    private let isStopped = Atomic(false)

    /// A source's parcels that wait for their turn.
    private struct Progress {
        var waiting: [Int: Parcel] = [:]
        var nextSequence = 0
        /// The number of chunks with lines; nil while the source is read.
        var chunkCount: Int?
    }

    /// - Parameters:
    ///   - openSources: the number of sources that are read at once.
    ///   - maximumBytes: the memory for groups and open intervals.
    ///   - pace: how fast records are released; nil for as fast as they are read.
    init(
        _ snapshots: LiveSnapshots, output: OutputFile, byDevice: Bool, sources: Int, openSources: Int,
        maximumBytes: Int, pace: RecordPace?
    ) {
        self.snapshots = snapshots
        self.output = output
        self.byDevice = byDevice
        self.maximumBytes = maximumBytes
        self.pace = pace
        sourceCount = sources
        for _ in 0..<min(openSources, sources) { beginNextSource() }
    }

    /// The numbers that the statistics need.
    var late: UInt64 { snapshots.late }
    var updated: UInt64 { snapshots.updated }
    var removed: UInt64 { snapshots.removed }
    var groupCount: Int { snapshots.groupCount }

    private func beginNextSource() {
        guard nextSource < sourceCount else { return }
        snapshots.begin(nextSource)
        nextSource += 1
    }

    /// Writes what precedes the first snapshot.
    func start() throws(ReplayError) {
        try snapshots.writeHeader(byDevice: byDevice) { bytes throws(ReplayError) in try write(bytes) }
    }

    /// Adds a decoded parcel, or the next part of one.
    ///
    /// - Returns: the parcels that are no longer needed: this one or others.
    func add(_ parcel: Parcel) throws(ReplayError) -> [Parcel] {
        dispatchPrecondition(condition: .onQueue(queue))
        sources[parcel.source, default: Progress()].waiting[parcel.sequence] = parcel
        var done: [Parcel] = []
        while let next = takeNext(of: parcel.source) {
            try addRecords(of: next)
            done.append(next)
        }
        try endIfRead(parcel.source)
        guard snapshots.heldBytes <= maximumBytes else {
            throw .usage(
                "the groups on screen and the open intervals need more than \(maximumBytes >> 20) MiB: raise "
                    + "\(.memory), or lower \(.lateness) or \(.every)")
        }
        return done
    }

    /// Notes that a source has ended after `chunkCount` chunks with lines.
    func end(_ source: Int, chunkCount: Int) throws(ReplayError) {
        dispatchPrecondition(condition: .onQueue(queue))
        sources[source, default: Progress()].chunkCount = chunkCount
        try endIfRead(source)
    }

    /// Writes the snapshots that are left, once all sources have been read.
    func finish() throws(ReplayError) {
        try snapshots.finish { bytes throws(ReplayError) in try write(bytes) }
    }

    /// Ends waiting for the pace of the records. May be called from any thread.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        pace?.stop()
    }

    private func takeNext(of source: Int) -> Parcel? {
        guard let next = sources[source]?.nextSequence,
            let parcel = sources[source]?.waiting.removeValue(forKey: next)
        else { return nil }
        if parcel.isComplete { sources[source]?.nextSequence += 1 }
        return parcel
    }

    private func endIfRead(_ source: Int) throws(ReplayError) {
        guard let progress = sources[source], progress.chunkCount == progress.nextSequence else { return }
        sources[source] = nil
        snapshots.end(source)
        beginNextSource()
        try snapshots.writeDue { bytes throws(ReplayError) in try write(bytes) }
    }

    /// Adds the records of a parcel in their order.
    private func addRecords(of parcel: Parcel) throws(ReplayError) {
        parcel.access.begin(.shared)
        defer { parcel.access.end(.shared) }
        let chunk = parcel.chunk
        let removals = parcel.removals[0]
        var next = 0
        for item in parcel.batches[0] {
            while next < removals.count, removals[next].order.precedesInSource(item.record.order) {
                try add(removals[next], of: parcel, in: chunk)
                next += 1
            }
            guard wait(until: item.record.order) else { return }
            snapshots.add(item, in: chunk.bytes)
            try advance(item.record.order, of: parcel)
        }
        for removal in removals[next...] { try add(removal, of: parcel, in: chunk) }
    }

    private func add(_ removal: RemovalRecord, of parcel: Parcel, in chunk: Chunk) throws(ReplayError) {
        guard wait(until: removal.order) else { return }
        snapshots.add(removal, in: chunk.bytes)
        try advance(removal.order, of: parcel)
    }

    private func advance(_ order: OrderKey, of parcel: Parcel) throws(ReplayError) {
        try snapshots.advance(parcel.source, to: order.timestamp) { bytes throws(ReplayError) in
            try write(bytes)
        }
    }

    /// Waits until a record is due; returns false if the run has been stopped.
    private func wait(until order: OrderKey) -> Bool {
        pace?.wait(until: order.timestamp)
        return !isStopped.load(ordering: .relaxed)
    }

    private func write(_ bytes: Span<UInt8>) throws(ReplayError) {
        do {
            try output.write(bytes)
        } catch {
            throw .writing(error)
        }
    }
}

extension OrderKey {
    /// Whether the record comes before another one of the same source.
    fileprivate func precedesInSource(_ other: OrderKey) -> Bool {
        line == other.line ? index < other.index : line < other.line
    }
}
