import SheafBytes
import SheafGroups

/// What becomes of the newest version of a notification.
enum NotificationFate: Equatable {
    case shown(DeliveryEffect)
    /// Settings suppress it, whether or not it is removed.
    case suppressed
    /// It is removed with its thread alone: a service extension's result could give it another one.
    case cleared
    case removed

    var isShown: Bool {
        if case .shown = self { return true }
        return false
    }

    /// The number in encodings.
    var number: UInt64 {
        switch self {
        case .removed: 0
        case .cleared: 1
        case .suppressed: 2
        case .shown(let effect): 3 + effect.number
        }
    }

    /// Creates the fate with this number in encodings; nil if the number is invalid.
    init?(number: UInt64) {
        switch number {
        case 0: self = .removed
        case 1: self = .cleared
        case 2: self = .suppressed
        default:
            guard let effect = DeliveryEffect(number: number - 3) else { return nil }
            self = .shown(effect)
        }
    }

    /// - Parameters:
    ///   - rules: what becomes of notifications; nil if that is not tracked.
    ///   - settings: the changes of settings.
    ///   - key: a buffer for the keys of scopes.
    init(
        of record: NotificationRecord, in bytes: Span<UInt8>, _ rules: DeliveryRules?,
        after settings: some SettingsLookup, without removals: RemovalTable, key: inout [UInt8]
    ) {
        var effect = DeliveryEffect.untracked
        if let rules {
            let changes = settings.settings(for: record, in: bytes, general: settings, key: &key)
            guard let known = rules.effect(on: record, in: bytes, after: changes) else {
                self = .suppressed
                return
            }
            effect = known
        }
        guard removals.count > 0, removals.firstRemoval(of: record, in: bytes, key: &key) != nil else {
            self = .shown(effect)
            return
        }
        let isCleared =
            rules != nil
            && removals.firstRemoval(of: record, in: bytes, key: &key, ignoresThreads: true) == nil
        self = isCleared ? .cleared : .removed
    }
}
