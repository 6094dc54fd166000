import SheafBytes
import SheafGroups

/// The removals, changes of settings and results of service extensions that may concern the notifications that follow
/// them in the order of `NotificationEntry`.
///
/// Holds the removals and results for all devices, and those of the current device and app; the changes of settings for
/// all devices, and those of the current device.
struct HeldReports {
    private let timeline: Timeline?
    private var general: ReportTables
    private var current: ReportTables
    /// A record in `current`, and its texts.
    private var owner: NotificationEntry?
    private var ownerTexts: [UInt8] = []
    /// nil if what becomes of notifications is not tracked.
    private var settings: HeldSettings?
    private var key: [UInt8] = []

    init(_ timeline: Timeline?, _ rules: DeliveryRules?) {
        self.timeline = timeline
        general = ReportTables(timeline)
        current = ReportTables(timeline)
        settings = rules.map { HeldSettings($0) }
    }

    /// Adds a record; returns false if it is a notification.
    mutating func add(_ entry: NotificationEntry, in bytes: Span<UInt8>) -> Bool {
        if let change = entry.settings {
            settings?.add(change, in: bytes)
        } else if let removal = entry.removal {
            withTables(of: entry, bytes) { $0.removals.add(removal, in: bytes) }
        } else if let result = entry.modification {
            withTables(of: entry, bytes) { $0.modifications.add(result, in: bytes) }
        } else {
            return false
        }
        return true
    }

    /// Calls `body` with the tables for a record.
    private mutating func withTables(
        of entry: NotificationEntry, _ bytes: Span<UInt8>, _ body: (inout ReportTables) -> Void
    ) {
        guard !entry.record.device.isEmpty else { return body(&general) }
        if !isOwned(entry, bytes) {
            current = ReportTables(timeline)
            owner = entry
            ownerTexts.removeAll(keepingCapacity: true)
            ownerTexts.append(bytes)
        }
        body(&current)
    }

    /// Whether the records in `current` are of the entry's device and app.
    private func isOwned(_ entry: NotificationEntry, _ bytes: Span<UInt8>) -> Bool {
        owner.map { entry.compareApp(bytes, to: $0, ownerTexts.span) == 0 } ?? false
    }
}

// MARK: - Notifications

extension HeldReports {
    /// What becomes of a notification with one of its contents.
    struct Content {
        /// The notification. Its texts are in the buffer of the content; nil for the content that was logged.
        let record: NotificationRecord
        let texts: [UInt8]?
        /// When it replaced the content before it, or when the notification arrived.
        let order: OrderKey
        /// nil if settings suppressed it.
        let effect: DeliveryEffect?
        /// The oldest removal; nil if there is none.
        let removal: OrderKey?
    }

    /// Returns what becomes of a notification with its newest content.
    mutating func newest(of entry: NotificationEntry, in bytes: Span<UInt8>) -> Content {
        let isOwned = isOwned(entry, bytes)
        let found = general.modifications.newest(for: entry.record, in: bytes)
        let other = isOwned ? current.modifications.newest(for: entry.record, in: bytes) : nil
        switch (found, other) {
        case (nil, nil): return logged(entry, in: bytes)
        case (let found?, nil): return content(of: entry, in: bytes, found, general.modifications)
        case (let found?, let other?) where other.order < found.order:
            return content(of: entry, in: bytes, found, general.modifications)
        case (_, let other?): return content(of: entry, in: bytes, other, current.modifications)
        }
    }

    /// Returns what becomes of a notification as it was logged.
    mutating func logged(_ entry: NotificationEntry, in bytes: Span<UInt8>) -> Content {
        content(entry.record, in: bytes, texts: nil, order: entry.record.order, isOwned(entry, bytes))
    }

    /// Returns what becomes of a notification with each content that replaced the logged one, in ascending order.
    mutating func replacements(of entry: NotificationEntry, in bytes: Span<UInt8>) -> [Content] {
        guard general.modifications.count + current.modifications.count > 0 else { return [] }
        var contents = general.modifications.all(for: entry.record, in: bytes).map {
            content(of: entry, in: bytes, $0, general.modifications)
        }
        if isOwned(entry, bytes) {
            contents += current.modifications.all(for: entry.record, in: bytes).map {
                content(of: entry, in: bytes, $0, current.modifications)
            }
        }
        return contents.sorted { $0.order < $1.order }
    }

    private mutating func content(
        of entry: NotificationEntry, in bytes: Span<UInt8>, _ result: ModificationTable.Element,
        _ results: ModificationTable
    ) -> Content {
        var record = entry.record
        var texts: [UInt8] = []
        results.replaceContent(of: &record, in: bytes, by: result, into: &texts)
        return content(record, in: texts.span, texts: texts, order: result.order, isOwned(entry, bytes))
    }

    private mutating func content(
        _ record: NotificationRecord, in bytes: Span<UInt8>, texts: [UInt8]?, order: OrderKey, _ isOwned: Bool
    ) -> Content {
        let effect = settings == nil ? .untracked : settings?.effect(on: record, in: bytes)
        return Content(
            record: record, texts: texts, order: order, effect: effect,
            removal: firstRemoval(of: record, in: bytes, isOwned))
    }

    private mutating func firstRemoval(
        of record: NotificationRecord, in bytes: Span<UInt8>, _ isOwned: Bool
    ) -> OrderKey? {
        let first =
            general.removals.count > 0 ? general.removals.firstRemoval(of: record, in: bytes, key: &key) : nil
        guard isOwned, let other = current.removals.firstRemoval(of: record, in: bytes, key: &key) else {
            return first
        }
        return min(first ?? other, other)
    }
}
