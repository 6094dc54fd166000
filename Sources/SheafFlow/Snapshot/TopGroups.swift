import HeapModule
import SheafBytes

/// The groups with the most notifications among those that come by, as they were rendered.
///
/// Of groups with as many the one that comes first is before the others. Holds `limit` groups at most.
struct TopGroups {
    private let limit: Int
    /// The last one is the minimum.
    private var entries = Heap<Entry>()
    private var nextPlace = 0

    private struct Entry: Comparable {
        let count: UInt64
        let place: Int
        let text: [UInt8]

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
        guard entries.count == limit, let last = entries.min else { return 0 }
        return last.count + 1
    }

    /// Adds a group that comes behind those that were added.
    mutating func add(count: UInt64, text: Span<UInt8>) {
        guard count >= least else { return }
        if entries.count == limit { entries.removeMin() }
        var copy: [UInt8] = []
        copy.append(text)
        entries.insert(Entry(count: count, place: nextPlace, text: copy))
        nextPlace += 1
    }

    /// The groups, the one with the most notifications first.
    var sorted: [[UInt8]] { entries.unordered.sorted(by: >).map(\.text) }
}
