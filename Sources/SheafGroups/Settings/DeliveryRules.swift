import SheafBytes

/// What becomes of notifications (specification §16) according to a configuration and a profile, and to changes of
/// settings that the log reports.
package struct DeliveryRules: Sendable {
    private var names = SymbolTable()
    /// The apps' settings by the names' symbols, which start at 1.
    private var apps: [DeliverySettings] = []
    /// The settings of the other apps.
    private let general: DeliverySettings
    private let profile: Profile

    package init(_ settings: Settings, profile: Profile) {
        self.profile = profile
        general = settings.delivery
        for (name, app) in settings.apps.sorted(by: { $0.key < $1.key })
        where !app.delivery.isEmpty && !name.isEmpty {
            _ = names.symbol(for: Array(name.utf8).span)
            apps.append(app.delivery.over(general))
        }
    }

    /// Returns what became of a notification; nil if it did not appear.
    ///
    /// - Parameter changes: the changes that apply to it, which precede the configuration.
    package func effect(
        on record: NotificationRecord, in bytes: Span<UInt8>, after changes: DeliverySettings
    ) -> DeliveryEffect? {
        changes.over(configured(bytes[record.app])).effect(on: record.traits, profile)
    }

    private func configured(_ app: Span<UInt8>) -> DeliverySettings {
        guard !apps.isEmpty, let symbol = names.find(app), symbol != 0 else { return general }
        return apps[Int(symbol) - 1]
    }
}
