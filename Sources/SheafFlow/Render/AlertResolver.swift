import SheafBytes
import SheafGroups

/// Puts what an app's string tables have for the keys of a localized alert in place of them.
///
/// What was found stays compiled: as many texts at most as the tables of all apps have.
struct AlertResolver {
    /// The texts of the notification that was resolved last.
    private(set) var texts: [UInt8] = []
    private var known: [Place: AlertTexts.Found] = [:]

    private struct Place: Hashable {
        let app: String
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
        let shown = Shown(tables: tables, formats: presentation.formats)
        record.title = resolved(record.title, in: bytes, of: app, shown)
        record.subtitle = resolved(record.subtitle, in: bytes, of: app, shown)
        record.body = resolved(record.body, in: bytes, of: app, shown)
    }

    private struct Shown {
        let tables: AlertTexts?
        /// How numbers are written.
        let formats: FormatTable
    }

    /// Where what is shown stands in `texts`: a text that stands for itself, where it stood.
    private mutating func resolved(
        _ range: TextRange, in bytes: Span<UInt8>, of app: Span<UInt8>, _ shown: Shown
    ) -> TextRange {
        let kept = bytes[range]
        guard let localized = LocalizedText(kept) else { return range }
        let start = texts.count
        let key = kept.extracting(localized.key)
        let found = shown.tables.map { find(key.string, of: app, in: $0) } ?? .nothing
        guard case .text(let text) = found,
            text.append(
                arguments: kept.extracting(localized.arguments),
                texts: shown.formats.texts(isLocal: text.isLocal), to: &texts)
        else {
            texts.append(key)
            return TextRange(start..<texts.count)
        }
        return TextRange(start..<texts.count)
    }

    private mutating func find(_ key: String, of app: Span<UInt8>, in tables: AlertTexts) -> AlertTexts.Found
    {
        let place = Place(app: app.string, key: key)
        if let found = known[place] { return found }
        let found = tables.find(key)
        // What is in no table may be anything: there is no end of it.
        if case .nothing = found { return found }
        known[place] = found
        return found
    }
}
