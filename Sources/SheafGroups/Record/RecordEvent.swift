/// What a record that is not a push reports, by the name of its event.
enum RecordEvent: Equatable {
    case removal(RemovalEvent)
    case settings
    case response
    case modification

    /// Returns the event of a name; nil for a push.
    init?(_ name: Span<UInt8>) {
        if name.isEqual(to: "settings") {
            self = .settings
        } else if name.isEqual(to: "response") {
            self = .response
        } else if name.isEqual(to: "modified") {
            self = .modification
        } else if let event = RemovalEvent(name) {
            self = .removal(event)
        } else {
            return nil
        }
    }

    /// The longest name as JSON, in bytes: each character may be an escape of six bytes.
    static let maximumEscapedBytes = 6 * 10
}
