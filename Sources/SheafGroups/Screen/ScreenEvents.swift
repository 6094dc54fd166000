import SheafBytes

/// Removals (specification §15), changes of settings, badges and results of service extensions (§16), as far as they
/// decide what is on screen. Adding them in any order gives the same set.
package struct ScreenEvents: Sendable {
    package private(set) var removals: RemovalSet
    package private(set) var settings = SettingsHistory()
    package private(set) var badges = BadgeHistory()
    package private(set) var results: ResultSet
    private let timeline: Timeline?
    private let tracksDelivery: Bool
    /// The buffer for a scope's key. `add` takes it out while it runs.
    private var buffer: [UInt8] = []

    /// - Parameters:
    ///   - timeline: the intervals whose newest removals and results are kept; nil for a single one.
    ///   - tracksDelivery: whether there may be settings, by which notifications are grouped.
    package init(_ timeline: Timeline?, tracksDelivery: Bool) {
        self.timeline = timeline
        self.tracksDelivery = tracksDelivery
        removals = RemovalSet(timeline, keepsThreadsOfApps: tracksDelivery)
        results = ResultSet(timeline)
    }

    package var count: Int { removals.count + settings.count + badges.count + results.count }

    /// The memory in use, in bytes, and that for sorting.
    package var heldBytes: Int {
        removals.heldBytes + settings.events.heldBytes + badges.events.heldBytes + results.heldBytes
    }

    /// Adds an event, unless there is a newer one that decides the same.
    ///
    /// - Returns: whether it was added.
    @discardableResult
    package mutating func add(_ event: ScreenEvent, in bytes: Span<UInt8>) -> Bool {
        var key: [UInt8] = []
        swap(&key, &buffer)
        defer { swap(&key, &buffer) }
        switch event {
        case .removal(let removal): return removals.add(removal, in: bytes, key: &key)
        case .settings(let change): settings.add(change, in: bytes, key: &key)
        case .badge(let badge): badges.add(badge, in: bytes, key: &key)
        case .result(let result): return results.add(result, in: bytes, key: &key)
        case .outcome, .nothing: return false
        }
        return true
    }

    /// Adds a change of settings.
    ///
    /// - Returns: the order key of the first newer change of the scope from which on the settings stay what they were; nil
    ///   if there is none.
    mutating func add(_ change: SettingsRecord, in bytes: Span<UInt8>) -> OrderKey? {
        settings.add(change, in: bytes, key: &buffer)
    }

    /// Removes the badges of a scope except for the newest ones, at least one, and another one.
    mutating func keepBadges(newest count: Int, and other: BadgeHistory.Element?, ofScope index: Int) {
        badges.keep(newest: count, and: other, ofScope: index)
    }

    /// Adds all events of another set.
    package mutating func add(_ other: ScreenEvents) {
        if count == 0, other.timeline == timeline { return self = other }
        var sequence = EventSequence(other, isSorted: false)
        while sequence.next({ add($0, in: $1) }) != nil {}
    }

    /// Removes all events, or the removals and the results alone.
    mutating func removeAll(keepingSettings: Bool) {
        let settings = settings
        self = ScreenEvents(timeline, tracksDelivery: tracksDelivery)
        if keepingSettings { self.settings = settings }
    }
}

/// The events of a set one by one: in the order of state files, by device, app, kind of scope, text and order; or in any
/// order.
package struct EventSequence {
    private let events: ScreenEvents
    /// The scopes that are left, the next one last.
    private var scopes: [Scope] = []
    /// The position of the next event in the list of its scope.
    private var position = ListPosition.start
    /// The next event's scope; nil after the last one. Kept, because it is needed for each notification.
    private var head: EventScope?

    /// A list of one of the sets.
    private enum Scope {
        case settings(Int), badge(Int), removal(Int), result(Int)
    }

    package init(_ events: ScreenEvents, isSorted: Bool) {
        self.events = events
        scopes = events.settings.events.lists.indices.map(Scope.settings)
        scopes += events.badges.events.lists.indices.map(Scope.badge)
        scopes += events.removals.events.lists.indices.map(Scope.removal)
        scopes += events.results.events.lists.indices.map(Scope.result)
        if isSorted {
            var sorted = scopes
            sorted.sort { EventScope.precedes(key(of: $1), key(of: $0)) }
            scopes = sorted
        }
        head = scopes.last.map { EventScope(key(of: $0)) }
    }

    @_lifetime(borrow self)
    private func key(of scope: Scope) -> Span<UInt8> {
        switch scope {
        case .settings(let index): return events.settings.events.key(of: index)
        case .badge(let index): return events.badges.events.key(of: index)
        case .removal(let index): return events.removals.events.key(of: index)
        case .result(let index): return events.results.events.key(of: index)
        }
    }

    /// Returns whether the next event precedes a notification.
    package func precedes(_ notification: NotificationRecord, in bytes: Span<UInt8>) -> Bool {
        guard let head, let scope = scopes.last else { return false }
        let key = key(of: scope)
        let devices = key[head.device].compare(to: bytes[notification.device])
        if devices != 0 { return devices < 0 }
        let apps = key[head.app].compare(to: bytes[notification.app])
        if apps != 0 { return apps < 0 }
        return head.kind != .identifier
            || key[head.text].compare(to: bytes[notification.removalIdentifier]) <= 0
    }

    /// Calls `body` with the next event and the buffer of its texts.
    ///
    /// - Returns: what `body` returns; nil after the last event.
    package mutating func next<Result>(_ body: (ScreenEvent, Span<UInt8>) -> Result) -> Result? {
        guard let head, let scope = scopes.last else { return nil }
        switch scope {
        case .settings(let index):
            let event = takeNext(of: events.settings.events.lists[index])
            var change = SettingsRecord()
            (change.device, change.app) = (head.device, head.app)
            (change.order, change.settings) = (event.order, event.change)
            return body(.settings(change), key(of: scope))
        case .badge(let index):
            let event = takeNext(of: events.badges.events.lists[index])
            return events.badges.withBadge(event, ofScope: index) { body(.badge($0), $1) }
        case .removal(let index):
            guard let kind = head.kind.removal else { preconditionFailure("a removal has a scope") }
            var removal = RemovalRecord()
            (removal.scope, removal.device, removal.app) = (kind, head.device, head.app)
            removal.text = head.text
            removal.order = takeNext(of: events.removals.events.lists[index])
            return body(.removal(removal), key(of: scope))
        case .result(let index):
            let event = takeNext(of: events.results.events.lists[index])
            return events.results.withRecord(of: event) { body(.result($0), $1) }
        }
    }

    /// Returns the next event of a scope's list, and moves past it: to the next scope after the last one.
    private mutating func takeNext<Element>(of list: OrderedList<Element>) -> Element {
        let element = list[position]
        position = list.position(after: position)
        if list.isEnd(position) {
            scopes.removeLast()
            position = .start
            head = scopes.last.map { EventScope(key(of: $0)) }
        }
        return element
    }
}
