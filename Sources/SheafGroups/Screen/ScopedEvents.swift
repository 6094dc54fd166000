import SheafBytes

/// The notifications that an event is for: those of an app, or of all apps, on a device, or on all devices, and perhaps
/// only those of a thread or with an identifier.
///
///     key: kind | length of the device, 4 bytes | length of the app, 4 bytes | device | app | thread or identifier
package struct EventScope {
    /// The kinds in the order of state files: an event precedes the notifications of its device and app, that of an
    /// identifier only those with a greater or the same identifier.
    package enum Kind: UInt8 {
        case settings, badge, app, thread, result, identifier

        package init(_ scope: RemovalScope) {
            switch scope {
            case .app: self = .app
            case .thread: self = .thread
            case .identifier: self = .identifier
            }
        }

        /// The scope of a removal; nil for other events.
        var removal: RemovalScope? {
            switch self {
            case .app: .app
            case .thread: .thread
            case .identifier: .identifier
            case .settings, .badge, .result: nil
            }
        }
    }

    let kind: Kind
    let device: TextRange
    let app: TextRange
    let text: TextRange

    /// Replaces the contents of `key` with the key of a scope.
    static func makeKey(
        _ kind: Kind, device: Span<UInt8>, app: Span<UInt8>, text: Span<UInt8> = Span(), _ key: inout [UInt8]
    ) {
        key.removeAll(keepingCapacity: true)
        key.append(kind.rawValue)
        for count in [device.count, app.count] {
            for shift in stride(from: 0, to: 32, by: 8) {
                key.append(UInt8(truncatingIfNeeded: count >> shift))
            }
        }
        key.append(device)
        key.append(app)
        key.append(text)
    }

    /// Finds the parts of a key.
    init(_ key: Span<UInt8>) {
        guard let kind = Kind(rawValue: key[0]) else {
            preconditionFailure("a scope's key begins with its kind")
        }
        func count(at offset: Int) -> Int { (0..<4).reduce(0) { $0 | Int(key[offset + $1]) << (8 * $1) } }
        let start = 9
        let app = start + count(at: 1)
        let text = app + count(at: 5)
        self.kind = kind
        device = TextRange(start..<app)
        self.app = TextRange(app..<text)
        self.text = TextRange(text..<key.count)
    }

    /// Whether a key precedes another one: by device, app, kind and text.
    static func precedes(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Bool {
        let (a, b) = (EventScope(first), EventScope(second))
        let devices = first[a.device].compare(to: second[b.device])
        if devices != 0 { return devices < 0 }
        let apps = first[a.app].compare(to: second[b.app])
        if apps != 0 { return apps < 0 }
        if a.kind != b.kind { return a.kind.rawValue < b.kind.rawValue }
        return first[a.text].compare(to: second[b.text]) < 0
    }
}

/// Events of one kind by scope, those of each scope ascending.
///
///     key ──▶ | element | element | …
///
/// Memory: a key takes its texts, an element its size, up to twice while its list grows.
struct ScopedEvents<Element: Ordered & Sendable>: Sendable {
    private(set) var keys = SymbolTable()
    /// By the key's symbol, minus 1; never empty.
    private(set) var lists: [OrderedList<Element>] = []
    /// The number of elements.
    private(set) var count = 0

    /// The memory in use, in bytes, and that for sorting the keys.
    var heldBytes: Int {
        keys.heldBytes + lists.capacity * (OrderedList<Element>.listBytes + MemoryLayout<UInt64>.stride)
            + 2 * count * MemoryLayout<Element>.stride
    }

    /// Adds an element, unless its scope has a newer one of the same interval.
    mutating func add(
        _ element: Element, _ key: Span<UInt8>, _ timeline: Timeline?
    ) -> OrderedList<Element>.Addition {
        let addition = lists[index(for: key)].add(element, timeline)
        if case .inserted = addition { count += 1 }
        return addition
    }

    /// Adds an element, and lets `body` change it and those after it.
    mutating func insert(
        _ element: Element, _ key: Span<UInt8>,
        _ body: (inout OrderedList<Element>, ListPosition) -> Void
    ) {
        let index = index(for: key)
        let position = lists[index].insert(element)
        count += 1
        body(&lists[index], position)
    }

    /// Removes elements of a list, in ascending order, but not all of them.
    mutating func removeAll(ofListAt index: Int, where isRemoved: (Element) -> Bool) {
        count -= lists[index].count
        lists[index].removeAll(where: isRemoved)
        count += lists[index].count
    }

    private mutating func index(for key: Span<UInt8>) -> Int {
        let symbol = Int(keys.symbol(for: key))
        if symbol > lists.count { lists.append(OrderedList()) }
        return symbol - 1
    }

    /// Returns the index of the list with a key; nil if there is none.
    func find(_ key: Span<UInt8>) -> Int? { keys.find(key).map { Int($0) - 1 } }

    /// Returns the key of a list.
    @_lifetime(borrow self)
    func key(of index: Int) -> Span<UInt8> { keys.text(of: UInt32(index + 1)) }
}
