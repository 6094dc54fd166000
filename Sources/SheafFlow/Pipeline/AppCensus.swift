import SheafBytes
import SheafGroups
import SheafText

/// Tracks which of the apps that a run expects have records, and collects other apps as long as some of them have none.
///
/// A run expects the apps of its configuration, those that it selects, and records without an app if it has one for
/// them.
package struct AppCensus: Sendable {
    private var expected = SymbolTable()
    /// By symbol minus 1: whether the app has a record.
    private var isSeen: [Bool] = []
    private var unseenCount = 0
    private var others = SymbolTable()
    private let selected: NameSet
    /// The app of records that have none, until there is such a record.
    private var unusedDefault: String?

    /// The maximum number of other apps. If there are more, no app is suggested.
    private static let maximumOthers = 4096
    /// The maximum length of a name, in bytes. No real app has a longer one.
    private static let maximumNameBytes = 256
    /// The maximum edit distance of a suggested app.
    private static let maximumDistance = 2

    package init(_ settings: Settings = Settings(), _ input: InputOptions = InputOptions()) {
        selected = input.filter.apps
        unusedDefault = input.defaultApp
        for app in Set(settings.apps.keys).union(selected.texts).ordered() where !app.isEmpty {
            _ = expected.symbol(for: Array(app.utf8).span)
        }
        isSeen = [Bool](repeating: false, count: expected.count)
        unseenCount = expected.count
    }

    /// Whether any expected app has no record yet. Otherwise `record` is not needed.
    package var hasUnseenApps: Bool { unseenCount > 0 || unusedDefault != nil }

    /// Records a record's app.
    ///
    /// - Parameter isDefault: whether the record has none, so that this is the app of such records.
    @inline(never)
    package mutating func record(_ app: Span<UInt8>, isDefault: Bool) {
        if isDefault { unusedDefault = nil }
        guard unseenCount > 0 else { return }
        if let symbol = expected.find(app) {
            guard symbol > 0, !isSeen[Int(symbol) - 1] else { return }
            isSeen[Int(symbol) - 1] = true
            unseenCount -= 1
        } else if others.count <= Self.maximumOthers, app.count <= Self.maximumNameBytes {
            _ = others.symbol(for: app)
        }
    }

    /// Merges another census of the same configuration.
    package mutating func add(_ other: AppCensus) {
        for index in isSeen.indices where other.isSeen[index] && !isSeen[index] {
            isSeen[index] = true
            unseenCount -= 1
        }
        if other.unusedDefault == nil { unusedDefault = nil }
        guard other.others.count > 0 else { return }
        for symbol in 1...UInt32(other.others.count) where others.count <= Self.maximumOthers {
            _ = others.symbol(for: other.others.text(of: symbol))
        }
    }

    /// Returns warnings about expected apps without records; none for a log without records.
    ///
    /// - Parameter records: the number of records that were recorded.
    package func warnings(of records: UInt64) -> [ReplayWarning] {
        guard records > 0, hasUnseenApps else { return [] }
        let apps = (1...UInt32(max(1, expected.count))).filter { $0 <= isSeen.count && !isSeen[Int($0) - 1] }
        let configured = unmatched(apps.filter { !selected.contains(expected.text(of: $0)) })
        let chosen = unmatched(apps.filter { selected.contains(expected.text(of: $0)) })
        return [
            configured.isEmpty ? nil : .unmatchedApps(configured),
            chosen.isEmpty ? nil : .unselectedApps(chosen), unusedDefault.map { .unusedDefaultApp($0) },
        ].compactMap(\.self)
    }

    /// Returns the apps with these symbols, each of the first ones with an app of a similar name if there is one.
    private func unmatched(_ symbols: [UInt32]) -> [ReplayWarning.UnmatchedApp] {
        symbols.enumerated().map { index, symbol in
            let app = expected.text(of: symbol).string
            return .init(app: app, nearest: index < Limits.suggestedApps ? nearest(to: app) : nil)
        }
    }

    private func nearest(to app: String) -> String? {
        guard others.count > 0, others.count <= Self.maximumOthers else { return nil }
        let length = app.utf8.count
        return (1...UInt32(others.count)).map { others.text(of: $0).string }
            .filter { abs($0.utf8.count - length) <= 4 * Self.maximumDistance }
            .map { (distance: Suggestion.distance(app, $0), app: $0) }
            .filter { $0.distance <= Self.maximumDistance }
            .min { ($0.distance, $0.app) < ($1.distance, $1.app) }?.app
    }
}
