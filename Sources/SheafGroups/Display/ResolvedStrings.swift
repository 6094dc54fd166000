import SheafText

/// The string table entries that a configuration refers to, looked up in one locale and validated.
package struct ResolvedStrings: Sendable {
    private var formats: [FormatKey: ShownFormat] = [:]
    /// Alert texts by app identifier, for apps with string tables.
    private var alerts: [String: AlertTexts] = [:]
    /// The keys that no table for the locale has, in the order of the configuration's keys.
    package private(set) var missing: [MissingKey] = []

    private struct FormatKey: Hashable {
        let app: String
        let key: String
        let isPlaceholder: Bool
    }

    package struct MissingKey: Sendable, Equatable {
        package let app: String
        package let category: String
        package let key: String
    }

    package init() {}

    /// - Parameters:
    ///   - tables: the string tables by app identifier.
    ///   - locale: the locale whose tables are searched first, followed by its fallbacks, the app's development
    ///     language, and `Base`.
    /// - Throws: `StringFormatError` for a text that is invalid where the configuration uses it.
    package init(
        _ settings: Settings, tables: [String: StringTables], locale: LocaleIdentifier
    ) throws(StringFormatError) {
        let chain = LanguageChain(locale, developmentLanguage: settings.developmentLanguage)
        let apps = tables.mapValues { AppStrings($0, chain) }
        alerts = apps.mapValues(AlertTexts.init)
        for (name, app) in settings.apps.sorted(by: { $0.key < $1.key }) {
            let strings = apps[name]
            for (category, wanted) in app.categories.sorted(by: { $0.key < $1.key }) {
                for (key, role) in [
                    (wanted.summaryFormatKey, CompiledString.Role.summary),
                    (wanted.placeholderKey, .placeholder),
                ] {
                    guard let key else { continue }
                    let formatKey = FormatKey(app: name, key: key, isPlaceholder: role == .placeholder)
                    if let found = try strings?.find(key, role) {
                        formats[formatKey] = found
                    } else {
                        missing.append(MissingKey(app: name, category: category, key: key))
                    }
                }
            }
        }
    }

    func format(of app: String, _ key: String, _ role: CompiledString.Role) -> ShownFormat? {
        formats[FormatKey(app: app, key: key, isPlaceholder: role == .placeholder)]
    }

    package func alerts(of app: String) -> AlertTexts? { alerts[app] }

    /// Whether no app has string tables.
    package var isEmpty: Bool { alerts.isEmpty }
}
