import HeapModule

/// The groups with the most notifications among those that come by; of groups with equally many, those that come first.
///
/// Holds `limit` values at most. What a value is depends on where groups come from: an index of sorted shards, or a state's
/// bytes, which the owner takes out when they become too many.
struct TopGroups<Value> {
    private let limit: Int
    /// The last one is the minimum.
    private var entries = Heap<Entry>()
    private var nextPlace = 0
    /// What `least` was when entries were taken out.
    private var floor: UInt64 = 0

    private struct Entry: Comparable {
        let count: UInt64
        let place: Int
        let value: Value

        static func < (a: Entry, b: Entry) -> Bool {
            (a.count, b.place) < (b.count, a.place)
        }

        static func == (a: Entry, b: Entry) -> Bool { a.place == b.place }
    }

    /// - Parameter limit: 1 or more.
    init(limit: Int) {
        precondition(limit > 0, "no groups at all")
        self.limit = limit
    }

    /// How many notifications a group must have to be among them.
    var least: UInt64 {
        guard entries.count == limit, let last = entries.min else { return floor }
        return max(floor, last.count + 1)
    }

    /// Adds a group that comes after those that were added and has `least` notifications or more.
    ///
    /// - Returns: the value of the group that is not among them any more; nil while there is room.
    mutating func add(count: UInt64, _ value: Value) -> Value? {
        let removed = entries.count == limit ? entries.removeMin().value : nil
        entries.insert(Entry(count: count, place: nextPlace, value: value))
        nextPlace += 1
        return removed
    }

    /// Takes the groups out, the one with the most notifications first.
    mutating func takeSorted() -> [Value] {
        floor = least
        defer { entries = Heap() }
        return entries.unordered.sorted(by: >).map(\.value)
    }
}
