import Dispatch
import SheafBytes
import SheafGroups
import Synchronization

/// Adds decoded records to live snapshots in the order of each source, and writes the snapshots that are due.
///
/// One record is added at a time, so that what is late does not depend on threads or chunks.
final class LiveStage: @unchecked Sendable {
    // Unchecked because everything is used on the queue, except for `isStopped` and `pause`.
    let queue = DispatchQueue(label: "sheaf.live")
    private let snapshots: LiveSnapshots
    private let output: LiveOutput
    private let sourceCount: Int
    /// The number of sources that are read at once.
    private let openSources: Int
    private let maximumBytes: Int
    private let pace: RecordPace?
    private var parcels = ParcelOrder()
    /// The next source to be read.
    private var nextSource = 0
    private let isStopped = Atomic(false)
    /// The first failure to write a snapshot, after which the run makes no checkpoint.
    private var failure: ReplayError?

    /// - Parameters:
    ///   - openSources: the number of sources that are read at once.
    ///   - maximumBytes: the memory for groups and open intervals.
    ///   - pace: how fast records are released; nil for as fast as they are read.
    init(
        _ snapshots: LiveSnapshots, output: LiveOutput, sources: Int, openSources: Int,
        maximumBytes: Int, pace: RecordPace?
    ) {
        self.snapshots = snapshots
        self.output = output
        self.maximumBytes = maximumBytes
        self.pace = pace
        sourceCount = sources
        self.openSources = openSources
    }

    /// The numbers that the statistics need.
    var late: UInt64 { snapshots.late }
    var updated: UInt64 { snapshots.updated }
    var hidden: HiddenCounts { snapshots.hidden }
    var groupCount: Int { snapshots.groupCount }
    /// The number of snapshots that this run has written.
    var snapshotCount: UInt64 { snapshots.writtenCount }
    var bounds: SnapshotBounds { snapshots.bounds }

    private func beginNextSource() {
        guard nextSource < sourceCount else { return }
        snapshots.begin(nextSource)
        nextSource += 1
    }

    /// Begins the sources that are read first, and writes what precedes the first snapshot.
    func start() throws(ReplayError) {
        try output.begin()
        for _ in 0..<min(openSources, sourceCount) { beginNextSource() }
        try snapshots.writeHeader { bytes throws(ReplayError) in try write(bytes) }
    }

    /// Adds a decoded parcel, or the next part of one.
    ///
    /// - Returns: the parcels that are no longer needed: this one or others.
    func add(_ parcel: Parcel) throws(ReplayError) -> [Parcel] {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isStopped.load(ordering: .relaxed) else { return [] }
        parcels.add(parcel)
        var done: [Parcel] = []
        while let next = parcels.takeNext(of: parcel.source) {
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
        guard !isStopped.load(ordering: .relaxed) else { return }
        parcels.end(source, chunkCount: chunkCount)
        try endIfRead(source)
    }

    /// Writes the snapshots that are left, once all sources have been read.
    func finish() throws(ReplayError) {
        try snapshots.finish { bytes throws(ReplayError) in try write(bytes) }
    }

    /// Ends the file of the snapshots that are complete, after `stop()`.
    ///
    /// - Returns: false if a reader received them at once.
    func keepComplete() throws(ReplayError) -> Bool {
        dispatchPrecondition(condition: .onQueue(queue))
        if let failure { throw failure }
        guard !output.isDirect else { return false }
        try snapshots.writeFooter { bytes throws(ReplayError) in try write(bytes) }
        return true
    }

    /// Ends waiting for the pace of the records; none is added from here on. May be called from any thread.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        pace?.stop()
    }

    private func endIfRead(_ source: Int) throws(ReplayError) {
        guard parcels.isComplete(source) else { return }
        parcels.forget(source)
        snapshots.end(source)
        beginNextSource()
        try snapshots.writeDue { bytes throws(ReplayError) in try write(bytes) }
    }

    /// Adds the records of a parcel in their order.
    private func addRecords(of parcel: Parcel) throws(ReplayError) {
        parcel.access.begin(.shared)
        defer { parcel.access.end(.shared) }
        let bytes = parcel.chunk.bytes
        try parcel.forEachInOrder { record throws(ReplayError) in
            guard wait(until: record.order) else { return }
            switch record {
            case .notification(let item): snapshots.add(item, in: bytes)
            case .event(let event):
                snapshots.add(event, in: bytes)
                // The times of snapshots do not follow from settings.
                if case .settings = event { return }
            }
            try advance(record.order, of: parcel)
        }
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
        do throws(ReplayError) {
            try output.write(bytes)
        } catch {
            failure = error
            throw error
        }
    }
}

// MARK: - Checkpoints

extension LiveStage {
    /// The memory in use, in bytes.
    var heldBytes: Int { snapshots.heldBytes }

    /// Writes the state of the paused run: what is on screen, or the open intervals.
    func dump(isTable: Bool, to writer: inout StateWriter) throws(ReplayError) {
        if let failure { throw failure }
        if isTable {
            try snapshots.dumpTable(to: &writer)
        } else {
            try snapshots.dumpOpen(to: &writer)
        }
    }

    /// Returns the progress of the paused run, once what it has written is on disk.
    ///
    /// - Parameter style: the options that the snapshots depend on.
    func progress(style: String) throws(ReplayError) -> LiveProgress {
        if let failure { throw failure }
        try output.sync()
        var progress = LiveProgress(style: style)
        snapshots.note(&progress)
        progress.outputBytes = output.byteCount
        progress.isDirect = output.isDirect
        progress.nextSource = nextSource
        return progress
    }

    /// Continues from a checkpoint instead of starting.
    ///
    /// - Parameter records: the number of records that were read.
    func resume(
        _ progress: LiveProgress, _ table: StateFile, _ open: StateFile, records: UInt64,
        storage: any Storage
    ) throws(ReplayError) {
        try snapshots.restore(progress, table, open, records: records, storage: storage)
        try output.resume(after: progress.outputBytes, wasDirect: progress.isDirect)
        nextSource = progress.nextSource
        // This run may read more sources at once.
        for _ in 0..<max(0, openSources - progress.newest.count) { beginNextSource() }
    }
}
