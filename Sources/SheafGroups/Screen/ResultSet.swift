import SheafBytes

/// The newest content that service extensions returned for each notification (specification §16): with a timeline,
/// that of each interval.
///
/// A content takes 48 bytes and its texts.
package struct ResultSet: Sendable {
    private(set) var events = ScopedEvents<Content>()
    private var texts = NotificationStore()
    private let timeline: Timeline?

    struct Content: Ordered, Sendable {
        let order: OrderKey
        let weight: UInt32
        let traits: NotificationTraits
        let grouping: Grouping
        let texts: PackedNotification
    }

    init(_ timeline: Timeline?) { self.timeline = timeline }

    /// The number of results that are kept.
    package var count: Int { events.count }

    /// The memory in use, in bytes.
    var heldBytes: Int { events.heldBytes + texts.heldBytes }

    /// Keeps a result, unless there is a newer one for the same notification and interval.
    ///
    /// - Parameters:
    ///   - result: the content; its collapse identifier is that of the notification.
    ///   - key: a buffer for the scope's key.
    /// - Returns: whether it is kept.
    mutating func add(_ result: NotificationRecord, in bytes: Span<UInt8>, key: inout [UInt8]) -> Bool {
        EventScope.makeKey(
            .result, device: bytes[result.device], app: bytes[result.app],
            text: bytes[result.collapseIdentifier], &key)
        let content = Content(
            order: result.order, weight: result.weight, traits: result.traits, grouping: result.grouping,
            texts: texts.insert(result, in: bytes))
        switch events.add(content, key.span, timeline) {
        case .inserted: break
        case .replaced(let last): texts.remove(last.texts)
        case .outdated:
            texts.remove(content.texts)
            return false
        }
        return true
    }

    /// Calls `body` with the notification that has a content, and the buffer of its texts.
    func withRecord<Result>(
        of content: Content, _ body: (NotificationRecord, Span<UInt8>) -> Result
    ) -> Result {
        var record = texts.record(of: content.texts)
        (record.order, record.weight) = (content.order, content.weight)
        (record.grouping, record.traits) = (content.grouping, content.traits)
        return body(record, texts.bytes(of: content.texts))
    }

    /// Calls `body` with the lists of results for a notification, by either of its identifiers, on its device or on any,
    /// and in each the position of the first result that is newer than the notification.
    ///
    /// A removal names what is on screen, which a device knows by the collapse identifier, or else by the id. A result is
    /// of one push: among pushes with the same collapse identifier, only the id tells which one, so that a late result
    /// of an earlier version does not replace the content of a later one.
    ///
    /// Whether the notification has `mutable-content` does not matter: a result is evidence that an extension ran,
    /// whereas logs of pushes often lack what the sending service adds. Checks report such results.
    private func forEachList(
        for record: NotificationRecord, in bytes: Span<UInt8>, key: inout [UInt8],
        _ body: (OrderedList<Content>, ListPosition) -> Void
    ) {
        guard count > 0 else { return }
        for device in [record.device, .none] {
            for identifier in [record.collapseIdentifier, record.identifier] where !identifier.isEmpty {
                EventScope.makeKey(
                    .result, device: bytes[device], app: bytes[record.app], text: bytes[identifier], &key)
                guard let index = events.find(key.span) else { continue }
                body(events.lists[index], events.lists[index].position(newerThan: record.order))
            }
            if record.device.isEmpty { return }
        }
    }

    /// Returns the newest result for a notification that is newer than it; nil if there is none.
    func newest(for record: NotificationRecord, in bytes: Span<UInt8>, key: inout [UInt8]) -> Content? {
        var newest: Content?
        forEachList(for: record, in: bytes, key: &key) { list, position in
            guard !list.isEnd(position), let last = list.last else { return }
            if newest.map({ $0.order < last.order }) ?? true { newest = last }
        }
        return newest
    }

    /// Returns the results for a notification that are newer than it, in any order. O(log n), and O(1) for each of them.
    ///
    /// - Parameter isIncluded: whether to include a result; those after one that is not are not included either.
    func all(
        for record: NotificationRecord, in bytes: Span<UInt8>, key: inout [UInt8],
        while isIncluded: (OrderKey) -> Bool
    ) -> [Content] {
        var found: [Content] = []
        forEachList(for: record, in: bytes, key: &key) { list, first in
            var position = first
            while !list.isEnd(position), isIncluded(list[position].order) {
                found.append(list[position])
                position = list.position(after: position)
            }
        }
        return found
    }
}
