import SheafBytes
import SheafGroups

/// The settings of apps and devices over time (specification §16).
///
///     scope: device or all, app or all ──▶ | order, settings | order, settings | …         ascending
///
/// An element has all settings of its scope from its order key on: those of the changes before it that it does not
/// replace are carried forward, so that one element answers for all keys. An element takes 24 bytes.
struct SettingsHistory: SettingsLookup, Sendable {
    private var scopes = SymbolTable()
    /// By the scope's symbol, minus 1.
    private var ranges: [Range<Int>] = []
    private var elements: [Element] = []

    private struct Element {
        let order: OrderKey
        let settings: DeliverySettings
    }

    init() {}

    /// Creates the history of a table's changes. O(n log n).
    init(_ table: SettingsTable) {
        var key: [UInt8] = []
        for index in table.sorted() { table.withChange(index) { append($0, in: $1, key: &key) } }
    }

    var isEmpty: Bool { elements.isEmpty }

    /// Adds a change, which is not older than the others of its scope. Those of a scope must follow each other.
    ///
    /// - Parameter key: a buffer for the scope's key.
    mutating func append(_ change: SettingsRecord, in bytes: Span<UInt8>, key: inout [UInt8]) {
        SettingsScope.makeKey(device: bytes[change.device], app: bytes[change.app], &key)
        let scope = Int(scopes.symbol(for: key.span))
        var settings = change.settings
        if scope > ranges.count {
            ranges.append(elements.count..<elements.count)
        } else if let last = elements.last {
            precondition(
                ranges[scope - 1].upperBound == elements.count && !(change.order < last.order),
                "changes out of order")
            settings = settings.over(last.settings)
        }
        elements.append(Element(order: change.order, settings: settings))
        ranges[scope - 1] = ranges[scope - 1].lowerBound..<elements.count
    }

    func settings(before order: OrderKey, _ key: [UInt8]) -> DeliverySettings? {
        guard let symbol = scopes.find(key.span) else { return nil }
        let range = ranges[Int(symbol) - 1]
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if elements[middle].order < order { low = middle + 1 } else { high = middle }
        }
        return low > range.lowerBound ? elements[low - 1].settings : nil
    }
}

/// Settings over time that are found by scope.
protocol SettingsLookup {
    var isEmpty: Bool { get }
    /// Returns the settings of a scope after all changes before `order`; nil if there is none.
    ///
    /// - Parameter key: the key of `SettingsScope`.
    func settings(before order: OrderKey, _ key: [UInt8]) -> DeliverySettings?
}

extension SettingsLookup {
    /// Returns the settings for a notification, as far as changes before it determine them: those of the app on its
    /// device count first, then those of the app, of the device, and of everything. O(log n).
    ///
    /// - Parameters:
    ///   - general: the changes for all devices, which may be these.
    ///   - key: a buffer for the scopes' keys.
    func settings(
        for record: NotificationRecord, in bytes: Span<UInt8>, general: Self, key: inout [UInt8]
    ) -> DeliverySettings {
        var settings = DeliverySettings()
        if isEmpty, general.isEmpty { return settings }
        let (device, app) = (bytes[record.device], bytes[record.app])
        if !device.isEmpty { add(device, app, before: record.order, to: &settings, &key) }
        general.add(Span(), app, before: record.order, to: &settings, &key)
        if !device.isEmpty { add(device, Span(), before: record.order, to: &settings, &key) }
        general.add(Span(), Span(), before: record.order, to: &settings, &key)
        return settings
    }

    /// Completes settings by those of a scope.
    private func add(
        _ device: Span<UInt8>, _ app: Span<UInt8>, before order: OrderKey,
        to settings: inout DeliverySettings,
        _ key: inout [UInt8]
    ) {
        guard !isEmpty else { return }
        SettingsScope.makeKey(device: device, app: app, &key)
        if let found = self.settings(before: order, key) { settings = settings.over(found) }
    }
}
