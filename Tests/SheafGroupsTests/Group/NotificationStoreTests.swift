import SheafBytes
import TestSupport
import Testing

@testable import SheafGroups

/// Complete notifications, kept as long as they may be replaced (specification §5).
@Suite struct NotificationStoreTests {
    private func full(_ tag: String) -> NotificationText {
        var notification = NotificationText()
        for (text, _) in NotificationText.texts { notification[keyPath: text] = tag }
        return notification
    }

    private func kept(_ packed: PackedNotification, _ store: borrowing NotificationStore) -> NotificationText
    {
        NotificationText(store.record(of: packed), in: store.bytes(of: packed))
    }

    @Test func insertedNotificationsRoundTrip() {
        var store = NotificationStore()
        let notifications = (0..<50).map { full(String(repeating: "x", count: $0 * 7)) }
        var packed: [PackedNotification] = []
        for notification in notifications {
            let (record, bytes) = notification.encoded()
            packed.append(store.insert(record, in: bytes.span))
        }
        for (entry, notification) in zip(packed, notifications) {
            #expect(kept(entry, store) == notification)
        }
    }

    @Test(arguments: Seeds.several(2))
    func replacingOneDoesNotChangeOthers(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var store = NotificationStore()
        var notifications = (0..<20).map { full("n\($0)") }
        var packed: [PackedNotification] = []
        for notification in notifications {
            let (record, bytes) = notification.encoded()
            packed.append(store.insert(record, in: bytes.span))
        }
        for _ in 0..<300 {
            let index = random.below(notifications.count)
            notifications[index] = full(String(repeating: "r", count: random.below(300)))
            let (record, bytes) = notifications[index].encoded()
            store.replace(&packed[index], by: record, in: bytes.span)
            let other = random.below(notifications.count)
            #expect(kept(packed[other], store) == notifications[other])
        }
        for (entry, notification) in zip(packed, notifications) {
            #expect(kept(entry, store) == notification)
        }
    }

    struct Identity: NamedCase {
        let name: String
        let change: @Sendable (inout NotificationText) -> Void
        let isSame: Bool
    }

    @Test(arguments: [
        Identity(name: "the same", change: { _ in }, isSame: true),
        Identity(name: "another thread", change: { $0.thread = "u" }, isSame: true),
        Identity(
            name: "other texts",
            change: {
                $0.title = "u"; $0.identifier = ""
            }, isSame: true),
        Identity(name: "another app", change: { $0.app = "u" }, isSame: false),
        Identity(name: "another device", change: { $0.device = "u" }, isSame: false),
        Identity(name: "no device", change: { $0.device = "" }, isSame: false),
        Identity(name: "another collapse id", change: { $0.collapseIdentifier = "u" }, isSame: false),
        Identity(
            name: "app and device swapped",
            change: {
                $0.app = "device"
                $0.device = "app"
            }, isSame: false),
    ])
    func deviceAppAndCollapseIdentifierMustMatch(_ identity: Identity) {
        var notification = full("x")
        notification.app = "app"
        notification.device = "device"
        var store = NotificationStore()
        let (record, bytes) = notification.encoded()
        let packed = store.insert(record, in: bytes.span)
        identity.change(&notification)
        let (other, otherBytes) = notification.encoded()
        #expect(store.isSameNotification(packed, other, in: otherBytes.span) == identity.isSame)
    }

    @Test func notificationWithACollapseIdentifierIsReplaceable() {
        var notification = NotificationText()
        #expect(!notification.encoded().record.isReplaceable)
        notification.collapseIdentifier = "c"
        #expect(notification.encoded().record.isReplaceable)
    }
}
