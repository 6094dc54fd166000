/// One language's names and texts. All are invented.
struct Wording: Sendable {
    /// Names made of two parts, so that short lists give hundreds.
    struct Names: Sendable {
        var heads: [String]
        var tails: [String]
        var joiner: String

        init(_ heads: [String], _ tails: [String], joiner: String) {
            self.heads = heads
            self.tails = tails
            self.joiner = joiner
        }
    }

    /// The texts of one alert, with `Template.Slot`s.
    struct Line: Sendable {
        var kind: AppKind
        var title: String
        var subtitle: String?
        var body: String

        init(_ kind: AppKind, _ title: String, subtitle: String? = nil, _ body: String) {
            self.kind = kind
            self.title = title
            self.subtitle = subtitle
            self.body = body
        }
    }

    var people: Names
    /// Shows, papers and shops.
    var works: Names
    /// Towns, which are also teams.
    var places: [String]
    /// Things that are sold and sent.
    var items: [String]
    /// At least one line for each kind of app.
    var lines: [Line]

    /// English first, the others in no meaningful order; an app's language is an index into this list.
    static let all: [Wording] = [
        english, german, french, spanish, polish, russian, greek, hebrew, arabic, hindi, japanese, chinese,
        korean, thai,
    ]

    /// One scalar, with a variation selector, joined, with a skin tone, a flag, a keycap.
    static let emoji = [
        "🎉", "😂", "❤️", "👍🏽", "👩‍🚀", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🤷🏿‍♀️", "🧑🏼‍🍳", "🐈‍⬛", "☀️", "1️⃣", "🇬🇷", "🥐",
        "🚲", "🙏🏻", "👩🏾‍❤️‍👨🏼", "🫶", "🎂", "⛷️",
    ]
}
