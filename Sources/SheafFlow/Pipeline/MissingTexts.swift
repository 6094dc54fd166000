import SheafBytes
import SheafGroups

/// Counts the notifications whose alerts show a key, because no string table of their app has a text for it in the
/// locale of the run.
///
/// The sum and the first notification are the same however records are divided among workers. Memory: the results for
/// `maximumNames` apps and keys.
struct MissingTexts: Sendable {
    /// The number of notifications.
    private(set) var count: UInt64 = 0
    /// The first notification in the order of sources and lines.
    private var first: (order: OrderKey, app: String, key: String)?
    private let strings: ResolvedStrings
    /// Apps and keys that were looked up, each as the app's length, the app and the key: logs repeat them.
    private var known = SymbolTable()
    /// By symbol minus 1: whether no table has the key.
    private var isMissing: [Bool] = []
    private var buffer: [UInt8] = []

    private static let maximumNames = 4_096
    /// The maximum length of an app and a key that are kept. No real ones are longer.
    private static let maximumNameBytes = 512
    /// The length of a key in a warning, in bytes; the rest is left out.
    private static let quotedBytes = 64

    /// - Parameter strings: the string tables; without any, no text is missing.
    init(_ strings: ResolvedStrings = ResolvedStrings()) { self.strings = strings }

    /// Whether any app has string tables. Otherwise `count` is not needed.
    var hasTables: Bool { !strings.isEmpty }

    /// Counts a notification if one of its texts is missing.
    @inline(never)
    mutating func count(_ record: NotificationRecord, in bytes: Span<UInt8>) {
        let text: TextRange
        if isMissing(record.title, of: record, in: bytes) {
            text = record.title
        } else if isMissing(record.subtitle, of: record, in: bytes) {
            text = record.subtitle
        } else if isMissing(record.body, of: record, in: bytes) {
            text = record.body
        } else {
            return
        }
        count += 1
        if let first, Self.precedes(first.order, record.order) { return }
        guard let localized = LocalizedText(bytes[text]) else { return }
        let key = bytes[text].extracting(localized.key)
        first = (
            record.order, bytes[record.app].string,
            key.extracting(first: min(key.count, Self.quotedBytes)).string
        )
    }

    private static func precedes(_ a: OrderKey, _ b: OrderKey) -> Bool {
        (a.source, a.lineAndIndex) < (b.source, b.lineAndIndex)
    }

    private mutating func isMissing(
        _ text: TextRange, of record: NotificationRecord, in bytes: Span<UInt8>
    ) -> Bool {
        guard let localized = LocalizedText(bytes[text]) else { return false }
        return isMissing(bytes[text].extracting(localized.key), of: bytes[record.app])
    }

    private mutating func isMissing(_ key: Span<UInt8>, of app: Span<UInt8>) -> Bool {
        var name: [UInt8] = []
        swap(&name, &buffer)
        defer { swap(&name, &buffer) }
        name.removeAll(keepingCapacity: true)
        for shift in stride(from: 0, to: 32, by: 8) {
            name.append(UInt8(truncatingIfNeeded: app.count >> shift))
        }
        name.append(app)
        name.append(key)
        if let symbol = known.find(name.span) { return isMissing[Int(symbol) - 1] }
        let found = strings.alerts(of: app.string).map { !$0.contains(key.string) } ?? false
        // Keys are as many as a log has: a log of random keys must not fill the memory.
        guard name.count <= Self.maximumNameBytes else { return found }
        if known.count >= Self.maximumNames { (known, isMissing) = (SymbolTable(), []) }
        _ = known.symbol(for: name.span)
        isMissing.append(found)
        return found
    }

    /// Adds the counts of another worker.
    mutating func add(_ other: MissingTexts) {
        count += other.count
        guard let theirs = other.first else { return }
        if first.map({ Self.precedes(theirs.order, $0.order) }) ?? true { first = theirs }
    }

    /// The warning; nil if no text is missing.
    var warning: ReplayWarning? { first.map { .missingTexts(count, app: $0.app, key: $0.key) } }
}
