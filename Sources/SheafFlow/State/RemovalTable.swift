import SheafBytes
import SheafGroups

/// The newest removal of each scope (specification §15), as order keys.
///
///     scope: kind | device | app | text ──▶ | order | order | …       ascending, one per interval
///
/// A scope takes its texts and 24 bytes per interval. Adding removals in any order gives the same table.
struct RemovalTable: Sendable {
    private var scopes = SymbolTable()
    /// By the scope's symbol, minus 1: its removals, ascending.
    private var lists: [NewestByInterval<OrderKey>] = []
    private let timeline: Timeline?
    /// The buffer for a scope's key. `add` takes it out while it runs.
    private var buffer: [UInt8] = []

    init(_ timeline: Timeline?) { self.timeline = timeline }

    /// The number of removals that are kept.
    private(set) var count = 0

    /// The memory in use, in bytes, and that for sorting the removals.
    var heldBytes: Int {
        scopes.heldBytes + lists.capacity * NewestByInterval<OrderKey>.listBytes
            + 2 * count * MemoryLayout<OrderKey>.stride + count * MemoryLayout<Element>.stride
    }

    /// A removal of a table: the symbol of its scope, and its index among those of the scope.
    struct Element {
        let scope: UInt32
        let index: UInt32
    }

    /// Keeps the removal, unless the table has a newer one of the same scope and interval.
    ///
    /// - Returns: whether it is kept.
    @discardableResult
    mutating func add(_ removal: RemovalRecord, in bytes: Span<UInt8>) -> Bool {
        var key: [UInt8] = []
        swap(&key, &buffer)
        defer { swap(&key, &buffer) }
        Self.makeKey(
            removal.scope, device: bytes[removal.device], app: bytes[removal.app], bytes[removal.text], &key)
        let scope = Int(scopes.symbol(for: key.span))
        if scope > lists.count { lists.append(NewestByInterval()) }
        switch lists[scope - 1].add(removal.order, timeline) {
        case .inserted: count += 1
        case .replaced: break
        case .outdated: return false
        }
        return true
    }

    /// Returns the oldest of the kept removals of a scope that are newer than a notification; nil if there is none.
    ///
    /// - Parameter key: a buffer for the scope's key.
    func firstRemoval(
        after order: OrderKey, _ scope: RemovalScope, device: Span<UInt8>, app: Span<UInt8>,
        _ text: Span<UInt8>, key: inout [UInt8]
    ) -> OrderKey? {
        Self.makeKey(scope, device: device, app: app, text, &key)
        guard let symbol = scopes.find(key.span) else { return nil }
        return lists[Int(symbol) - 1].first(newerThan: order)
    }

    /// Returns the oldest removal that removes a notification: of its app, its thread or its identifier, for its device
    /// or for all devices. nil if there is none.
    ///
    /// - Parameters:
    ///   - key: a buffer for the scopes' keys.
    ///   - ignoresThreads: whether removals of threads are left out, since other versions may have another thread.
    func firstRemoval(
        of record: NotificationRecord, in bytes: Span<UInt8>, key: inout [UInt8], ignoresThreads: Bool = false
    ) -> OrderKey? {
        var first: OrderKey?
        let identifier = bytes[record.removalIdentifier]
        for device in [record.device, .none] {
            func note(_ scope: RemovalScope, _ text: Span<UInt8>, _ key: inout [UInt8]) {
                let found = firstRemoval(
                    after: record.order, scope, device: bytes[device], app: bytes[record.app], text, key: &key
                )
                if let found { first = min(first ?? found, found) }
            }
            note(.app, Span(), &key)
            if !ignoresThreads { note(.thread, bytes[record.thread], &key) }
            if !identifier.isEmpty { note(.identifier, identifier, &key) }
            if record.device.isEmpty { break }
        }
        return first
    }

    private static func makeKey(
        _ scope: RemovalScope, device: Span<UInt8>, app: Span<UInt8>, _ text: Span<UInt8>,
        _ key: inout [UInt8]
    ) {
        key.removeAll(keepingCapacity: true)
        key.append(scope.rawValue)
        for shift in stride(from: 0, to: 32, by: 8) {
            key.append(UInt8(truncatingIfNeeded: device.count >> shift))
        }
        for shift in stride(from: 0, to: 32, by: 8) {
            key.append(UInt8(truncatingIfNeeded: app.count >> shift))
        }
        key.append(device)
        key.append(app)
        key.append(text)
    }
}

// MARK: - Reading

extension RemovalTable {
    /// Returns all removals in the order of `NotificationEntry`. O(n log n).
    func sorted() -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for (scope, item) in lists.enumerated() {
            for index in item.elements.indices {
                elements.append(Element(scope: UInt32(scope + 1), index: UInt32(index)))
            }
        }
        return elements.sorted { precedes($0, $1) }
    }

    private func precedes(_ a: Element, _ b: Element) -> Bool {
        if a.scope == b.scope { return a.index < b.index }
        let (first, second) = (scopes.text(of: a.scope), scopes.text(of: b.scope))
        let (mine, theirs) = (Self.parts(of: first), Self.parts(of: second))
        let devices = first[mine.device].compare(to: second[theirs.device])
        if devices != 0 { return devices < 0 }
        let apps = first[mine.app].compare(to: second[theirs.app])
        if apps != 0 { return apps < 0 }
        if mine.scope != theirs.scope { return mine.scope.rawValue < theirs.scope.rawValue }
        return first[mine.text].compare(to: second[theirs.text]) < 0
    }

    /// Calls `body` with a removal and the buffer of its texts.
    func withRemoval<Result>(
        _ element: Element, _ body: (RemovalRecord, Span<UInt8>) -> Result
    ) -> Result {
        let key = scopes.text(of: element.scope)
        var removal = Self.parts(of: key)
        removal.order = lists[Int(element.scope) - 1].elements[Int(element.index)]
        return body(removal, key)
    }

    /// Adds all removals of another table.
    mutating func add(_ other: RemovalTable) {
        for element in other.all { other.withRemoval(element) { _ = add($0, in: $1) } }
    }

    /// All removals, those of each scope in ascending order.
    var all: [Element] {
        lists.indices.flatMap { scope in
            lists[scope].elements.indices.map { Element(scope: UInt32(scope + 1), index: UInt32($0)) }
        }
    }

    /// The offset of the texts in a scope's key, after its kind and two lengths.
    private static var textsOffset: Int { 9 }

    /// Returns the parts of a scope's key.
    private static func parts(of key: Span<UInt8>) -> RemovalRecord {
        var removal = RemovalRecord()
        guard let scope = RemovalScope(rawValue: key[0]) else {
            preconditionFailure("a scope's key begins with its kind")
        }
        removal.scope = scope
        func count(at offset: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(key[offset + $1]) << (8 * $1) }
        }
        let app = textsOffset + count(at: 1)
        let text = app + count(at: 5)
        removal.device = TextRange(textsOffset..<app)
        removal.app = TextRange(app..<text)
        removal.text = TextRange(text..<key.count)
        return removal
    }
}
