/// The intervals at whose ends a group's line changes, found from its states in the order of their spans (specification
/// §14).
///
///     states           [3, …)  [5, 6)  [6, 8)  [9, …)
///     at instant 7     [3, …)        + [6, 8)             those without an end so far, and the spans that contain it
///
/// Holds the states whose spans contain the current interval: at most one of each length, which are nested.
struct SpanWalk<State> {
    private let clock: SnapshotClock
    private let emitsAll: Bool
    /// The states whose spans contain the current interval and have an end, a longer span before a shorter one.
    private(set) var open: [(span: IntervalSpan, state: State)] = []
    /// Whether a state without an end was added.
    private(set) var hasDeltas = false
    /// The interval whose states have been added; nil before the first one.
    private var interval: Int64?
    private var hasChanged = false
    /// Whether `nextChange` has passed the current interval.
    private var isPassed = false

    /// - Parameter emitsAll: whether a group has a line at every instant at which it is not empty.
    init(_ clock: SnapshotClock, emitsAll: Bool) { (self.clock, self.emitsAll) = (clock, emitsAll) }

    /// Whether none of the states is on screen at the current interval.
    var isEmpty: Bool { !hasDeltas && open.isEmpty }

    /// Begins the next group.
    mutating func begin() {
        open.removeAll(keepingCapacity: true)
        (hasDeltas, interval, hasChanged, isPassed) = (false, nil, false, false)
    }

    /// Returns the first interval of a span that has snapshots.
    func start(of span: IntervalSpan?) -> Int64 { max(span?.start ?? clock.first, clock.first) }

    /// Adds a state, once `nextChange` has returned nil for its start.
    mutating func add(_ span: IntervalSpan, at start: Int64, _ state: @autoclosure () -> State) {
        (interval, isPassed) = (start, false)
        close(at: start)
        if span.appears { hasChanged = true }
        if span.end < .max { open.append((span, state())) } else { hasDeltas = true }
    }

    /// Returns the next interval before `end` at which the group has a line; nil if there is none.
    mutating func nextChange(before end: Int64) -> Int64? {
        guard var current = interval, current < end else { return nil }
        while true {
            if !isPassed {
                isPassed = true
                let isChange = hasChanged || emitsAll && !isEmpty
                hasChanged = false
                if isChange { return current }
            }
            var following = open.last?.span.end ?? .max
            if emitsAll, !isEmpty { following = min(following, current + 1) }
            guard following < end, following <= clock.last else { return nil }
            (current, interval, isPassed) = (following, following, false)
            close(at: following)
        }
    }

    /// Removes the states whose spans end at an interval.
    private mutating func close(at interval: Int64) {
        while let last = open.last, last.span.end <= interval {
            if last.span.vanishes { hasChanged = true }
            open.removeLast()
        }
    }
}
