import SheafBytes
import SheafText

/// How groups are shown under one configuration: each app's formats, placeholders and previews, resolved once.
///
/// Formats and placeholders are named by their numbers in `formats`; 0 is none, the default text.
public struct Presentation: Sendable {
    /// How one category of one app is shown.
    public struct Category: Sendable, Equatable {
        public let format: Int
        public let placeholder: Int
        public let showsHiddenTitle: Bool
        public let showsHiddenSubtitle: Bool

        /// A category that the configuration does not name.
        public static let unknown = Category(
            format: 0, placeholder: 0, showsHiddenTitle: false, showsHiddenSubtitle: false)
    }

    public struct App: Sendable {
        /// As people know it; nil where the configuration does not say.
        public let name: [UInt8]?
        /// Whether its previews are hidden in this replay.
        public let hidesPreviews: Bool
        /// nil where it has no string tables.
        public let alerts: AlertTexts?
        /// Whether the configuration says nothing of its categories.
        public let isUnknown: Bool
        fileprivate let symbol: UInt32
    }

    /// What the numbers of formats and placeholders stand for.
    public let formats: FormatTable
    private let contents: Contents

    /// An object, so that each renderer has one reference to what they have in common.
    private final class Contents: Sendable {
        let appNames: SymbolTable
        let apps: [App]
        let unknownApp: App
        let categoryNames: CategoryNames
        /// By their numbers among the names.
        let categories: [Category]

        init(
            appNames: SymbolTable, apps: [App], unknownApp: App, categoryNames: CategoryNames,
            categories: [Category]
        ) {
            self.appNames = appNames
            self.apps = apps
            self.unknownApp = unknownApp
            self.categoryNames = categoryNames
            self.categories = categories
        }
    }

    /// - Parameters:
    ///   - strings: what `settings` names of string tables; a key that is in none has the default text.
    ///   - texts: the locale's.
    ///   - locked: whether the device that is replayed is locked.
    public init(
        _ settings: Settings, strings: ResolvedStrings = ResolvedStrings(),
        texts: LocalizedTexts = LocalizedTexts(), locked: Bool
    ) {
        var formats = FormatTable(texts, developmentLanguage: settings.developmentLanguage)
        func hides(_ visibility: PreviewVisibility?) -> Bool {
            switch visibility ?? settings.showPreviews {
            case .always: false
            case .whenAuthenticated: locked
            case .never: true
            }
        }
        let unknownApp = App(name: nil, hidesPreviews: hides(nil), alerts: nil, isUnknown: true, symbol: 0)
        var appNames = SymbolTable()
        var apps: [App] = []
        var categoryNames = CategoryNames()
        var categories: [Category] = []
        for (identifier, app) in settings.apps.sorted(by: { $0.key < $1.key }) where !identifier.isEmpty {
            func shown(_ format: MessageFormat?, key: String?, _ role: CompiledString.Role) -> ShownFormat? {
                if let format {
                    return ShownFormat(text: .literal(format), isLocal: formats.literalsAreLocal)
                }
                return key.flatMap { strings.format(of: identifier, $0, role) }
            }
            let symbol = appNames.symbol(for: Array(identifier.utf8).span)
            var isUnknown = true
            for (name, category) in app.categories.sorted(by: { $0.key < $1.key }) where !name.isEmpty {
                categoryNames.add(Array(name.utf8).span, of: symbol)
                isUnknown = false
                categories.append(
                    Category(
                        format: formats.number(
                            of: shown(category.summaryFormat, key: category.summaryFormatKey, .summary)),
                        placeholder: formats.number(
                            of: shown(category.placeholder, key: category.placeholderKey, .placeholder)),
                        showsHiddenTitle: category.options.contains(.hiddenPreviewsShowTitle),
                        showsHiddenSubtitle: category.options.contains(.hiddenPreviewsShowSubtitle)))
            }
            apps.append(
                App(
                    name: app.name.map { Array($0.utf8) }, hidesPreviews: hides(app.showPreviews),
                    alerts: strings.alerts(of: identifier), isUnknown: isUnknown, symbol: symbol))
        }
        self.formats = formats
        contents = Contents(
            appNames: appNames, apps: apps, unknownApp: unknownApp, categoryNames: categoryNames,
            categories: categories)
    }

    /// How the app of that name is shown.
    public func app(_ name: Span<UInt8>) -> App {
        guard let symbol = contents.appNames.find(name), symbol != 0 else { return contents.unknownApp }
        return contents.apps[Int(symbol) - 1]
    }

    /// How an app's category of that name is shown.
    public func category(_ name: Span<UInt8>, of app: App) -> Category {
        guard let number = contents.categoryNames.find(name, of: app.symbol) else { return .unknown }
        return contents.categories[number]
    }
}
