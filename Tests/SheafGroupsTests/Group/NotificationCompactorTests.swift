import SheafBytes
import TestSupport
import Testing

@testable import SheafGroups

/// Notifications are compacted into fewer bytes and expanded again.
@Suite struct NotificationCompactorTests {
    /// Compacts and expands a notification with buffers that already hold other bytes.
    private func roundTrip(
        _ notification: NotificationText, _ compactor: inout NotificationCompactor
    ) -> (notification: NotificationText, compactedBytes: Int) {
        let (record, bytes) = notification.encoded()
        var compacted = Array("something else".utf8)
        var expanded = Array("something else".utf8)
        let compact = compactor.compact(record, in: bytes.span, into: &compacted)
        let back = compactor.expand(compact, in: compacted.span, into: &expanded)
        let compactedBytes = [
            compact.app, compact.category, compact.device, compact.identifier, compact.thread,
            compact.collapseIdentifier, compact.title, compact.subtitle, compact.body, compact.argument,
        ].map { Int($0.count) }.reduce(0, +)
        return (NotificationText(back, in: expanded.span), compactedBytes)
    }

    @Test func typicalNotificationIsCompacted() {
        var notification = NotificationText()
        notification.app = "com.example.mail"
        notification.category = "MAIL_RECEIVED"
        notification.device = "92ff0077a44791d163039fdd6bfce056bf4d81e97742c6de5961168886ddf715"
        notification.identifier = "FFEB04ED-9536-4905-8A0D-1C287AE26ECE"
        notification.collapseIdentifier = "unread"
        notification.body = "Hello"
        notification.weight = 7
        notification.order = OrderKey(timestamp: 1, source: 2, line: 3)
        var compactor = NotificationCompactor()
        for _ in 0..<2 {
            let back = roundTrip(notification, &compactor)
            #expect(back.notification == notification)
            // App; grouping and category; device; identifier; collapse identifier and body.
            #expect(back.compactedBytes == 1 + 2 + 33 + 17 + 11)
        }
    }

    @Test(arguments: Grouping.allCases)
    func groupingsRoundTrip(_ grouping: Grouping) {
        var compactor = NotificationCompactor()
        var notification = NotificationText()
        notification.grouping = grouping
        #expect(roundTrip(notification, &compactor).notification == notification)
    }

    @Test func eachTextRoundTrips() {
        var compactor = NotificationCompactor()
        for (text, _) in NotificationText.texts {
            for value in ["", "x", "0f", "FFEB04ED-9536-4905-8A0D-1C287AE26ECE"] {
                var notification = NotificationText()
                notification.app = ""
                notification[keyPath: text] = value
                #expect(roundTrip(notification, &compactor).notification == notification)
            }
        }
    }

    /// Devices have a symbol while there are few. A device has the same form before and after that.
    @Test func manyDevicesRoundTrip() {
        var compactor = NotificationCompactor()
        var forms: [Int: [UInt8]] = [:]
        for number in Array(1...20_000) + [1, 255, 256, 16_383, 16_384, 16_385, 20_000] {
            var notification = NotificationText()
            notification.device = "a long device token \(number)"
            let (record, bytes) = notification.encoded()
            var compacted: [UInt8] = []
            let compact = compactor.compact(record, in: bytes.span, into: &compacted)
            var expanded: [UInt8] = []
            let back = compactor.expand(compact, in: compacted.span, into: &expanded)
            #expect(NotificationText(back, in: expanded.span) == notification)
            let form = Array(copying: compacted.span[compact.device])
            #expect(forms[number] == nil || forms[number] == form)
            #expect(number > 16_384 ? form.count > 16 : form.count <= 3, "\(number)")
            forms[number] = form
        }
        #expect(Set(forms.values).count == forms.count)
    }

    /// Covers symbols of one, two and three bytes.
    @Test func manyAppsAndCategoriesRoundTrip() {
        var compactor = NotificationCompactor()
        var notification = NotificationText()
        for number in 1...70_000 {
            notification.app = "app \(number)"
            notification.category = number % 3 == 0 ? "" : "category \(number / 2)"
            let (record, bytes) = notification.encoded()
            var compacted: [UInt8] = []
            let compact = compactor.compact(record, in: bytes.span, into: &compacted)
            guard [1, 255, 256, 257, 65_535, 65_536, 70_000].contains(number) else { continue }
            #expect(compact.app.count == (number < 256 ? 1 : number < 65_536 ? 2 : 3))
            var expanded: [UInt8] = []
            let back = compactor.expand(compact, in: compacted.span, into: &expanded)
            #expect(NotificationText(back, in: expanded.span) == notification)
        }
        notification.app = "app 1"
        #expect(roundTrip(notification, &compactor).notification == notification)
    }

    /// The store compares compacted notifications exactly like the original ones.
    @Test(arguments: Seeds.several(2))
    func compactedNotificationsCompareLikeOriginals(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let devices = ["", "0f", "0F", "0g", "f0", "0f0f", "d"]
        var compactor = NotificationCompactor()
        var store = NotificationStore()
        var compactStore = NotificationStore()
        var compacted: [UInt8] = []
        var expanded: [UInt8] = []
        var kept: [(NotificationText, PackedNotification, PackedNotification)] = []
        for round in 0..<300 {
            var notification = NotificationText()
            notification.app = random.pick(["a", "b", "0f"])
            notification.device = random.pick(devices)
            notification.identifier = random.pick(devices)
            notification.collapseIdentifier = random.pick(["c", "0f"])
            notification.category = random.pick(["", "a", "b"])
            notification.title = String(repeating: "t", count: random.below(300))
            let (record, bytes) = notification.encoded()
            let compact = compactor.compact(record, in: bytes.span, into: &compacted)
            for (_, packed, compactPacked) in kept.suffix(40) {
                let isSame = store.isSameNotification(packed, record, in: bytes.span)
                let isCompactSame = compactStore.isSameNotification(
                    compactPacked, compact, in: compacted.span)
                #expect(isSame == isCompactSame, "round \(round)")
            }
            kept.append(
                (
                    notification, store.insert(record, in: bytes.span),
                    compactStore.insert(compact, in: compacted.span)
                ))
        }
        for (notification, _, packed) in kept {
            let back = compactor.expand(
                compactStore.record(of: packed), in: compactStore.bytes(of: packed), into: &expanded)
            #expect(NotificationText(back, in: expanded.span) == notification)
        }
    }
}
