/// All texts, encoded in one dialect, so that writing a record only copies bytes.
///
/// Its parts are classes because each record uses them several times: each use then counts a single reference.
final class PhraseBook: Sendable {
    struct Names: Sendable {
        let heads, tails: [[UInt8]]
        let joiner: [UInt8]

        init(_ names: Wording.Names, in dialect: JSONDialect) {
            heads = names.heads.map(dialect.encoded)
            tails = names.tails.map(dialect.encoded)
            joiner = dialect.encoded(names.joiner)
        }

        /// Appends the name at `index`, any number ≥ 0. Names repeat only after all pairs of parts, and successive
        /// names differ in both parts.
        func append(_ index: Int, to bytes: inout [UInt8]) {
            let (round, head) = (index % (heads.count * tails.count)).quotientAndRemainder(
                dividingBy: heads.count)
            bytes.append(contentsOf: heads[head])
            bytes.append(contentsOf: joiner)
            bytes.append(contentsOf: tails[(round + head) % tails.count])
        }
    }

    final class Line: Sendable {
        let title: Template
        let subtitle: Template?
        let body: Template

        init(_ line: Wording.Line, in dialect: JSONDialect) {
            title = Template(line.title, as: .text, in: dialect)
            subtitle = line.subtitle.map { Template($0, as: .text, in: dialect) }
            body = Template(line.body, as: .text, in: dialect)
        }
    }

    final class Language: Sendable {
        let people, works: Names
        let places, items: [[UInt8]]
        /// The lines for each kind of app, by its raw value; at least one for each.
        let lines: [[Line]]

        init(_ wording: Wording, in dialect: JSONDialect) {
            people = Names(wording.people, in: dialect)
            works = Names(wording.works, in: dialect)
            places = wording.places.map(dialect.encoded)
            items = wording.items.map(dialect.encoded)
            lines = AppKind.allCases.map { kind in
                wording.lines.filter { $0.kind == kind }.map { Line($0, in: dialect) }
            }
        }
    }

    let style: JSONWriter.Style
    /// The texts of each language, in the order of `Wording.all`.
    let languages: [Language]
    let emoji: [[UInt8]]
    /// For each kind of app, by its raw value: the members of a localized alert, and the data next to `aps`.
    let localized: [Template]
    let data: [[Template]]

    init(_ dialect: JSONDialect) {
        style = JSONWriter.Style(dialect)
        languages = Wording.all.map { Language($0, in: dialect) }
        emoji = Wording.emoji.map(dialect.encoded)
        localized = AppKind.allCases.map { Template($0.traits.localized, as: .json, in: dialect) }
        data = AppKind.allCases.map { kind in kind.traits.data.map { Template($0, as: .json, in: dialect) } }
    }
}
