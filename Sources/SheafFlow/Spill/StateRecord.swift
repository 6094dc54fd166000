import SheafBytes
import SheafGroups

/// A record of a section, as merging sees it: where it stands in the section's order.
protocol StateRecord {
    static var section: StateSection { get }

    /// Where the notification stood, or the newest one of the group.
    var newest: OrderKey { get }

    /// How many notifications it is made of.
    var notificationCount: UInt64 { get }
    /// How many first bytes hold all that it is compared by.
    var keyBytes: Int { get }
    /// Whether its bytes can be written again as they are.
    var isCanonical: Bool { get }

    /// nil when the bytes make no sense.
    init?(_ bytes: Span<UInt8>, sourceOffset: Int)

    /// Whether it is grouped so.
    func isGrouped(by rules: GroupingRules, in bytes: Span<UInt8>) -> Bool

    /// Negative when this record comes first, 0 when the two are of one key.
    func compare(
        _ bytes: Span<UInt8>, to other: Self, _ otherBytes: Span<UInt8>
    ) -> Int
}

/// A notification that a newer version may replace, by what its versions have in common.
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

/// A group's state, by the group's key.
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
        // Groups that are alone share their key with others: the newest comes first.
        if group.isAlone != other.group.isAlone { return group.isAlone ? 1 : -1 }
        if !group.isAlone || mine.order == theirs.order { return 0 }
        return mine.order > theirs.order ? -1 : 1
    }
}

/// A group's state that nothing joins any more, by recency: the newest leading notification first.
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

    /// Only what this run wrote is in this order.
    func isGrouped(by rules: GroupingRules, in bytes: Span<UInt8>) -> Bool { true }

    func compare(_ bytes: Span<UInt8>, to other: Self, _ otherBytes: Span<UInt8>) -> Int {
        newest == other.newest ? 0 : newest > other.newest ? -1 : 1
    }
}

extension StateFile {
    /// Whether a record can be of what the file says that it is of.
    ///
    /// - Parameter count: how many notifications it and those before it are made of.
    func canHold(_ entry: some StateRecord, _ count: UInt64, in bytes: Span<UInt8>) -> Bool {
        guard entry.newest.source < sourceOffset + sourceCount, count <= notificationCount else {
            return false
        }
        return rules.map { entry.isGrouped(by: $0, in: bytes) } ?? true
    }
}
