/// The purpose of an app, which determines the texts of its notifications.
enum AppKind: Int, CaseIterable, Sendable {
    case messages, mail, social, news, podcasts, sports, photos, delivery, shopping, calendar, banking, travel

    /// What the summary arguments of an app name.
    enum Argument: Sendable {
        case person, work, none
    }

    /// The properties that all apps of a kind share. Texts are not yet encoded.
    struct Traits: Sendable {
        /// The last parts of bundle identifiers, one for each variant of an app.
        var products: [String]
        /// The prefix of thread identifiers.
        var threadPrefix: String
        /// The names of categories; an app uses the first one to four of them.
        var categories: [String]
        var argument: Argument
        /// The prefix of collapse identifiers.
        var collapsePrefix: String
        /// The number of notifications in 1,000 that have a collapse identifier.
        var collapsePerMille: Int
        /// Whether background pushes may be calls, sent to the topic with the suffix `.voip`.
        var takesCalls: Bool = false
        var sound: String
        /// The members of an alert that is localized on the device, a template of JSON members.
        var localized: String
        /// The app's own data next to `aps`: templates of JSON members. None of their names is a field of an envelope,
        /// because in bare form they are at the top level.
        var data: [String]
    }
}
