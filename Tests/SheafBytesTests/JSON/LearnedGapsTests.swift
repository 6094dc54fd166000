import TestSupport
import Testing

@testable import SheafBytes

/// Learning from earlier texts does not change the results of a scan.
@Suite struct LearnedGapsTests {
    /// A text that is scanned first, and one that has the same beginning but continues differently.
    struct Pair: NamedCase {
        let name: String
        let first: String
        let second: String
    }

    static let long = String(repeating: "k", count: 70)

    static let pairs = [
        Pair(name: "a string instead of a number", first: #"{"a":1,"b":2}"#, second: #"{"a":"1","b":"2"}"#),
        Pair(
            name: "an object instead of a number", first: #"{"a":1,"b":2}"#, second: #"{"a":{"b":1},"b":2}"#),
        Pair(
            name: "an array instead of a number", first: #"{"a":1,"b":2}"#,
            second: #"{"a":[1,"x",[2]],"b":2}"#),
        Pair(
            name: "an empty object instead of a number", first: #"{"a":1,"b":2}"#, second: #"{"a":{},"b":2}"#),
        Pair(name: "white space before a value", first: #"{"a":1,"b":2}"#, second: #"{"a": 1,"b" :2}"#),
        Pair(name: "white space after a value", first: #"{"a":1,"b":2}"#, second: #"{"a":1 , "b":2 }"#),
        Pair(name: "no value", first: #"{"a":1,"b":2}"#, second: #"{"a":,"b":2}"#),
        Pair(name: "an extra comma", first: #"{"a":1,"b":2}"#, second: #"{"a":1,,"b":2}"#),
        Pair(name: "a brace instead of a bracket", first: #"{"a":[1],"b":2}"#, second: #"{"a":[1},"b":2}"#),
        Pair(name: "a bracket instead of a brace", first: #"{"a":{"b":1}}"#, second: #"{"a":{"b":1]}"#),
        Pair(
            name: "a key instead of a value in an array", first: #"{"a":["b",1]}"#, second: #"{"a":{"b":1}}"#),
        Pair(
            name: "the same bytes in an array", first: #"{"a":{"x":1},"b":[2]}"#,
            second: #"[{"x":1},"b",[2]]"#),
        Pair(name: "an earlier end", first: #"{"a":1,"b":2}"#, second: #"{"a":1}"#),
        Pair(name: "a later end", first: #"{"a":1}"#, second: #"{"a":1}}"#),
        Pair(name: "text after the end", first: #"{"a":1}"#, second: #"{"a":1} {"a":1}"#),
        Pair(name: "a zero byte at the end", first: #"{"a":1}"#, second: "{\"a\":1}\u{0}"),
        Pair(name: "a zero byte before the end", first: #"{"a":1}"#, second: "{\"a\":1\u{0}}"),
        Pair(name: "truncated", first: #"{"a":"1","b":2}"#, second: #"{"a":"1","#),
        Pair(name: "a repeated key", first: #"{"a":1,"b":2}"#, second: #"{"a":1,"a":2,"b":3,"a":"4"}"#),
        Pair(name: "a key with an escape", first: #"{"a":1,"b":2}"#, second: #"{"a":1,"\u0062":2}"#),
        Pair(name: "a key inside another", first: #"{"a":{"b":1},"b":2}"#, second: #"{"a":1,"b":{"a":2}}"#),
        Pair(name: "a long key", first: "{\"\(long)\":1,\"b\":2}", second: "{\"\(long)\":1,\"b\":{\"a\":2}}"),
        Pair(name: "a scalar instead of an object", first: #"{"a":1}"#, second: "1"),
        Pair(name: "an object instead of a scalar", first: #""text""#, second: #"{"a":"text"}"#),
        Pair(name: "numbers in arrays", first: "[1,2,3]", second: #"[1,"2",[3],{"a":4}]"#),
    ]

    @Test(arguments: pairs)
    func pairsScanAsWithAFreshScanner(_ pair: Pair) {
        var probe = FieldProbe(["a", "a/b", "b", "b/a"])
        for text in [pair.first, pair.second, pair.first, pair.second, pair.second] {
            var fresh = FieldProbe(["a", "a/b", "b", "b/a"])
            let (outcome, notes) = probe.scan([UInt8](text))
            let expected = fresh.scan([UInt8](text))
            #expect(outcome == expected.outcome)
            #expect(notes == expected.notes)
        }
    }

    /// Covers gap lengths around those of one block and of two.
    @Test func gapsOfEveryLengthAreScanned() {
        var probe = FieldProbe(["a", "z"])
        for round in 0..<2 {
            for count in 0...80 {
                let key = String(repeating: "k", count: count)
                for value in ["1", "\"s\"", "{}", "[[]]", "{\"z\":1}"] {
                    let text = [UInt8]("{\"a\":0,\"\(key)\":\(value),\"z\":5}")
                    let (outcome, notes) = probe.scan(text)
                    #expect(outcome == .object, "\(count) letters, \(value), round \(round)")
                    #expect(notes["z"] == .init(.number, "5"), "\(count) letters, \(value), round \(round)")
                }
            }
        }
    }

    /// Scans many random texts with one scanner whose capacity to learn is ample, barely sufficient or insufficient.
    @Test(arguments: Seeds.several(2), [(2, 1, 0), (3, 2, 1), (20, 5, 8), (200, 30, 100), (1024, 512, 4096)])
    func randomTextsScanAsWithAFreshScanner(
        _ seed: UInt64, _ bounds: (gaps: Int, states: Int, openings: Int)
    ) throws {
        var random = SeededGenerator(seed: seed)
        var learning = LearnedGaps.Bounds()
        learning.gaps = bounds.gaps
        learning.states = bounds.states
        learning.openings = bounds.openings
        learning.textsBeforeRenewal = 50
        var plan = FieldPlan()
        let outer = plan.field("a", expecting: .string)
        let inner = plan.field("b", in: outer, expecting: [.number, .object])
        let other = plan.field("c")
        var scanner = FieldScanner(plan, learning: learning)
        for round in 0..<1500 {
            let text = random.oneIn(3) ? PushLines.mutated(&random) : Self.randomText(&random)
            let chunk = Chunk(text)
            var fresh = FieldScanner(plan)
            let outcome = scanner.scan(TextRange(0..<text.count), of: chunk)
            try #require(outcome == fresh.scan(TextRange(0..<text.count), of: chunk), "round \(round)")
            if outcome == .invalid || outcome == .tooDeep {
                try #require(scanner.invalidOffset == fresh.invalidOffset, "round \(round)")
            }
            guard outcome == .object else { continue }
            try #require(scanner.hasMistypedValue == fresh.hasMistypedValue, "round \(round)")
            for slot in [outer, inner, other] {
                try #require(scanner[slot] == fresh[slot], "round \(round)")
                try #require(scanner.isMistyped(slot) == fresh.isMistyped(slot), "round \(round)")
            }
        }
    }

    /// Returns an object with few different keys and every type of value, so that gaps recur.
    private static func randomText(_ random: inout SeededGenerator) -> [UInt8] {
        func value(_ depth: Int) -> String {
            switch random.below(depth > 3 ? 5 : 8) {
            case 0: return "\(random.below(1000))"
            case 1: return "\"\(String(repeating: "x", count: random.below(40)))\""
            case 2: return random.oneIn(2) ? "true" : "null"
            case 3: return #""\u00e9 é""#
            case 4: return "-1.5e3"
            case 5:
                return "[" + (0..<random.below(4)).map { _ in value(depth + 1) }.joined(separator: comma())
                    + "]"
            default: return object(depth + 1)
            }
        }
        func comma() -> String { random.oneIn(4) ? ", " : "," }
        func object(_ depth: Int) -> String {
            let members = (0..<random.below(5)).map { _ in
                "\"\(random.pick(["a", "b", "c", "key", "a-rather-long-key-of-an-object"]))\"\(random.oneIn(4) ? ": " : ":")\(value(depth))"
            }
            return "{" + members.joined(separator: comma()) + "}"
        }
        return [UInt8](object(0).utf8)
    }

    /// Each gap has a first word chosen so that a hash without a secret would be the same for all of them.
    @Test func craftedGapsDoNotCollide() {
        var hashes = Set<UInt64>()
        for number in 0..<4096 as Range<UInt64> {
            let first = 0x2c22_6161_6161_6161 + number
            let product = first &* 0x9e37_79b9_7f4a_7c15
            let words = [first, product ^ product >> 32, 0, 0]
            let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
            hashes.insert(unsafe Gap.block(bytes[...]).hash & 0xffff_ffff)
        }
        #expect(hashes.count > 4090)
    }
}
