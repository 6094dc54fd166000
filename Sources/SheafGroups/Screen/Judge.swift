import SheafBytes

/// Decides what is on screen of each notification: whether settings suppress it (specification §16), what its content
/// is (§16), and when it is removed (§15). Whether a newer version replaces it (§5) is for the caller to find.
///
///     events in any order ──add──────▶ for all notifications
///     events in the order of state files ──add(next:)──▶ for those that follow, until the next device or app
///
/// A log that is in memory adds all events first, or each as it comes. A merge of sorted files adds the events that it
/// meets: then only those for all devices, and those of the current device and app, are kept.
package struct Judge: Sendable {
    /// nil if delivery is not tracked.
    package let rules: DeliveryRules?
    package private(set) var events: ScreenEvents
    /// The events of the current device and app, and the settings of the current device.
    private var current: ScreenEvents
    private var device: [UInt8] = []
    private var app: [UInt8] = []

    /// - Parameter timeline: the intervals whose newest removals and results are kept; nil for a single one.
    package init(_ rules: DeliveryRules?, _ timeline: Timeline?) {
        self.rules = rules
        let none = ScreenEvents(timeline, tracksDelivery: rules != nil)
        (events, current) = (none, none)
    }

    /// Adds an event for all notifications.
    ///
    /// - Returns: whether it was added: there is no newer one that decides the same.
    @discardableResult
    package mutating func add(_ event: ScreenEvent, in bytes: Span<UInt8>) -> Bool {
        events.add(event, in: bytes)
    }

    /// Adds a change of settings for all notifications.
    ///
    /// - Returns: the order key of the first newer change of the scope from which on the settings stay what they were; nil
    ///   if there is none.
    package mutating func add(_ change: SettingsRecord, in bytes: Span<UInt8>) -> OrderKey? {
        events.add(change, in: bytes)
    }

    /// Adds events for all notifications.
    package mutating func add(_ other: ScreenEvents) { events.add(other) }

    /// Adds the next event in the order of state files, of a device and an app, or of all.
    package mutating func add(
        next event: ScreenEvent, device: Span<UInt8>, app: Span<UInt8>, in bytes: Span<UInt8>
    ) {
        guard !device.isEmpty else {
            events.add(event, in: bytes)
            return
        }
        let isSameDevice = self.device.span.isEqual(to: device)
        if !isSameDevice || !self.app.span.isEqual(to: app) {
            current.removeAll(keepingSettings: isSameDevice)
            self.device.removeAll(keepingCapacity: true)
            self.app.removeAll(keepingCapacity: true)
            self.device.append(device)
            self.app.append(app)
        }
        current.add(event, in: bytes)
    }

    private func isOfCurrentDevice(_ record: NotificationRecord, in bytes: Span<UInt8>) -> Bool {
        !device.isEmpty && device.span.isEqual(to: bytes[record.device])
    }

    private func isCurrent(_ record: NotificationRecord, in bytes: Span<UInt8>) -> Bool {
        isOfCurrentDevice(record, in: bytes) && app.span.isEqual(to: bytes[record.app])
    }
}

// MARK: - Verdicts

/// What decides whether a notification with one of its contents is on screen.
package struct Verdict {
    /// nil if settings keep it off the screen, whether or not it is removed.
    package let effect: DeliveryEffect?
    /// Whether it is only off the lock screen, because it is quiet.
    package let isQuiet: Bool
    /// The oldest removal that is newer than it; nil if there is none.
    package let removal: OrderKey?
    /// How its push arrived; nil if settings kept it from appearing.
    package let arrival: DeliveryEffect?
}

extension Judge {
    /// Judges a notification by its own texts, whether or not a result replaces them. O(log n).
    ///
    /// - Parameter key: a buffer for the keys of scopes.
    package func verdict(on record: NotificationRecord, in bytes: Span<UInt8>, key: inout [UInt8]) -> Verdict
    {
        var (effect, arrival): (DeliveryEffect?, DeliveryEffect?) = (.untracked, nil)
        if let rules {
            let settings = settings(for: record, in: bytes, key: &key)
            effect = rules.effect(on: record, in: bytes, after: settings)
            arrival =
                record.traits.isChanged ? rules.arrival(of: record, in: bytes, after: settings) : effect
        }
        if let effect, effect.isQuiet, rules?.locked == true {
            return Verdict(effect: nil, isQuiet: true, removal: nil, arrival: arrival)
        }
        var shown = record
        if let effect { shown.apply(effect) }
        return Verdict(
            effect: effect?.shown, isQuiet: false, removal: firstRemoval(of: shown, in: bytes, key: &key),
            arrival: arrival)
    }

    /// Returns how the push of a notification arrived; nil if settings kept it from appearing, or if that is not
    /// tracked. O(log n).
    ///
    /// - Parameter key: a buffer for the keys of scopes.
    package func arrival(
        of record: NotificationRecord, in bytes: Span<UInt8>, key: inout [UInt8]
    ) -> DeliveryEffect? {
        rules?.arrival(of: record, in: bytes, after: settings(for: record, in: bytes, key: &key))
    }

    /// Returns the oldest removal that is newer than a notification and removes it; nil if there is none.
    ///
    /// - Parameters:
    ///   - record: the notification with the grouping that it has on screen.
    ///   - ignoresThreads: whether removals of threads are left out, since other contents may have another thread.
    package func firstRemoval(
        of record: NotificationRecord, in bytes: Span<UInt8>, key: inout [UInt8], ignoresThreads: Bool = false
    ) -> OrderKey? {
        let first = events.removals.first(of: record, in: bytes, key: &key, ignoresThreads: ignoresThreads)
        guard current.removals.count > 0, isCurrent(record, in: bytes),
            let other = current.removals.first(
                of: record, in: bytes, key: &key, ignoresThreads: ignoresThreads)
        else { return first }
        return min(first ?? other, other)
    }

    /// Whether notifications may be grouped otherwise than their apps.
    package var changesGroupings: Bool {
        events.settings.changesGroupings || current.settings.changesGroupings
    }

    /// Whether notifications may have another content or grouping than the one that was logged.
    package var replacesContents: Bool {
        changesGroupings || events.results.count + current.results.count > 0
    }

    /// Returns the settings for a notification, as far as changes before it determine them: those of the app on its
    /// device count first, then those of the app, of the device, and of everything. O(log n).
    ///
    /// - Parameter key: a buffer for the keys of scopes.
    package func settings(
        for record: NotificationRecord, in bytes: Span<UInt8>, key: inout [UInt8]
    ) -> UserSettings {
        var settings = UserSettings()
        guard events.settings.count + current.settings.count > 0 else { return settings }
        let (device, app) = (bytes[record.device], bytes[record.app])
        let isCurrent = isOfCurrentDevice(record, in: bytes)
        func complete(_ device: Span<UInt8>, _ app: Span<UInt8>, _ key: inout [UInt8]) {
            if isCurrent, !device.isEmpty {
                current.settings.complete(
                    &settings, device: device, app: app, before: record.order, key: &key)
            } else {
                events.settings.complete(
                    &settings, device: device, app: app, before: record.order, key: &key)
            }
        }
        if !device.isEmpty { complete(device, app, &key) }
        complete(Span(), app, &key)
        if !device.isEmpty { complete(device, Span(), &key) }
        complete(Span(), Span(), &key)
        return settings
    }
}

// MARK: - Contents

extension Judge {
    /// The content that a service extension returned.
    package struct Result {
        fileprivate let content: ResultSet.Content
        /// Whether it is one of the current device and app.
        fileprivate let isCurrent: Bool
        package var order: OrderKey { content.order }
    }

    /// Returns the newest result for a notification that is newer than it; nil if there is none.
    ///
    /// - Parameter key: a buffer for the keys of scopes.
    package func newestResult(
        for record: NotificationRecord, in bytes: Span<UInt8>, key: inout [UInt8]
    ) -> Result? {
        let found = events.results.newest(for: record, in: bytes, key: &key)
            .map { Result(content: $0, isCurrent: false) }
        guard current.results.count > 0, isCurrent(record, in: bytes),
            let other = current.results.newest(for: record, in: bytes, key: &key)
        else { return found }
        if let found, other.order < found.order { return found }
        return Result(content: other, isCurrent: true)
    }

    /// Returns the results for a notification that are newer than an order key, in ascending order.
    ///
    /// - Parameters:
    ///   - key: a buffer for the keys of scopes.
    ///   - isIncluded: whether to include a result; those after one that is not are not included either.
    package func results(
        for record: NotificationRecord, in bytes: Span<UInt8>, after order: OrderKey, key: inout [UInt8],
        while isIncluded: (OrderKey) -> Bool
    ) -> [Result] {
        guard events.results.count + current.results.count > 0 else { return [] }
        var record = record
        record.order = order
        var results = events.results.all(for: record, in: bytes, key: &key, while: isIncluded)
            .map { Result(content: $0, isCurrent: false) }
        if current.results.count > 0, isCurrent(record, in: bytes) {
            results += current.results.all(for: record, in: bytes, key: &key, while: isIncluded)
                .map { Result(content: $0, isCurrent: true) }
        }
        return results.sorted { $0.order < $1.order }
    }

    /// Replaces a notification's content by a result.
    ///
    /// - Parameter buffer: becomes the buffer of the notification's texts.
    package func replaceContent(
        of record: inout NotificationRecord, in bytes: Span<UInt8>, by result: Result,
        into buffer: inout [UInt8]
    ) {
        buffer.removeAll(keepingCapacity: true)
        record.moveTexts { buffer.appendText(bytes[$0]) }
        let results = result.isCurrent ? current.results : events.results
        results.withRecord(of: result.content) { content, texts in
            var content = content
            content.moveTexts { buffer.appendText(texts[$0]) }
            record.replaceContent(by: content)
        }
    }
}

// MARK: - Badges

extension Judge {
    /// Returns whether the settings at the time of a badge let it change that of its app. O(log n).
    ///
    /// - Parameter key: a buffer for the keys of scopes.
    package func allows(_ badge: BadgeRecord, in bytes: Span<UInt8>, key: inout [UInt8]) -> Bool {
        guard let rules else { return true }
        var record = NotificationRecord()
        (record.app, record.device, record.order) = (badge.app, badge.device, badge.order)
        let changes = settings(for: record, in: bytes, key: &key)
        return rules.allowsBadge(ofCritical: badge.isCritical, app: bytes[badge.app], after: changes)
    }

    /// Calls `body` with the newest badge of each app on each device that settings let count, and the buffer of its texts.
    /// O(badges × log n).
    package func forEachBadge(_ body: (BadgeRecord, Span<UInt8>) -> Void) {
        for index in events.badges.events.lists.indices {
            guard let newest = newestBadge(ofScope: index) else { continue }
            events.badges.withBadge(newest, ofScope: index, body)
        }
    }

    private func newestBadge(ofScope index: Int) -> BadgeHistory.Element? {
        var key: [UInt8] = []
        return events.badges.newest(ofScope: index) { allows($0, in: $1, key: &key) }
    }

    /// Adds a badge, and removes the older ones of its app on its device when there are twice as many as `limit`, except
    /// for the newest one that settings let count.
    package mutating func add(_ badge: BadgeRecord, in bytes: Span<UInt8>, keeping limit: Int) {
        events.add(.badge(badge), in: bytes)
        let index = events.badges.scope(of: badge, in: bytes)
        guard events.badges.events.lists[index].count >= 2 * limit else { return }
        events.keepBadges(newest: limit, and: newestBadge(ofScope: index), ofScope: index)
    }
}

// MARK: - Presence

/// Whether a notification is on screen, or what keeps it off.
package enum Presence: Equatable, Sendable {
    case shown(DeliveryEffect)
    /// Settings suppress it, whether or not it is removed.
    case suppressed
    /// It is quiet, and the device is locked, whether or not it is removed.
    case quiet
    /// It is removed with its thread alone: a service extension's result could give it another one.
    case cleared
    case removed
    /// No version of it reached a device.
    case refused

    package var isShown: Bool {
        if case .shown = self { return true }
        return false
    }

    /// Whether settings keep it off the screen, as they do with all that have the same settings.
    package var isHiddenBySettings: Bool { self == .suppressed || self == .quiet }

    /// The number in encodings.
    package var number: UInt64 {
        switch self {
        case .removed: 0
        case .cleared: 1
        case .suppressed: 2
        case .refused: preconditionFailure("what was refused is not on screen, and not in an encoding")
        case .quiet: Self.quietNumber
        case .shown(let effect): 3 + effect.number
        }
    }

    /// None of a notification on screen: effects have no such number.
    private static let quietNumber: UInt64 = 4

    /// Creates the presence with this number in encodings; nil if the number is invalid.
    package init?(number: UInt64) {
        switch number {
        case 0: self = .removed
        case 1: self = .cleared
        case 2: self = .suppressed
        case Self.quietNumber: self = .quiet
        default:
            guard let effect = DeliveryEffect(number: number - 3) else { return nil }
            self = .shown(effect)
        }
    }
}

extension Judge {
    /// Returns the presence of a notification with its newest content, unless a newer version replaces it. O(log n).
    ///
    /// - Parameter key: a buffer for the keys of scopes.
    package func presence(of record: NotificationRecord, in bytes: Span<UInt8>, key: inout [UInt8])
        -> Presence
    {
        let verdict = verdict(on: record, in: bytes, key: &key)
        guard let effect = verdict.effect else { return verdict.isQuiet ? .quiet : .suppressed }
        guard verdict.removal != nil else { return .shown(effect) }
        let isCleared =
            rules != nil && firstRemoval(of: record, in: bytes, key: &key, ignoresThreads: true) == nil
        return isCleared ? .cleared : .removed
    }
}
