import DequeModule

/// Schedules the bounded flow of work units from reading through decoding to the shards.
///
///              free work unit                     free worker
///     source ──────fill──────▶ filled unit ──────decode────▶ decoded unit ────▶ shards
///        ▲                            ▲                                           │
///        │                            └────── unit released, more to decode ──────┤
///        └──────────────────────────── unit released ─────────────────────────────┘
///
/// A work unit with many records is decoded in parts: when the shards have released one part, the next one is decoded.
///
/// A state machine without I/O, threads or locks: it receives events and returns actions; the caller runs the actions
/// and reports their completion. Invariants:
/// - a work unit has exactly one state: free, being filled, waiting, being decoded, or held by shards;
/// - a source fills at most one work unit at a time, so its chunks are filled in order;
/// - at most `openSources` sources are open, and at most `workers` work units are being decoded;
/// - a work unit whose first part was decoded is decoded before work units that were filled later, so that it becomes
///   free;
/// - a source waits only when no work unit is free, so the number of work units bounds memory, whichever stage is slow;
/// - between `pause` and `resume` no work unit is filled, so eventually all work units are free: the shards then hold
///   all input that was read, and each source is positioned at the start of a line;
/// - every work unit is eventually released, since no stage waits for a later stage of the same work unit: no deadlock.
struct FlowControl {
    enum Action: Equatable {
        case fill(source: Int, unit: Int)
        case decode(unit: Int)
        /// All work units are free after a pause, and no work starts until `resume`.
        case quiescent
        /// All sources are read and all work units released, or the run was closed or stopped.
        case finish
    }

    private let sourceCount: Int
    private let unitCount: Int
    private var nextSource = 0
    private var openSources = 0
    private let workerCount: Int
    private var freeWorkers: Int
    private var freeUnits: [Int]
    private var waitingSources = Deque<Int>()
    private var waitingUnits = Deque<Int>()
    /// By work unit: the number of holders of the decoded work unit.
    private var holders: [Int]
    /// By work unit: whether there is more to decode when its holders have released it.
    private var hasMore: [Bool]
    private var isPaused = false
    private var isQuiescent = false
    private var isFinished = false
    /// Whether no more work units are filled or begun to be decoded.
    private(set) var isClosed = false

    private let openLimit: Int

    init(sources: Int, units: Int, openSources: Int, workers: Int) {
        precondition(units > 0 && openSources > 0 && workers > 0, "capacities must be positive")
        sourceCount = sources
        unitCount = units
        openLimit = openSources
        workerCount = workers
        freeWorkers = workers
        freeUnits = Array((0..<units).reversed())
        holders = Array(repeating: 0, count: units)
        hasMore = Array(repeating: false, count: units)
    }

    /// Whether nothing that is read from here on counts.
    var isOver: Bool { isFinished || isClosed }

    /// Whether all work units that were filled are decoded completely.
    var isDecoded: Bool { freeWorkers == workerCount && waitingUnits.isEmpty && !hasMore.contains(true) }

    mutating func start() -> [Action] {
        guard !isFinished else { return [] }
        var actions: [Action] = []
        openMore(&actions)
        finishWhenDone(&actions)
        return actions
    }

    /// Handles a source that filled a work unit with its next lines, or had no lines left.
    mutating func filled(_ unit: Int, from source: Int, hasLines: Bool, sourceEnded: Bool) -> [Action] {
        guard !isFinished, !isClosed else { return [] }
        var actions: [Action] = []
        if hasLines {
            if freeWorkers > 0 {
                decode(unit, &actions)
            } else {
                waitingUnits.append(unit)
            }
        } else {
            recycle(unit, &actions)
        }
        if sourceEnded {
            openSources -= 1
            openMore(&actions)
        } else {
            requestUnit(for: source, &actions)
        }
        finishWhenDone(&actions)
        return actions
    }

    /// Handles a worker that decoded a work unit or a part of it, which now has `count` holders.
    ///
    /// - Parameter isComplete: whether there is nothing more to decode.
    mutating func decoded(_ unit: Int, holders count: Int, isComplete: Bool) -> [Action] {
        guard !isFinished else { return [] }
        if !isComplete, count == 0, !isClosed { return [.decode(unit: unit)] }
        var actions: [Action] = []
        if let next = waitingUnits.popFirst() {
            actions.append(.decode(unit: next))
        } else {
            freeWorkers += 1
        }
        holders[unit] = count
        hasMore[unit] = !isComplete
        if count == 0 { recycle(unit, &actions) }
        finishWhenDone(&actions)
        return actions
    }

    /// Handles one of a work unit's holders releasing it.
    mutating func released(_ unit: Int) -> [Action] {
        guard !isFinished else { return [] }
        precondition(holders[unit] > 0, "unit \(unit) was released more often than it was held")
        holders[unit] -= 1
        guard holders[unit] == 0 else { return [] }
        var actions: [Action] = []
        if hasMore[unit], !isClosed {
            hasMore[unit] = false
            if freeWorkers > 0 {
                decode(unit, &actions)
            } else {
                waitingUnits.prepend(unit)
            }
            return actions
        }
        recycle(unit, &actions)
        finishWhenDone(&actions)
        return actions
    }

    /// Stops filling work units, and lets the work units in flight complete. The action `quiescent` reports that all
    /// are free.
    mutating func pause() -> [Action] {
        guard !isFinished, !isClosed, !isPaused else { return [] }
        isPaused = true
        var actions: [Action] = []
        signalQuiescence(&actions)
        return actions
    }

    /// Resumes filling work units.
    mutating func resume() -> [Action] {
        guard !isFinished, isPaused else { return [] }
        isPaused = false
        isQuiescent = false
        var actions: [Action] = []
        while !waitingSources.isEmpty, let unit = freeUnits.popLast() {
            actions.append(.fill(source: waitingSources.removeFirst(), unit: unit))
        }
        openMore(&actions)
        finishWhenDone(&actions)
        return actions
    }

    /// Fills no more work units, and ends the run once no work unit is being decoded. Work units that are being filled
    /// or held are not waited for: a source may have nothing to read for a long time, and shards need not release work
    /// units any longer.
    mutating func close() -> [Action] {
        guard !isFinished else { return [] }
        isClosed = true
        isPaused = false
        waitingSources.removeAll()
        waitingUnits.removeAll()
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
            requestUnit(for: nextSource - 1, &actions)
        }
    }

    private mutating func requestUnit(for source: Int, _ actions: inout [Action]) {
        if !isPaused, let unit = freeUnits.popLast() {
            actions.append(.fill(source: source, unit: unit))
        } else {
            waitingSources.append(source)
        }
    }

    /// Passes a work unit to a free worker.
    private mutating func decode(_ unit: Int, _ actions: inout [Action]) {
        freeWorkers -= 1
        actions.append(.decode(unit: unit))
    }

    private mutating func recycle(_ unit: Int, _ actions: inout [Action]) {
        if !isPaused, let source = waitingSources.popFirst() {
            actions.append(.fill(source: source, unit: unit))
        } else {
            freeUnits.append(unit)
        }
    }

    private mutating func signalQuiescence(_ actions: inout [Action]) {
        guard isPaused, !isQuiescent, freeUnits.count == unitCount else { return }
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
        if isPaused { return signalQuiescence(&actions) }
        guard !isFinished, openSources == 0, nextSource == sourceCount, freeUnits.count == unitCount
        else { return }
        isFinished = true
        actions.append(.finish)
    }
}
