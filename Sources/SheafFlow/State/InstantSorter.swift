import SheafBytes
import SheafGroups

/// Sorts the groups of several snapshots by instant: the groups come in the order of their keys, each with all of its
/// instants.
struct InstantSorter: ~Copyable {
    private let order: ReplayOptions.Order
    private var records = OutputBuffer()
    private var entries: [Entry] = []

    private struct Entry {
        let instant: SnapshotInstant
        var time: Int64 { instant.time }
        /// The number of the key among all keys.
        let key: UInt64
        let newest: OrderKey
        let range: Range<Int>
    }

    init(_ order: ReplayOptions.Order) { self.order = order }

    /// The memory in use, in bytes, and that for sorting.
    var heldBytes: Int { records.heldBytes + entries.capacity * MemoryLayout<Entry>.stride * 3 / 2 }

    var isEmpty: Bool { entries.isEmpty }

    /// Adds a group's state at an instant.
    ///
    /// - Parameters:
    ///   - key: the number of the group's key among all keys, in ascending order.
    ///   - newest: the order key of the leading notification.
    ///   - body: appends the state.
    mutating func add(
        at instant: SnapshotInstant, key: UInt64, newest: OrderKey, _ body: (inout OutputBuffer) -> Void
    ) {
        let start = records.count
        body(&records)
        instant.append(to: &records)
        entries.append(Entry(instant: instant, key: key, newest: newest, range: start..<records.count))
    }

    /// Writes all states in order, and removes them.
    mutating func write(to writer: inout StateWriter) throws(ReplayError) {
        switch order {
        case .key:
            entries.sort { a, b in
                if a.time != b.time { return a.time < b.time }
                if a.key != b.key { return a.key < b.key }
                // Of the groups with the same key, all but the first may be notifications that are alone.
                if a.instant.isAlone != b.instant.isAlone { return b.instant.isAlone }
                return b.newest < a.newest
            }
        case .recent:
            entries.sort { a, b in
                if a.time != b.time { return a.time < b.time }
                // A notification may have left the group that it was leading for another one.
                return a.newest == b.newest ? !a.instant.isEmpty && b.instant.isEmpty : b.newest < a.newest
            }
        }
        for entry in entries { try writer.add(records.bytes.extracting(entry.range), to: .groups) }
        records = OutputBuffer()
        entries = []
    }
}

/// A group of one of several snapshots, in the order of their instants, and then of `Base`.
struct InstantEntry<Base: StateRecord>: StateRecord {
    static var section: StateSection { .groups }

    private let base: Base
    private let time: SnapshotInstant
    var newest: OrderKey { base.newest }
    var notificationCount: UInt64 { base.notificationCount }
    /// All bytes, since the instant is the last part of them.
    var keyBytes: Int { .max }
    var isCanonical: Bool { base.isCanonical }
    var suffixBytes: Int { base.suffixBytes }
    var instant: SnapshotInstant? { time }

    init?(_ bytes: Span<UInt8>, of file: StateFile) {
        guard let base = Base(bytes, of: file), let time = SnapshotInstant(endOf: bytes) else { return nil }
        self.base = base
        self.time = time
    }

    /// Always true: only this run's own files are in this order.
    func isGrouped(by rules: GroupingRules, in bytes: Span<UInt8>) -> Bool { true }

    func compare(_ bytes: Span<UInt8>, to other: Self, _ otherBytes: Span<UInt8>) -> Int {
        if time.time != other.time.time { return time.time < other.time.time ? -1 : 1 }
        let order = base.compare(bytes, to: other.base, otherBytes)
        // A notification may have left the group that it was leading for another one.
        if order == 0, time.isEmpty != other.time.isEmpty { return time.isEmpty ? 1 : -1 }
        return order
    }
}
