import SheafBytes
import SheafGroups

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
