import SheafBytes
import SheafGroups

/// Notifications that are equal, except for their order keys, and stay so: those of one device, app and id that do not
/// replace each other, as soon as a service extension's result has replaced the content of all of them. They are one
/// entry, that of the newest one, so that the next result replaces one content.
extension ScreenEntries {
    /// Whether an entry has siblings.
    var hasSiblings: Bool { !siblings.isEmpty }

    /// The memory of siblings, in bytes: of their order keys, in arrays that may be growing, and what a dictionary
    /// adds.
    var siblingBytes: Int {
        2 * siblingCount * MemoryLayout<OrderKey>.stride + siblings.capacity * Self.listBytes
    }

    /// The memory of a list of siblings, and of its place in a dictionary that may be growing.
    private static var listBytes: Int { 96 }

    /// Returns the number of notifications of an entry.
    func count(of index: Int) -> Int { siblings.isEmpty ? 1 : 1 + (siblings[index]?.count ?? 0) }

    /// Returns the order keys of an entry's notifications, ascending.
    func orders(of index: Int) -> [OrderKey] { (siblings[index] ?? []) + [self[index].order] }

    /// Returns the notifications of an entry except for the newest one; nil if there are none.
    func others(of index: Int) -> EqualNotifications? {
        guard !siblings.isEmpty, let orders = siblings[index], let newest = orders.last else { return nil }
        return EqualNotifications(count: orders.count, newest: newest, oldest: orders[0].timestamp)
    }

    /// Returns the number of an entry's notifications for which `isIncluded` holds, which are the oldest ones. Calls it
    /// O(log n) times.
    func count(of index: Int, where isIncluded: (OrderKey) -> Bool) -> Int {
        if isIncluded(self[index].order) { return count(of: index) }
        guard let orders = siblings[index] else { return 0 }
        return orders.partitioningIndex { !isIncluded($0) }
    }

    /// Makes the notifications of another entry siblings of an entry. The caller forgets the other one. O(the number of
    /// those of the smaller one) if they are newer.
    mutating func absorb(_ other: Int, into index: Int) {
        var (orders, added) = (takeOrders(of: index), takeOrders(of: other))
        if orders.count < added.count { swap(&orders, &added) }
        guard let last = orders.last, let first = added.first else { return }
        orders += added
        if first < last { orders.sort() }
        self[index].order = orders.removeLast()
        extendTimes(of: index, by: self[index].order)
        setSiblings(of: index, orders)
    }

    private mutating func takeOrders(of index: Int) -> [OrderKey] {
        var orders = siblings.removeValue(forKey: index) ?? []
        siblingCount -= orders.count
        orders.append(self[index].order)
        return orders
    }

    /// Gives siblings to an entry that has none.
    ///
    /// - Parameter orders: their order keys, ascending and less than that of the entry.
    mutating func setSiblings(of index: Int, _ orders: [OrderKey]) {
        guard let oldest = orders.first else { return }
        extendTimes(of: index, by: oldest)
        siblings[index] = orders
        siblingCount += orders.count
    }

    /// Drops the oldest notifications of an entry, but not all of them.
    ///
    /// - Returns: their order keys, ascending.
    @discardableResult
    mutating func dropOldest(_ count: Int, of index: Int) -> [OrderKey] {
        var orders = takeOrders(of: index)
        let oldest = Array(orders.prefix(count))
        orders.removeFirst(count)
        self[index].order = orders.removeLast()
        setSiblings(of: index, orders)
        return oldest
    }

    /// Removes the siblings of an entry that is not needed any longer.
    mutating func removeSiblings(of index: Int) {
        guard !siblings.isEmpty, let orders = siblings.removeValue(forKey: index) else { return }
        siblingCount -= orders.count
    }
}
