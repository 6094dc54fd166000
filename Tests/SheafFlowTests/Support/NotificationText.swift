import SheafBytes
import SheafGroups

/// A notification as a test writes it: texts and numbers.
struct NotificationText: Equatable, Sendable {
    typealias TextPath = WritableKeyPath<NotificationText, String> & Sendable
    typealias RangePath = WritableKeyPath<NotificationRecord, TextRange> & Sendable

    var app = "app"
    var device = ""
    var thread = ""
    var identifier = ""
    var collapseIdentifier = ""
    var category = ""
    var title = ""
    var subtitle = ""
    var body = ""
    var argument = ""
    var weight: UInt32 = 1
    var grouping = Grouping.automatic
    var order = OrderKey(timestamp: 0, source: 0, line: 0)

    /// The texts' places in `NotificationRecord`.
    static let texts: [(TextPath, RangePath)] = [
        (\.app, \.app), (\.device, \.device), (\.thread, \.thread), (\.identifier, \.identifier),
        (\.collapseIdentifier, \.collapseIdentifier), (\.category, \.category), (\.title, \.title),
        (\.subtitle, \.subtitle), (\.body, \.body), (\.argument, \.argument),
    ]

    init() {}

    /// What a record says, read from the buffer of its texts.
    init(_ record: NotificationRecord, in bytes: Span<UInt8>) {
        for (text, range) in Self.texts { self[keyPath: text] = bytes[record[keyPath: range]].string }
        weight = record.weight
        grouping = record.grouping
        order = record.order
    }

    /// The record with its texts in a buffer, between bytes that belong to none.
    func encoded() -> (record: NotificationRecord, bytes: [UInt8]) {
        var record = NotificationRecord()
        record.order = order
        record.weight = weight
        record.grouping = grouping
        var bytes = Array("<".utf8)
        for (text, range) in Self.texts {
            let start = bytes.count
            bytes += Array(self[keyPath: text].utf8)
            record[keyPath: range] = TextRange(start..<bytes.count)
            bytes.append(0x7c)
        }
        return (record, bytes)
    }
}
