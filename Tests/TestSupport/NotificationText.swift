import SheafBytes
import SheafGroups

/// A notification with plain strings and numbers, for use in tests.
package struct NotificationText: Equatable, Sendable {
    package typealias TextPath = WritableKeyPath<NotificationText, String> & Sendable
    package typealias RangePath = WritableKeyPath<NotificationRecord, TextRange> & Sendable

    package var app = "app"
    package var device = ""
    package var thread = ""
    package var identifier = ""
    package var collapseIdentifier = ""
    package var category = ""
    package var title = ""
    package var subtitle = ""
    package var body = ""
    package var argument = ""
    package var weight: UInt32 = 1
    package var grouping = Grouping.automatic
    package var order = OrderKey(timestamp: 0, source: 0, line: 0)

    /// The corresponding fields of `NotificationRecord`.
    package static let texts: [(TextPath, RangePath)] = [
        (\.app, \.app), (\.device, \.device), (\.thread, \.thread), (\.identifier, \.identifier),
        (\.collapseIdentifier, \.collapseIdentifier), (\.category, \.category), (\.title, \.title),
        (\.subtitle, \.subtitle), (\.body, \.body), (\.argument, \.argument),
    ]

    /// Creates a notification of an app without texts.
    package init() {}

    /// Creates a notification from a record whose texts are in `bytes`.
    package init(_ record: NotificationRecord, in bytes: Span<UInt8>) {
        for (text, range) in Self.texts { self[keyPath: text] = bytes[record[keyPath: range]].string }
        weight = record.weight
        grouping = record.grouping
        order = record.order
    }

    /// Returns the record with its texts in a buffer, separated by bytes that belong to no text.
    package func encoded() -> (record: NotificationRecord, bytes: [UInt8]) {
        var record = NotificationRecord()
        record.order = order
        record.weight = weight
        record.grouping = grouping
        var bytes = Array("<".utf8)
        for (text, range) in Self.texts {
            let start = bytes.count
            bytes += Array(self[keyPath: text].utf8)
            record[keyPath: range] = TextRange(start..<bytes.count)
            bytes.append(UInt8(ascii: "|"))
        }
        return (record, bytes)
    }

    /// Returns the encoding that state files and partial results use.
    package func asBytes() -> [UInt8] {
        let (record, bytes) = encoded()
        var output = OutputBuffer()
        record.encode(in: bytes.span, to: &output)
        var copy: [UInt8] = []
        copy.append(output.bytes)
        return copy
    }
}
