import Foundation
import TestSupport
import TestTags
import Testing

@testable import SheafBytes

/// Mutated records: the scanner's verdicts and recorded fields match Foundation's.
@Suite(.tags(.extended)) struct MutationTests {
    private static let linesPerSeed = 2600

    @Test(arguments: Seeds.several(8))
    func verdictsMatchFoundation(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var scanners = ScannerPair()
        var accepted = 0
        for number in 0..<Self.linesPerSeed {
            let line = PushLines.mutated(&random)
            let verdict = FoundationVerdict(line)
            let mistakes = scanners.mistakes(about: line, verdict)
            try #require(mistakes == [], "line \(number): \(line.shown)")
            accepted += verdict.value == nil ? 0 : 1
        }
        // If the mutations broke everything or nothing, only half of the rules would be tested.
        let count = Self.linesPerSeed
        #expect((count / 10...count / 2).contains(accepted), "\(accepted) of \(count) are valid")
    }

    /// Texts that consist of escapes and few other bytes, some of them invalid, in blocks of every alignment.
    @Test(arguments: Seeds.several(8))
    func textsFullOfEscapesMatchFoundation(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var scanners = ScannerPair()
        let field = try #require(PushLines.fields.first { !$0.contains("/") })
        let usual = [#"\""#, #"\\"#, #"\\\""#, "text", "x", " "].map { [UInt8]($0.utf8) }
        let rare =
            [#"\/"#, #"\n"#, #"\u0041"#, #"\ud83d\ude00"#, "é", "😀"].map { [UInt8]($0.utf8) }
        let invalid =
            [#"\x"#, #"\u00g0"#, #"""#, "\t", "\0", #"\"#].map { [UInt8]($0.utf8) } + [[0xff], [0xc3]]
        for round in 0..<1000 {
            var text: [UInt8] = []
            let length = random.number(0...150)
            let hasOthers = random.number(0...1) == 0
            while text.count < length {
                text += random.pick(hasOthers && random.number(0...9) == 0 ? rare : usual)
            }
            if random.number(0...9) == 0 { text += random.pick(invalid) + random.pick(usual) }
            let line = [UInt8](#"{"\#(field)":""#.utf8) + text + [UInt8](#""}"#.utf8)
            let mistakes = scanners.mistakes(about: line, FoundationVerdict(line))
            try #require(mistakes == [], "round \(round): \(line.shown)")
            let string = [UInt8(ascii: "\"")] + text + [UInt8](#"",1"#.utf8)
            guard FoundationVerdict(line).value != nil else { continue }
            try #require(string.span.endOfJSONValue(from: 0) == string.count - 2, "round \(round)")
        }
    }

    @Test func unchangedLinesAreValid() {
        var scanners = ScannerPair()
        for line in PushLines.lines {
            let verdict = FoundationVerdict(line)
            let mistakes = scanners.mistakes(about: line, verdict)
            #expect(verdict.value != nil)
            #expect(mistakes == [], "\(line.shown)")
        }
    }

    struct Deviation: NamedCase {
        let name: String
        let text: String
        let isValid: Bool
    }

    static let deviations = [
        Deviation(name: "a comma after the last element", text: "[1,]", isValid: false),
        Deviation(name: "a comma after the last member", text: "{\"a\":1 ,\n}", isValid: false),
        Deviation(name: "a byte order mark", text: "\u{feff}{}", isValid: false),
        Deviation(name: "UTF-16", text: "{\u{0}}\u{0}", isValid: false),
        Deviation(name: "UTF-16, big-endian", text: "\u{0}{\u{0}}", isValid: false),
        Deviation(name: "a lone high surrogate", text: #"["\ud800"]"#, isValid: true),
        Deviation(name: "a lone low surrogate", text: #"["\udc00x"]"#, isValid: true),
        Deviation(name: "two high surrogates", text: #"["\ud800\ud800\udc00"]"#, isValid: true),
        Deviation(name: "a lone surrogate in a key", text: #"{"\ud800":1}"#, isValid: true),
        Deviation(name: "a number beyond a double", text: "[-1e999]", isValid: true),
        Deviation(
            name: "an integer beyond a double", text: String(repeating: "9", count: 400), isValid: true),
        Deviation(
            name: "129 levels",
            text: String(repeating: "[", count: 129) + String(repeating: "]", count: 129), isValid: false),
    ]

    /// Every deviation that `FoundationVerdict` corrects exists; otherwise the correction would be unnecessary.
    @Test(arguments: deviations)
    func correctedDeviationsExist(_ deviation: Deviation) {
        let text = [UInt8](deviation.text)
        let verdict = FoundationVerdict(text)
        #expect((verdict.value != nil && !verdict.isTooDeep) == deviation.isValid)
        #if !canImport(Darwin)
        #expect((FoundationVerdict.parse(text) != nil) != deviation.isValid)
        #endif
        var scanners = ScannerPair()
        let mistakes = scanners.mistakes(about: text, verdict)
        #expect(mistakes == [])
    }

    /// The deviation that `withEscapedByteOrderMarks` corrects is in the text, not in the verdict.
    @Test func droppedByteOrderMarkIsRestored() {
        let text = [UInt8]("\"\u{feff}a\"")
        #if !canImport(Darwin)
        #expect(FoundationVerdict.parse(text) as? String == "a")
        #endif
        #expect((FoundationVerdict(text).value as? String)?.unicodeScalars.first == "\u{feff}")
    }
}

/// Scanners with many fields and with none, which also scan the text as a skipped value.
private struct ScannerPair: ~Copyable {
    private var probe = FieldProbe(PushLines.fields)
    private var validator = FieldProbe([])

    mutating func mistakes(about line: [UInt8], _ verdict: FoundationVerdict) -> [String] {
        var mistakes: [String] = []
        let (outcome, notes) = probe.scan(line)
        if !verdict.allows(outcome) { mistakes.append("with fields: \(outcome)") }
        let validity = validator.scan(line).outcome
        if validity != outcome { mistakes.append("without fields: \(validity)") }
        if let skipped = skippedOutcome(of: line), skipped != (verdict.value != nil) {
            mistakes.append("skipped: \(skipped ? "valid" : "invalid")")
        }
        if outcome == .object, let object = verdict.value as? [String: Any] {
            let expected = Self.expected(in: object)
            if notes.mapValues(Self.comparable) != expected {
                mistakes.append("notes: \(notes), not \(expected)")
            }
            let listed = probe.listed(line)
            if listed != PushLines.fields.filter({ notes[$0] != nil }) {
                mistakes.append("listed: \(listed)")
            }
        }
        return mistakes
    }

    /// Returns whether the text is a valid value both in an object and in an array: text that is valid in only one of
    /// them is more than a single value. Returns nil where one more level would be too deep.
    private mutating func skippedOutcome(of line: [UInt8]) -> Bool? {
        guard !line.opensMoreThan(FieldScanner.maximumDepth - 1) else { return nil }
        let inObject = probe.scan([UInt8](#"{"z":"#) + line + [UInt8(ascii: "}")]).outcome
        let inArray = probe.scan([UInt8(ascii: "[")] + line + [UInt8(ascii: "]")]).outcome
        let isEmpty = line.allSatisfy { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
        return inObject == .object && inArray == .notObject && !isEmpty
    }

    /// Returns what Foundation found for the same fields.
    private static func expected(in object: [String: Any]) -> [String: FieldProbe.Note] {
        var notes: [String: FieldProbe.Note] = [:]
        for path in PushLines.fields {
            var value: Any? = object
            for key in path.split(separator: "/") { value = (value as? [String: Any])?[String(key)] }
            switch value {
            case nil: continue
            case is NSNull: notes[path] = .init(.null, "")
            case let text as String: notes[path] = .init(.string, text)
            case is [String: Any]: notes[path] = .init(.object, "")
            case is [Any]: notes[path] = .init(.array, "")
            default: notes[path] = .init(.number, "")
            }
        }
        return notes
    }

    /// Foundation has one type for numbers and Booleans, and does not keep the digits of numbers.
    private static func comparable(_ note: FieldProbe.Note) -> FieldProbe.Note {
        note.kind == .string ? note : .init(note.kind == .bool ? .number : note.kind, "")
    }
}
