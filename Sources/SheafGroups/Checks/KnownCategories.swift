import SheafBytes

/// The categories of the apps in a configuration.
package struct KnownCategories: Sendable {
    private var appNames = SymbolTable()
    private var categories = CategoryNames()

    package init(_ settings: Settings) {
        for (name, app) in settings.apps where !name.isEmpty {
            let symbol = appNames.symbol(for: Array(name.utf8).span)
            for category in app.categories.keys where !category.isEmpty {
                categories.add(Array(category.utf8).span, of: symbol)
            }
        }
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
}
