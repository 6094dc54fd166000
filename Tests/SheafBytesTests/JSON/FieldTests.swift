import TestSupport
import Testing

@testable import SheafBytes

/// The values that a scan records for the wanted fields.
@Suite struct FieldTests {
    struct Case: NamedCase {
        let name: String
        let paths: [String]
        let text: String
        let notes: [String: FieldProbe.Note]

        init(_ name: String, _ paths: [String], _ text: String, _ notes: [String: FieldProbe.Note]) {
            self.name = name
            self.paths = paths
            self.text = text
            self.notes = notes
        }
    }

    static let payload = ["payload", "payload/aps", "payload/aps/alert", "payload/aps/alert/body", "ts"]

    static let kinds: [Case] = [
        Case("no wanted field", [], #"{"a":1}"#, [:]),
        Case("no field present", ["a"], "{}", [:]),
        Case("another key", ["a"], #"{"b":1}"#, [:]),
        Case("null", ["a"], #"{"a":null}"#, ["a": .init(.null, "n")]),
        Case("true", ["a"], #"{"a":true}"#, ["a": .init(.bool, "t")]),
        Case("false", ["a"], #"{"a": false}"#, ["a": .init(.bool, "f")]),
        Case("number", ["a"], #"{"a":-1.5e+3 }"#, ["a": .init(.number, "-1.5e+3")]),
        Case("string", ["a"], #"{"a":"text"}"#, ["a": .init(.string, "text")]),
        Case("empty string", ["a"], #"{"a":""}"#, ["a": .init(.string, "")]),
        Case("escapes", ["a"], #"{"a":"\"\u00e9\n"}"#, ["a": .init(.string, "\"é\n")]),
        Case("object", ["a"], #"{"a":{"a":1}}"#, ["a": .init(.object, "{")]),
        Case("array", ["a"], #"{"a":["a"]}"#, ["a": .init(.array, "[")]),
        Case(
            "space", ["a", "b"], "{ \"a\" :\t1 ,\n\"b\" : [ ] }",
            ["a": .init(.number, "1"), "b": .init(.array, "[")]),
        Case("the empty key", [""], #"{"":1}"#, ["": .init(.number, "1")]),
        Case("keys in other objects", ["a"], #"{"b":{"a":1},"c":[{"a":2}]}"#, [:]),
        Case("a value that looks like a key", ["a"], #"{"b":"a","c":["a",1]}"#, [:]),
        Case(
            "fields in fields", payload, #"{"payload":{"x":0,"aps":{"alert":{"body":"b"}},"ts":1},"ts":2}"#,
            [
                "payload": .init(.object, "{"), "payload/aps": .init(.object, "{"),
                "payload/aps/alert": .init(.object, "{"), "payload/aps/alert/body": .init(.string, "b"),
                "ts": .init(.number, "2"),
            ]),
        Case(
            "order does not matter", ["a", "a/b", "c"], #"{"c":1,"a":{"b":2}}"#,
            ["a": .init(.object, "{"), "a/b": .init(.number, "2"), "c": .init(.number, "1")]),
        Case(
            "the same name at two depths", ["a", "a/a"], #"{"a":{"a":1}}"#,
            ["a": .init(.object, "{"), "a/a": .init(.number, "1")]),
    ]

    /// A field with wanted fields inside may have any other type.
    static let otherTypes: [Case] = [
        ("null", "null", FieldProbe.Note(.null, "n")), ("bool", "true", .init(.bool, "t")),
        ("number", "0", .init(.number, "0")), ("string", #""{\"aps\":1}""#, .init(.string, #"{"aps":1}"#)),
        ("array", #"[{"aps":{}}]"#, .init(.array, "[")), ("empty object", "{}", .init(.object, "{")),
    ].map { name, value, note in
        Case(
            "\(name) instead of an object with wanted fields", payload, #"{"payload":\#(value)}"#,
            ["payload": note])
    }

    /// The last of repeated keys counts (specification §2), with everything inside it.
    static let repeated: [Case] = [
        Case("twice", ["a"], #"{"a":1,"a":2}"#, ["a": .init(.number, "2")]),
        Case(
            "three times, not adjacent", ["a"], #"{"a":1,"b":0,"a":2,"c":0,"a":3}"#,
            ["a": .init(.number, "3")]),
        Case("null last", ["a"], #"{"a":"x","a":null}"#, ["a": .init(.null, "n")]),
        Case("string with escapes, then without", ["a"], #"{"a":"\n","a":"x"}"#, ["a": .init(.string, "x")]),
        Case("with and without an escape", ["a"], #"{"\u0061":1,"a":2}"#, ["a": .init(.number, "2")]),
        Case("without and with an escape", ["a"], #"{"a":2,"\u0061":1}"#, ["a": .init(.number, "1")]),
        Case(
            "the earlier object is discarded", ["a", "a/b", "a/c"], #"{"a":{"b":1},"a":{"c":2}}"#,
            ["a": .init(.object, "{"), "a/c": .init(.number, "2")]),
        Case(
            "the earlier object is discarded, deeper", payload,
            #"{"payload":{"aps":{"alert":{"body":"x"}}},"payload":{"aps":{}},"ts":1}"#,
            ["payload": .init(.object, "{"), "payload/aps": .init(.object, "{"), "ts": .init(.number, "1")]),
        Case("an object, then a number", ["a", "a/b"], #"{"a":{"b":1},"a":2}"#, ["a": .init(.number, "2")]),
        Case("an object, then null", ["a", "a/b"], #"{"a":{"b":1},"a":null}"#, ["a": .init(.null, "n")]),
        Case(
            "an object, then an array", ["a", "a/b"], #"{"a":{"b":1},"a":[{"b":2}]}"#,
            ["a": .init(.array, "[")]),
        Case(
            "a number, then an object", ["a", "a/b"], #"{"a":2,"a":{"b":1}}"#,
            ["a": .init(.object, "{"), "a/b": .init(.number, "1")]),
        Case(
            "inside an object", ["a", "a/b"], #"{"a":{"b":1,"b":[]}}"#,
            ["a": .init(.object, "{"), "a/b": .init(.array, "[")]),
        Case(
            "a sibling before it is kept", ["a", "a/b", "c", "c/d"], #"{"c":{"d":1},"a":{"b":1},"a":0}"#,
            ["a": .init(.number, "0"), "c": .init(.object, "{"), "c/d": .init(.number, "1")]),
        Case(
            "another sibling before it is kept", ["a", "a/b", "c", "c/d"],
            #"{"a":{"b":1},"c":{"d":1},"c":0}"#,
            ["a": .init(.object, "{"), "a/b": .init(.number, "1"), "c": .init(.number, "0")]),
        Case(
            "the enclosing object is kept", ["a", "a/b", "a/b/c", "a/d"], #"{"a":{"d":1,"b":{"c":2},"b":3}}"#,
            ["a": .init(.object, "{"), "a/b": .init(.number, "3"), "a/d": .init(.number, "1")]),
    ]

    @Test(arguments: kinds + otherTypes + repeated)
    func fieldsAreRecorded(_ test: Case) {
        var probe = FieldProbe(test.paths)
        let (outcome, notes) = probe.scan([UInt8](test.text))
        #expect(outcome == .object)
        #expect(notes == test.notes)
        let listed = test.paths.filter { test.notes[$0] != nil }
        // The second scan recognizes what the first one learned.
        for _ in 0..<2 { #expect(probe.listed([UInt8](test.text)) == listed) }
    }

    /// One field has the keys of an object that neither have a field nor are known.
    @Test(
        arguments: [
            ("none", #"{"a":{"b":1,"known":2}}"#, nil), ("no object", #"{"a":[1],"x":2}"#, nil),
            ("one", #"{"a":{"b":1,"x":2}}"#, "2"),
            ("the last of several", #"{"a":{"x":1,"b":0,"y":"z","known":3}}"#, "z"),
            ("an object with a known key", #"{"a":{"x":{"b":1}}}"#, "{"),
            ("an empty key", #"{"a":{"":true}}"#, "t"),
            ("an escaped key", #"{"a":{"\u0062":1}}"#, nil),
            ("another object", #"{"x":1,"c":{"x":1},"a":{"b":1}}"#, nil),
            ("a repeated object", #"{"a":{"x":1},"a":{"b":1}}"#, nil),
            ("after an object", #"{"a":{"b":{"x":1},"y":{}}}"#, "{"),
        ] as [(String, String, String?)])
    func otherKeysHaveOneField(_ name: String, _ text: String, _ expected: String?) {
        var plan = FieldPlan()
        let object = plan.field("a")
        let named = plan.field("b", in: object)
        let others = plan.others(in: object, except: ["b", "known"])
        _ = plan.field("c")
        var scanner = FieldScanner(plan)
        let chunk = Chunk([UInt8](text))
        // The second scan recognizes what the first one learned.
        for _ in 0..<2 {
            let outcome = scanner.scan(TextRange(0..<text.utf8.count), of: chunk)
            #expect(outcome == .object)
            let value = scanner[others]
            #expect(
                value.kind == .absent ? expected == nil : chunk.bytes(of: value.text).string == expected,
                "\(name)")
            let hasNamed = scanner.kind(of: named) != .absent
            #expect(
                hasNamed
                    == (text.contains(#"{"b":"#) && !text.contains(#""x":{"b""#) || text.contains(#","b":"#)
                        || text.contains("u0062")))
        }
    }

    /// A scan reports values of kinds that are not expected, and which sort of field they are of.
    @Test(
        arguments: [
            ("none", #"{"a":"x","c":1,"d":{}}"#, [false, false, false]),
            ("a wrong kind", #"{"a":1}"#, [true, true, false]),
            ("a word of a wrong kind", #"{"a":true}"#, [true, true, false]),
            ("a container of a wrong kind", #"{"a":[1]}"#, [true, true, true]),
            ("a field without kinds", #"{"b":1}"#, [true, false, false]),
            ("a string of a field without kinds", #"{"b":"x"}"#, [true, false, false]),
            ("a container of a field without kinds", #"{"b":{}}"#, [true, false, true]),
            ("both", #"{"b":{},"a":1}"#, [true, true, true]),
            ("null", #"{"a":null,"b":null}"#, [false, false, false]),
        ] as [(String, String, [Bool])])
    func unexpectedKindsAreReported(_ name: String, _ text: String, _ expected: [Bool]) {
        var plan = FieldPlan()
        _ = plan.field("a", expecting: .string)
        _ = plan.field("b", expecting: [])
        _ = plan.field("c")
        var scanner = FieldScanner(plan)
        // The second scan recognizes what the first one learned. Texts between them have other kinds.
        for other in [#"{"a":[],"b":1}"#, "{}"] {
            _ = scanner.scan(TextRange(0..<other.utf8.count), of: Chunk([UInt8](other)))
            _ = scanner.scan(TextRange(0..<text.utf8.count), of: Chunk([UInt8](text)))
            let reported = [scanner.hasMistypedValue, scanner.hasWrongKind, scanner.hasMistypedContainer]
            #expect(reported == expected, "\(name)")
        }
    }

    @Test func scansDoNotAffectEachOther() {
        var plan = FieldPlan()
        let slot = plan.field("a")
        var scanner = FieldScanner(plan)
        func scan(_ text: String) -> FieldScanner.Value {
            _ = scanner.scan(TextRange(0..<text.utf8.count), of: Chunk([UInt8](text)))
            return scanner[slot]
        }
        let fresh = scan("{}")
        let escaped = scan(#"{"a":"\n"}"#)
        let number = scan(#"{"a":12}"#)
        let absent = scan("{}")
        let invalid = scan(#"{"b":1,}"#)
        #expect(escaped == FieldScanner.Value(kind: .string, text: TextRange(6..<8), hasEscapes: true))
        #expect(number == FieldScanner.Value(kind: .number, text: TextRange(5..<7), hasEscapes: false))
        for value in [fresh, absent, invalid] {
            #expect(value == FieldScanner.Value(kind: .absent, text: .none, hasEscapes: false))
        }
    }

    /// Offsets in a text in the middle of a chunk count from the chunk's start. The bytes around the text do not
    /// change.
    @Test func textInTheMiddleOfAChunkIsScanned() {
        let text = #"{"a":"x"}"#
        let chunk = Chunk([UInt8](#"xx"\#(text)"zz"#))
        var plan = FieldPlan()
        let slot = plan.field("a")
        var scanner = FieldScanner(plan)
        let outcome = scanner.scan(TextRange(3..<(3 + text.utf8.count)), of: chunk)
        let value = scanner[slot]
        #expect(outcome == .object)
        #expect(value.text == TextRange(9..<10))
        #expect(chunk.bytes(of: value.text).string == "x")
        #expect(chunk.bytes.string == #"xx"\#(text)"zz"# + "\n")
    }

    /// The last offset at which a text may end.
    @Test func textMayEndAtTheCapacity() {
        let chunk = Chunk([UInt8]("{}"))
        var scanner = FieldScanner(FieldPlan())
        let outcome = scanner.scan(TextRange(0..<chunk.capacity), of: chunk)
        #expect(outcome == .object)
    }

    @Test func textPastTheCapacityTraps() async {
        await #expect(processExitsWith: .failure) {
            let chunk = Chunk([UInt8]("{}"))
            var scanner = FieldScanner(FieldPlan())
            _ = scanner.scan(TextRange(0..<(chunk.capacity + 1)), of: chunk)
        }
    }
}
