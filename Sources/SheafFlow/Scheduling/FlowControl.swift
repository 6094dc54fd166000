import DequeModule

/// Who may do what next: the bounded hand-over between reading, decoding and the shards.
///
///              free parcel                     free worker
///     source ──────fill──────▶ filled parcel ────decode────▶ decoded parcel ──▶ shards
///        ▲                                                                        │
///        └───────────────────────────── parcel let go ────────────────────────────┘
///
/// A state machine without I/O, threads or locks: events go in, actions come out, and whoever runs them reports
/// back. Invariants:
/// - a parcel is in one place: free, being filled, waiting, being decoded, or held by shards;
/// - a source fills at most one parcel at a time, so its chunks are filled in order;
/// - at most `openSources` sources are open and `workers` parcels being decoded;
/// - a source waits only when no parcel is free, so memory is bounded by the parcels, whichever stage lags;
/// - between `pause` and `resume` nothing is filled, so that after a while all parcels are free: the shards then hold
///   all that was read, and each source stands between two lines;
/// - every parcel is let go in the end, since no stage waits for a later one of the same parcel: no deadlock.
struct FlowControl {
    enum Action: Equatable {
        case fill(source: Int, parcel: Int)
        case decode(parcel: Int)
        /// Nothing is under way any more, and nothing begins until `resume`.
        case rest
        /// Every source is read and every parcel let go; or the run was stopped.
        case finish
    }

    private let sourceCount: Int
    private let parcelCount: Int
    private var nextSource = 0
    private var openSources = 0
    private var freeWorkers: Int
    private var freeParcels: [Int]
    private var waitingSources = Deque<Int>()
    private var waitingParcels = Deque<Int>()
    /// By parcel: how many have it after decoding.
    private var holders: [Int]
    private var isPaused = false
    private var isResting = false
    private var isFinished = false

    private let openLimit: Int

    init(sources: Int, parcels: Int, openSources: Int, workers: Int) {
        precondition(parcels > 0 && openSources > 0 && workers > 0, "nothing would ever move")
        sourceCount = sources
        parcelCount = parcels
        openLimit = openSources
        freeWorkers = workers
        freeParcels = Array((0..<parcels).reversed())
        holders = Array(repeating: 0, count: parcels)
    }

    mutating func start() -> [Action] {
        guard !isFinished else { return [] }
        var actions: [Action] = []
        openMore(&actions)
        finishWhenDone(&actions)
        return actions
    }

    /// A source put its next lines into a parcel, or had none left for it.
    mutating func filled(_ parcel: Int, from source: Int, hasLines: Bool, sourceEnded: Bool) -> [Action] {
        guard !isFinished else { return [] }
        var actions: [Action] = []
        if hasLines {
            if freeWorkers > 0 {
                freeWorkers -= 1
                actions.append(.decode(parcel: parcel))
            } else {
                waitingParcels.append(parcel)
            }
        } else {
            letGo(parcel, &actions)
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

    /// A worker is done with a parcel, which `holders` now have.
    mutating func decoded(_ parcel: Int, holders count: Int) -> [Action] {
        guard !isFinished else { return [] }
        var actions: [Action] = []
        if let next = waitingParcels.popFirst() {
            actions.append(.decode(parcel: next))
        } else {
            freeWorkers += 1
        }
        holders[parcel] = count
        if count == 0 { letGo(parcel, &actions) }
        finishWhenDone(&actions)
        return actions
    }

    /// One of a parcel's holders is done with it.
    mutating func released(_ parcel: Int) -> [Action] {
        guard !isFinished else { return [] }
        precondition(holders[parcel] > 0, "parcel \(parcel) was let go more often than it was held")
        holders[parcel] -= 1
        guard holders[parcel] == 0 else { return [] }
        var actions: [Action] = []
        letGo(parcel, &actions)
        finishWhenDone(&actions)
        return actions
    }

    /// Lets what is under way come to its end, and nothing new begin. `rest` says when it is so.
    mutating func pause() -> [Action] {
        guard !isFinished, !isPaused else { return [] }
        isPaused = true
        var actions: [Action] = []
        restWhenDone(&actions)
        return actions
    }

    /// Goes on.
    mutating func resume() -> [Action] {
        guard !isFinished, isPaused else { return [] }
        isPaused = false
        isResting = false
        var actions: [Action] = []
        while !waitingSources.isEmpty, let parcel = freeParcels.popLast() {
            actions.append(.fill(source: waitingSources.removeFirst(), parcel: parcel))
        }
        openMore(&actions)
        finishWhenDone(&actions)
        return actions
    }

    /// Ends it now; what is still under way reports to nobody.
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

    private mutating func letGo(_ parcel: Int, _ actions: inout [Action]) {
        if !isPaused, let source = waitingSources.popFirst() {
            actions.append(.fill(source: source, parcel: parcel))
        } else {
            freeParcels.append(parcel)
        }
    }

    private mutating func restWhenDone(_ actions: inout [Action]) {
        guard isPaused, !isResting, freeParcels.count == parcelCount else { return }
        isResting = true
        actions.append(.rest)
    }

    private mutating func finishWhenDone(_ actions: inout [Action]) {
        // The end of everything while it is paused is announced when it goes on.
        if isPaused { return restWhenDone(&actions) }
        guard !isFinished, openSources == 0, nextSource == sourceCount, freeParcels.count == parcelCount
        else { return }
        isFinished = true
        actions.append(.finish)
    }
}
