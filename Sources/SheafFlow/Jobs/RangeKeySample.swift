import SheafBytes
import SheafGroups

/// A sample of the keys in partial results, from which ranges of about the same size are made.
///
/// Memory: at most `limit` keys for each section of each file; the more files there are, the fewer.
struct RangeKeySample {
    let unit: RangeKey.Unit
    var identities: Keys
    var groups: Keys
    /// The scopes of the removals in all files; nil if they are not known.
    var removals: RemovedScopes?

    init(of unit: RangeKey.Unit, limit: Int, removals: RemovedScopes? = nil) {
        self.unit = unit
        self.removals = removals
        identities = Keys(limit: limit)
        groups = Keys(limit: limit)
    }

    /// The maximum number of keys that are kept of each section of one of several files; twice as many before they are
    /// thinned out.
    ///
    /// - Parameter isFinal: whether ranges are made of them, rather than a sample that is read with others.
    static func limit(files: Int, isFinal: Bool) -> Int {
        min(max(256, Limits.sampledKeys / max(1, files)), isFinal ? 16_384 : 2_048)
    }

    /// A key, and the size of its records in bytes. Of an identity, also the key of the group that the notification joins,
    /// if it is not its own.
    typealias Item = (key: StoredKey, byteCount: UInt64, group: StoredKey?)

    /// Keys in ascending order. Each stands for the records up to it and after the key before it.
    struct Keys {
        private(set) var items: [Item] = []
        private let limit: Int
        /// The minimum size of the records that a key stands for, in bytes.
        private var step: UInt64 = 1
        private var pending: UInt64 = 0

        init(limit: Int) { self.limit = limit }

        /// Adds a record.
        ///
        /// - Parameter key: returns its key, and the key of the group that it joins; called only if they are kept.
        @inline(__always)
        mutating func add(byteCount: Int, _ key: () -> (StoredKey, group: StoredKey?)) {
            pending += UInt64(byteCount)
            guard pending >= step else { return }
            let (key, group) = key()
            keep(key, group: group)
        }

        /// Adds a key of a sample.
        mutating func add(_ key: StoredKey, byteCount: UInt64) {
            let (sum, overflow) = pending.addingReportingOverflow(byteCount)
            pending = overflow ? .max / 2 : min(sum, .max / 2)
            if pending >= step { keep(key) }
        }

        @inline(never)
        private mutating func keep(_ key: StoredKey, group: StoredKey? = nil) {
            items.append((key, pending, group))
            pending = 0
            guard items.count >= 2 * limit else { return }
            thinOut()
            step = max(step * 2, items.map(\.byteCount).min() ?? 0)
        }

        /// Keeps every second key, which then also stands for the records of the preceding key.
        private mutating func thinOut() {
            var kept: [Item] = []
            kept.reserveCapacity(limit)
            for index in stride(from: 1, to: items.count, by: 2) {
                let sum = items[index - 1].byteCount.addingReportingOverflow(items[index].byteCount)
                var item = items[index]
                item.byteCount = sum.overflow ? .max / 2 : sum.partialValue
                kept.append(item)
            }
            items = kept
        }

        /// Adds the keys of another file, which makes the order of keys arbitrary until `sort`.
        mutating func append(_ other: Keys) { items += other.items }

        /// Adds the groups that the identities of the same file join.
        mutating func appendGroups(of identities: Keys) {
            items += identities.items.compactMap { item in
                item.group.map { ($0, item.byteCount, nil) }
            }
        }

        mutating func sort(newestFirst: Bool) {
            items = items.ordered { $0.key.compare(to: $1.key, newestFirst: newestFirst) < 0 }
        }

        /// Thins the keys of all files out if there are too many.
        mutating func limit(newestFirst: Bool) {
            guard items.count > 2 * Limits.sampledKeys else { return }
            sort(newestFirst: newestFirst)
            thinOut()
        }
    }

    /// Adds the sample of another file.
    ///
    /// - Throws: `ReplayError.usage` if they are cut into different units.
    mutating func add(_ other: RangeKeySample, of path: String) throws(ReplayError) {
        if let difference = unit.difference(from: other.unit) {
            throw .usage("'\(path)' and the files before it \(difference)")
        }
        identities.append(other.identities)
        groups.append(other.groups)
        if let others = other.removals { removals?.add(others) } else { removals = nil }
        identities.limit(newestFirst: false)
        groups.limit(newestFirst: true)
    }

    /// Adds a record of the notifications' section: its key, and its scope if it is a removal.
    mutating func add(_ entry: NotificationEntry, in bytes: Span<UInt8>) {
        removals?.add(entry, in: bytes)
        let unit = unit
        identities.add(byteCount: bytes.count) {
            let group = unit == .group ? RangeKey(groupOf: entry) : nil
            return (
                StoredKey(RangeKey(entry, in: unit), in: bytes), group.map { StoredKey($0, in: bytes) }
            )
        }
    }

    /// Brings the keys of all files into one order.
    mutating func sort() {
        removals?.sort()
        if removals?.areTooMany == true { removals = nil }
        identities.sort(newestFirst: false)
        groups.sort(newestFirst: true)
    }

    /// Returns ranges whose records have about the same size. The keys must be sorted.
    func ranges(count: Int) -> KeyRanges {
        guard unit != .group else {
            return KeyRanges(
                of: unit, count: count, removals: removals,
                groups: Self.cut(Self.distinct(groups.items), into: count, newestFirst: true),
                identities: Self.cut(identities.items, into: count, newestFirst: false))
        }
        // Both sections have the same kind of key, and are cut as one.
        var both = groups
        both.append(identities)
        both.sort(newestFirst: true)
        let keys = Self.cut(both.items, into: count, newestFirst: true)
        return KeyRanges(of: unit, count: count, removals: removals, groups: keys, identities: keys)
    }

    /// Returns each key once, with the largest size that it has: a group is not larger than its notifications.
    private static func distinct(_ items: [Item]) -> [Item] {
        var distinct: [Item] = []
        for item in items {
            if let last = distinct.last, last.key.compare(to: item.key, newestFirst: true) == 0 {
                distinct[distinct.count - 1].byteCount = max(last.byteCount, item.byteCount)
            } else {
                distinct.append(item)
            }
        }
        return distinct
    }

    private static func cut(_ items: [Item], into count: Int, newestFirst: Bool) -> [StoredKey] {
        let total = items.reduce(0.0) { $0 + Double($1.byteCount) }
        var keys: [StoredKey] = []
        var sum = 0.0
        for item in items {
            let wanted = total * Double(keys.count + 1) / Double(count)
            // A key that is the last one before the end of a range begins the next range.
            sum += Double(item.byteCount)
            guard keys.count + 1 < count, sum > wanted else { continue }
            if let last = keys.last, last.compare(to: item.key, newestFirst: newestFirst) == 0 { continue }
            keys.append(item.key)
        }
        return keys
    }
}

extension RangeKey.Unit {
    /// Returns how files that are cut into this unit and into another one differ, as the end of a message.
    func difference(from other: RangeKey.Unit) -> OptionMessage? {
        if self == other { return nil }
        return self == .person || other == .person
            ? "are not all of measures" : "were written with different \(.byDevice) settings"
    }
}
