import SheafBytes
import SheafGroups

/// Buffers the rows that a table adds.
struct ShownBuffer {
    private let shown: ShownNotifications
    private var rows = ContiguousArray<Row>()
    /// The numbers of apps by their symbols in the table's store; nil for those whose notifications do not matter.
    private var numbers: [UInt32?] = []

    /// The number of rows that are added at once.
    private static let capacity = 4096

    init(_ shown: ShownNotifications) { self.shown = shown }

    /// Adds a notification.
    ///
    /// - Parameters:
    ///   - hash: that of the group's key.
    ///   - symbol: that of the app in the store.
    mutating func add(
        _ record: NotificationRecord, in bytes: Span<UInt8>, _ hash: UInt64, _ symbol: UInt32,
        in store: borrowing GroupStore
    ) {
        while numbers.count <= Int(symbol) {
            let name = store.apps.text(of: UInt32(numbers.count))
            numbers.append(shown.isWanted(name) ? shown.apps.number(of: name) : nil)
        }
        guard let number = numbers[Int(symbol)] else { return }
        let order = record.order
        rows.append(
            ShownNotifications.row(
                source: order.source, line: order.line, index: order.index, app: number,
                isAlone: shown.areKept && record.grouping == .off,
                hash: shown.areKept ? Routing.keptKeyHash(record, in: bytes) : hash))
        if rows.count >= Self.capacity { flush() }
    }

    /// Passes on the rows that are left.
    mutating func flush() {
        shown.receive(rows)
        rows.removeAll(keepingCapacity: true)
    }
}
