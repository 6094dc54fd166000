import HeapModule

/// Selects the groups with the most notifications from a sequence of groups; of groups with equal counts, the earlier
/// ones.
///
/// Holds at most `limit` values. A value is an index into sorted shards, or the bytes of a state, which the caller
/// takes out when they need too much memory.
struct TopGroups<Value> {
    private let limit: Int
    /// The minimum is the entry to remove next.
    private var entries = Heap<Entry>()
    private var nextIndex = 0
    /// The value of `minimumCount` when entries were last taken out.
    private var floor: UInt64 = 0

    private struct Entry: Comparable {
        let count: UInt64
        let index: Int
        let value: Value

        static func < (a: Entry, b: Entry) -> Bool {
            (a.count, b.index) < (b.count, a.index)
        }

        static func == (a: Entry, b: Entry) -> Bool { a.index == b.index }
    }

    /// - Parameter limit: 1 or more.
    init(limit: Int) {
        precondition(limit > 0, "the limit must be positive")
        self.limit = limit
    }

    /// The minimum number of notifications that a group needs to be selected.
    var minimumCount: UInt64 {
        guard entries.count == limit, let last = entries.min else { return floor }
        return max(floor, last.count + 1)
    }

    /// Adds the next group of the sequence, which must have at least `minimumCount` notifications.
    ///
    /// - Returns: the value of the group that this one displaces; nil while there is room.
    mutating func add(count: UInt64, _ value: Value) -> Value? {
        let removed = entries.count == limit ? entries.removeMin().value : nil
        entries.insert(Entry(count: count, index: nextIndex, value: value))
        nextIndex += 1
        return removed
    }

    /// Removes and returns all groups, those with the most notifications first.
    mutating func takeSorted() -> [Value] {
        floor = minimumCount
        defer { entries = Heap() }
        return entries.unordered.ordered { $0 > $1 }.map(\.value)
    }
}
