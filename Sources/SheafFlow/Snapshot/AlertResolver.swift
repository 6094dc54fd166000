import SheafBytes
import SheafGroups

/// Puts what an app's string tables have for the keys of a localized alert in place of them.
///
/// Texts that were found stay compiled: as many at most as the tables of all apps have.
struct AlertResolver {
    /// The texts of the notification that was resolved last.
    private(set) var texts: [UInt8] = []
    private var known: [Place: AlertText] = [:]

    private struct Place: Hashable {
        let app: [UInt8]
        let key: String
    }

    @inline(__always)
    static func isNeeded(for record: NotificationRecord, in bytes: Span<UInt8>) -> Bool {
        LocalizedText.isMarked(bytes[record.title]) || LocalizedText.isMarked(bytes[record.subtitle])
            || LocalizedText.isMarked(bytes[record.body])
    }

    /// Puts the texts of `record` into `texts`, with what is shown for localized ones. A key without a text is shown
    /// itself, as on a device.
    ///
    /// - Parameters:
    ///   - record: stands in `texts` afterwards.
    ///   - bytes: the buffer of its texts.
    mutating func resolve(
        _ record: inout NotificationRecord, in bytes: Span<UInt8>, of app: Span<UInt8>,
        for presentation: Presentation
    ) {
        texts.removeAll(keepingCapacity: true)
        texts.append(bytes)
        let tables = presentation.app(app).alerts
        var name: [UInt8] = []
        name.append(app)
        for field in [\NotificationRecord.title, \.subtitle, \.body] {
            let text = bytes[record[keyPath: field]]
            guard let localized = LocalizedText(text) else { continue }
            let start = texts.count
            let key = text.extracting(localized.key)
            if let found = find(key.string, of: name, in: tables) {
                found.append(
                    arguments: text.extracting(localized.arguments), texts: presentation.formats.texts,
                    to: &texts)
            } else {
                texts.append(key)
            }
            record[keyPath: field] = TextRange(start..<texts.count)
        }
    }

    private mutating func find(_ key: String, of app: [UInt8], in tables: AlertTexts?) -> AlertText? {
        guard let tables else { return nil }
        let place = Place(app: app, key: key)
        if let text = known[place] { return text }
        let text = tables.text(of: key)
        known[place] = text
        return text
    }
}
