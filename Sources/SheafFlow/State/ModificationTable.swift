import SheafBytes
import SheafGroups

/// The newest content that service extensions returned for each notification (specification §16): with a timeline,
/// those of each interval.
///
///     device or any, app, identifier ──▶ | order, content | order, content | …       ascending, one per interval
///
/// A content takes 48 bytes and its texts. Adding results in any order gives the same table.
struct ModificationTable: Sendable {
    private var index = HashIndex()
    private var lists: [NewestByInterval<Content>] = []
    private var texts = NotificationStore()
    private let timeline: Timeline?

    private struct Content: Ordered, Sendable {
        let order: OrderKey
        let weight: UInt32
        let traits: NotificationTraits
        let grouping: Grouping
        let texts: PackedNotification
    }

    /// A result in the table.
    struct Element {
        let order: OrderKey
        fileprivate let list: UInt32
        fileprivate let index: UInt32
    }

    init(_ timeline: Timeline?) { self.timeline = timeline }

    /// The number of results that are kept.
    private(set) var count = 0

    /// The memory in use, in bytes, and that for sorting the results.
    var heldBytes: Int {
        index.heldBytes + texts.heldBytes + lists.capacity * NewestByInterval<Content>.listBytes
            + 2 * count * MemoryLayout<Content>.stride + count * MemoryLayout<Element>.stride
    }

    /// Keeps a result, unless the table has a newer one for the same notification and interval.
    ///
    /// - Parameter result: the content; its collapse identifier is that of the notification.
    /// - Returns: whether it is kept.
    @discardableResult
    mutating func add(_ result: NotificationRecord, in bytes: Span<UInt8>) -> Bool {
        let hash = Routing.identityHash(result, in: bytes)
        let list = find(result, in: bytes, hash) ?? lists.count
        if list == lists.count {
            lists.append(NewestByInterval())
            index.insert(list, hash: hash)
        }
        let content = Content(
            order: result.order, weight: result.weight, traits: result.traits, grouping: result.grouping,
            texts: texts.insert(result, in: bytes))
        switch lists[list].add(content, timeline) {
        case .inserted: count += 1
        case .replaced(let last): texts.remove(last.texts)
        case .outdated:
            texts.remove(content.texts)
            return false
        }
        return true
    }

    /// Adds all results of another table.
    mutating func add(_ other: ModificationTable) {
        for element in other.all { other.withResult(element) { _ = add($0, in: $1) } }
    }

    private func find(_ key: NotificationRecord, in bytes: Span<UInt8>, _ hash: UInt64) -> Int? {
        // A list is never empty.
        index.find(hash) { texts.isSameNotification(lists[$0].elements[0].texts, key, in: bytes) }
    }
}

// MARK: - Reading

extension ModificationTable {
    /// All results.
    var all: [Element] {
        lists.indices.flatMap { list in lists[list].elements.indices.map { element(list, $0) } }
    }

    private func element(_ list: Int, _ index: Int) -> Element {
        Element(
            order: lists[list].elements[index].order, list: UInt32(list), index: UInt32(index))
    }

    /// Returns all results in the order of `NotificationEntry`. O(n log n).
    func sorted() -> [Element] {
        all.sorted { first, second in
            if first.list == second.list { return first.index < second.index }
            return withResult(first) { mine, texts in
                withResult(second) { theirs, otherTexts in
                    let devices = texts[mine.device].compare(to: otherTexts[theirs.device])
                    if devices != 0 { return devices < 0 }
                    let apps = texts[mine.app].compare(to: otherTexts[theirs.app])
                    if apps != 0 { return apps < 0 }
                    let identifier = texts[mine.collapseIdentifier]
                    return identifier.compare(to: otherTexts[theirs.collapseIdentifier]) < 0
                }
            }
        }
    }

    /// Calls `body` with a result and the buffer of its texts.
    func withResult<Result>(
        _ element: Element, _ body: (NotificationRecord, Span<UInt8>) -> Result
    ) -> Result {
        let content = lists[Int(element.list)].elements[Int(element.index)]
        var record = texts.record(of: content.texts)
        (record.order, record.weight) = (content.order, content.weight)
        (record.grouping, record.traits) = (content.grouping, content.traits)
        return body(record, texts.bytes(of: content.texts))
    }

    /// Calls `body` with the results for a notification that are newer than it, by either of its identifiers, on its
    /// device or on any.
    ///
    /// A removal names what is on screen, which a device knows by the collapse identifier, or else by the id. A result is
    /// of one push: among pushes with the same collapse identifier, only the id tells which one, so that a late result
    /// of an earlier version does not replace the content of a later one.
    ///
    /// Whether the notification has `mutable-content` does not matter: a result is evidence that an extension ran,
    /// whereas logs of pushes often lack what the sending service adds. Checks report such results.
    private func forEachResult(
        for record: NotificationRecord, in bytes: Span<UInt8>, _ body: (Int, Range<Int>) -> Void
    ) {
        guard count > 0 else { return }
        var key = NotificationRecord()
        key.app = record.app
        for device in [record.device, .none] {
            key.device = device
            for identifier in [record.collapseIdentifier, record.identifier] where !identifier.isEmpty {
                key.collapseIdentifier = identifier
                guard let list = find(key, in: bytes, Routing.identityHash(key, in: bytes)) else { continue }
                body(list, lists[list].firstIndex(newerThan: record.order)..<lists[list].elements.count)
            }
            if record.device.isEmpty { return }
        }
    }

    /// Returns the newest result for a notification that is newer than it; nil if there is none.
    func newest(for record: NotificationRecord, in bytes: Span<UInt8>) -> Element? {
        var newest: Element?
        forEachResult(for: record, in: bytes) { list, indices in
            guard let last = indices.last else { return }
            let found = element(list, last)
            if newest.map({ $0.order < found.order }) ?? true { newest = found }
        }
        return newest
    }

    /// Returns the results for a notification that are newer than it, in any order. O(log n), and O(1) for each of them.
    ///
    /// - Parameter isIncluded: whether to include a result; those after one that is not are not included either.
    func all(
        for record: NotificationRecord, in bytes: Span<UInt8>, while isIncluded: (OrderKey) -> Bool
    ) -> [Element] {
        var found: [Element] = []
        forEachResult(for: record, in: bytes) { list, indices in
            for index in indices {
                let result = element(list, index)
                guard isIncluded(result.order) else { break }
                found.append(result)
            }
        }
        return found
    }

    /// Replaces a notification's content by a result.
    ///
    /// - Parameter buffer: becomes the buffer of the notification's texts.
    func replaceContent(
        of record: inout NotificationRecord, in bytes: Span<UInt8>, by element: Element,
        into buffer: inout [UInt8]
    ) {
        buffer.removeAll(keepingCapacity: true)
        record.moveTexts { buffer.appendText(bytes[$0]) }
        withResult(element) { result, texts in
            var result = result
            result.moveTexts { buffer.appendText(texts[$0]) }
            record.replaceContent(by: result)
        }
    }
}
