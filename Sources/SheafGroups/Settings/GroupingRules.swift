import SheafBytes

/// The apps that are not grouped automatically, looked up by their bytes for every record.
@usableFromInline package struct GroupingRules: Sendable {
    private var names = SymbolTable()
    /// Groupings by the names' symbols, which start at 1.
    private var groupings: [Grouping] = []

    package init(_ settings: Settings) {
        for (name, app) in settings.apps.sorted(by: { $0.key < $1.key })
        where app.grouping != .automatic && !name.isEmpty {
            _ = names.symbol(for: Array(name.utf8).span)
            groupings.append(app.grouping)
        }
    }

    package func grouping(of app: Span<UInt8>) -> Grouping {
        guard !groupings.isEmpty, let symbol = names.find(app), symbol != 0 else { return .automatic }
        return groupings[Int(symbol) - 1]
    }
}
