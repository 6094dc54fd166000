import SheafBytes
import SheafGroups

/// The settings of apps and devices over time (specification §16), for changes that come in any order.
///
///     scope ──▶ | order, change, settings after it | …         ascending
///
/// An element takes 32 bytes. Adding the newest change of a scope is O(1); older ones are inserted.
struct LiveSettings: SettingsLookup, Sendable {
    private var scopes = SymbolTable()
    /// By the scope's symbol, minus 1.
    private var lists: [[Element]] = []
    private var count = 0
    /// The buffer for a scope's key. `add` takes it out while it runs.
    private var buffer: [UInt8] = []

    private struct Element {
        let order: OrderKey
        let change: DeliverySettings
        /// Those of the change, completed by those of the changes before it.
        var settings: DeliverySettings
    }

    init() {}

    var isEmpty: Bool { lists.isEmpty }

    /// The memory in use, in bytes.
    var heldBytes: Int {
        scopes.heldBytes + lists.capacity * Self.listBytes + 2 * count * MemoryLayout<Element>.stride
    }

    /// The memory of a list without its elements: a reference, and what the allocator adds.
    private static let listBytes = 56

    mutating func add(_ change: SettingsRecord, in bytes: Span<UInt8>) {
        var key: [UInt8] = []
        swap(&key, &buffer)
        defer { swap(&key, &buffer) }
        SettingsScope.makeKey(device: bytes[change.device], app: bytes[change.app], &key)
        let scope = Int(scopes.symbol(for: key.span)) - 1
        if scope == lists.count { lists.append([]) }
        let index = Self.count(before: change.order, in: lists[scope])
        lists[scope].insert(
            Element(order: change.order, change: change.settings, settings: change.settings), at: index)
        count += 1
        for later in max(index, 1)..<max(lists[scope].count, 1) {
            lists[scope][later].settings = lists[scope][later].change.over(lists[scope][later - 1].settings)
        }
    }

    /// Calls `body` with each change and the buffer of its texts.
    func forEachChange(_ body: (SettingsRecord, Span<UInt8>) -> Void) {
        for (scope, list) in lists.enumerated() {
            let key = scopes.text(of: UInt32(scope + 1))
            var record = SettingsRecord()
            (record.device, record.app) = SettingsScope.parts(of: key)
            for element in list {
                (record.order, record.settings) = (element.order, element.change)
                body(record, key)
            }
        }
    }

    func settings(before order: OrderKey, _ key: [UInt8]) -> DeliverySettings? {
        guard let symbol = scopes.find(key.span) else { return nil }
        let list = lists[Int(symbol) - 1]
        let index = Self.count(before: order, in: list)
        return index > 0 ? list[index - 1].settings : nil
    }

    /// Returns the number of elements before an order key. O(log n), and O(1) if it is newer than all of them.
    private static func count(before order: OrderKey, in list: [Element]) -> Int {
        if let last = list.last, last.order < order { return list.count }
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            if list[middle].order < order { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
