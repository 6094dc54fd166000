import SheafBytes
import SheafGroups

/// Replacing contents by the results of service extensions (specification §16).
extension LiveTable {
    /// Applies a result to the notification that it is for, and keeps it for one that is added later.
    ///
    /// - Parameter result: the content; its collapse identifier is that of the notification.
    mutating func modify(_ result: NotificationRecord, in bytes: Span<UInt8>) {
        guard modifications.add(result, in: bytes) else { return }
        var buffer: [UInt8] = []
        let (app, identifier) = (bytes[result.app], bytes[result.collapseIdentifier])
        let found =
            entries.entries(of: .identifier, app: app, text: identifier)
            + entries.entries(ofPush: identifier, app: app)
        for index in found where entries[index].order < result.order {
            let record = entries.record(at: index, into: &buffer)
            let item = RoutedRecord(record, byDevice: options.byDevice, in: buffer.span)
            var replacement: [UInt8] = []
            guard let shown = replaced(item, in: buffer.span, into: &replacement, only: result.order) else {
                continue
            }
            replace(index, by: shown, in: replacement.span, fate(of: shown.record, in: replacement.span))
        }
    }

    /// Returns a notification with its newest content; nil if that is the one that was logged.
    ///
    /// - Parameters:
    ///   - buffer: becomes the buffer of its texts.
    ///   - order: that of the content; nil for any.
    func replaced(
        _ item: RoutedRecord, in bytes: Span<UInt8>, into buffer: inout [UInt8], only order: OrderKey? = nil
    ) -> RoutedRecord? {
        guard let result = modifications.newest(for: item.record, in: bytes),
            order.map({ $0 == result.order }) ?? true
        else { return nil }
        var record = item.record
        modifications.replaceContent(of: &record, in: bytes, by: result, into: &buffer)
        return RoutedRecord(record, byDevice: options.byDevice, in: buffer.span)
    }

    /// Returns the notification of an entry with its newest content, and writes its texts to the start of `buffer`,
    /// which may be longer.
    func shownRecord(at index: Int, into buffer: inout [UInt8]) -> NotificationRecord {
        var record = entries.record(at: index, into: &buffer)
        if let result = modifications.newest(for: record, in: buffer.span) {
            var replacement: [UInt8] = []
            modifications.replaceContent(of: &record, in: buffer.span, by: result, into: &replacement)
            buffer = replacement
        }
        return record
    }
}
