import SheafBytes
import SheafGroups

/// A group of a snapshot, as a value: what its line has as JSON (specification §10).
///
/// ```swift
/// for group in try LiveGroups().snapshot() {
///     print(group.app, group.display.title ?? "", group.display.summary ?? "")
/// }
/// ```
///
/// Its coded form has the names and the structure of a line, so that a decoder reads the lines that a replay has
/// written, except for those of groups that have been emptied (`"count":0`).
public struct GroupSnapshot: Sendable, Hashable, Codable {
    /// nil if groups are not separated by device, or if the notifications have none.
    public let device: String?
    public let app: String
    /// nil if the notifications have none, or if the app groups by app.
    public let thread: String?
    /// The number of notifications.
    public let count: UInt64
    /// The number of items that the notifications stand for: the sum of their summary argument counts.
    public let total: UInt64
    /// The newest notification.
    public let leading: ShownNotification
    /// nil for a single notification.
    public let summary: Summary?
    /// The distinct summary arguments of the notifications below the leading one, newest first.
    public let arguments: [String]
    /// Whether there are more arguments than the group keeps.
    public let argumentsTruncated: Bool
    /// What is shown of the leading notification while previews are hidden.
    public let hidden: Texts
    /// What is shown.
    public let display: Display
    /// The categories in byte order of their names; notifications without one come first.
    public let categories: [CategoryCount]
    /// The sums over the categories that are not in the list, because a group keeps only some of them.
    public let otherCategories: OtherCategories?
    /// The oldest and the newest timestamp, in milliseconds since 1970; 0 for notifications without one.
    public let first: Int64
    public let last: Int64
    /// nil if it is not tracked.
    public let delivery: DeliveryCounts?

    /// The text under a stack.
    public struct Summary: Sendable, Hashable, Codable {
        /// The number of items that the notifications below the leading one stand for.
        public let more: UInt64
        public let text: String
    }

    /// The texts of a notification; nil for those that it does not have.
    public struct Texts: Sendable, Hashable, Codable {
        public let title: String?
        public let subtitle: String?
        public let body: String?
    }

    /// The texts on the screen, with the summary unless previews are hidden.
    public struct Display: Sendable, Hashable, Codable {
        public let title: String?
        public let subtitle: String?
        public let body: String?
        public let summary: String?
    }

    /// How many of the notifications have a category.
    public struct CategoryCount: Sendable, Hashable, Codable {
        /// nil for notifications without a category.
        public let category: String?
        public let count: UInt64
        /// The sum of the summary argument counts.
        public let weight: UInt64
    }

    /// The effects of the notifications.
    public struct DeliveryCounts: Sendable, Hashable, Codable {
        public let critical: UInt64
        public let timeSensitive: UInt64
        public let active: UInt64
        public let passive: UInt64
        /// The number of those that showed a banner, and of those that played a sound.
        public let banners: UInt64
        public let sounds: UInt64
        /// The number of those whose texts a service extension may have changed.
        public let mutable: UInt64
    }

    /// How many of the notifications have a category that is not in the list.
    public struct OtherCategories: Sendable, Hashable, Codable {
        public let count: UInt64
        public let weight: UInt64
    }
}

/// A notification as a value.
public struct ShownNotification: Sendable, Hashable, Codable {
    public let id: String?
    /// In milliseconds since 1970; 0 if the record had none.
    public let timestamp: Int64
    public let title: String?
    public let subtitle: String?
    public let body: String?
    public let category: String?
    /// The name of the source that had the record, and its line there, from 1.
    public let source: String
    public let line: UInt64
}

// MARK: - Rendering

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
        let texts = shown.alerts.texts
        return snapshot(group, texts.span, state, store)
    }

    /// - Parameter bytes: the buffer that holds the leading notification's texts.
    private mutating func snapshot(
        _ group: Group, _ bytes: Span<UInt8>, _ state: GroupState, _ store: borrowing GroupStore
    ) -> GroupSnapshot {
        let leading = notification(
            group.leading, in: bytes, id: CompactText.string(bytes[group.leading.identifier]),
            category: store.category(store.leadingCategory(of: state)))
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
            return notification(record, in: bytes, id: bytes[record.identifier].string, category: category)
        }
        select(record.effect.locale)
        // Without the other texts in the buffer, which would be copied.
        var resolved = record
        var texts: [UInt8] = []
        resolved.moveTexts { texts.appendText(bytes[$0]) }
        let (app, presentation) = (texts.span[resolved.app], shown.presentation)
        shown.alerts.resolve(&resolved, in: texts.span, of: app, for: presentation)
        return notification(
            resolved, in: shown.alerts.texts.span, id: bytes[record.identifier].string, category: category)
    }

    /// - Parameter record: a notification whose texts are resolved.
    private func notification(
        _ record: NotificationRecord, in bytes: Span<UInt8>, id: String, category: Span<UInt8>
    ) -> ShownNotification {
        ShownNotification(
            id: id.isEmpty ? nil : id, timestamp: record.order.timestamp,
            title: bytes[record.title].stringOrNil, subtitle: bytes[record.subtitle].stringOrNil,
            body: bytes[record.body].stringOrNil, category: category.stringOrNil,
            source: names.path(record.order.source).span.string, line: record.order.line)
    }
}

extension Span where Element == UInt8 {
    /// The text; nil if it is empty.
    fileprivate var stringOrNil: String? { isEmpty ? nil : string }
}
