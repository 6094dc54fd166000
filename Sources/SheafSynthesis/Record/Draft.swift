/// The properties of a record, chosen before a byte of it is written.
struct Draft: Sendable {
    enum Form: Sendable {
        case native
        /// Native form, with the payload's JSON in a string.
        case payloadAsText
        /// Bare form, with `aps` at the top level.
        case bare
    }

    enum Purpose: Sendable {
        case alert, background, call
    }

    let app: AppProfile
    let form: Form
    let purpose: Purpose
    /// Milliseconds since 1970.
    let timestamp: Int
    /// The device's rank; nil if the record names no device.
    let device: Int?
    /// Whether the record has a thread identifier, whose number is then the scene's.
    let hasThread: Bool
    /// The event that the record reports or updates, written as the collapse identifier; nil if it has none.
    let event: UInt64?
    /// All texts, in the app's dialect.
    let book: PhraseBook
    /// The index of the text among those that the language has for the app's kind.
    let choice: Int
    let scene: Scene
}
