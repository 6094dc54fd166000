import SheafBytes

/// The fate of the groups of one design in another one, by app: counts of groups and notifications.
struct GroupChanges: Equatable {
    /// The groups that are shown, and the notifications in them.
    var groups = Sides<UInt64>(now: 0, new: 0)
    var notifications = Sides<UInt64>(now: 0, new: 0)
    /// The notifications that only one design shows.
    var only = Sides<UInt64>(now: 0, new: 0)
    /// The groups of the first design that the second one has with exactly the same notifications.
    var kept: UInt64 = 0
    /// The groups of the first design whose notifications are in several groups of the second one.
    var split: UInt64 = 0
    /// The groups of the second design with notifications of several groups of the first one.
    var merged: UInt64 = 0

    init() {}

    /// - Parameter unchanged: the number of groups that both designs have.
    init(unchanged: UInt64) { kept = unchanged }
}

/// Finds which groups of two designs have notifications in common (specification §20).
///
///     notifications by position, of each design ──joined──▶ pairs of groups ──by first group──▶ degrees ─┐
///                                                                       ┌───by second group───────────┘
///                                                                       └─▶ `GroupChanges` by app
///
/// Groups are distinguished by 64-bit hashes of their keys. Memory: that of two sorters; O(n log n) for n notifications.
struct GroupPairs {
    /// Makes sorters for the pairs.
    let makeSorter: () -> RowSorter
    let check: () throws(ReplayError) -> Void
    /// By number of the app.
    private(set) var changes: [GroupChanges] = []

    init(makeSorter: @escaping () -> RowSorter, check: @escaping () throws(ReplayError) -> Void) {
        (self.makeSorter, self.check) = (makeSorter, check)
    }

    /// A pair's second key if only the first design shows the notification, and the other way round. A hash with the same
    /// value is changed.
    private static let none: UInt64 = 0

    /// Joins the notifications of both designs.
    mutating func join(_ now: consuming RowMerge, _ new: consuming RowMerge) throws(ReplayError) {
        let byNow = makeSorter()
        let byNew = makeSorter()
        var pairs = PairBuffer(byNow)
        var alone = PairBuffer(byNew)
        var steps = 0
        while true {
            steps += 1
            if steps % Limits.groupsPerPiece == 0 { try check() }
            switch (now.first, new.first) {
            case (let a?, let b?) where ShownNotifications.isSame(a, b):
                count(app(a), \.notifications.now)
                count(app(b), \.notifications.new)
                pairs.add(Row(high: key(a), low: key(b), value: UInt64(app(a)) << 32 | UInt64(app(b))))
                _ = try now.next()
                _ = try new.next()
            case (let a?, let b) where b.map({ a < $0 }) ?? true:
                count(app(a), \.notifications.now)
                count(app(a), \.only.now)
                pairs.add(Row(high: key(a), low: Self.none, value: UInt64(app(a)) << 32))
                _ = try now.next()
            case (_, let b?):
                count(app(b), \.notifications.new)
                count(app(b), \.only.new)
                alone.add(Row(high: key(b), low: Self.none, value: UInt64(app(b))))
                _ = try new.next()
            default:
                pairs.flush()
                alone.flush()
                try countGroups(try byNow.sorted(), byNew)
                return
            }
        }
    }

    /// Counts the groups of the first design, then those of the second one.
    private mutating func countGroups(_ pairs: consuming RowMerge, _ byNew: RowSorter) throws(ReplayError) {
        var found = PairBuffer(byNew)
        try Self.forEachGroup(&pairs, check) { row, isWhole in
            found.add(
                Row(high: row.low, low: row.high, value: row.value | (isWhole ? Self.wholeBit : 0)))
        } end: { group in
            let app = Self.apps(group.value).now
            count(app, \.groups.now)
            if group.partners > 1 { count(app, \.split) }
        }
        found.flush()
        var mirrored = try byNew.sorted()
        try Self.forEachGroup(&mirrored, check) { row, isWhole in
            if isWhole, row.value & Self.wholeBit != 0 { count(Self.apps(row.value).now, \.kept) }
        } end: { group in
            let app = Self.apps(group.value).new
            count(app, \.groups.new)
            if group.partners > 1 { count(app, \.merged) }
        }
    }

    /// Marks a pair whose first group has no other notifications.
    private static let wholeBit: UInt64 = 1 << 63

    /// Returns the apps of a pair's groups.
    private static func apps(_ value: UInt64) -> Sides<UInt32> {
        Sides(now: UInt32((value & ~wholeBit) >> 32), new: UInt32(truncatingIfNeeded: value))
    }

    /// A group, and the number of groups of the other design that share notifications.
    private struct Group {
        let key: UInt64
        /// The value of any of its rows.
        let value: UInt64
        var partners = 0
        /// Whether it has notifications that the other design does not show.
        var hasOnly = false
        var last: Row?
    }

    /// Walks through rows by group.
    ///
    /// - Parameters:
    ///   - pair: receives each pair of groups once, and whether the group consists of just the pair's notifications.
    ///   - end: receives each group after its pairs.
    private static func forEachGroup(
        _ rows: inout RowMerge, _ check: () throws(ReplayError) -> Void, pair: (Row, Bool) -> Void,
        end: (Group) -> Void
    ) throws(ReplayError) {
        var count = 0
        var group: Group?
        func finish() {
            guard let group else { return }
            if group.partners == 1, let only = group.last { pair(only, !group.hasOnly) }
            end(group)
        }
        while let row = try rows.next() {
            count += 1
            if count % Limits.groupsPerPiece == 0 { try check() }
            if group?.key != row.high {
                finish()
                group = Group(key: row.high, value: row.value)
            }
            if row.low == none {
                // These come first.
                group?.hasOnly = true
            } else if group?.last?.low != row.low {
                // Until there is a second one, the first one may be the only one.
                if group?.partners == 1, let first = group?.last { pair(first, false) }
                group?.partners += 1
                group?.last = row
                if let partners = group?.partners, partners > 1 { pair(row, false) }
            }
        }
        finish()
    }

    private func app(_ row: Row) -> UInt32 { UInt32(ShownNotifications.app(of: row)) }

    private func key(_ row: Row) -> UInt64 {
        let group = ShownNotifications.group(of: row)
        return group == Self.none ? 1 : group
    }

    private mutating func count(_ app: UInt32, _ number: WritableKeyPath<GroupChanges, UInt64>) {
        while changes.count <= Int(app) { changes.append(GroupChanges()) }
        changes[Int(app)][keyPath: number] += 1
    }

    /// Buffers the rows for a sorter.
    private struct PairBuffer {
        private let sorter: RowSorter
        private var rows = ContiguousArray<Row>()

        init(_ sorter: RowSorter) { self.sorter = sorter }

        mutating func add(_ row: Row) {
            rows.append(row)
            if rows.count >= 4096 { flush() }
        }

        mutating func flush() {
            sorter.add(rows)
            rows.removeAll(keepingCapacity: true)
        }
    }
}
