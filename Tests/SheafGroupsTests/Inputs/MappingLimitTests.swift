import SheafBytes
import SheafText
import TestSupport
import Testing

@testable import SheafGroups

/// The limits of mappings, and the shapes that ship with Sheaf, which are within them.
@Suite struct MappingLimitTests {
    typealias Limit = Example<String, String?>

    /// Returns a mapping whose device has the given candidates.
    static func devices(_ pointers: [String]) -> String {
        "{\"fields\":{\"device\":[\(pointers.map { "\"\($0)\"" }.joined(separator: ","))]}}"
    }

    static func pointers(_ count: Int, _ prefix: String, _ suffix: String = "") -> [String] {
        (0..<count).map { "\(prefix)\($0)\(suffix)" }
    }

    static let deepest = String(repeating: "/deep", count: 31)

    @Test(arguments: [
        Limit("as many pointers as are supported", devices(pointers(200, "/a/k")), nil),
        Limit(
            "one pointer more", devices(pointers(201, "/a/k")),
            ":1: 201 pointers and constants: at most 200 are supported"),
        Limit("as many keys of the entry", devices(pointers(179, "/k")), nil),
        Limit(
            "more keys of the entry", devices(pointers(200, "/k")),
            ": 272 keys of the entry, with those of native records and all names of a locale: at most 251 are supported"
        ),
        Limit("as many names of locales", devices(pointers(25, "/a/{locale}")), nil),
        Limit(
            "more names of locales", devices(pointers(26, "/a/{locale}")),
            ": 260 keys of '/a', with those of native records and all names of a locale: at most 251 are supported"
        ),
        Limit("deep pointers", devices(pointers(200, "\(deepest)/k")), nil),
        Limit("deep pointers that share nothing", devices(pointers(150, "/k", deepest)), nil),
        Limit(
            "payloads", "{\"fields\":{\"payload\":[\(quoted(pointers(200, "/a/k")))]}}", nil),
        Limit("arrays", "{\"each\":[\(quoted(pointers(200, "/a/k", "/*")))]}", nil),
        Limit("entries of one array", "{\"each\":[\(quoted(pointers(200, "/a/*/k")))]}", nil),
        Limit("wrappers", "{\"unwrap\":[\(quoted(pointers(200, "/a/k")))]}", nil),
    ]) func aMappingAtItsLimitsIsCompiled(_ limit: Limit) throws {
        #expect(MappingMistakeTests.message(of: limit.input) == limit.expected)
        guard limit.expected == nil else { return }
        let input = try LogInput(json: Array(limit.input.utf8), file: "m.json")
        let plan = input.localized(LocaleIdentifier("sr_Latn_RS") ?? .default).compiled()
        for node in plan.tree.nodes.indices where !plan.tree.nodes[node].children.isEmpty {
            _ = plan.tree.plan(of: node)
        }
    }

    /// The items are equal, which would be the message if they had been compared with each other.
    @Test(arguments: [
        "{\"unwrap\":[ITEMS]}", "{\"each\":[ITEMS]}", "{\"otherPlatform\":[ITEMS]}", "{\"when\":[ITEMS]}",
        "{\"when\":[[ITEMS]]}", "{\"fields\":{\"device\":[ITEMS]}}",
        "{\"fields\":{\"device\":{\"constant\":\"c\",\"when\":[ITEMS],\"unless\":[]}}}",
        "{\"fields\":{\"device\":{\"pointer\":\"/b\",\"unless\":[ITEMS]}}}",
    ]) func aLongListIsRefusedBeforeItsItemsAreCompared(_ mapping: String) {
        for item in ["\"/a\"", "{\"pointer\":\"/a\",\"contains\":\"x\"}", "{\"constant\":\"x\"}"] {
            let items = Array(repeating: item, count: 16_000).joined(separator: ",")
            let message = MappingMistakeTests.message(of: mapping.replacing("ITEMS", with: items))
            let count = mapping.contains("unless") ? 16_001 : 16_000
            #expect(message == ":1: \(count) pointers and constants: at most 200 are supported")
        }
    }

    /// The number that is limited is known before the mapping is read.
    @Test func pointersAreCountedAsTheyAreRead() throws {
        let mixed = """
            {"about":"a","when":[["/a",{"pointer":"/b","equals":["x","y",1]}],"/c"],"unwrap":["/d"],"each":["/e/*"],
            "otherPlatform":[{"pointer":"/f","contains":"z"}],"fields":{"device":["/g",{"native":true}],
            "app":{"constant":"c","when":["/h"],"unless":["/i","/j"]},
            "id":[{"pointer":"/k","separator":":","part":1},"/l"],"payload/aps/badge":"/m"}}
            """
        for json in InputShape.all.map(\.json) + [Array(mixed.utf8)] {
            let mapping = try InputMapping(json: json, file: "m.json")
            #expect(MappingValue(json: json).pointerCount == mapping.pointers.count + mapping.constants.count)
        }
    }

    private static func quoted(_ pointers: [String]) -> String {
        pointers.map { "\"\($0)\"" }.joined(separator: ",")
    }

    // MARK: The shapes

    @Test(arguments: InputShape.all.map(\.name)) func aShapeIsAValidMapping(_ name: String) throws {
        let shape = try #require(InputShape.all.first { $0.name == name })
        #expect(throws: Never.self) { try LogInput(json: shape.json, file: "\(name).json") }
        #expect(!shape.summary.isEmpty)
    }

    @Test func theConstantsOfTheShapesFit() {
        // `1` is what `true` becomes in fields that are numbers.
        let constants =
            InputShape.all.flatMap(\.mapping.constants) + InputShape.wrappers.constants + ["1"]
        #expect(constants.reduce(0) { $0 + $1.utf8.count } <= InputShape.constantBytes)
        #expect(LogInput.automatic.constantBytes == InputShape.constantBytes)
    }

    @Test(arguments: ["en", "zh_Hant_TW", "sr_Latn_RS", "no_NO", "ca_ES_VALENCIA"])
    func theShapesTogetherAreWithinTheLimits(_ locale: String) throws {
        let plan = LogInput.automatic.localized(try #require(LocaleIdentifier(locale))).compiled()
        #expect(plan.tree.largestObject.count <= PointerTree.maximumChildren)
    }

    @Test func aPlanHasUpTo254KeysOfOneObject() {
        var plan = FieldPlan()
        let slots = (0..<254).map { plan.field("k\($0)") }
        let text = "{" + (0..<254).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
        let chunk = Chunk(Array(text.utf8))
        var scanner = FieldScanner(plan)
        #expect(scanner.scan(TextRange(0..<text.utf8.count), of: chunk) == .object)
        for (number, slot) in slots.enumerated() {
            #expect(chunk.bytes(of: scanner[slot].text).string == "\(number)")
        }
    }
}
