import SheafBytes
import SheafGroups

/// Replaces the keys of a localized alert with the texts in the app's string tables.
///
/// Compiled texts are cached: at most as many as the string tables of all apps have.
struct AlertResolver {
    /// The texts of the most recently resolved notification.
    private(set) var texts: [UInt8] = []
    /// By app and by key.
    private var cache: [String: [String: AlertTexts.Found]] = [:]

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
        let formats = presentation.formats
        record.title = resolved(bytes[record.title], of: app, tables, formats) ?? record.title
        record.subtitle = resolved(bytes[record.subtitle], of: app, tables, formats) ?? record.subtitle
        record.body = resolved(bytes[record.body], of: app, tables, formats) ?? record.body
    }

    /// Returns the range of the displayed text in `texts`; nil for a text that is not localized.
    ///
    /// - Parameter formats: determines how numbers are written.
    private mutating func resolved(
        _ kept: Span<UInt8>, of app: Span<UInt8>, _ tables: AlertTexts?, _ formats: FormatTable
    ) -> TextRange? {
        guard let localized = LocalizedText(kept) else { return nil }
        let start = texts.count
        let key = kept.extracting(localized.key)
        var isShown = false
        if let tables, case .text(let text) = find(key.string, of: app.string, in: tables) {
            isShown = text.append(
                arguments: kept.extracting(localized.arguments),
                texts: formats.texts(isLocal: text.isLocal), to: &texts)
        }
        if !isShown { texts.append(key) }
        return TextRange(start..<texts.count)
    }

    private mutating func find(_ key: String, of app: String, in tables: AlertTexts) -> AlertTexts.Found {
        if let found = cache[app]?[key] { return found }
        let found = tables.find(key)
        // Missing keys are not cached, because their number is unbounded.
        if case .nothing = found { return found }
        cache[app, default: [:]][key] = found
        return found
    }
}
