import SheafBytes

/// What a record that is not a push reports, by the name of its event.
enum RecordEvent {
    /// Removes what the record names; all of the app's notifications if it names nothing.
    case removed
    /// The same, but its own identifier is that of the event.
    case cleared
    /// The user acted on one notification, which the record must name.
    case acted
    /// The user opened the app, or left it.
    case appOpened, appClosed
    case settings
    case response
    /// A service extension returned.
    case result
    /// The push service answered.
    case outcome

    private static let names: [(RecordEvent, [StaticString])] = [
        (.settings, ["settings"]), (.response, ["response"]), (.result, ["modified"]),
        (.outcome, ["outcome"]),
        (.removed, ["removed"]), (.cleared, ["cleared"]), (.acted, ["dismissed", "opened", "read"]),
        (.appOpened, ["app-opened", "app_opened", "appOpened"]),
        (.appClosed, ["app-closed", "app_closed", "appClosed"]),
    ]

    /// Returns the event of a name; nil for a push.
    init?(_ name: Span<UInt8>) {
        for (event, names) in Self.names where names.contains(where: { name.isEqual(to: $0) }) {
            self = event
            return
        }
        return nil
    }

    /// Whether the event removes notifications.
    var isRemoval: Bool {
        switch self {
        case .removed, .cleared, .acted, .appOpened: true
        case .appClosed, .settings, .response, .result, .outcome: false
        }
    }

    /// The longest name as JSON, in bytes: each character may be an escape of six bytes.
    static let maximumEscapedBytes = 6 * 10
}

/// A change of a person's settings, or of whether an app is open (specification §16), which applies to the notifications
/// that are newer than it.
///
/// Plain memory without references, like `NotificationRecord`.
package struct SettingsRecord: Sendable {
    /// The app; none for all apps.
    package var app = TextRange.none
    /// The device; none for all devices.
    package var device = TextRange.none
    package var order = OrderKey(timestamp: 0, source: 0, line: 0)
    /// The settings that change; at least one.
    package var settings = UserSettings()

    package init() {}
}

/// The badge of a record, which counts if the settings at its time let it (specification §16).
///
/// Plain memory without references, like `NotificationRecord`.
package struct BadgeRecord: Sendable {
    package var app = TextRange.none
    /// None for a record without a device.
    package var device = TextRange.none
    package var order = OrderKey(timestamp: 0, source: 0, line: 0)
    /// At most `RecordDecoder.maximumBadge`.
    package var number: UInt64 = 0
    /// Whether the record asks for a critical alert.
    package var isCritical = false

    package init() {}

    /// Creates the badge of a notification, a silent record or a result.
    package init(of record: NotificationRecord, _ number: UInt64) {
        (app, device, order) = (record.app, record.device, record.order)
        self.number = number
        // Both profiles have critical alerts.
        isCritical = record.traits.level(.ios15) == .critical
    }

    /// The content in encodings: twice the badge, plus 1 for a critical alert.
    var content: UInt64 {
        get { number << 1 | (isCritical ? 1 : 0) }
        set { (number, isCritical) = (newValue >> 1, newValue & 1 == 1) }
    }

    /// The greatest content.
    static var maximumContent: UInt64 { RecordDecoder.maximumBadge << 1 | 1 }
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

/// The result of a service extension (specification §16), except for the new content of the notification.
package struct ExtensionResult: Sendable {
    /// The time that the extension took, in seconds; nil if the record does not have it.
    package internal(set) var elapsed: Double?
    /// Whether there is a text to show. Without one, the notification is shown as it was sent.
    package internal(set) var hasContent = false
}
