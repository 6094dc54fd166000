import SheafBytes
import SheafGroups

/// The records of an interval whose snapshot is not due yet.
struct IntervalBucket {
    /// The notifications that nothing can remove, as states of their groups.
    private var groups: GroupTable
    /// By the group's index: the hash of its key, and whether its notifications are alone.
    private var keys: [(hash: UInt64, isAlone: Bool)] = []
    /// All other notifications, the removals, and the results of service extensions, with the texts of all.
    private var tracked: [RoutedRecord] = []
    private var removals: [RemovalRecord] = []
    private var modifications: [NotificationRecord] = []
    private var texts: [UInt8] = []

    init(maximumArguments: Int) { groups = GroupTable(maximumArguments: maximumArguments) }

    /// The memory in use, in bytes.
    var heldBytes: Int {
        groups.heldBytes + keys.capacity * MemoryLayout<(hash: UInt64, isAlone: Bool)>.stride
            + tracked.capacity * MemoryLayout<RoutedRecord>.stride
            + removals.capacity * MemoryLayout<RemovalRecord>.stride
            + modifications.capacity * MemoryLayout<NotificationRecord>.stride + texts.capacity
    }

    /// - Parameter isTracked: whether the notification may be replaced or removed.
    mutating func add(_ item: RoutedRecord, in bytes: Span<UInt8>, isTracked: Bool) {
        guard isTracked else {
            let count = groups.count
            groups.add(item.record, in: bytes, hash: item.groupHash)
            if groups.count > count { keys.append((item.groupHash, item.record.grouping == .off)) }
            return
        }
        var item = item
        item.record.moveTexts { texts.appendText(bytes[$0]) }
        tracked.append(item)
    }

    mutating func add(_ removal: RemovalRecord, in bytes: Span<UInt8>) {
        var removal = removal
        removal.app = texts.appendText(bytes[removal.app])
        removal.device = texts.appendText(bytes[removal.device])
        removal.text = texts.appendText(bytes[removal.text])
        removals.append(removal)
    }

    mutating func add(modification: NotificationRecord, in bytes: Span<UInt8>) {
        var result = modification
        result.moveTexts { texts.appendText(bytes[$0]) }
        modifications.append(result)
    }

    /// Adds the state of a group's notifications.
    mutating func add(_ group: EncodedGroup, in bytes: Span<UInt8>) {
        let count = groups.count
        let hash = Routing.groupHash(group.leading, in: bytes)
        groups.add(group, in: bytes, hash: hash)
        if groups.count > count { keys.append((hash, group.isAlone)) }
    }

    /// Writes the notifications that may be replaced or removed, the removals, and the results.
    func dumpTracked(to writer: inout StateWriter, tracksAll: Bool) throws(ReplayError) {
        var record = OutputBuffer()
        for item in tracked {
            record.removeAll()
            record.append(item.record, in: texts.span, tracksAll: tracksAll)
            try writer.add(record.bytes, to: .notifications)
        }
        for removal in removals {
            record.removeAll()
            EncodedRemoval.append(removal, in: texts.span, to: &record)
            try writer.add(record.bytes, to: .notifications)
        }
        for result in modifications {
            record.removeAll()
            record.append(modification: result, in: texts.span)
            try writer.add(record.bytes, to: .notifications)
        }
    }

    /// Writes the states of the groups.
    func dumpGroups(to writer: inout StateWriter, _ rules: GroupingRules) throws(ReplayError) {
        try writer.addUnsorted(groups, rules)
    }

    /// Adds all records to a table.
    func move(to table: inout LiveTable) {
        for index in 0..<groups.count {
            table.merge(
                groups.states[index], of: groups.store, hash: keys[index].hash, isAlone: keys[index].isAlone)
        }
        for item in tracked { table.add(item, in: texts.span) }
        for removal in removals { table.remove(removal, in: texts.span) }
        for result in modifications { table.modify(result, in: texts.span) }
    }
}
