/// The names and texts of a language, all invented.
struct Wording: Sendable {
    /// Names in two parts, so that short lists combine into hundreds of names.
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
    /// The names of shows, newspapers and shops.
    var works: Names
    /// Towns, which are also teams.
    var places: [String]
    /// Things that are sold and sent.
    var items: [String]
    /// At least one line for each kind of app.
    var lines: [Line]

    /// All languages: English first, the others in no particular order. An app's language is an index into this list.
    static let all: [Wording] = [
        english, german, french, spanish, polish, russian, greek, hebrew, arabic, hindi, japanese, chinese,
        korean, thai,
    ]

    /// Emoji of every structure: single scalars, variation selectors, joined sequences, skin tones, flags, keycaps.
    static let emoji = [
        "🎉", "😂", "❤️", "👍🏽", "👩‍🚀", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🤷🏿‍♀️", "🧑🏼‍🍳", "🐈‍⬛", "☀️", "1️⃣", "🇬🇷", "🥐",
        "🚲", "🙏🏻", "👩🏾‍❤️‍👨🏼", "🫶", "🎂", "⛷️",
    ]
}
