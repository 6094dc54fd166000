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
        /// Whether its previews are hidden in this replay.
        public let hidesPreviews: Bool
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
    public private(set) var formats = FormatTable()
    private var appNames = SymbolTable()
    private var apps: [App] = []
    private let unknownApp: App

    /// - Parameter locked: whether the device that is replayed is locked.
    public init(_ settings: Settings, locked: Bool) {
        func hides(_ visibility: PreviewVisibility?) -> Bool {
            switch visibility ?? settings.showPreviews {
            case .always: false
            case .whenAuthenticated: locked
            case .never: true
            }
        }
        unknownApp = App(hidesPreviews: hides(nil), categoryNames: SymbolTable(), categories: [])
        for (name, app) in settings.apps.sorted(by: { $0.key < $1.key }) {
            var names = SymbolTable()
            var categories: [Category] = []
            for (name, category) in app.categories.sorted(by: { $0.key < $1.key }) where !name.isEmpty {
                _ = names.symbol(for: Array(name.utf8).span)
                categories.append(
                    Category(
                        format: formats.number(of: category.summaryFormat),
                        placeholder: formats.number(of: category.placeholder),
                        showsHiddenTitle: category.options.contains(.hiddenPreviewsShowTitle),
                        showsHiddenSubtitle: category.options.contains(.hiddenPreviewsShowSubtitle)))
            }
            guard !name.isEmpty else { continue }
            _ = appNames.symbol(for: Array(name.utf8).span)
            apps.append(
                App(hidesPreviews: hides(app.showPreviews), categoryNames: names, categories: categories))
        }
    }

    /// How the app of that name is shown.
    public func app(_ name: Span<UInt8>) -> App {
        guard let symbol = appNames.find(name), symbol != 0 else { return unknownApp }
        return apps[Int(symbol) - 1]
    }
}
