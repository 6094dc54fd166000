import SheafBytes

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
