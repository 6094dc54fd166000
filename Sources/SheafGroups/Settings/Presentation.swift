import SheafBytes

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
        fileprivate let categoryNames: SymbolTable
        /// By the names' symbols, from 1.
        fileprivate let categories: [Category]

        /// Whether the configuration says nothing of its categories.
        public var isUnknown: Bool { categories.isEmpty }

        /// How the category of that name is shown.
        public func category(_ name: Span<UInt8>) -> Category {
            guard let symbol = categoryNames.find(name), symbol != 0 else { return .unknown }
            return categories[Int(symbol) - 1]
        }
    }

    /// What the numbers of formats and placeholders stand for.
    public private(set) var formats: FormatTable
    private var appNames = SymbolTable()
    private var apps: [App] = []
    private let unknownApp: App

    /// - Parameters:
    ///   - strings: what `settings` names of string tables; a key that is in none has the default text.
    ///   - texts: the locale's.
    ///   - locked: whether the device that is replayed is locked.
    public init(
        _ settings: Settings, strings: ResolvedStrings = ResolvedStrings(),
        texts: LocalizedTexts = LocalizedTexts(), locked: Bool
    ) {
        formats = FormatTable(texts)
        func hides(_ visibility: PreviewVisibility?) -> Bool {
            switch visibility ?? settings.showPreviews {
            case .always: false
            case .whenAuthenticated: locked
            case .never: true
            }
        }
        unknownApp = App(
            name: nil, hidesPreviews: hides(nil), alerts: nil, categoryNames: SymbolTable(), categories: [])
        for (name, app) in settings.apps.sorted(by: { $0.key < $1.key }) {
            let identifier = name
            func shown(_ format: MessageFormat?, key: String?, _ role: CompiledString.Role) -> ShownFormat? {
                if let format { return .literal(format) }
                return key.flatMap { strings.format(of: identifier, $0, role) }
            }
            var names = SymbolTable()
            var categories: [Category] = []
            for (name, category) in app.categories.sorted(by: { $0.key < $1.key }) where !name.isEmpty {
                _ = names.symbol(for: Array(name.utf8).span)
                categories.append(
                    Category(
                        format: formats.number(
                            of: shown(category.summaryFormat, key: category.summaryFormatKey, .summary)),
                        placeholder: formats.number(
                            of: shown(category.placeholder, key: category.placeholderKey, .placeholder)),
                        showsHiddenTitle: category.options.contains(.hiddenPreviewsShowTitle),
                        showsHiddenSubtitle: category.options.contains(.hiddenPreviewsShowSubtitle)))
            }
            guard !name.isEmpty else { continue }
            _ = appNames.symbol(for: Array(name.utf8).span)
            apps.append(
                App(
                    name: app.name.map { Array($0.utf8) }, hidesPreviews: hides(app.showPreviews),
                    alerts: strings.alerts(of: identifier), categoryNames: names, categories: categories))
        }
    }

    /// How the app of that name is shown.
    public func app(_ name: Span<UInt8>) -> App {
        guard let symbol = appNames.find(name), symbol != 0 else { return unknownApp }
        return apps[Int(symbol) - 1]
    }
}
