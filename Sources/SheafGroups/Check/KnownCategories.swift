import SheafBytes

/// Which categories the apps of a configuration have.
struct KnownCategories {
    private var appNames = SymbolTable()
    /// By the apps' symbols, from 1.
    private var categories: [SymbolTable] = []

    init(_ settings: Settings) {
        for (name, app) in settings.apps.sorted(by: { $0.key < $1.key }) where !name.isEmpty {
            _ = appNames.symbol(for: Array(name.utf8).span)
            var names = SymbolTable()
            for category in app.categories.keys.sorted() { _ = names.symbol(for: Array(category.utf8).span) }
            categories.append(names)
        }
    }

    /// Whether no app is known.
    var isEmpty: Bool { categories.isEmpty }

    /// The app's symbol; nil when the configuration does not have it.
    func app(_ name: Span<UInt8>) -> UInt32? {
        guard let symbol = appNames.find(name), symbol != 0 else { return nil }
        return symbol
    }

    func contains(_ category: Span<UInt8>, of app: UInt32) -> Bool {
        categories[Int(app) - 1].find(category) != nil
    }
}
