import SheafBytes
import SheafGroups
import SheafText

/// What checks know about the apps in a configuration: their categories, with the formats of their summaries and their
/// actions, and the texts of their string tables.
package struct KnownCategories: Sendable {
    private var appNames = SymbolTable()
    private var names = CategoryNames()
    /// By their numbers in `names`.
    private var categories: [KnownCategory] = []
    /// The actions of categories, by the categories' numbers instead of apps.
    private var actions = CategoryNames()
    /// By the apps' symbols, which start at 1; nil for an app without string tables.
    private var texts: [Texts?] = []
    private let rules: GroupingRules
    /// Whether any category has a format for summaries.
    let haveFormats: Bool

    private struct KnownCategory {
        let format: Format
        /// The key of a format or placeholder that languages lack; nil if they have them all.
        let untranslatedKey: UntranslatedKey?
        /// Whether the category has no other actions than those in the configuration.
        let hasKnownActions: Bool
        /// Whether a dismissal is a response.
        let includesDismissal: Bool
    }

    /// The texts of an app's string tables.
    typealias Texts = (alerts: AlertTexts, gaps: LanguageGaps)

    /// The format of a category's summaries. Numbers are equal exactly when the formats are; 0 is none.
    typealias Format = (number: Int, takesArguments: Bool)

    /// - Parameter strings: the string table entries that `settings` refers to.
    package init(_ settings: Settings, strings: ResolvedStrings = ResolvedStrings()) {
        var table = FormatTable()
        for (name, app) in settings.apps.orderedByKey() where !name.isEmpty {
            let symbol = appNames.symbol(for: Array(name.utf8).span)
            let texts = strings.alerts(of: name).map { (alerts: $0, gaps: $0.gaps) }
            self.texts.append(texts)
            for (category, wanted) in app.categories.orderedByKey()
            where !category.isEmpty {
                names.add(Array(category.utf8).span, of: symbol)
                for action in wanted.actions ?? [] {
                    actions.add(Array(action.utf8).span, of: UInt32(categories.count))
                }
                var format = wanted.summaryFormat.map { ShownFormat($0, isLocal: true) }
                if let key = wanted.summaryFormatKey { format = strings.format(of: name, key, .summary) }
                let keys = [wanted.summaryFormatKey, wanted.placeholderKey].compactMap { $0 }
                let untranslated = keys.lazy.compactMap { key in
                    let languages = texts?.gaps.languages(lacking: key) ?? []
                    return languages.isEmpty
                        ? nil : UntranslatedKey(key: key, category: category, languages: languages)
                }.first
                categories.append(
                    KnownCategory(
                        format: (table.number(of: format), format?.takesArguments ?? false),
                        untranslatedKey: untranslated,
                        hasKnownActions: wanted.actions != nil && !wanted.dynamicActions,
                        includesDismissal: wanted.options.contains(.customDismissAction)))
            }
        }
        rules = GroupingRules(settings)
        haveFormats = categories.contains { $0.format.number > 0 }
    }

    /// Whether no app is known.
    var isEmpty: Bool { appNames.count == 0 }

    /// Returns the app's symbol; nil if the configuration does not have the app.
    func app(_ name: Span<UInt8>) -> UInt32? {
        guard let symbol = appNames.find(name), symbol != 0 else { return nil }
        return symbol
    }

    func contains(_ category: Span<UInt8>, of app: UInt32) -> Bool {
        names.find(category, of: app) != nil
    }

    /// Returns the format of a category's summaries, also of an unknown one.
    func format(of category: Span<UInt8>, of app: UInt32) -> Format {
        names.find(category, of: app).map { categories[$0].format } ?? (0, false)
    }

    /// Returns the problem of a response; nil for a valid response, and if the configuration does not have its app.
    package func problem(of response: ResponseRecord, in bytes: Span<UInt8>) -> CheckProblem? {
        guard let app = app(bytes[response.app]), !response.category.isEmpty else { return nil }
        guard let number = names.find(bytes[response.category], of: app) else { return .categoryUnknown }
        let action = bytes[response.action]
        if !categories[number].hasKnownActions || action.isEqual(to: ResponseRecord.defaultAction) {
            return nil
        }
        let isKnown =
            action.isEqual(to: ResponseRecord.dismissAction)
            ? categories[number].includesDismissal : actions.find(action, of: UInt32(number)) != nil
        return isKnown ? nil : .actionUnknown
    }

    /// Returns the texts of an app's string tables; nil if it has none.
    func texts(of app: UInt32) -> Texts? { texts[Int(app) - 1] }

    /// Returns the key of a category's summary format or placeholder that languages lack; nil if they have both.
    func untranslatedKey(of category: Span<UInt8>, of app: UInt32) -> UntranslatedKey? {
        names.find(category, of: app).flatMap { categories[$0].untranslatedKey }
    }

    func grouping(of app: Span<UInt8>) -> Grouping { rules.grouping(of: app) }
}

/// A key without a text in some languages.
struct UntranslatedKey: Sendable {
    let key: String
    /// The category whose format has the key; nil for a key of an alert.
    let category: String?
    let languages: [String]
}
