import SheafBytes
import SheafText

/// The keys of `aps` and `alert` that Apple defines (Apple, "Generating a remote notification", and for Live
/// Activities "Starting and updating Live Activities with ActivityKit push notifications").
struct PayloadKeys: Sendable {
    private static let apsKeys = [
        "alert", "badge", "sound", "thread-id", "category", "content-available", "mutable-content",
        "target-content-id", "interruption-level", "relevance-score", "filter-criteria", "stale-date",
        "content-state", "timestamp", "event", "dismissal-date", "attributes-type", "attributes",
        "input-push-token", "input-push-channel", "content-changed", "url-args",
    ]
    /// `launch-image`, `action-loc-key`, `action`, `summary-arg` and `summary-arg-count` are from earlier versions of
    /// the page. `thread-id` has a finding of its own.
    private static let alertKeys = [
        "title", "subtitle", "body", "title-loc-key", "title-loc-args", "subtitle-loc-key",
        "subtitle-loc-args", "loc-key", "loc-args", "launch-image", "action-loc-key", "action",
        "summary-arg", "summary-arg-count", "thread-id",
    ]

    /// An object with keys of its own.
    enum Object {
        case aps
        case alert
        /// The alert of a Live Activity, which also has the sound.
        case activityAlert
    }

    private var aps = SymbolTable()
    private var alert = SymbolTable()
    /// Unknown keys of `aps` that were compared with the known ones: logs repeat them.
    private var compared = SymbolTable()
    /// Whether a compared key is similar to a known one, by symbols, which start at 1.
    private var similar: [Bool] = []
    private static let maximumCompared = 1_024

    init() {
        for key in Self.apsKeys { _ = aps.symbol(for: Array(key.utf8).span) }
        for key in Self.alertKeys { _ = alert.symbol(for: Array(key.utf8).span) }
    }

    func contains(_ key: Span<UInt8>, in object: Object) -> Bool {
        switch object {
        case .aps: aps.find(key) ?? 0 != 0
        case .alert: alert.find(key) ?? 0 != 0
        case .activityAlert: alert.find(key) ?? 0 != 0 || key.isEqual(to: "sound")
        }
    }

    /// Returns whether an unknown key of `aps` is probably a known one that is misspelled.
    mutating func isMisspelled(_ key: Span<UInt8>) -> Bool {
        guard key.count <= Self.longestKey else { return false }
        if let symbol = compared.find(key), symbol != 0 { return similar[Int(symbol) - 1] }
        let isSimilar = Self.suggestion(for: key, in: .aps) != nil
        guard !key.isEmpty else { return isSimilar }
        if compared.count >= Self.maximumCompared { (compared, similar) = (SymbolTable(), []) }
        _ = compared.symbol(for: key)
        similar.append(isSimilar)
        return isSimilar
    }

    /// Returns the known key that was probably meant, as it follows "did you mean"; nil if none is similar, as for an
    /// app's own keys.
    static func suggestion(for key: Span<UInt8>, in object: Object) -> String? {
        guard key.count <= longestKey else { return nil }
        let word = SimilarNames.Word(key)
        let (own, other, otherName) =
            object == .aps ? (apsNames, alertNames, "alert") : (alertNames, apsNames, "aps")
        if let known = own.nearest(to: word) { return "'\(known)'" }
        return other.nearest(to: word).map { "'\($0)' in \(otherName)" }
    }

    private static let apsNames = SimilarNames(apsKeys)
    private static let alertNames = SimilarNames(alertKeys)

    /// The longest known key has 18 letters; a third more may be wrong or different.
    private static let longestKey = 24
}
