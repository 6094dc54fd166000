import SheafBytes
import SheafText

/// How groups are shown under one configuration: each app's formats, placeholders and previews, resolved once.
///
/// Formats and placeholders are identified by their numbers in `formats`; 0 is the default text.
package struct Presentation: Sendable {
    /// How one category of one app is shown.
    package struct Category: Sendable, Equatable {
        package let format: Int
        package let placeholder: Int
        package let showsHiddenTitle: Bool
        package let showsHiddenSubtitle: Bool

        /// A category that the configuration does not name.
        package static let unknown = Category(
            format: 0, placeholder: 0, showsHiddenTitle: false, showsHiddenSubtitle: false)
    }

    package struct App: Sendable {
        /// The display name; nil if the configuration has none.
        package let name: [UInt8]?
        /// Whether the app's previews are hidden in this replay.
        package let hidesPreviews: Bool
        /// nil if the app has no string tables.
        package let alerts: AlertTexts?
        /// Whether the configuration has no categories for the app.
        package let isUnknown: Bool
        fileprivate let symbol: UInt32
    }

    /// The formats and placeholders by number.
    package let formats: FormatTable
    private let contents: AppTable
    private let locked: Bool

    /// A class, so that renderers share the contents through a single reference.
    private final class AppTable: Sendable {
        let appNames: SymbolTable
        let apps: [App]
        let unknownApp: App
        let categoryNames: CategoryNames
        /// Categories by their numbers in `categoryNames`.
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
    ///   - strings: the string table entries that `settings` refers to; a key without an entry has the default text.
    ///   - texts: the texts of the locale.
    ///   - locked: whether the replayed device is locked.
    package init(
        _ settings: Settings, strings: ResolvedStrings = ResolvedStrings(),
        texts: LocalizedTexts = LocalizedTexts(), locked: Bool
    ) {
        var formats = FormatTable(texts, developmentLanguage: settings.developmentLanguage)
        func hides(_ visibility: PreviewVisibility?) -> Bool {
            (visibility ?? settings.showPreviews).hides(locked: locked)
        }
        let unknownApp = App(name: nil, hidesPreviews: hides(nil), alerts: nil, isUnknown: true, symbol: 0)
        var appNames = SymbolTable()
        var apps: [App] = []
        var categoryNames = CategoryNames()
        var categories: [Category] = []
        for (identifier, app) in settings.apps.orderedByKey() where !identifier.isEmpty {
            func shown(_ format: MessageFormat?, key: String?, _ role: CompiledString.Role) -> ShownFormat? {
                if let format { return ShownFormat(format, isLocal: formats.literalsAreLocal) }
                return key.flatMap { strings.format(of: identifier, $0, role) }
            }
            let symbol = appNames.symbol(for: Array(identifier.utf8).span)
            var isUnknown = true
            for (name, category) in app.categories.orderedByKey() where !name.isEmpty {
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
        self.locked = locked
        contents = AppTable(
            appNames: appNames, apps: apps, unknownApp: unknownApp, categoryNames: categoryNames,
            categories: categories)
    }

    /// Returns whether texts are hidden that are shown at that time.
    package func hidesPreviews(_ visibility: PreviewVisibility) -> Bool { visibility.hides(locked: locked) }

    /// Returns how the app called `name` is shown.
    package func app(_ name: Span<UInt8>) -> App {
        guard let symbol = contents.appNames.find(name), symbol != 0 else { return contents.unknownApp }
        return contents.apps[Int(symbol) - 1]
    }

    /// Returns how the app's category called `name` is shown.
    package func category(_ name: Span<UInt8>, of app: App) -> Category {
        guard let number = contents.categoryNames.find(name, of: app.symbol) else { return .unknown }
        return contents.categories[number]
    }
}

extension PreviewVisibility {
    /// Whether previews are hidden on a device.
    fileprivate func hides(locked: Bool) -> Bool {
        switch self {
        case .always: false
        case .whenAuthenticated: locked
        case .never: true
        }
    }
}
