import SheafBytes
import SheafGroups

/// A record of a state file's section, comparable in the section's order.
protocol StateRecord {
    static var section: StateSection { get }

    /// The order key of the notification, or of the group's newest notification.
    var newest: OrderKey { get }

    /// The number of notifications in the record.
    var notificationCount: UInt64 { get }
    /// The number of first bytes that contain everything `compare` needs.
    var keyBytes: Int { get }
    /// Whether the bytes can be written again unchanged.
    var isCanonical: Bool { get }

    /// Decodes a record; nil if the bytes are invalid.
    init?(_ bytes: Span<UInt8>, sourceOffset: Int)

    /// Whether the record is grouped according to `rules`.
    func isGrouped(by rules: GroupingRules, in bytes: Span<UInt8>) -> Bool

    /// Returns a negative number if this record precedes `other`, 0 if their keys are equal.
    func compare(
        _ bytes: Span<UInt8>, to other: Self, _ otherBytes: Span<UInt8>
    ) -> Int
}

/// A notification that a newer version may replace, in the order of its identity.
struct NotificationEntry: StateRecord {
    static var section: StateSection { .notifications }

    let record: NotificationRecord
    var newest: OrderKey { record.order }
    var notificationCount: UInt64 { 1 }
    var isCanonical: Bool { true }
    var keyBytes: Int { record.collapseIdentifier.range.upperBound }

    init?(_ bytes: Span<UInt8>, sourceOffset: Int) {
        guard let record = EncodedNotification.record(bytes, sourceOffset: sourceOffset) else { return nil }
        self.record = record
    }

    func isGrouped(by rules: GroupingRules, in bytes: Span<UInt8>) -> Bool {
        record.grouping == rules.grouping(of: bytes[record.app])
            && (record.grouping != .byApp || record.thread.isEmpty)
    }

    func compare(_ bytes: Span<UInt8>, to other: Self, _ otherBytes: Span<UInt8>) -> Int {
        let devices = bytes[record.device].compare(to: otherBytes[other.record.device])
        if devices != 0 { return devices }
        let apps = bytes[record.app].compare(to: otherBytes[other.record.app])
        if apps != 0 { return apps }
        return bytes[record.collapseIdentifier].compare(to: otherBytes[other.record.collapseIdentifier])
    }
}

/// A group's state, in the order of the group's key.
struct GroupEntry: StateRecord {
    static var section: StateSection { .groups }

    let group: EncodedGroup
    var newest: OrderKey { group.leading.order }
    var notificationCount: UInt64 { group.notificationCount }
    var isCanonical: Bool { group.isCanonical }
    var keyBytes: Int { group.leading.thread.range.upperBound }

    init?(_ bytes: Span<UInt8>, sourceOffset: Int) {
        guard let group = EncodedGroup(bytes, sourceOffset: sourceOffset) else { return nil }
        self.group = group
    }

    func isGrouped(by rules: GroupingRules, in bytes: Span<UInt8>) -> Bool {
        let grouping = rules.grouping(of: bytes[group.leading.app])
        return group.isAlone == (grouping == .off) && (grouping != .byApp || group.leading.thread.isEmpty)
    }

    func compare(_ bytes: Span<UInt8>, to other: Self, _ otherBytes: Span<UInt8>) -> Int {
        let (mine, theirs) = (group.leading, other.group.leading)
        let devices = bytes[mine.device].compare(to: otherBytes[theirs.device])
        if devices != 0 { return devices }
        let apps = bytes[mine.app].compare(to: otherBytes[theirs.app])
        if apps != 0 { return apps }
        let threads = bytes[mine.thread].compare(to: otherBytes[theirs.thread])
        if threads != 0 { return threads }
        // With grouping `off`, groups share their key with others: the newest comes first.
        if group.isAlone != other.group.isAlone { return group.isAlone ? 1 : -1 }
        if !group.isAlone || mine.order == theirs.order { return 0 }
        return mine.order > theirs.order ? -1 : 1
    }
}

/// A complete group's state, in the order of recency: the newest leading notification first.
struct RecentEntry: StateRecord {
    static var section: StateSection { .groups }

    let newest: OrderKey
    let notificationCount: UInt64
    let isCanonical: Bool
    var keyBytes: Int { 0 }

    init?(_ bytes: Span<UInt8>, sourceOffset: Int) {
        guard let group = EncodedGroup(bytes, sourceOffset: sourceOffset) else { return nil }
        newest = group.leading.order
        notificationCount = group.notificationCount
        isCanonical = group.isCanonical
    }

    /// Always true: only this run's own files are in this order.
    func isGrouped(by rules: GroupingRules, in bytes: Span<UInt8>) -> Bool { true }

    func compare(_ bytes: Span<UInt8>, to other: Self, _ otherBytes: Span<UInt8>) -> Int {
        newest == other.newest ? 0 : newest > other.newest ? -1 : 1
    }
}

extension StateFile {
    /// Whether a record is consistent with the file's sources, counts and grouping.
    ///
    /// - Parameter count: the number of notifications in this record and the preceding ones.
    func canHold(_ entry: some StateRecord, _ count: UInt64, in bytes: Span<UInt8>) -> Bool {
        guard entry.newest.source < sourceOffset + sourceCount, count <= notificationCount else {
            return false
        }
        return rules.map { entry.isGrouped(by: $0, in: bytes) } ?? true
    }
}
