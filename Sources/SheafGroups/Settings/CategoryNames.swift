import SheafBytes

/// The categories of all apps of a configuration, each app's with numbers of its own.
///
/// In one table: a table for each app would take memory pages for each of them, and there may be many thousands. O(1)
/// look-up, which allocates nothing.
struct CategoryNames: Sendable {
    private var names = SymbolTable()
    /// By the app's symbol and the name's.
    private var numbers: [UInt64: Int] = [:]

    /// Gives a category that is not there yet the next number, from 0 on.
    ///
    /// - Parameters:
    ///   - name: not empty.
    ///   - app: the app's symbol, in a table of the caller's.
    mutating func add(_ name: Span<UInt8>, of app: UInt32) {
        let key = Self.key(app, names.symbol(for: name))
        if numbers[key] == nil { numbers[key] = numbers.count }
    }

    /// The number of an app's category; nil when it does not have it.
    func find(_ name: Span<UInt8>, of app: UInt32) -> Int? {
        guard let symbol = names.find(name), symbol != 0 else { return nil }
        return numbers[Self.key(app, symbol)]
    }

    private static func key(_ app: UInt32, _ name: UInt32) -> UInt64 { UInt64(app) << 32 | UInt64(name) }
}
