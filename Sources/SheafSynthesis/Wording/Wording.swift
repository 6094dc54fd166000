/// The names and texts of a language, all invented.
///
/// The tables list names separated by commas, and lines in rows.
struct Wording: Sendable {
    /// Names in two parts, so that short lists combine into hundreds of names.
    struct Names: Sendable {
        let heads, tails: [String]
        let joiner: String

        init(_ heads: String, _ tails: String, joiner: String) {
            self.heads = heads.items
            self.tails = tails.items
            self.joiner = joiner
        }
    }

    /// The texts of one alert, with `Template.Slot`s.
    struct Line: Sendable {
        let kind: AppKind
        let title: String
        let subtitle: String?
        let body: String

        /// Parses `kind: title | body` or `kind: title | subtitle | body`, in which `\n` is a line break. An invalid row
        /// is an error in the tables, and traps.
        init(_ row: Substring) {
            let kind = AppKind.allCases.first { row.hasPrefix("\($0): ") }
            let texts = row.drop { $0 != " " }.dropFirst().split(separator: " | ")
                .map { $0.replacing("\\n", with: "\n") }
            guard let kind, 2...3 ~= texts.count else { preconditionFailure("Invalid line: \(row)") }
            self.kind = kind
            title = String(texts[0])
            subtitle = texts.count == 3 ? String(texts[1]) : nil
            body = String(texts[texts.count - 1])
        }
    }

    let people: Names
    /// The names of shows, newspapers and shops.
    let works: Names
    /// Towns, which are also teams.
    let places: [String]
    /// Things that are sold and sent.
    let items: [String]
    /// At least one line for each kind of app.
    let lines: [Line]

    init(people: Names, works: Names, places: String, items: String, lines: String) {
        self.people = people
        self.works = works
        self.places = places.items
        self.items = items.items
        self.lines = lines.split(separator: "\n").map(Line.init)
    }

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

extension String {
    /// The items of a list that is separated by commas.
    fileprivate var items: [String] { split(separator: ", ").map { String($0) } }
}
