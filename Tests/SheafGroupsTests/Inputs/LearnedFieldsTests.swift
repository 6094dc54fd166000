import SheafBytes
import TestSupport
import TestTags
import Testing

@testable import SheafGroups

/// A reader that has read records with values at the same nodes finds the same fields in the next one as a new reader.
@Suite(.tags(.extended)) struct LearnedFieldsTests {
    private static let mappings = [
        #"{"fields":{"payload/aps/thread-id":{"constant":"all"}}}"#,
        #"""
        {"fields":{"payload/aps/thread-id":[{"pointer":"/payload/aps/thread-id","separator":"/","part":1},
          {"pointer":"/room","separator":"/","part":0},"/payload/aps/category"],
          "app":["/bundle",{"constant":"com.example"}],"device":["/to","/payload/to"],"timestamp":"/at"}}
        """#,
        #"""
        {"when":["/message"],"fields":{"payload/aps/alert/body":["/message/text","/message/short"],
          "payload/aps/alert/title":["/message/title","/title"],"payload/aps/sound":"/message/sound",
          "payload/aps/thread-id":{"pointer":"/message/room","unless":["/message/alone"]},
          "payload/aps/mutable-content":"/message/changes",
          "app":"/bundle","device":["/to","/tokens/*"],"status":"/status","reason":"/reason"}}
        """#,
        #"""
        {"when":["/message"],"fields":{"payload/aps/alert":"/message/text",
          "payload/aps/thread-id":{"pointer":"/message/room","when":[{"pointer":"/kind","equals":"chat"}]},
          "app":"/bundle","device":"/to/0"}}
        """#,
        // Texts in texts, as in messages of Amazon SNS.
        #"""
        {"when":[["/message/apns"],["/message/title"]],"fields":{"payload":["/message/apns","/payload"],
          "payload/aps/alert/title":["/message/title","/message/apns/title"],
          "payload/aps/thread-id":[{"pointer":"/message/room","separator":"/","part":1},"/message/apns/room"],
          "app":["/bundle",{"constant":"com.example"}],"device":["/to","/message/to/device"]}}
        """#,
    ]

    /// Returns a value for a member: mostly a text, sometimes an empty one, one with escapes, with JSON, or another value.
    private static func value(_ random: inout SeededGenerator) -> String {
        switch random.below(16) {
        case 0: #""""#
        case 1: #""a\/b""#
        case 2: #""{\"title\":\"in a text\",\"body\":\"b\"}""#
        case 3: "null"
        case 4: "\(random.below(400))"
        case 5: random.pick(["true", "false"])
        case 6: #"{"title":"in an object","body":""}"#
        case 7: random.pick(["[]", #"["a","b"]"#, #"[{"a":1}]"#])
        case 8: #""a/b/c""#
        case 9: #""\u007b""#
        case 10: #""chat""#
        default: "\"text \(random.below(3))\""
        }
    }

    private static func object(_ names: [String], _ random: inout SeededGenerator) -> String {
        let members = names.filter { _ in random.chance(75) }.map { "\"\($0)\":\(value(&random))" }
        return "{\(members.joined(separator: ","))}"
    }

    /// Returns an object, or sometimes a text that holds it, not always whole.
    private static func held(_ object: String, _ random: inout SeededGenerator) -> String {
        guard random.chance(60) else { return object }
        if random.chance(15) { return random.pick([#""{}""#, #""{""#, #""{\"title\"""#]) }
        let escaped = object.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#)
        return "\"\(random.chance(95) ? escaped : String(escaped.prefix { $0 != "," }))\""
    }

    private static func line(_ random: inout SeededGenerator) -> String {
        var members = ["bundle", "app", "to", "at", "room", "kind", "status", "reason", "title", "device"]
            .filter { _ in random.chance(50) }.map { "\"\($0)\":\(value(&random))" }
        if random.chance(30) {
            members.append(#""tokens":\#(random.pick(["[]", #"["x"]"#, #"["x","y"]"#]))"#)
        }
        if random.chance(90) {
            let aps = object(["alert", "thread-id", "category", "sound", "badge"], &random)
            members.append("\"payload\":\(held("{\"aps\":\(aps),\"to\":\(value(&random))}", &random))")
        }
        if random.chance(60) {
            var message = object(
                ["text", "short", "title", "sound", "room", "alone", "changes", "to"], &random)
            if random.chance(60) {
                let payload =
                    "{\"aps\":\(object(["alert", "thread-id", "sound"], &random)),\"room\":\"a/b/c\"}"
                message =
                    "{\"apns\":\(held(payload, &random))\(message == "{}" ? "" : ",")\(message.dropFirst())"
            }
            members.append("\"message\":\(held(message, &random))")
        }
        return "{\(members.joined(separator: ","))}"
    }

    @Test(arguments: mappings, Seeds.several(4)) func earlierRecordsChangeNothing(
        _ mapping: String, _ seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let input = try LogInput(json: Array(mapping.utf8), file: "m.json")
        let reader = EntryReader(input)
        // Lines of few forms, so that most are like an earlier one.
        var fixed = SeededGenerator(seed: seed &+ 1)
        let forms = (0..<6).map { _ in Self.line(&fixed) }
        for _ in 0..<200 {
            let line = random.chance(50) ? Self.varied(random.pick(forms), &random) : Self.line(&random)
            let read = ReadLine(line, input, by: reader)
            #expect(read.records == ReadLine(line, input).records, "\(line)")
            #expect(read.isUnchangedAtTheEnd)
        }
    }

    /// Returns a line with the same members and other values of the same kinds.
    private static func varied(_ line: String, _ random: inout SeededGenerator) -> String {
        line.replacing(
            "text ", with: random.pick(["", "t ", "a/b", #"\u0061\/"#, #"{\"title\":1}"#, "text "])
        )
        .replacing("chat", with: random.pick(["chat", "mail", ""]))
        .replacing(#""{}""#, with: random.pick([#""{}""#, #""{""#]))
        .replacing("true", with: random.pick(["true", "false"]))
        .replacing("a/b/c", with: random.pick(["a/b", "a", "//", "a/b/c"]))
    }

    /// The table keeps what it has learned if sets are full, and finds nothing for other nodes.
    @Test func setsReplaceTheirOldestElements() {
        var plan = FieldPlan()
        let slot = plan.field("app")
        var learning = FieldLearning()
        for node in Int32(0)..<5_000 {
            learning.isActive = true
            learning.begin()
            learning.add(InputPlan.Candidate(source: .constant("\(node)")), at: -1, slot)
            learning.end(0, [node, node])
            #expect(learning.find(0, [node, node])?.constants == ["\(node)"])
            #expect(learning.find(1, [node, node]) == nil)
            #expect(learning.find(0, [node]) == nil)
        }
        let kept = (Int32(0)..<5_000).filter { learning.find(0, [$0, $0]) != nil }
        #expect(kept.count <= 1_024 && kept.count > 512)
        #expect(kept.allSatisfy { learning.find(0, [$0, $0])?.constants == ["\($0)"] })
    }
}
