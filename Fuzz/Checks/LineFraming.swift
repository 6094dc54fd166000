import SheafBytes
import SheafGroups

/// The lines of a source, their numbers and their keys follow the rules, however the source is read and cut into chunks.
package enum LineFraming: FuzzCheck {
    /// The largest size that a source may inflate to. Larger ones are skipped: they are slow and find nothing that
    /// smaller ones do not.
    private static let contentBytes = 1 << 14

    package static func violations(in source: [UInt8]) -> [String] {
        let whole = Drained(source)
        guard whole.bytes.count <= contentBytes else { return [] }
        var choices = InputChoices(source)
        let sizes = Framing.Sizes(
            target: choices.pick([1, 2, 3, 7, 64, 1030, 4096]),
            maximumLine: choices.pick([1, 2, 10, 100, 1024, 2000]),
            buffer: choices.pick([2, 3, 64, 1 << 12]))
        let checksum = choices.pick([nil, DeferredChecksum()])
        let framing = Framing(UnevenInput(source, &choices), sizes, checksum: checksum)

        var violations = framing.violations
        let content = whole.damage?.truncatesData == true ? wholeLines(of: whole.bytes) : whole.bytes
        let expected = LineModel.lines(of: content, maximumLine: sizes.maximumLine)
        if framing.lines != expected { violations.append("lines \(framing.lines), not \(expected)") }
        if framing.damage != whole.damage {
            violations.append("damage \(shown(framing.damage)), not \(shown(whole.damage))")
        }
        for line in expected {
            let (found, wanted) = (KeyModel.found(in: line.text), KeyModel(line.text))
            if found != wanted { violations.append("\(line) has the key \(found), not \(wanted)") }
        }
        return violations.isEmpty ? [] : violations + ["with \(sizes)"]
    }

    package static var seeds: [[UInt8]] {
        let texts = [
            "", "\n", "a", "a\n", "a\r\n", "\r\r\n", "a\nb", "a\n\n \t\nb", "\u{feff}a\r\nb\n",
            "\u{feff}\u{feff}\n",
            "\u{0}\n", "1234567890\n1234567890x\n", String(repeating: "x", count: 1026) + "\r\ny\n",
            "a\n" + String(repeating: "x", count: 3000) + "\nb\n\n",
            "0\t1\t{}\n16777215\t1099511627775\t\n16777216\t0001\tx\n00\t0\t\n1\t2\n",
        ]
        return texts.map { [UInt8]($0) } + Samples.logs.filter { $0.count <= contentBytes }
    }

    package static let words: [[UInt8]] = ["\n", "\r\n", "\r\r\n", " \t", "\u{feff}", "1\t2\t"].map {
        [UInt8]($0)
    }

    private static func wholeLines(of text: [UInt8]) -> [UInt8] {
        Array(text[..<(text.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)])
    }
}

extension Framing {
    fileprivate var damage: SourceDamage? {
        guard case .damaged(let damage) = failure else { return nil }
        return damage
    }
}

/// Damage as text for a message.
func shown(_ damage: SourceDamage?) -> String {
    damage.map { "\($0.reason.rawValue) at \($0.offset)" } ?? "none"
}
