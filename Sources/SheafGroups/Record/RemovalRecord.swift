import SheafBytes

/// What a removal removes (specification §15).
package enum RemovalScope: UInt8, Sendable, CaseIterable {
    /// All notifications of an app.
    case app
    /// Those of one thread, or of none.
    case thread
    /// Those with an identifier.
    case identifier
}

/// A removal of one scope: notifications that are older than it are no longer on screen.
///
/// Plain memory without references, like `NotificationRecord`.
package struct RemovalRecord: Sendable {
    package var scope = RemovalScope.app
    package var app = TextRange.none
    /// The device; none for all devices.
    package var device = TextRange.none
    /// The thread or the identifier.
    package var text = TextRange.none
    package var order = OrderKey(timestamp: 0, source: 0, line: 0)

    package init() {}
}

/// The events that remove notifications, by their names in logs.
enum RemovalEvent: Equatable {
    /// Removes what the record names; all of the app's notifications if it names nothing.
    case removed
    /// The same, but its own identifier is that of the event.
    case cleared
    /// The user acted on one notification, which the record must name.
    case acted
    /// The user opened the app.
    case appOpened

    /// Returns the event of a name; nil if it removes nothing.
    init?(_ name: Span<UInt8>) {
        for (event, names) in Self.names where names.contains(where: { name.isEqual(to: $0) }) {
            self = event
            return
        }
        return nil
    }

    private static let names: [(RemovalEvent, [StaticString])] = [
        (.removed, ["removed"]), (.cleared, ["cleared"]), (.acted, ["dismissed", "opened", "read"]),
        (.appOpened, ["app-opened", "app_opened", "appOpened"]),
    ]
}
