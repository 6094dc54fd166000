import SheafBytes
import SheafGroups
import Testing

@testable import SheafFlow

/// The pushes that later records of a stream may decide.
@Suite struct PushHistoryTests {
    private static func history(_ count: Int) -> PushHistory {
        var history = PushHistory()
        for number in 0..<count {
            var (record, bytes) = (NotificationRecord(), [UInt8]())
            record.app = bytes.appendText(Array("a".utf8).span)
            record.identifier = bytes.appendText(Array("\(number)".utf8).span)
            record.order = OrderKey(timestamp: Int64(number), source: 0, line: UInt64(number + 1))
            _ = history.add(record, in: bytes.span)
        }
        return history
    }

    /// The oldest are forgotten first, and in the end all of them.
    @Test(arguments: [0, 1, 2, 3, 7, 1_000]) func allPushesCanBeForgotten(_ count: Int) {
        var history = Self.history(count)
        var left = count
        while left > 0 {
            history.forgetOldest()
            left /= 2
            #expect(history.forgottenCount == UInt64(count - left) && history.isEmpty == (left == 0))
            var kept: [Int64] = []
            history.forEach { _, record, _ -> Void in kept.append(record.order.timestamp) }
            #expect(kept == (count - left..<count).map(Int64.init))
        }
        #expect(history.isEmpty)
    }
}
