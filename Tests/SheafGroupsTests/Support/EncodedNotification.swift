import SheafBytes

@testable import SheafGroups

/// A notification as plain texts and numbers.
struct NotificationText: Equatable, Sendable {
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
    var order = OrderKey(timestamp: 0, source: 0, line: 0)

    typealias TextPath = WritableKeyPath<NotificationText, String> & Sendable
    typealias RangePath = WritableKeyPath<NotificationRecord, TextRange> & Sendable

    /// The texts and their ranges in `NotificationRecord`.
    static let texts: [(TextPath, RangePath)] = [
        (\.app, \.app), (\.device, \.device), (\.thread, \.thread), (\.identifier, \.identifier),
        (\.collapseIdentifier, \.collapseIdentifier), (\.category, \.category), (\.title, \.title),
        (\.subtitle, \.subtitle), (\.body, \.body), (\.argument, \.argument),
    ]

    /// Returns the record and a buffer with its texts, which are separated by bytes that belong to none of them.
    func encoded() -> (record: NotificationRecord, bytes: [UInt8]) {
        var record = NotificationRecord()
        record.order = order
        record.weight = weight
        var bytes = Array("<".utf8)
        for (text, range) in Self.texts {
            let start = bytes.count
            bytes += Array(self[keyPath: text].utf8)
            record[keyPath: range] = TextRange(start..<bytes.count)
            bytes.append(0x7c)
        }
        return (record, bytes)
    }

    init() {}

    /// Reads a record's texts from their buffer.
    init(_ record: NotificationRecord, in bytes: Span<UInt8>) {
        for (text, range) in Self.texts {
            self[keyPath: text] = bytes[record[keyPath: range]].string
        }
        weight = record.weight
        order = record.order
    }
}
