import SheafBytes

/// A change of delivery settings (specification §16), which applies to the notifications that are newer than it.
///
/// Plain memory without references, like `NotificationRecord`.
package struct SettingsRecord: Sendable {
    /// The app; none for all apps.
    package var app = TextRange.none
    /// The device; none for all devices.
    package var device = TextRange.none
    package var order = OrderKey(timestamp: 0, source: 0, line: 0)
    /// The settings that change; at least one.
    package var settings = DeliverySettings()

    package init() {}
}
