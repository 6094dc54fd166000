import SheafBytes
import SheafText
import TestSupport
import TestTags
import Testing

@testable import SheafGroups

/// Several inputs read each entry by the first that it fits.
@Suite(.tags(.extended)) struct InputListTests {
    private static let mappings = [
        "a.json": #"""
        {"when":[{"pointer":"/kind","equals":"a"}],
         "fields":{"app":"/bundle","device":"/to","payload":"/payload","timestamp":"/at"}}
        """#,
        "b.json": #"""
        {"unwrap":["/ctx/data"],"when":[{"pointer":"/type","equals":"b"}],
         "fields":{"app":"/bundle","device":"/to","payload/aps/alert/body":"/text"}}
        """#,
        "c.json": #"{"fields":{"app":"/bundle","device":"/push/to","payload":["/push/payload","/ctx"]}}"#,
        "d.json": #"""
        {"each":["/items/*/msg"],"when":["/text"],
         "fields":{"app":["/bundle","/app"],"device":"/to","payload/aps/alert/body":"/text"}}
        """#,
        "e.json": #"{"fields":{"payload/aps/thread-id":"/room"}}"#,
        "h.json": #"{"unwrap":["/msg"],"fields":{"app":"/bundle","device":"/tokens/*","payload":"/apns"}}"#,
        "i.json": #"{"when":["/raw"],"fields":{"app":"/bundle","payload/aps/alert/body":"/raw"}}"#,
        "j.json": #"{"when":["/never"],"fields":{"app":"/raw/in/app","payload":"/raw/in/body"}}"#,
        "k.json": #"{"when":["/apns"],"fields":{"app":"/bundle","timestamp":"/at","payload":"/apns"}}"#,
        "g.json": #"{"fields":{"app":"/bundle","device":"/tokens/*","payload":"/push"}}"#,
        "f.json": #"{"unwrap":["/box"],"fields":{"app":"/bundle","payload/aps/alert/title":"/title"}}"#,
    ]

    private static func input(_ name: String) throws -> LogInput {
        try mappings[name].map { try LogInput(json: Array($0.utf8), file: name) }
            ?? #require(LogInput(named: name))
    }

    private static func list(_ names: String) throws -> LogInput {
        try LogInput(firstOf: names.split(separator: ",").map { try input(String($0)) })
    }

    // MARK: - Cases

    private typealias Case = Example<String, String>

    private static let lines: [Case] = [
        Case("native, first", #"auto,a.json:{"app":"n","payload":{"aps":{"alert":"x"}}}"#, "n x"),
        Case(
            "native, first, without an app of its own",
            #"auto,a.json:{"kind":"a","bundle":"m","payload":{"aps":{"alert":"x\/y"}}}"#, "m x/y"),
        Case(
            "native, first, with a payload as text that has no aps",
            #"apns,c.json:{"bundle":"m","payload":"{\"x\":\"\\\"\"}","push":{"payload":{"aps":{"alert":"z"}}}}"#,
            "m z"),
        Case(
            "native, first, with a payload as text and no app",
            #"apns,a.json:{"kind":"a","bundle":"m","payload":"{\"aps\":{\"alert\":\"x \\\"y\\\"\"}}"}"#,
            #"m x "y""#),
        Case("native, last", #"a.json,auto:{"app":"n","payload":{"aps":{"alert":"x"}}}"#, "n x"),
        Case(
            "native, after a mapping that fits, too",
            #"e.json,auto:{"app":"n","room":"r","payload":{"aps":{"alert":"x"}}}"#, "n x in r"),
        Case(
            "native, before a mapping that fits, too",
            #"auto,e.json:{"app":"n","room":"r","payload":{"aps":{"alert":"x"}}}"#, "n x"),
        Case("an event", #"e.json,apns:{"app":"n","event":"removed","apns-id":"1"}"#, "removal"),
        Case(
            "the entry of a wrapper",
            #"a.json,b.json,auto:{"ctx":{"data":"{\"type\":\"b\",\"bundle\":\"m\",\"text\":\"t\"}"}}"#,
            "m t"),
        Case(
            "a wrapper with an entry for a later mapping",
            #"b.json,c.json:{"bundle":"m","ctx":{"aps":{"alert":"x"},"data":{"type":"z"}}}"#, "m x"),
        Case(
            "the elements of an array have several shapes",
            #"d.json,a.json,apns:{"items":[{"app":"i","msg":{"text":"t"}},{"app":"i","msg":{"kind":"a","bundle":"m","payload":{"aps":{"alert":"x"}}}},{"app":"i","msg":{"app":"n","aps":{"alert":"y"}}},{"msg":{}}]}"#,
            "i t, m x, n y, input.unmatched"),
        Case(
            "nothing fits", #"a.json,apns,d.json:{"kind":"z","bundle":"m"}"#, "input.unmatched"),
        Case(
            "nothing fits, but there is a payload",
            #"a.json,apns:{"kind":"z","payload":{"aps":{"alert":"x"}}}"#,
            "app.missing"),
        Case(
            "a shape and a mapping",
            #"fcm,a.json:{"kind":"a","bundle":"m","payload":{"aps":{"alert":"x"}}}"#, "m x"),
        Case(
            "a mapping without conditions lacks the app",
            #"auto,c.json:{"push":{"payload":{"aps":{"alert":"x"}}}}"#,
            "app.missing"),
        Case(
            "a record for each device",
            #"auto,g.json:{"bundle":"m","tokens":["x","y"],"push":{"aps":{"alert":"z"}}}"#, "m z, m z"),
        Case(
            "devices without an app", #"auto,g.json:{"tokens":["x","y"],"push":{"aps":{"alert":"z"}}}"#,
            "app.missing"),
        Case(
            "devices next to a native record",
            #"g.json,auto:{"app":"n","tokens":["x","y"],"payload":{"aps":{"alert":"z"}}}"#, "n z"),
        Case(
            "devices in what is unwrapped, and the app around it",
            #"auto,h.json:{"bundle":"m","msg":{"tokens":["x","y"],"apns":{"aps":{"alert":"z"}}}}"#, "m z, m z"
        ),
        Case(
            "a text with a text that another mapping looks into",
            #"i.json,j.json:{"bundle":"m","raw":"{\"in\":\"{\\\"room\\\":\\\"r\\\"}\",\"z\":1}"}"#,
            #"m {"in":"{\"room\":\"r\"}","z":1}"#),
        Case("invalid JSON in a wrapper", #"a.json,auto:{"message":"{\"kind\":1"}"#, "json.invalid"),
        Case("all shapes in a list", #"apns,fcm:{"kind":"z"}"#, "input.unmatched"),
    ]

    @Test(arguments: lines) func anEntryIsReadByTheFirstThatItFits(_ item: Example<String, String>) throws {
        let colon = try #require(item.input.firstIndex(of: ":"))
        let input = try Self.list(String(item.input[..<colon]))
        let line = String(item.input[item.input.index(after: colon)...])
        #expect(Self.summary(ReadLine(line, input)) == item.expected, "\(item.name)")
        // As after other lines that are not native records.
        #expect(Self.summary(ReadLine(line, input, expectsForeign: true)) == item.expected, "\(item.name)")
    }

    /// A mapping finds the app and the time around the entry that every line wraps, next to others, too.
    @Test(arguments: ["k.json", "k.json,auto", "auto,a.json,k.json", "auto,k.json"])
    func linesAreOpened(_ names: String) throws {
        let input = try Self.list(names).unwrapping(["/request"])
        let line = #"{"at":5,"bundle":"m","request":{"apns":{"aps":{"alert":"x"}}}}"#
        let read = ReadLine(line, input)
        #expect(Self.summary(read) == "m x" && read.records.first?.timestamp == 5_000)
    }

    private static func summary(_ line: ReadLine) -> String {
        line.records.map { record -> String in
            switch record.outcome {
            case .rejected(let reason): "\(reason.name)"
            case .notification:
                (record.texts["app"] ?? "") + " " + (record.texts["body"] ?? "")
                    + (record.texts["thread"].map { " in \($0)" } ?? "")
            default: "\(record.outcome)"
            }
        }.joined(separator: ", ")
    }

    // MARK: - The model

    private static let lists = [
        "auto,a.json,b.json", "a.json,b.json,c.json", "b.json,d.json,auto", "c.json,a.json,d.json",
        "f.json,b.json,apns",
        "apns,c.json,f.json", "g.json,c.json,auto", "d.json,f.json,e.json", "fcm,b.json,apns,a.json",
    ]

    /// A list reads an entry as the first of its inputs does alone that does not reject it for its shape.
    @Test(arguments: lists, Seeds.several(4)) func aListReadsAsItsInputsAlone(
        _ names: String, _ seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let inputs = try names.split(separator: ",").map { try Self.input(String($0)) }
        let list = try Self.list(names)
        let (reader, readers) = (EntryReader(list), inputs.map { EntryReader($0) })
        for _ in 0..<300 {
            let line = Self.line(&random)
            let alone = zip(inputs, readers).map { ReadLine(line, $0, by: $1).records }
            let fits = zip(inputs, alone).first { input, records in
                records.contains { Self.fits($0.outcome, input) }
            }
            let read = ReadLine(line, list, by: reader)
            #expect(read.isUnchangedAtTheEnd, "\(line)")
            if let fits {
                #expect(read.records == fits.1, "\(line)")
            } else {
                for record in read.records {
                    guard case .rejected = record.outcome else {
                        Issue.record("\(record.outcome) in \(line)")
                        continue
                    }
                    #expect(line.contains(record.rejectedText))
                }
            }
        }
    }

    /// Whether the outcome of an entry that one input alone reads shows that it fits.
    private static func fits(_ outcome: RecordDecoder.Outcome, _ input: LogInput) -> Bool {
        guard case .rejected(let reason) = outcome else { return true }
        if mappings[input.name]?.contains("when") ?? false {
            return ![.inputUnmatched, .jsonNotObject].contains(reason)
        }
        return ![
            .payloadMissing, .payloadInvalid, .apsMissing, .appMissing, .inputUnmatched, .jsonNotObject,
        ].contains(reason)
    }

    /// Returns a line with the members of one or two shapes, in any order, some of them wrong.
    private static func line(_ random: inout SeededGenerator) -> String {
        var members: [String: String] = [:]
        for _ in 0...random.below(2) {
            switch random.below(7) {
            case 0: members.merge(["app": text(&random), "payload": payload(&random)]) { $1 }
            case 1:
                members.merge([
                    "kind": random.pick([#""a""#, #""b""#, "1"]), "bundle": text(&random),
                    "to": text(&random),
                    "at": "\(random.below(9))", "payload": payload(&random),
                ]) { $1 }
            case 2:
                let inner =
                    "{\"type\":\(random.pick([#""b""#, #""z""#])),\"bundle\":\(text(&random)),\"text\":\(text(&random))}"
                members["ctx"] =
                    "{\"data\":\(held(inner, &random))\(random.chance(30) ? ",\"aps\":{\"alert\":\(text(&random))}" : "")}"
            case 3:
                members.merge([
                    "bundle": text(&random),
                    "push": "{\"to\":\(text(&random)),\"payload\":\(payload(&random))}",
                ]) { $1 }
            case 4:
                let items = (0..<random.below(3)).map { _ in
                    "{\"app\":\(text(&random)),\"msg\":\(held("{\"text\":\(text(&random))}", &random))}"
                }
                members["items"] = "[\(items.joined(separator: ","))]"
            case 5 where random.chance(50):
                members["tokens"] = random.pick(["[]", #"["t"]"#, #"["t","u"]"#, #""t""#])
                members["push"] = payload(&random)
                if random.chance(70) { members["bundle"] = text(&random) }
            case 5: members.merge(["room": text(&random), "app": text(&random), "aps": aps(&random)]) { $1 }
            default:
                members["box"] = held("{\"bundle\":\(text(&random)),\"title\":\(text(&random))}", &random)
            }
        }
        if random.chance(15) { members[members.keys.sorted().first ?? ""] = nil }
        let all = members.keys.sorted().shuffled(using: &random).map { "\"\($0)\":\(members[$0] ?? "null")" }
        return "{\(all.joined(separator: ","))}"
    }

    private static func aps(_ random: inout SeededGenerator) -> String {
        random.chance(85) ? "{\"alert\":\(text(&random))}" : random.pick(["{}", "1", #""x""#])
    }

    private static func payload(_ random: inout SeededGenerator) -> String {
        held(random.chance(85) ? "{\"aps\":\(aps(&random))}" : "{\"x\":\(text(&random))}", &random)
    }

    /// Returns an object, or a text that holds it.
    private static func held(_ object: String, _ random: inout SeededGenerator) -> String {
        guard random.chance(40) else { return object }
        return "\"" + object.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#) + "\""
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        random.pick([#""x""#, #""a\/b""#, #""\"q\"""#, #""\u00e9""#, #""com.example""#, "12"])
    }

    // MARK: - Lists

    @Test func aListOfOneIsThatInput() throws {
        let one = try LogInput(firstOf: [Self.input("a.json")])
        #expect(try (one.name, one.digest) == (Self.input("a.json").name, Self.input("a.json").digest))
    }

    @Test func theNameAndTheDigestAreThoseOfAll() throws {
        let list = try Self.list("auto,a.json,b.json")
        #expect(list.name == "auto,a.json,b.json")
        let other = try Self.list("auto,b.json,a.json")
        #expect(list.digest != other.digest && !list.digest.isEmpty)
        #expect(try Self.list("fcm,apns").digest == "")
    }

    private static let refusals: [Case] = [
        Case("twice", "a.json,a.json", "a.json,a.json: 'a.json' is given twice"),
        Case(
            "a shape after all", "auto,fcm", "auto,fcm: 'fcm' has no effect after 'auto', which tries it, too"
        ),
        Case(
            "native after all", "auto,apns",
            "auto,apns: 'apns' has no effect after 'auto', which tries it, too"),
    ]

    @Test(arguments: refusals) func whatHasNoEffectIsRefused(_ item: Example<String, String>) {
        let error = #expect(throws: LocatedError.self) { try Self.list(item.input) }
        #expect(error.map { "\($0.file): \($0.message)" } == item.expected)
    }

    @Test func aShapeMayBeTriedBeforeTheOthers() throws {
        #expect(try Self.list("fcm,auto").name == "fcm,auto")
    }
}
