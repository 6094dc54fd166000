/// What one record is to be, decided before a byte of it is written.
struct Draft: Sendable {
    enum Form: Sendable {
        case native
        /// Native, with the payload's JSON inside a string.
        case payloadAsText
        /// `aps` at the top level.
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
    /// A rank.
    let device: Int?
    /// Whether the scene's number is that of a thread.
    let hasThread: Bool
    /// The event of which the record is an update; it is written as the collapse identifier.
    let event: UInt64?
    /// The texts in the app's dialect.
    let book: PhraseBook
    /// Which of the language's texts for the app's kind.
    let choice: Int
    let scene: Scene
}
