import SheafBytes
import SheafGroups

/// Replaces the keys of a localized alert with the texts in the app's string tables.
///
/// Compiled texts are cached: at most as many as the string tables of all apps have.
struct AlertResolver {
    /// The texts of the most recently resolved notification.
    private(set) var texts: [UInt8] = []
    private var cache: [CacheKey: AlertTexts.Found] = [:]

    private struct CacheKey: Hashable {
        let app: String
        let key: String
    }

    @inline(__always)
    static func isNeeded(for record: NotificationRecord, in bytes: Span<UInt8>) -> Bool {
        LocalizedText.isMarked(bytes[record.title]) || LocalizedText.isMarked(bytes[record.subtitle])
            || LocalizedText.isMarked(bytes[record.body])
    }

    /// Copies the texts of `record` to `texts` and resolves the localized ones.
    ///
    /// A key without a text is shown itself, as on a device.
    ///
    /// - Parameters:
    ///   - record: its ranges refer to `texts` afterwards.
    ///   - bytes: the buffer that its ranges refer to before.
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
        /// Determines how numbers are written.
        let formats: FormatTable
    }

    /// Returns the range of the displayed text in `texts`; the range of a text that is not localized stays the same.
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
        let cacheKey = CacheKey(app: app.string, key: key)
        if let found = cache[cacheKey] { return found }
        let found = tables.find(key)
        // Missing keys are not cached, because their number is unbounded.
        if case .nothing = found { return found }
        cache[cacheKey] = found
        return found
    }
}
