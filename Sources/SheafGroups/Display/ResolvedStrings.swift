import SheafBytes
import SheafText

/// The string table entries that a configuration refers to, looked up in one locale and validated.
package struct ResolvedStrings: Sendable {
    private var formats: [FormatKey: ShownFormat] = [:]
    /// Alert texts by app identifier, for apps with string tables.
    private var alerts: [String: AlertTexts] = [:]
    /// The keys that no table for the locale has, in the order of the configuration's keys.
    package private(set) var missing: [MissingKey] = []
    /// The string tables by app identifier.
    private var tables: [String: StringTables] = [:]

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
        self.tables = tables
        if let error = resolve(settings, locale) { throw error }
    }

    /// Returns the entries in another locale. A text that is invalid where the configuration uses it counts as missing.
    ///
    /// - Parameter settings: the configuration whose entries these are.
    package func resolved(_ settings: Settings, in locale: LocaleIdentifier) -> ResolvedStrings {
        var strings = ResolvedStrings()
        strings.tables = tables
        _ = strings.resolve(settings, locale)
        return strings
    }

    /// - Returns: the error of the first text that is invalid; nil if all of them are valid.
    private mutating func resolve(_ settings: Settings, _ locale: LocaleIdentifier) -> StringFormatError? {
        var first: StringFormatError?
        let chain = LanguageChain(locale, developmentLanguage: settings.developmentLanguage)
        let apps = tables.mapValues { AppStrings($0, chain) }
        alerts = apps.mapValues(AlertTexts.init)
        for (name, app) in settings.apps.orderedByKey() {
            let strings = apps[name]
            for (category, wanted) in app.categories.orderedByKey() {
                for (key, role) in [
                    (wanted.summaryFormatKey, CompiledString.Role.summary),
                    (wanted.placeholderKey, .placeholder),
                ] {
                    guard let key else { continue }
                    let formatKey = FormatKey(app: name, key: key, isPlaceholder: role == .placeholder)
                    do throws(StringFormatError) {
                        if let found = try strings?.find(key, role) {
                            formats[formatKey] = found
                        } else {
                            missing.append(MissingKey(app: name, category: category, key: key))
                        }
                    } catch {
                        first = first ?? error
                    }
                }
            }
        }
        return first
    }

    package func format(of app: String, _ key: String, _ role: CompiledString.Role) -> ShownFormat? {
        formats[FormatKey(app: app, key: key, isPlaceholder: role == .placeholder)]
    }

    package func alerts(of app: String) -> AlertTexts? { alerts[app] }

    /// Whether no app has string tables.
    package var isEmpty: Bool { alerts.isEmpty }
}

// MARK: - Alerts

/// The texts that one app's alerts refer to by key (`title-loc-key`, `subtitle-loc-key`, `loc-key`), in one locale.
package struct AlertTexts: Sendable {
    private let strings: AppStrings

    init(_ strings: AppStrings) { self.strings = strings }

    /// Whether a table has a key for the locale.
    package func contains(_ key: String) -> Bool { strings.contains(key) }

    /// The languages whose readers see keys instead of texts.
    package var gaps: LanguageGaps { strings.gaps }

    /// The result of looking up a key.
    package enum Found: Sendable {
        /// No table has the key, so a device shows the key.
        case nothing
        /// A table has the key, but not a text that can be shown.
        case unusable
        case text(ShownFormat)
    }

    /// Looks up a key and compiles its text. Callers that need the result again should keep it.
    package func find(_ key: String) -> Found {
        do {
            guard let found = try strings.find(key, .alert) else { return .nothing }
            return .text(found)
        } catch {
            return .unusable
        }
    }
}

extension ShownFormat {
    /// Appends the text of an alert with its arguments, unless it becomes longer than `StringLimits.alertLength`.
    ///
    /// - Parameters:
    ///   - arguments: a JSON array, or nothing. Strings are decoded, other values appear as they are written.
    ///   - texts: the texts whose number format is used.
    /// - Returns: false if the text is too long; then nothing is appended.
    package func append(
        arguments: Span<UInt8>, texts: LocalizedTexts, to output: inout [UInt8]
    ) -> Bool {
        let arguments = arguments.jsonArrayTexts
        let start = output.count
        var fits = true
        string.append(
            argumentCount: arguments.count,
            argument: { index, output in
                fits = fits && output.count - start + arguments[index].count <= StringLimits.alertLength
                if fits { output.append(contentsOf: arguments[index]) }
            },
            rules: rules, texts: texts, to: &output)
        if !fits { output.removeLast(output.count - start) }
        return fits
    }
}
