import SheafBytes
import SheafGroups

/// Groups as values, for programs that embed the engine.
extension GroupRenderer {
    /// Returns what the line of a group would have.
    mutating func snapshot(
        _ state: GroupState, of store: borrowing GroupStore, shard: Int
    ) -> GroupSnapshot {
        let group = compose(state, of: store, shard: shard)
        guard group.isLocalized else {
            return snapshot(group, store.leadingBytes(of: state), state, store)
        }
        // A copy, because the renderer is mutated while the texts are read.
        let texts = alerts.texts
        return snapshot(group, texts.span, state, store)
    }

    /// - Parameter bytes: the buffer that holds the leading notification's texts.
    private mutating func snapshot(
        _ group: Group, _ bytes: Span<UInt8>, _ state: GroupState, _ store: borrowing GroupStore
    ) -> GroupSnapshot {
        let leading = notification(
            group.leading, in: bytes, category: store.category(store.leadingCategory(of: state)))
        let text = summary.isEmpty ? nil : summary.span.string
        let hidden = GroupSnapshot.Texts(
            title: group.category.showsHiddenTitle ? leading.title : nil,
            subtitle: group.category.showsHiddenSubtitle ? leading.subtitle : nil,
            body: hiddenBody.span.stringOrNil)
        let display =
            group.hidesPreviews
            ? GroupSnapshot.Display(
                title: hidden.title, subtitle: hidden.subtitle, body: hidden.body, summary: nil)
            : GroupSnapshot.Display(
                title: leading.title, subtitle: leading.subtitle, body: leading.body, summary: text)
        store.sortByName(&tallies)
        return GroupSnapshot(
            device: byDevice ? bytes[group.leading.device].stringOrNil : nil,
            app: store.app(of: state).string,
            thread: bytes[group.leading.thread].stringOrNil, count: group.count, total: group.total,
            leading: leading, summary: text.map { GroupSnapshot.Summary(more: group.more, text: $0) },
            arguments: arguments.map { store.text(of: $0).string },
            argumentsTruncated: group.argumentsTruncated, hidden: hidden, display: display,
            categories: tallies.map {
                GroupSnapshot.CategoryCount(
                    category: store.category($0.category).stringOrNil, count: $0.count, weight: $0.weight)
            },
            otherCategories: others.map { GroupSnapshot.OtherCategories(count: $0.count, weight: $0.weight) },
            first: state.first, last: state.last,
            delivery: store.delivery(of: state).map {
                GroupSnapshot.DeliveryCounts(
                    critical: $0.critical, timeSensitive: $0.timeSensitive, active: $0.active,
                    passive: $0.passive,
                    banners: $0.banners, sounds: $0.sounds, mutable: $0.mutable)
            })
    }

    /// Returns a notification as it is shown, apart from any group.
    mutating func notification(_ record: NotificationRecord, in bytes: Span<UInt8>) -> ShownNotification {
        let category = bytes[record.category]
        guard AlertResolver.isNeeded(for: record, in: bytes) else {
            return notification(record, in: bytes, category: category)
        }
        // Without the other texts in the buffer, which would be copied.
        var shown = record
        var texts: [UInt8] = []
        shown.moveTexts { texts.appendText(bytes[$0]) }
        let app = texts.span[shown.app]
        alerts.resolve(&shown, in: texts.span, of: app, for: presentation)
        return notification(shown, in: alerts.texts.span, category: category)
    }

    /// - Parameter record: a notification whose texts are resolved.
    private func notification(
        _ record: NotificationRecord, in bytes: Span<UInt8>, category: Span<UInt8>
    ) -> ShownNotification {
        ShownNotification(
            id: bytes[record.identifier].stringOrNil, timestamp: record.order.timestamp,
            title: bytes[record.title].stringOrNil, subtitle: bytes[record.subtitle].stringOrNil,
            body: bytes[record.body].stringOrNil, category: category.stringOrNil,
            source: names.path(record.order.source).span.string, line: record.order.line)
    }
}

extension Span where Element == UInt8 {
    /// The text; nil if it is empty.
    fileprivate var stringOrNil: String? { isEmpty ? nil : string }
}
