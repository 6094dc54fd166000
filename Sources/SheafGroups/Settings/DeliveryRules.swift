import SheafBytes

/// What becomes of notifications (specification §16) according to a configuration and a profile, and to changes of
/// settings that the log reports.
package struct DeliveryRules: Sendable {
    private var names = SymbolTable()
    /// The apps' settings by the names' symbols, which start at 1.
    private var apps: [App] = []
    /// The settings of the other apps.
    private let general: App
    private let profile: Profile
    /// Whether the device is locked, so that quiet notifications are not on screen.
    let locked: Bool

    private struct App {
        let delivery: DeliverySettings
        /// How long a service extension may take, in seconds.
        let limit: Double
    }

    /// How long iOS lets a service extension run, in seconds.
    package static var serviceExtensionLimit: Double { 30 }

    package init(_ settings: Settings, profile: Profile, locked: Bool = false) {
        self.profile = profile
        self.locked = locked
        let limit = settings.serviceExtensionLimit ?? Self.serviceExtensionLimit
        general = App(delivery: settings.delivery, limit: limit)
        for (name, app) in settings.apps.orderedByKey()
        where !(app.delivery.isEmpty && app.serviceExtensionLimit == nil) && !name.isEmpty {
            _ = names.symbol(for: Array(name.utf8).span)
            apps.append(
                App(delivery: app.delivery.over(general.delivery), limit: app.serviceExtensionLimit ?? limit))
        }
    }

    /// Returns what became of a notification; nil if it did not appear.
    ///
    /// - Parameter changes: the changes that apply to it, which precede the configuration.
    package func effect(
        on record: NotificationRecord, in bytes: Span<UInt8>, after changes: UserSettings
    ) -> DeliveryEffect? {
        settings(of: bytes[record.app], after: changes)
            .effect(on: record.traits, profile, isOpen: changes.isOpen ?? false)?
            .chosen(changes.grouping, changes.showPreviews, changes.locale)
    }

    /// Returns the level that a push asked for.
    package func level(of record: NotificationRecord) -> InterruptionLevel {
        record.traits.ofPush.level(profile)
    }

    /// Returns whether a badge changes that of its app.
    ///
    /// - Parameter changes: the changes that apply to it, which precede the configuration.
    func allowsBadge(ofCritical isCritical: Bool, app: Span<UInt8>, after changes: UserSettings) -> Bool {
        settings(of: app, after: changes).allowsBadge(ofCritical: isCritical)
    }

    private func settings(of app: Span<UInt8>, after changes: UserSettings) -> DeliverySettings {
        let configured = configured(app).delivery
        var settings = changes.delivery.over(configured)
        // A person is not asked about an app without the entitlement.
        if configured.critical == false { settings.critical = false }
        return settings
    }

    /// Returns how the push of a notification arrived, whether or not a service extension's result changed what is on screen;
    /// nil if it did not appear.
    ///
    /// - Parameter changes: as for `effect`.
    func arrival(
        of record: NotificationRecord, in bytes: Span<UInt8>, after changes: UserSettings
    ) -> DeliveryEffect? {
        var push = record
        push.traits = record.traits.ofPush
        return effect(on: push, in: bytes, after: changes)
    }

    /// Returns whether a service extension's result replaces the notification's content: it has one, and came in time.
    package func replacesContent(_ result: ExtensionResult, app: Span<UInt8>) -> Bool {
        result.hasContent && (result.elapsed ?? 0) <= configured(app).limit
    }

    /// A digest of everything that these rules depend on, not 0.
    package var digest: UInt64 {
        var output = OutputBuffer()
        output.appendNumber(profile == .ios12 ? 0 : 1)
        for (index, app) in ([general] + apps).enumerated() {
            output.appendText(index == 0 ? Span() : names.text(of: UInt32(index)))
            output.appendNumber(app.delivery.number)
            output.appendNumber(app.limit.bitPattern)
        }
        if locked { output.appendNumber(1) }
        return max(1, output.bytes.stableHash(seed: 0))
    }

    private func configured(_ app: Span<UInt8>) -> App {
        guard !apps.isEmpty, let symbol = names.find(app), symbol != 0 else { return general }
        return apps[Int(symbol) - 1]
    }
}
