import SheafBytes
import TestSupport
import Testing

@testable import SheafGroups

/// Returns whether the bytes are the encoding of a notification.
private func isEncoding(_ bytes: [UInt8], sourceOffset: Int = 0) -> Bool {
    NotificationRecord(encoded: bytes.span, sourceOffset: sourceOffset) != nil
}

/// Encoded notifications that a newer version may replace.
@Suite struct NotificationEncodingTests {
    private static func notification(_ grouping: Grouping = .automatic) -> NotificationText {
        var notification = NotificationText()
        notification.grouping = grouping
        notification.app = "a"
        notification.device = "d"
        notification.thread = "th"
        notification.identifier = "i"
        notification.collapseIdentifier = "c"
        notification.category = "k"
        notification.title = "T"
        notification.subtitle = "S"
        notification.body = "B"
        notification.argument = "x"
        notification.weight = 300
        notification.order = OrderKey(timestamp: -1, source: 2, line: 128)
        return notification
    }

    @Test(arguments: [(Grouping.automatic, UInt8(0)), (.byApp, 1), (.off, 2)])
    func encodingIsStable(grouping: Grouping, number: UInt8) {
        let expected: [UInt8] = [
            1, 0x64, 1, 0x61, 1, 0x63, number, 1, 2, 0x80, 1, 0xac, 2, 2, 0x74, 0x68, 1, 0x6b, 1, 0x69, 1,
            0x54, 1,
            0x53, 1, 0x42, 1, 0x78,
        ]
        #expect(Self.notification(grouping).asBytes() == expected)
    }

    @Test(arguments: [Grouping.automatic, .byApp, .off], [0, 1, 70_000])
    func encodedNotificationsRoundTrip(_ grouping: Grouping, _ offset: Int) {
        var random = SeededGenerator(seed: 1)
        for shape in GroupShape.all {
            for var notification in shape.random(&random).prefix(40) {
                notification.collapseIdentifier = "c"
                notification.grouping = grouping
                let bytes = notification.asBytes()
                guard let record = NotificationRecord(encoded: bytes.span, sourceOffset: offset) else {
                    Issue.record("cannot read \(notification)")
                    continue
                }
                #expect(record.grouping == grouping)
                let order = notification.order
                notification.order = OrderKey(
                    timestamp: order.timestamp, source: order.source + offset, line: order.line,
                    index: order.index)
                let decoded = NotificationText(record, in: bytes.span)
                #expect(decoded == notification)
            }
        }
    }

    /// The index is in the upper bits of the line number: without one, the bytes are those of a line with one record.
    @Test func theIndexIsStoredWithTheLine() {
        var notification = Self.notification()
        let first = notification.asBytes()
        notification.order = OrderKey(timestamp: -1, source: 2, line: 128, index: 5)
        let bytes = notification.asBytes()
        #expect(bytes.prefix(9) == first.prefix(9))
        #expect(Array(bytes[9..<16]) == [0x80, 0x81, 0x80, 0x80, 0x80, 0xa0, 1])
        #expect(bytes.dropFirst(16) == first.dropFirst(11))
        let record = NotificationRecord(encoded: bytes.span)
        #expect(record?.order == notification.order)
    }

    @Test func notificationWithoutACollapseIdentifierIsInvalid() {
        var notification = Self.notification()
        notification.collapseIdentifier = ""
        let bytes = notification.asBytes()
        #expect(!isEncoding(bytes))
    }

    @Test func notificationWithoutAnAppIsInvalid() {
        var notification = Self.notification()
        notification.app = ""
        let bytes = notification.asBytes()
        #expect(!isEncoding(bytes))
    }

    @Test func unknownGroupingIsInvalid() {
        var bytes = Self.notification(.off).asBytes()
        bytes[6] = 3
        #expect(!isEncoding(bytes))
    }

    @Test func sourcesPastTheLastOneAreInvalid() {
        let bytes = Self.notification(.off).asBytes()
        #expect(isEncoding(bytes, sourceOffset: OrderKey.maximumSources - 3))
        #expect(!isEncoding(bytes, sourceOffset: OrderKey.maximumSources - 2))
    }

    @Test func truncatedAndTrailingBytesAreInvalid() {
        let bytes = Self.notification(.byApp).asBytes()
        for count in bytes.indices {
            let part = Array(bytes[..<count])
            #expect(!isEncoding(part), "\(count) bytes")
        }
        let more = bytes + [0]
        #expect(!isEncoding(more))
    }
}
