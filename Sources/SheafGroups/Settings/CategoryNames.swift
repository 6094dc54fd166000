import SheafBytes

/// The categories of all apps in a configuration, each with a number of its own.
///
/// All apps share one table, because a table for each of many thousands of apps would take memory pages of its own.
/// Lookup is O(1) and allocates nothing.
struct CategoryNames: Sendable {
    private var names = SymbolTable()
    /// Numbers by the symbols of the app and the name.
    private var numbers: [UInt64: Int] = [:]

    /// Assigns the next number, starting at 0, to a category that has none yet.
    ///
    /// - Parameters:
    ///   - name: the category's name, not empty.
    ///   - app: the app's symbol in a table of the caller.
    mutating func add(_ name: Span<UInt8>, of app: UInt32) {
        let key = Self.key(app, names.symbol(for: name))
        if numbers[key] == nil { numbers[key] = numbers.count }
    }

    /// Returns the number of an app's category; nil if the app does not have it.
    func find(_ name: Span<UInt8>, of app: UInt32) -> Int? {
        guard let symbol = names.find(name), symbol != 0 else { return nil }
        return numbers[Self.key(app, symbol)]
    }

    private static func key(_ app: UInt32, _ name: UInt32) -> UInt64 { UInt64(app) << 32 | UInt64(name) }
}
