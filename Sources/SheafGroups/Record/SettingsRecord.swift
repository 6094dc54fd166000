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

/// What a record that is not a push reports, by the name of its event.
enum RecordEvent: Equatable {
    case removal(RemovalEvent)
    case settings
    case response

    /// Returns the event of a name; nil for a push.
    init?(_ name: Span<UInt8>) {
        if name.isEqual(to: "settings") {
            self = .settings
        } else if name.isEqual(to: "response") {
            self = .response
        } else if let event = RemovalEvent(name) {
            self = .removal(event)
        } else {
            return nil
        }
    }

    /// The longest name as JSON, in bytes: each character may be an escape of six bytes.
    static let maximumEscapedBytes = 6 * 10
}
