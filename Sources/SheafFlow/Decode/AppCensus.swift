import SheafBytes
import SheafGroups
import SheafText

/// Tracks which configured apps have records, and collects other apps as long as some configured apps have none.
struct AppCensus: Sendable {
    private var configured = SymbolTable()
    /// By symbol minus 1: whether the app has a record.
    private var isSeen: [Bool] = []
    private var unseenCount = 0
    private var others = SymbolTable()

    /// The maximum number of other apps. If there are more, no app is suggested.
    private static let maximumOthers = 4096
    /// The maximum length of a name, in bytes. No real app has a longer one.
    private static let maximumNameBytes = 256
    /// The maximum edit distance of a suggested app.
    private static let maximumDistance = 2

    init(_ settings: Settings) {
        for app in settings.apps.keys.sorted() where !app.isEmpty {
            _ = configured.symbol(for: Array(app.utf8).span)
        }
        isSeen = [Bool](repeating: false, count: configured.count)
        unseenCount = configured.count
    }

    /// Whether any configured app has no record yet. Otherwise `note` is not needed.
    var hasUnseenApps: Bool { unseenCount > 0 }

    /// Notes a record's app.
    @inline(never)
    mutating func note(_ app: Span<UInt8>) {
        if let symbol = configured.find(app) {
            guard symbol > 0, !isSeen[Int(symbol) - 1] else { return }
            isSeen[Int(symbol) - 1] = true
            unseenCount -= 1
        } else if others.count <= Self.maximumOthers, app.count <= Self.maximumNameBytes {
            _ = others.symbol(for: app)
        }
    }

    /// Merges another census of the same configuration.
    mutating func add(_ other: AppCensus) {
        for index in isSeen.indices where other.isSeen[index] && !isSeen[index] {
            isSeen[index] = true
            unseenCount -= 1
        }
        guard other.others.count > 0 else { return }
        for symbol in 1...UInt32(other.others.count) where others.count <= Self.maximumOthers {
            _ = others.symbol(for: other.others.text(of: symbol))
        }
    }

    /// Returns a warning about configured apps without records, if there are any; none for a log without records.
    ///
    /// - Parameter records: the number of records that were noted.
    func warnings(of records: UInt64) -> [ReplayWarning] {
        guard records > 0, hasUnseenApps else { return [] }
        return [.unmatchedApps(unmatched(suggestionsUpTo: Limits.suggestedApps))]
    }

    /// Returns the configured apps without records, in byte order, each with an app of a similar name if there is one.
    ///
    /// - Parameter limit: the maximum number of apps for which a similar name is searched.
    func unmatched(suggestionsUpTo limit: Int) -> [ReplayWarning.UnmatchedApp] {
        var found: [ReplayWarning.UnmatchedApp] = []
        for index in isSeen.indices where !isSeen[index] {
            let app = configured.text(of: UInt32(index + 1)).string
            found.append(.init(app: app, nearest: found.count < limit ? nearest(to: app) : nil))
        }
        return found
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
