import SheafBytes
import SheafGroups

/// A notification with plain strings and numbers, for use in tests.
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

    /// The corresponding fields of `NotificationRecord`.
    static let texts: [(TextPath, RangePath)] = [
        (\.app, \.app), (\.device, \.device), (\.thread, \.thread), (\.identifier, \.identifier),
        (\.collapseIdentifier, \.collapseIdentifier), (\.category, \.category), (\.title, \.title),
        (\.subtitle, \.subtitle), (\.body, \.body), (\.argument, \.argument),
    ]

    init() {}

    /// Creates a notification from a record whose texts are in `bytes`.
    init(_ record: NotificationRecord, in bytes: Span<UInt8>) {
        for (text, range) in Self.texts { self[keyPath: text] = bytes[record[keyPath: range]].string }
        weight = record.weight
        grouping = record.grouping
        order = record.order
    }

    /// Returns the record with its texts in a buffer, separated by bytes that belong to no text.
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
