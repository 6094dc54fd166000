import SheafBytes
import SheafText

/// What checks know about the apps in a configuration: their categories, with the formats of their summaries and their
/// actions, and the texts of their string tables.
package struct KnownCategories: Sendable {
    private var appNames = SymbolTable()
    private var categories = CategoryNames()
    /// The formats by the categories' numbers.
    private var formats: [Format] = []
    /// The responses by the categories' numbers.
    private var responses: [Responses] = []
    /// The actions of categories, by the categories' numbers instead of apps.
    private var actions = CategoryNames()
    /// The key of a category's format that languages lack, by the categories' numbers; nil if they have them all.
    private var missingKeys: [MissingKey?] = []
    /// By the apps' symbols, which start at 1; nil for an app without string tables.
    private var texts: [Texts?] = []
    private let rules: GroupingRules
    /// Whether any category has a format for summaries.
    let haveFormats: Bool

    /// The responses that notifications of a category may have.
    private struct Responses {
        /// Whether the category has no other actions than those in the configuration.
        let areKnown: Bool
        /// Whether a dismissal is a response.
        let includeDismissal: Bool
    }

    /// The texts of an app's string tables.
    struct Texts: Sendable {
        let alerts: AlertTexts
        let gaps: LanguageGaps
    }

    /// A key without a text in some languages.
    struct MissingKey: Sendable {
        let key: String
        /// The category whose format has the key; nil for a key of an alert.
        let category: String?
        let languages: [String]
    }

    /// The format of a category's summaries.
    struct Format: Sendable {
        /// Equal exactly when the formats are equal; 0 for none.
        let number: Int
        let takesArguments: Bool

        static let none = Format(number: 0, takesArguments: false)
    }

    /// - Parameter strings: the string table entries that `settings` refers to.
    package init(_ settings: Settings, strings: ResolvedStrings = ResolvedStrings()) {
        var table = FormatTable()
        for (name, app) in settings.apps.sorted(by: { $0.key < $1.key }) where !name.isEmpty {
            let symbol = appNames.symbol(for: Array(name.utf8).span)
            let texts = strings.alerts(of: name).map { Texts(alerts: $0, gaps: $0.gaps) }
            self.texts.append(texts)
            for (category, wanted) in app.categories.sorted(by: { $0.key < $1.key })
            where !category.isEmpty {
                categories.add(Array(category.utf8).span, of: symbol)
                var format = wanted.summaryFormat.map { ShownFormat($0, isLocal: true) }
                if let key = wanted.summaryFormatKey { format = strings.format(of: name, key, .summary) }
                formats.append(
                    Format(
                        number: table.number(of: format), takesArguments: format?.takesArguments ?? false))
                missingKeys.append(
                    [wanted.summaryFormatKey, wanted.placeholderKey].lazy.compactMap { key in
                        guard let key, let texts else { return nil }
                        let languages = texts.gaps.languages(lacking: key)
                        return languages.isEmpty
                            ? nil : MissingKey(key: key, category: category, languages: languages)
                    }.first)
                for action in wanted.actions ?? [] {
                    actions.add(Array(action.utf8).span, of: UInt32(responses.count))
                }
                responses.append(
                    Responses(
                        areKnown: wanted.actions != nil && !wanted.dynamicActions,
                        includeDismissal: wanted.options.contains(.customDismissAction)))
            }
        }
        rules = GroupingRules(settings)
        haveFormats = formats.contains { $0.number > 0 }
    }

    /// Whether no app is known.
    var isEmpty: Bool { appNames.count == 0 }

    /// Returns the app's symbol; nil if the configuration does not have the app.
    func app(_ name: Span<UInt8>) -> UInt32? {
        guard let symbol = appNames.find(name), symbol != 0 else { return nil }
        return symbol
    }

    func contains(_ category: Span<UInt8>, of app: UInt32) -> Bool {
        categories.find(category, of: app) != nil
    }

    /// Returns the format of a category's summaries, also of an unknown one.
    func format(of category: Span<UInt8>, of app: UInt32) -> Format {
        categories.find(category, of: app).map { formats[$0] } ?? .none
    }

    /// Returns the problem of a response; nil if there is none, or if the configuration does not have its app.
    package func problem(of response: ResponseRecord, in bytes: Span<UInt8>) -> PayloadProblem? {
        guard let app = app(bytes[response.app]), !response.category.isEmpty else { return nil }
        guard let number = categories.find(bytes[response.category], of: app) else { return .categoryUnknown }
        let action = bytes[response.action]
        if !responses[number].areKnown || action.isEqual(to: ResponseRecord.defaultAction) { return nil }
        let isKnown =
            action.isEqual(to: ResponseRecord.dismissAction)
            ? responses[number].includeDismissal : actions.find(action, of: UInt32(number)) != nil
        return isKnown ? nil : .actionUnknown
    }

    /// Returns the texts of an app's string tables; nil if it has none.
    func texts(of app: UInt32) -> Texts? { texts[Int(app) - 1] }

    /// Returns the key of a category's summary format or placeholder that languages lack; nil if they have both.
    func missingKey(of category: Span<UInt8>, of app: UInt32) -> MissingKey? {
        categories.find(category, of: app).flatMap { missingKeys[$0] }
    }

    func grouping(of app: Span<UInt8>) -> Grouping { rules.grouping(of: app) }
}
