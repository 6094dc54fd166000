import SheafBytes

/// A record that is not a notification, but decides what is on screen.
///
/// Plain memory without references, like `NotificationRecord`.
package enum ScreenEvent: Sendable {
    /// A removal (specification §15).
    case removal(RemovalRecord)
    /// A change of settings (specification §16).
    case settings(SettingsRecord)
    /// A badge, which is on screen if the settings let it (specification §16).
    case badge(BadgeRecord)
    /// The content that a service extension returned (specification §16), with the identifier of its notification as
    /// collapse identifier.
    case result(NotificationRecord)
    /// The outcome of a push (specification §18).
    case outcome(OutcomeRecord)
    /// A removal that names nothing: snapshots follow its time, but it changes nothing.
    case nothing(OrderKey)

    package var order: OrderKey {
        switch self {
        case .removal(let removal): removal.order
        case .settings(let change): change.order
        case .badge(let badge): badge.order
        case .result(let result): result.order
        case .outcome(let outcome): outcome.order
        case .nothing(let order): order
        }
    }

    /// Moves the texts to another buffer.
    ///
    /// - Parameter move: copies a text, and returns its new range.
    package mutating func moveTexts(_ move: (TextRange) -> TextRange) {
        switch self {
        case .removal(var removal):
            removal.app = move(removal.app)
            removal.device = move(removal.device)
            removal.text = move(removal.text)
            self = .removal(removal)
        case .settings(var change):
            change.app = move(change.app)
            change.device = move(change.device)
            self = .settings(change)
        case .badge(var badge):
            badge.app = move(badge.app)
            badge.device = move(badge.device)
            self = .badge(badge)
        case .result(var result):
            result.moveTexts(move)
            self = .result(result)
        case .outcome(var outcome):
            outcome.moveTexts(move)
            self = .outcome(outcome)
        case .nothing: break
        }
    }
}
