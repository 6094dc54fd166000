import SheafBytes
import SheafGroups
import SheafText

/// Which apps of the configuration have records, and which other apps there are while some have none.
struct AppCensus: Sendable {
    private var configured = SymbolTable()
    /// By symbol, from 1.
    private var isSeen: [Bool] = []
    private var unseenCount = 0
    private var others = SymbolTable()

    /// More apps than these are not kept: then none is suggested.
    private static let maximumOthers = 4096
    /// Longer names are not kept; no app has one.
    private static let maximumName = 256
    /// How many letters may differ in an app that is suggested.
    private static let nearLetters = 2

    init(_ settings: Settings) {
        for app in settings.apps.keys.sorted() where !app.isEmpty {
            _ = configured.symbol(for: Array(app.utf8).span)
        }
        isSeen = [Bool](repeating: false, count: configured.count)
        unseenCount = configured.count
    }

    /// Whether an app has no record yet, so that `note` is of use.
    var isLooking: Bool { unseenCount > 0 }

    /// Notes a record's app.
    @inline(never)
    mutating func note(_ app: Span<UInt8>) {
        if let symbol = configured.find(app) {
            guard symbol > 0, !isSeen[Int(symbol) - 1] else { return }
            isSeen[Int(symbol) - 1] = true
            unseenCount -= 1
        } else if others.count <= Self.maximumOthers, app.count <= Self.maximumName {
            _ = others.symbol(for: app)
        }
    }

    /// Adds what another census of the same configuration has.
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

    /// The apps without records, in byte order, each with the app that was probably meant.
    ///
    /// - Parameter limit: of how many apps that is looked for.
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
            .filter { abs($0.utf8.count - length) <= 4 * Self.nearLetters }
            .map { (distance: Suggestion.distance(app, $0), app: $0) }
            .filter { $0.distance <= Self.nearLetters }
            .min { ($0.distance, $0.app) < ($1.distance, $1.app) }?.app
    }
}
