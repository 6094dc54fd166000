import SheafBytes

/// The settings of apps and devices over time (specification §16).
///
///     device or all, app or all ──▶ | order, change, settings after it | …         ascending
///
/// An element has all settings of its scope from its order key on: those of the changes before it that it does not
/// replace are carried forward, so that one element answers for all keys. Changes may come in any order.
package struct SettingsHistory: Sendable {
    private(set) var events = ScopedEvents<Element>()
    /// Whether a change has a grouping.
    private(set) var changesGroupings = false

    struct Element: Ordered, Sendable {
        let order: OrderKey
        let change: UserSettings
        /// Those of the change, completed by those of the changes before it.
        fileprivate(set) var settings: UserSettings
    }

    package var count: Int { events.count }

    /// - Parameter key: a buffer for the scope's key.
    /// - Returns: the order key of the first newer change of the scope from which on the settings stay what they were; nil
    ///   if there is none.
    @discardableResult
    mutating func add(_ change: SettingsRecord, in bytes: Span<UInt8>, key: inout [UInt8]) -> OrderKey? {
        var end: OrderKey?
        if change.settings.grouping != nil { changesGroupings = true }
        EventScope.makeKey(.settings, device: bytes[change.device], app: bytes[change.app], &key)
        let element = Element(order: change.order, change: change.settings, settings: change.settings)
        events.insert(element, key.span) { list, position in
            if let previous = list.position(before: position) {
                list[position].settings = change.settings.over(list[previous].settings)
            }
            // Carried forward, as far as something changes.
            var (previous, next) = (position, list.position(after: position))
            while !list.isEnd(next) {
                let settings = list[next].change.over(list[previous].settings)
                if list[next].settings == settings {
                    end = list[next].order
                    break
                }
                list[next].settings = settings
                (previous, next) = (next, list.position(after: next))
            }
        }
        return end
    }

    /// Completes settings by those of a device, or of all, and an app, or all, after the changes before `order`.
    /// O(log n).
    ///
    /// - Parameter key: a buffer for the scope's key.
    func complete(
        _ settings: inout UserSettings, device: Span<UInt8>, app: Span<UInt8>, before order: OrderKey,
        key: inout [UInt8]
    ) {
        guard count > 0 else { return }
        EventScope.makeKey(.settings, device: device, app: app, &key)
        guard let index = events.find(key.span) else { return }
        let list = events.lists[index]
        var position = list.position(before: list.position(newerThan: order))
        while let current = position, list[current].order == order {
            position = list.position(before: current)
        }
        if let position { settings = settings.over(list[position].settings) }
    }
}
