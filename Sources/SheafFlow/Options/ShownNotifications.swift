import SheafBytes
import SheafGroups
import Synchronization

/// The names of apps, numbered for several results of a run.
final class AppNumbers: Sendable {
    private let names = Mutex(SymbolTable())

    /// Returns the number of an app, 0 for an empty name. O(1) expected.
    func number(of app: Span<UInt8>) -> UInt32 { names.withLock { $0.symbol(for: app) } }

    /// The names by number.
    var all: [[UInt8]] {
        names.withLock { names in (0...UInt32(names.count)).map { Array(copying: names.text(of: $0)) } }
    }
}

/// The notifications that a result shows, each with its group: which groups of two results have notifications in common.
///
/// A row is `position of the record | its index, and the number of the app | hash of the group's key`.
final class ShownNotifications: Sendable {
    let apps: AppNumbers
    let isWanted: @Sendable (Span<UInt8>) -> Bool
    let receive: @Sendable (ContiguousArray<Row>) -> Void

    /// - Parameters:
    ///   - isWanted: returns whether the notifications of an app matter.
    ///   - receive: receives rows, on any thread.
    init(
        _ apps: AppNumbers, of isWanted: @escaping @Sendable (Span<UInt8>) -> Bool,
        receive: @escaping @Sendable (ContiguousArray<Row>) -> Void
    ) {
        (self.apps, self.isWanted, self.receive) = (apps, isWanted, receive)
    }
}
