import SheafBytes

/// The badges of apps on devices over time, which are kept until the settings are known.
///
///     device or none, app ──▶ | order, content | …         ascending
package struct BadgeHistory: Sendable {
    private(set) var events = ScopedEvents<Element>()

    struct Element: Ordered, Sendable {
        let order: OrderKey
        /// `BadgeRecord.content`.
        let content: UInt64
    }

    package var count: Int { events.count }

    /// - Parameter key: a buffer for the scope's key.
    mutating func add(_ badge: BadgeRecord, in bytes: Span<UInt8>, key: inout [UInt8]) {
        EventScope.makeKey(.badge, device: bytes[badge.device], app: bytes[badge.app], &key)
        events.insert(Element(order: badge.order, content: badge.content), key.span) { _, _ in }
    }

    /// Returns the index of a badge's scope, which has badges.
    func scope(of badge: BadgeRecord, in bytes: Span<UInt8>) -> Int {
        var key: [UInt8] = []
        EventScope.makeKey(.badge, device: bytes[badge.device], app: bytes[badge.app], &key)
        guard let index = events.find(key.span) else { preconditionFailure("a badge has a scope") }
        return index
    }

    /// Calls `body` with an element as a badge, and the buffer of its texts.
    func withBadge<Result>(
        _ element: Element, ofScope index: Int, _ body: (BadgeRecord, Span<UInt8>) -> Result
    ) -> Result {
        let key = events.key(of: index)
        let scope = EventScope(key)
        var badge = BadgeRecord()
        (badge.app, badge.device, badge.order) = (scope.app, scope.device, element.order)
        badge.content = element.content
        return body(badge, key)
    }

    /// Returns the newest badge of a scope that `isIncluded` returns true for; nil without one. O(badges).
    func newest(
        ofScope index: Int, where isIncluded: (BadgeRecord, Span<UInt8>) -> Bool
    ) -> Element? {
        let list = events.lists[index]
        var position = list.position(before: list.end)
        while let current = position {
            if withBadge(list[current], ofScope: index, isIncluded) { return list[current] }
            position = list.position(before: current)
        }
        return nil
    }

    /// Removes the badges of a scope except for the newest ones, at least one, and another one.
    mutating func keep(newest count: Int, and other: Element?, ofScope index: Int) {
        var left = events.lists[index].count - max(1, count)
        events.removeAll(ofListAt: index) { element in
            left -= 1
            return left >= 0 && element.order != other?.order
        }
    }
}
