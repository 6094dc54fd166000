import TestSupport
import Testing

@testable import SheafBytes

/// Finding a key among the wanted ones by its first eight bytes, its length, and its remaining bytes.
@Suite struct KeyTests {
    private static let alphabet = "abcdefghijklmnopqrstuvwxyz0123"

    struct Keys: NamedCase {
        let name: String
        let wanted: [String]
        let others: [String]
    }

    static let sets: [Keys] = [
        Keys(
            name: "prefixes of one text", wanted: (0...30).map { String(alphabet.prefix($0)) },
            others: ["b", String(alphabet.prefix(29)) + "x", alphabet + "4"]),
        Keys(
            name: "prefixes of even length",
            wanted: stride(from: 0, through: 30, by: 2).map { String(alphabet.prefix($0)) },
            others: stride(from: 1, through: 29, by: 2).map { String(alphabet.prefix($0)) }),
        Keys(
            name: "the same first 8 bytes",
            wanted: ["12345678", "12345678a", "12345678b", "12345678ab", "12345678ba"],
            others: ["1234567", "12345678c", "12345678aa", "12345678ab\u{0}"]),
        Keys(
            name: "the same first 16 bytes",
            wanted: (0..<10).map { "0123456789abcdef\($0)" } + ["0123456789abcdef"],
            others: ["0123456789abcdefx", "0123456789abcdeg1", "0123456789abcde", "0123456789abcdef01"]),
        Keys(
            name: "differences in one of the last bytes",
            wanted: ["headers.apns-topic", "headers.apns-topix", "headers.apns-tosic", "headerz.apns-topic"],
            others: ["headers.apns-topi", "headers.apns-topicc", "headers.apnz-topic"]),
        Keys(
            name: "one byte each", wanted: (0x30...0x5b).map { String(UnicodeScalar($0)) },
            others: (0x5d...0x7e).map { String(UnicodeScalar($0)) }),
        Keys(
            name: "zeros at the end", wanted: ["a", "a\u{0}", "a\u{0}\u{0}", "\u{0}", ""],
            others: ["a\u{0}\u{0}\u{0}", "\u{0}\u{0}"]),
        Keys(
            name: "bytes, not characters", wanted: ["é", "ë"], others: ["e\u{301}", "e", "É", "è"]),
        Keys(
            name: "the maximum number of keys in a node", wanted: (0..<254).map { "key \($0)" },
            others: (254..<300).map { "key \($0)" }),
    ]

    /// Puts all keys into one object in random order, each with its own number, including those that are not wanted.
    @Test(arguments: sets, [false, true])
    func everyWantedKeyIsFound(_ keys: Keys, areEscaped: Bool) {
        var random = SeededGenerator(seed: 1)
        let all = (keys.wanted + keys.others).enumerated().shuffled(using: &random)
        let members = all.map { "\(written($0.element, areEscaped)):\($0.offset)" }
        var probe = FieldProbe(keys.wanted)
        let (outcome, notes) = probe.scan([UInt8]("{\(members.joined(separator: ","))}"))
        let expected = keys.wanted.enumerated().map { ($0.element, FieldProbe.Note(.number, "\($0.offset)")) }
        #expect(outcome == .object)
        #expect(notes == [String: FieldProbe.Note](uniqueKeysWithValues: expected))
    }

    @Test(arguments: [
        #""\u0061ps""#, #""a\u0070s""#, #""ap\u0073""#, #""\u0061\u0070\u0073""#, #""\u0061\u0070\u0073""#,
    ])
    func escapedKeysAreFound(_ key: String) {
        var probe = FieldProbe(["aps", "aps/alert", "ps", "u0061ps"])
        let (outcome, notes) = probe.scan([UInt8](#"{\#(key):{"al\u0065rt":1,"\/":2}}"#))
        #expect(outcome == .object)
        #expect(notes == ["aps": .init(.object, "{"), "aps/alert": .init(.number, "1")])
    }

    /// Random objects with random wanted keys, compared with a dictionary that keeps the last value.
    @Test(arguments: Seeds.several(20))
    func behavesLikeADictionary(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func key() -> String { (0..<random.number(0...18)).map { _ in random.oneIn(4) ? "b" : "a" }.joined() }
        let wanted = Array(Set((0..<random.number(0...60)).map { _ in key() }))
        var probe = FieldProbe(wanted)
        for round in 0..<20 {
            var model: [String: FieldProbe.Note] = [:]
            let members = (0..<random.number(0...80)).map { number in
                let key = random.oneIn(2) && !wanted.isEmpty ? random.pick(wanted) : key()
                if wanted.contains(key) { model[key] = .init(.number, "\(number)") }
                return "\(written(key, random.oneIn(4))):\(number)"
            }
            let (outcome, notes) = probe.scan([UInt8]("{\(members.joined(separator: ","))}"))
            #expect(outcome == .object)
            #expect(notes == model, "round \(round)")
        }
    }

    /// Returns the key with its quotes, either with the escapes that it requires or with every scalar escaped.
    private func written(_ key: String, _ isEscaped: Bool) -> String {
        guard isEscaped else { return text { $0.appendJSONString([UInt8](key).span) } }
        let units = key.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "\"\(units.joined())\""
    }
}
