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
