import SheafBytes

/// The newest removal of each scope (specification §15): with a timeline, that of each interval.
package struct RemovalSet: Sendable {
    private(set) var events = ScopedEvents<OrderKey>()
    /// The newest removal of any thread, by device and app, for the notifications that are grouped by app: one of any
    /// thread removes the app's group. nil if removals of threads have no thread then.
    private var threadsOfApps: ScopedEvents<OrderKey>?
    /// Most notifications are in no scope, and few lookups are needed to know that.
    private var filter = ScopeFilter()
    /// Whether there is a removal for all devices.
    private var hasCommon = false
    private let timeline: Timeline?

    /// - Parameters:
    ///   - timeline: the intervals whose newest removals are kept; nil for a single one.
    ///   - keepsThreadsOfApps: whether notifications of an app may be grouped by app, and others by thread.
    init(_ timeline: Timeline?, keepsThreadsOfApps: Bool) {
        self.timeline = timeline
        threadsOfApps = keepsThreadsOfApps ? ScopedEvents() : nil
    }

    /// The memory in use, in bytes, and that for sorting.
    var heldBytes: Int { events.heldBytes + (threadsOfApps?.heldBytes ?? 0) + filter.heldBytes }

    /// The number of removals that are kept.
    package var count: Int { events.count }

    /// Keeps a removal, unless there is a newer one of the same scope and interval.
    ///
    /// - Parameter key: a buffer for the scope's key.
    /// - Returns: whether it is kept.
    mutating func add(_ removal: RemovalRecord, in bytes: Span<UInt8>, key: inout [UInt8]) -> Bool {
        EventScope.makeKey(
            EventScope.Kind(removal.scope), device: bytes[removal.device], app: bytes[removal.app],
            text: bytes[removal.text], &key)
        if case .outdated = events.add(removal.order, key.span, timeline) { return false }
        if removal.device.isEmpty { hasCommon = true }
        let keepsThreadsOfApps = threadsOfApps != nil
        Self.add(key.span, to: &filter, keepsThreadsOfApps: keepsThreadsOfApps)
        if removal.scope == .thread, keepsThreadsOfApps {
            EventScope.makeKey(.thread, device: bytes[removal.device], app: bytes[removal.app], &key)
            _ = threadsOfApps?.add(removal.order, key.span, timeline)
        }
        guard filter.isFull else { return true }
        var larger = ScopeFilter(replacing: filter)
        for index in events.lists.indices {
            Self.add(events.key(of: index), to: &larger, keepsThreadsOfApps: keepsThreadsOfApps)
        }
        filter = larger
        return true
    }

    /// Adds the key of a removal's scope.
    private static func add(_ key: Span<UInt8>, to filter: inout ScopeFilter, keepsThreadsOfApps: Bool) {
        let scope = EventScope(key)
        let owner = ScopeFilter.owner(device: key[scope.device], app: key[scope.app])
        filter.add(owner)
        filter.add(ScopeFilter.scope(scope.kind, key[scope.text], of: owner))
        if scope.kind == .thread, keepsThreadsOfApps {
            filter.add(ScopeFilter.scope(.thread, Span(), of: owner))
        }
    }

    /// Returns the oldest removal that removes a notification: of its app, its thread or its identifier, for its device
    /// or for all devices. nil if there is none.
    ///
    /// - Parameters:
    ///   - key: a buffer for the scopes' keys.
    ///   - ignoresThreads: whether removals of threads are left out, since other contents may have another thread.
    func first(
        of record: NotificationRecord, in bytes: Span<UInt8>, key: inout [UInt8], ignoresThreads: Bool = false
    ) -> OrderKey? {
        guard count > 0 else { return nil }
        var first = first(of: record, for: record.device, in: bytes, &key, ignoresThreads)
        if hasCommon, !record.device.isEmpty,
            let other = self.first(of: record, for: .none, in: bytes, &key, ignoresThreads)
        {
            first = min(first ?? other, other)
        }
        return first
    }

    /// - Parameter device: the notification's, or none for the removals of all devices.
    @inline(__always)
    private func first(
        of record: NotificationRecord, for device: TextRange, in bytes: Span<UInt8>, _ key: inout [UInt8],
        _ ignoresThreads: Bool
    ) -> OrderKey? {
        let owner = ScopeFilter.owner(device: bytes[device], app: bytes[record.app])
        guard filter.mayHave(owner) else { return nil }
        var first: OrderKey?
        func find(
            _ kind: EventScope.Kind, _ text: Span<UInt8>, in events: ScopedEvents<OrderKey>,
            _ key: inout [UInt8]
        ) {
            guard filter.mayHave(ScopeFilter.scope(kind, text, of: owner)) else { return }
            EventScope.makeKey(kind, device: bytes[device], app: bytes[record.app], text: text, &key)
            guard let index = events.find(key.span),
                let found = events.lists[index].first(newerThan: record.order)
            else { return }
            first = min(first ?? found, found)
        }
        find(.app, Span(), in: events, &key)
        if !ignoresThreads {
            if record.grouping == .byApp, let threadsOfApps {
                find(.thread, Span(), in: threadsOfApps, &key)
            } else {
                find(.thread, bytes[record.thread], in: events, &key)
            }
        }
        let identifier = bytes[record.removalIdentifier]
        if !identifier.isEmpty { find(.identifier, identifier, in: events, &key) }
        return first
    }
}
