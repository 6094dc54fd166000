/// What an app is for, which decides what its notifications say.
enum AppKind: Int, CaseIterable, Sendable {
    case messages, mail, social, news, podcasts, sports, photos, delivery, shopping, calendar, banking, travel

    /// What a summary argument names in apps of this kind.
    enum Argument: Sendable {
        case person, work, none
    }

    /// What a kind brings to its apps. Texts are not yet encoded.
    struct Traits: Sendable {
        /// The last part of a bundle identifier, one for each variant of an app.
        var products: [String]
        /// What a thread identifier begins with.
        var threadPrefix: String
        /// An app uses the first one to four of them.
        var categories: [String]
        var argument: Argument
        /// What a collapse identifier begins with.
        var collapsePrefix: String
        /// How many of 1,000 notifications have a collapse identifier.
        var collapsePerMille: Int
        /// Whether background pushes may be calls, sent to the topic with the suffix `.voip`.
        var takesCalls: Bool = false
        var sound: String
        /// The members of an alert that is localized on the device, a template of JSON members.
        var localized: String
        /// What stands beside `aps`, templates of JSON members. None of their names is one of an envelope's,
        /// because in bare form they stand at the top level.
        var data: [String]
    }
}
