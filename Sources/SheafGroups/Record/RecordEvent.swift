import SheafBytes

/// What a record that is not a push reports, by the name of its event.
enum RecordEvent: Equatable {
    case removal(RemovalEvent)
    case settings
    case response
    case modification

    /// Returns the event of a name; nil for a push.
    init?(_ name: Span<UInt8>) {
        if name.isEqual(to: "settings") {
            self = .settings
        } else if name.isEqual(to: "response") {
            self = .response
        } else if name.isEqual(to: "modified") {
            self = .modification
        } else if let event = RemovalEvent(name) {
            self = .removal(event)
        } else {
            return nil
        }
    }

    /// The longest name as JSON, in bytes: each character may be an escape of six bytes.
    static let maximumEscapedBytes = 6 * 10
}

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

/// A response to a notification (specification §16): an action that was chosen.
///
/// Plain memory without references, like `NotificationRecord`.
package struct ResponseRecord: Sendable {
    package var app = TextRange.none
    /// The notification's category; none if it has none, or if it is not known.
    package var category = TextRange.none
    /// The action's identifier, not empty.
    package var action = TextRange.none

    package init() {}

    /// The actions that are not a category's own, as UserNotifications names them: the notification was opened, or
    /// dismissed.
    package static let defaultAction: StaticString = "com.apple.UNNotificationDefaultActionIdentifier"
    package static let dismissAction: StaticString = "com.apple.UNNotificationDismissActionIdentifier"
}

/// What came of a notification that a service extension could change (specification §16), besides the new content.
package struct ModificationReport: Sendable {
    /// How long the extension took, in seconds; nil if the record does not say.
    package internal(set) var elapsed: Double?
    /// Whether there is a text to show. Without one, the notification is shown as it was sent.
    package internal(set) var hasContent = false
}
