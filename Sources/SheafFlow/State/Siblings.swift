import SheafBytes
import SheafGroups

/// Notifications of one device, app and id that do not replace each other: each result of a service extension is for
/// all of them that are older.
///
///     notifications      a   b      c              one kind: the same thread, category, traits and settings
///     results                  1      2
///     lifetimes                a b    a b c        one for each result and kind
///
/// A lifetime for each result of each notification would be O(n²). When a result comes, those of its notifications that
/// are on screen have the same content, and differ only in their order keys.
struct Siblings {
    /// The first one, and its texts.
    let first: NotificationEntry
    let texts: [UInt8]
    /// The newest result of each interval, ascending; never empty.
    let results: [Judge.Result]
    private(set) var kinds: [Kind] = []
    private var index: [[UInt8]: Int] = [:]

    /// Notifications that are equal with any new content, except for their order keys.
    struct Kind {
        let record: NotificationRecord
        let texts: [UInt8]
        /// Ascending.
        fileprivate(set) var orders: [OrderKey]
    }

    init(_ first: NotificationEntry, _ texts: [UInt8], _ results: [Judge.Result]) {
        precondition(!results.isEmpty, "notifications without results share nothing")
        (self.first, self.texts, self.results) = (first, texts, results)
    }

    /// Returns the oldest result that is newer than a notification; nil if all are older. O(log n).
    func firstResult(after order: OrderKey) -> Judge.Result? {
        let index = results.indices.partitioningIndex { order < results[$0].order }
        return index < results.count ? results[index] : nil
    }

    /// Adds a notification, which is newer than all before it.
    ///
    /// - Parameter settings: those that apply to it.
    mutating func add(_ record: NotificationRecord, in bytes: Span<UInt8>, _ settings: UserSettings) {
        var key: [UInt8] = []
        for number in [UInt64(record.traits.bits)] + settings.words + [UInt64(bytes[record.thread].count)] {
            key += (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        key.append(bytes[record.thread])
        key.append(bytes[record.category])
        if let known = index[key] {
            kinds[known].orders.append(record.order)
        } else {
            index[key] = kinds.count
            var texts: [UInt8] = []
            texts.append(bytes)
            kinds.append(Kind(record: record, texts: texts, orders: [record.order]))
        }
    }
}

extension Siblings.Kind {
    /// Returns the first of the oldest `count` notifications for which `isIncluded` holds, which is so for all after
    /// it; `count` if it holds for none. Calls it O(log n) times.
    func firstIndex(of count: Int, where isIncluded: (OrderKey) -> Bool) -> Int {
        orders[..<count].partitioningIndex(where: isIncluded)
    }

    /// Returns the notification with one of the order keys.
    func record(at index: Int) -> NotificationRecord {
        var record = record
        record.order = orders[index]
        return record
    }
}
