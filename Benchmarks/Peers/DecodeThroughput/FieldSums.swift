import SheafBytes
import SheafGroups

/// Sums over the decoded fields: programs with equal sums have done the same work.
struct FieldSums {
    private(set) var lines = 0
    private(set) var notifications = 0
    /// The sum of the lengths of all texts, the weights and the times of the notifications.
    private(set) var checksum: UInt64 = 0

    /// Decodes every line of `chunks`, in order.
    mutating func add(_ chunks: [Chunk]) {
        var decoder = RecordDecoder(keepsRejectedText: false)
        for chunk in chunks {
            var cursor = LineCursor(chunk)
            while let line = cursor.next(in: chunk) {
                lines += 1
                let outcome = decoder.decode(
                    line.text, of: chunk, at: RecordPosition(source: 0, line: line.number))
                if outcome == .notification { add(decoder.record) }
            }
        }
    }

    private mutating func add(_ record: NotificationRecord) {
        notifications += 1
        var sum = UInt64(bitPattern: record.order.timestamp) &+ UInt64(record.weight)
        sum &+= Self.length(record.app) &+ Self.length(record.title) &+ Self.length(record.subtitle)
        sum &+= Self.length(record.body) &+ Self.length(record.thread) &+ Self.length(record.device)
        sum &+= Self.length(record.identifier) &+ Self.length(record.collapseIdentifier)
        sum &+= Self.length(record.category) &+ Self.length(record.argument)
        checksum &+= sum
    }

    private static func length(_ text: TextRange) -> UInt64 { UInt64(text.count) }
}
