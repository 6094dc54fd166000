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
    func isOwned(_ entry: NotificationEntry, _ bytes: Span<UInt8>) -> Bool {
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
        case (let found?, nil): return content(of: entry, in: bytes, found, isCurrent: false)
        case (let found?, let other?) where other.order < found.order:
            return content(of: entry, in: bytes, found, isCurrent: false)
        case (_, let other?): return content(of: entry, in: bytes, other, isCurrent: true)
        }
    }

    /// Returns what becomes of a notification as it was logged.
    mutating func logged(_ entry: NotificationEntry, in bytes: Span<UInt8>) -> Content {
        content(entry.record, in: bytes, texts: nil, order: entry.record.order, isOwned(entry, bytes))
    }

    /// A result of a service extension.
    struct Result {
        fileprivate let element: ModificationTable.Element
        /// Whether it is in `current`.
        fileprivate let isCurrent: Bool
        var order: OrderKey { element.order }
    }

    /// Returns the results for a notification that are newer than an order key, in ascending order.
    ///
    /// - Parameter isIncluded: whether to include a result; those after one that is not are not included either.
    func results(
        for entry: NotificationEntry, in bytes: Span<UInt8>, after order: OrderKey,
        while isIncluded: (OrderKey) -> Bool
    ) -> [Result] {
        guard general.modifications.count + current.modifications.count > 0 else { return [] }
        var record = entry.record
        record.order = order
        var results = general.modifications.all(for: record, in: bytes, while: isIncluded).map {
            Result(element: $0, isCurrent: false)
        }
        if isOwned(entry, bytes) {
            results += current.modifications.all(for: record, in: bytes, while: isIncluded).map {
                Result(element: $0, isCurrent: true)
            }
        }
        return results.sorted { $0.order < $1.order }
    }

    /// Returns the fates of a notification with each content that replaced the logged one, in ascending order.
    ///
    /// - Parameter isIncluded: as for `results`.
    mutating func replacements(
        of entry: NotificationEntry, in bytes: Span<UInt8>, while isIncluded: (OrderKey) -> Bool
    ) -> [Content] {
        results(for: entry, in: bytes, after: entry.record.order, while: isIncluded).map {
            content(of: entry.record, in: bytes, $0, isOwned(entry, bytes))
        }
    }

    /// Returns the fate of a notification with the content of a result.
    ///
    /// - Parameter isOwned: whether the records in `current` are of its device and app.
    mutating func content(
        of record: NotificationRecord, in bytes: Span<UInt8>, _ result: Result, _ isOwned: Bool
    ) -> Content {
        var record = record
        var texts: [UInt8] = []
        let results = result.isCurrent ? current.modifications : general.modifications
        results.replaceContent(of: &record, in: bytes, by: result.element, into: &texts)
        return content(record, in: texts.span, texts: texts, order: result.order, isOwned)
    }

    private mutating func content(
        of entry: NotificationEntry, in bytes: Span<UInt8>, _ result: ModificationTable.Element,
        isCurrent: Bool
    ) -> Content {
        content(
            of: entry.record, in: bytes, Result(element: result, isCurrent: isCurrent), isOwned(entry, bytes))
    }

    /// Returns the settings of a notification, as far as changes determine them.
    mutating func changes(for record: NotificationRecord, in bytes: Span<UInt8>) -> DeliverySettings {
        settings?.changes(for: record, in: bytes) ?? DeliverySettings()
    }

    private mutating func content(
        _ record: NotificationRecord, in bytes: Span<UInt8>, texts: [UInt8]?, order: OrderKey, _ isOwned: Bool
    ) -> Content {
        let effect = settings == nil ? .untracked : settings?.effect(on: record, in: bytes)
        return Content(
            record: record, texts: texts, order: order, effect: effect,
            removal: firstRemoval(of: record, in: bytes, isOwned))
    }

    /// Returns the oldest removal of a notification; nil if nothing removes it.
    mutating func firstRemoval(
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
