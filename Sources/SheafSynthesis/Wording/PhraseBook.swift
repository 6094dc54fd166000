/// All texts, encoded in one dialect, so that writing a record only copies bytes.
///
/// Its parts are classes because each record uses them several times: each use then counts a single reference.
final class PhraseBook: Sendable {
    struct EncodedNames: Sendable {
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

    final class EncodedLine: Sendable {
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
        let people, works: EncodedNames
        let places, items: [[UInt8]]
        /// The lines for each kind of app, by its raw value; at least one for each.
        let lines: [[EncodedLine]]

        init(_ wording: Wording, in dialect: JSONDialect) {
            people = EncodedNames(wording.people, in: dialect)
            works = EncodedNames(wording.works, in: dialect)
            places = wording.places.map(dialect.encoded)
            items = wording.items.map(dialect.encoded)
            lines = AppKind.allCases.map { kind in
                wording.lines.filter { $0.kind == kind }.map { EncodedLine($0, in: dialect) }
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

extension PhraseBook {
    /// Appends a template's text, with its slots filled in.
    ///
    /// - Parameter random: the source of values that are drawn again for each slot, such as `<count>`.
    func render(
        _ template: Template, of scene: Scene, using random: inout RandomStream, to bytes: inout [UInt8]
    ) {
        for piece in template.pieces {
            bytes.append(contentsOf: piece.literal)
            if let slot = piece.slot {
                fill(slot, of: scene, using: &random, to: &bytes)
            }
        }
    }

    private func fill(
        _ slot: Template.Slot, of scene: Scene, using random: inout RandomStream, to bytes: inout [UInt8]
    ) {
        switch slot {
        case .person:
            scene.words.people.append(scene.name, to: &bytes)
        case .work:
            scene.words.works.append(scene.name, to: &bytes)
        case .place:
            bytes.append(contentsOf: scene.words.places[scene.place])
        case .rival:
            bytes.append(contentsOf: scene.words.places[scene.rival])
        case .item:
            bytes.append(contentsOf: scene.words.items[scene.item])
        case .other:
            scene.words.people.append(random.below(40), to: &bytes)
        case .emoji:
            bytes.append(contentsOf: emoji[random.below(emoji.count)])
        case .count:
            bytes.appendDecimal(2 + random.below(40))
        case .digit:
            bytes.appendDecimal(random.below(10))
        case .amount:
            bytes.appendDecimal(1 + random.below(899))
            bytes.append(UInt8(ascii: "."))
            bytes.appendDecimal(random.below(100), width: 2)
        case .clock:
            bytes.appendDecimal(random.below(24), width: 2)
            bytes.append(UInt8(ascii: ":"))
            bytes.appendDecimal(5 * random.below(12), width: 2)
        case .fraction:
            bytes.append(UInt8(ascii: "0"))
            bytes.append(UInt8(ascii: "."))
            bytes.appendDecimal(random.below(100), width: 2)
        case .number:
            bytes.appendDecimal(scene.number)
        case .hex:
            bytes.appendHexadecimal(random.next(), digits: 8)
        case .flag:
            bytes.append(contentsOf: random.chance(perMille: 900) ? Self.yes : Self.no)
        case .host:
            bytes.append(contentsOf: scene.app.host)
        }
    }

    private static let yes = Array("true".utf8)
    private static let no = Array("false".utf8)
}

/// The subject of a record, drawn once so that its title, its body and its data agree.
struct Scene: Sendable {
    let app: AppProfile
    let words: PhraseBook.Language
    /// An index for `PhraseBook.EncodedNames`: the name of a person or a work, which is also the summary argument.
    let name: Int
    /// Indices into the language's places and items; the two places differ.
    let place, rival, item: Int
    /// The number of a conversation, an order or a match: below 2^32, and the same as in the record's thread
    /// identifier, if any.
    let number: Int

    init(
        of app: AppProfile, in words: PhraseBook.Language, name: Int, number: Int,
        using random: inout RandomStream
    ) {
        self.words = words
        self.name = name
        self.number = number
        self.app = app
        place = random.below(words.places.count)
        rival = (place + 1 + random.below(words.places.count - 1)) % words.places.count
        item = random.below(words.items.count)
    }
}
