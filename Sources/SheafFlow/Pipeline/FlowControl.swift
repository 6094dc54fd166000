import DequeModule

/// Schedules the bounded flow of parcels from reading through decoding to the shards.
///
///              free parcel                     free worker
///     source ──────fill──────▶ filled parcel ────decode────▶ decoded parcel ──▶ shards
///        ▲                            ▲                                           │
///        │                            └────── parcel released, more to decode ────┤
///        └──────────────────────────── parcel released ───────────────────────────┘
///
/// A parcel with many records is decoded in parts: when the shards have released one part, the next one is decoded.
///
/// A state machine without I/O, threads or locks: it receives events and returns actions; the caller runs the actions
/// and reports their completion. Invariants:
/// - a parcel has exactly one state: free, being filled, waiting, being decoded, or held by shards;
/// - a source fills at most one parcel at a time, so its chunks are filled in order;
/// - at most `openSources` sources are open, and at most `workers` parcels are being decoded;
/// - a parcel whose first part was decoded is decoded before parcels that were filled later, so that it becomes free;
/// - a source waits only when no parcel is free, so the number of parcels bounds memory, whichever stage is slow;
/// - between `pause` and `resume` no parcel is filled, so eventually all parcels are free: the shards then hold all
///   input that was read, and each source is positioned at the start of a line;
/// - every parcel is eventually released, since no stage waits for a later stage of the same parcel: no deadlock.
struct FlowControl {
    enum Action: Equatable {
        case fill(source: Int, parcel: Int)
        case decode(parcel: Int)
        /// All parcels are free after a pause, and no work starts until `resume`.
        case quiescent
        /// All sources are read and all parcels released, or the run was closed or stopped.
        case finish
    }

    private let sourceCount: Int
    private let parcelCount: Int
    private var nextSource = 0
    private var openSources = 0
    private let workerCount: Int
    private var freeWorkers: Int
    private var freeParcels: [Int]
    private var waitingSources = Deque<Int>()
    private var waitingParcels = Deque<Int>()
    /// By parcel: the number of holders of the decoded parcel.
    private var holders: [Int]
    /// By parcel: whether there is more to decode when its holders have released it.
    private var hasMore: [Bool]
    private var isPaused = false
    private var isQuiescent = false
    private var isFinished = false
    /// Whether no more parcels are filled or begun to be decoded.
    private(set) var isClosed = false

    private let openLimit: Int

    init(sources: Int, parcels: Int, openSources: Int, workers: Int) {
        precondition(parcels > 0 && openSources > 0 && workers > 0, "capacities must be positive")
        sourceCount = sources
        parcelCount = parcels
        openLimit = openSources
        workerCount = workers
        freeWorkers = workers
        freeParcels = Array((0..<parcels).reversed())
        holders = Array(repeating: 0, count: parcels)
        hasMore = Array(repeating: false, count: parcels)
    }

    /// Whether nothing that is read from here on counts.
    var isOver: Bool { isFinished || isClosed }

    /// Whether all parcels that were filled are decoded completely.
    var isDecoded: Bool { freeWorkers == workerCount && waitingParcels.isEmpty && !hasMore.contains(true) }

    mutating func start() -> [Action] {
        guard !isFinished else { return [] }
        var actions: [Action] = []
        openMore(&actions)
        finishWhenDone(&actions)
        return actions
    }

    /// Handles a source that filled a parcel with its next lines, or had no lines left.
    mutating func filled(_ parcel: Int, from source: Int, hasLines: Bool, sourceEnded: Bool) -> [Action] {
        guard !isFinished, !isClosed else { return [] }
        var actions: [Action] = []
        if hasLines {
            if freeWorkers > 0 {
                decode(parcel, &actions)
            } else {
                waitingParcels.append(parcel)
            }
        } else {
            recycle(parcel, &actions)
        }
        if sourceEnded {
            openSources -= 1
            openMore(&actions)
        } else {
            requestParcel(for: source, &actions)
        }
        finishWhenDone(&actions)
        return actions
    }

    /// Handles a worker that decoded a parcel or a part of it, which now has `count` holders.
    ///
    /// - Parameter isComplete: whether there is nothing more to decode.
    mutating func decoded(_ parcel: Int, holders count: Int, isComplete: Bool) -> [Action] {
        guard !isFinished else { return [] }
        if !isComplete, count == 0, !isClosed { return [.decode(parcel: parcel)] }
        var actions: [Action] = []
        if let next = waitingParcels.popFirst() {
            actions.append(.decode(parcel: next))
        } else {
            freeWorkers += 1
        }
        holders[parcel] = count
        hasMore[parcel] = !isComplete
        if count == 0 { recycle(parcel, &actions) }
        finishWhenDone(&actions)
        return actions
    }

    /// Handles one of a parcel's holders releasing it.
    mutating func released(_ parcel: Int) -> [Action] {
        guard !isFinished else { return [] }
        precondition(holders[parcel] > 0, "parcel \(parcel) was released more often than it was held")
        holders[parcel] -= 1
        guard holders[parcel] == 0 else { return [] }
        var actions: [Action] = []
        if hasMore[parcel], !isClosed {
            hasMore[parcel] = false
            if freeWorkers > 0 {
                decode(parcel, &actions)
            } else {
                waitingParcels.prepend(parcel)
            }
            return actions
        }
        recycle(parcel, &actions)
        finishWhenDone(&actions)
        return actions
    }

    /// Stops filling parcels, and lets the parcels in flight complete. The action `quiescent` reports that all are free.
    mutating func pause() -> [Action] {
        guard !isFinished, !isClosed, !isPaused else { return [] }
        isPaused = true
        var actions: [Action] = []
        noteQuiescence(&actions)
        return actions
    }

    /// Resumes filling parcels.
    mutating func resume() -> [Action] {
        guard !isFinished, isPaused else { return [] }
        isPaused = false
        isQuiescent = false
        var actions: [Action] = []
        while !waitingSources.isEmpty, let parcel = freeParcels.popLast() {
            actions.append(.fill(source: waitingSources.removeFirst(), parcel: parcel))
        }
        openMore(&actions)
        finishWhenDone(&actions)
        return actions
    }

    /// Fills no more parcels, and ends the run once no parcel is being decoded. Parcels that are being filled or held are
    /// not waited for: a source may have nothing to read for a long time, and shards need not release parcels any longer.
    mutating func close() -> [Action] {
        guard !isFinished else { return [] }
        isClosed = true
        isPaused = false
        waitingSources.removeAll()
        waitingParcels.removeAll()
        var actions: [Action] = []
        finishWhenDone(&actions)
        return actions
    }

    /// Ends the run immediately. Later events have no effect.
    mutating func stop() -> [Action] {
        guard !isFinished else { return [] }
        isFinished = true
        return [.finish]
    }

    private mutating func openMore(_ actions: inout [Action]) {
        while !isPaused, openSources < openLimit, nextSource < sourceCount {
            openSources += 1
            nextSource += 1
            requestParcel(for: nextSource - 1, &actions)
        }
    }

    private mutating func requestParcel(for source: Int, _ actions: inout [Action]) {
        if !isPaused, let parcel = freeParcels.popLast() {
            actions.append(.fill(source: source, parcel: parcel))
        } else {
            waitingSources.append(source)
        }
    }

    /// Passes a parcel to a free worker.
    private mutating func decode(_ parcel: Int, _ actions: inout [Action]) {
        freeWorkers -= 1
        actions.append(.decode(parcel: parcel))
    }

    private mutating func recycle(_ parcel: Int, _ actions: inout [Action]) {
        if !isPaused, let source = waitingSources.popFirst() {
            actions.append(.fill(source: source, parcel: parcel))
        } else {
            freeParcels.append(parcel)
        }
    }

    private mutating func noteQuiescence(_ actions: inout [Action]) {
        guard isPaused, !isQuiescent, freeParcels.count == parcelCount else { return }
        isQuiescent = true
        actions.append(.quiescent)
    }

    private mutating func finishWhenDone(_ actions: inout [Action]) {
        if isClosed {
            guard freeWorkers == workerCount else { return }
            isFinished = true
            return actions.append(.finish)
        }
        // While paused, `finish` is deferred until `resume`.
        if isPaused { return noteQuiescence(&actions) }
        guard !isFinished, openSources == 0, nextSource == sourceCount, freeParcels.count == parcelCount
        else { return }
        isFinished = true
        actions.append(.finish)
    }
}
