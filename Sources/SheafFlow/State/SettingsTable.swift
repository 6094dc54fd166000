import SheafBytes
import SheafGroups

/// The changes of settings that a shard has read (specification §16), in any order.
///
/// A change takes 32 bytes, and a scope (a device or all, an app or all) its texts.
struct SettingsTable: Sendable {
    private var scopes = SymbolTable()
    private var changes: [Change] = []
    /// The buffer for a scope's key. `add` takes it out while it runs.
    private var buffer: [UInt8] = []

    private struct Change {
        let order: OrderKey
        let scope: UInt32
        let settings: DeliverySettings
    }

    init() {}

    var count: Int { changes.count }

    /// The memory in use, in bytes, and that for sorting the changes.
    var heldBytes: Int { scopes.heldBytes + 2 * changes.capacity * MemoryLayout<Change>.stride }

    mutating func add(_ change: SettingsRecord, in bytes: Span<UInt8>) {
        var key: [UInt8] = []
        swap(&key, &buffer)
        defer { swap(&key, &buffer) }
        SettingsScope.makeKey(device: bytes[change.device], app: bytes[change.app], &key)
        changes.append(
            Change(order: change.order, scope: scopes.symbol(for: key.span), settings: change.settings))
    }

    /// Adds all changes of another table.
    mutating func add(_ other: SettingsTable) {
        for index in 0..<other.count { other.withChange(index) { add($0, in: $1) } }
    }

    /// Returns the changes' indices in the order of `NotificationEntry`: by device, app and order. O(n log n).
    func sorted() -> [Int] {
        // The ranks of scopes, so that texts are compared once per scope.
        let symbols = (1..<UInt32(scopes.count + 1)).sorted { first, second in
            let (mine, theirs) = (scopes.text(of: first), scopes.text(of: second))
            let (a, b) = (SettingsScope.parts(of: mine), SettingsScope.parts(of: theirs))
            let devices = mine[a.device].compare(to: theirs[b.device])
            return devices == 0 ? mine[a.app].compare(to: theirs[b.app]) < 0 : devices < 0
        }
        var ranks = [UInt32](repeating: 0, count: symbols.count + 1)
        for (rank, symbol) in symbols.enumerated() { ranks[Int(symbol)] = UInt32(rank) }
        return changes.indices.sorted { first, second in
            let (a, b) = (changes[first], changes[second])
            return a.scope == b.scope
                ? a.order < b.order : ranks[Int(a.scope)] < ranks[Int(b.scope)]
        }
    }

    /// Calls `body` with a change and the buffer of its texts.
    func withChange<Result>(_ index: Int, _ body: (SettingsRecord, Span<UInt8>) -> Result) -> Result {
        let change = changes[index]
        let key = scopes.text(of: change.scope)
        var record = SettingsRecord()
        (record.device, record.app) = SettingsScope.parts(of: key)
        (record.order, record.settings) = (change.order, change.settings)
        return body(record, key)
    }
}

/// The keys of scopes: the length of the device in four bytes, the device, the app.
enum SettingsScope {
    private static var textsOffset: Int { 4 }

    static func makeKey(device: Span<UInt8>, app: Span<UInt8>, _ key: inout [UInt8]) {
        key.removeAll(keepingCapacity: true)
        for shift in stride(from: 0, to: 32, by: 8) {
            key.append(UInt8(truncatingIfNeeded: device.count >> shift))
        }
        key.append(device)
        key.append(app)
    }

    static func parts(of key: Span<UInt8>) -> (device: TextRange, app: TextRange) {
        let count = (0..<textsOffset).reduce(0) { $0 | Int(key[$1]) << (8 * $1) }
        let app = textsOffset + count
        return (TextRange(textsOffset..<app), TextRange(app..<key.count))
    }
}
