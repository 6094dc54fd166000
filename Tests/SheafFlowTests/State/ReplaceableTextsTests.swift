import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Replaceable notifications with devices and identifiers like those in real logs, and the selection of those that are
/// passed on.
@Suite(.tags(.spilling)) struct ReplaceableTextsTests {
    private static let token = "92ff0077a44791d163039fdd6bfce056bf4d81e97742c6de5961168886ddf715"

    private func add(
        _ notification: NotificationText, groupHash: UInt64 = 0, to table: inout ReplaceableTable
    ) {
        let (record, bytes) = notification.encoded()
        table.add(
            RoutedRecord(
                record: record, groupHash: groupHash,
                identityHash: Routing.identityHash(record, in: bytes.span)),
            in: bytes.span)
    }

    private func notification(device: String, line: UInt64) -> NotificationText {
        var notification = NotificationText()
        notification.device = device
        notification.collapseIdentifier = "c"
        notification.identifier = "FFEB04ED-9536-4905-8A0D-1C287AE26ECE"
        notification.category = "category \(line)"
        notification.body = String(repeating: "b", count: Int(line) * 20)
        notification.order = OrderKey(timestamp: 0, source: 0, line: line)
        return notification
    }

    @Test func devicesThatDifferInCaseAreDistinct() {
        var table = ReplaceableTable(
            StateOptions(byDevice: true, maximumArguments: 16, rules: GroupingRules(Settings())))
        var expected: [NotificationText] = []
        for (line, device) in [Self.token, Self.token.uppercased(), Self.token + "0", ""].enumerated() {
            add(notification(device: device, line: UInt64(line)), to: &table)
            expected.append(notification(device: device, line: UInt64(line) + 10))
            add(expected[line], to: &table)
        }
        #expect(table.count == 4)
        #expect(table.updated == 4)
        var found: [NotificationText] = []
        table.forEach { window in
            window.forEach { found.append(NotificationText($0.record, in: $1)) }
        }
        #expect(found == expected)
    }

    @Test func onlySelectedNotificationsAreVisited() {
        var table = ReplaceableTable(
            StateOptions(byDevice: true, maximumArguments: 16, rules: GroupingRules(Settings())))
        // More than a window, and shorter texts after longer ones.
        let lines = (0..<100 as Range<UInt64>).reversed()
        for line in lines { add(notification(device: "\(line)", line: line), groupHash: line, to: &table) }
        var found: [UInt64] = []
        table.forEach(where: { $0 % 3 == 0 }) { window in
            window.forEach { item, bytes in
                let text = NotificationText(item.record, in: bytes)
                #expect(text == notification(device: "\(item.groupHash)", line: item.groupHash))
                found.append(item.groupHash)
            }
        }
        #expect(found == lines.filter { $0 % 3 == 0 })
    }
}
