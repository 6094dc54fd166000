import SheafBytes
import TestSupport
import Testing

@testable import SheafGroups

/// The push service's answers next to pushes: in arrays of their own, in the order of the pushes or by device, and around
/// entries (specification §12.5, §18).
@Suite struct AnswerTests {
    struct Case: NamedCase {
        let name: String
        /// The members of a mapping before its fields, and the outcome's fields.
        var mapping = ""
        let fields: String
        let line: String
        let records: [String]

        init(_ name: String, mapping: String = "", _ fields: String, _ line: String, _ records: String...) {
            (self.name, self.mapping, self.fields, self.line, self.records) =
                (name, mapping, fields, line, records)
        }

        var input: LogInput { LogInput(mapping: "{\(mapping)\"fields\":{\(fields)}}") }
    }

    private static let entry = #""app":"a","aps":{"alert":"x"}"#
    private static let byToken = #""match":["/failed/*/token"],"#
    private static let failed =
        #""device":"/tokens/*","success":{"constant":"false","when":["/failed/*"]},"reason":"/failed/*/why""#

    static let cases: [Case] = [
        Case(
            "records of two arrays follow each other", #""device":["/b/*/d","/a/*/d"],"reason":"/a/*/why""#,
            #"{\#(entry),"a":[{"d":"1","why":"R"},{"d":"2"}],"b":[{"d":"3"}]}"#, "app=a body=x device=3",
            "refused: R", "app=a body=x device=2"),
        Case(
            "an empty array is skipped", #""device":["/a/*","/b/*"]"#, #"{\#(entry),"a":[],"b":["1"]}"#,
            "app=a body=x device=1"),
        Case(
            "an array may be absent", #""device":["/a/*","/b/*"]"#, #"{\#(entry),"a":["1"]}"#,
            "app=a body=x device=1"),
        Case(
            "without arrays there is one record", #""device":["/a/*","/b/*","/c"]"#, #"{\#(entry),"c":"1"}"#,
            "app=a body=x device=1"),
        Case(
            "an array counts if the condition of its field holds",
            #""device":[{"pointer":"/a/*","when":["/yes"]},{"pointer":"/b/*","when":["/no"]}]"#,
            #"{\#(entry),"a":["1","2"],"b":["3"],"yes":1}"#, "app=a body=x device=1", "app=a body=x device=2"),
        Case(
            "a condition on the element",
            #""device":"/a/*/d","success":{"constant":"false","when":[{"pointer":"/a/*/k","equals":3}]}"#,
            #"{\#(entry),"a":[{"d":"1","k":3},{"d":"2","k":4}]}"#, "refused", "app=a body=x device=2"),
        Case(
            "answers in the order of the pushes", #""device":"/tokens/*","status":"/answers/*/code""#,
            #"{\#(entry),"answers":[{"code":200},{"code":410}],"tokens":["1","2"]}"#, "app=a body=x device=1",
            "refused: 410"),
        Case(
            "fewer answers than pushes", #""device":"/tokens/*","status":"/answers/*""#,
            #"{\#(entry),"answers":[410],"tokens":["1","2"]}"#, "refused: 410", "app=a body=x device=2"),
        Case(
            "more answers than pushes", #""device":"/tokens/*","status":"/answers/*""#,
            #"{\#(entry),"answers":[200,410],"tokens":["1"]}"#, "app=a body=x device=1"),
        Case(
            "an answer to a push without an array", #""device":"/to","status":"/answers/*""#,
            #"{\#(entry),"answers":[410,200],"to":"1"}"#, "refused: 410"),
        Case(
            "answers that are not in an array", #""device":"/tokens/*","status":"/answers/*""#,
            #"{\#(entry),"answers":{"0":410},"tokens":["1"]}"#, "app=a body=x device=1"),
        Case(
            "answers in a text", #""device":"/tokens/*","reason":"/response/answers/*/why""#,
            #"{\#(entry),"response":"{\"answers\":[{\"why\":\"a\\u0062 \\\"c\\\"\"},{}]}","tokens":["1","2"]}"#,
            #"refused: ab "c""#, "app=a body=x device=2"),
        Case(
            "answers to the pushes of several entries", mapping: #""each":["/pushes/*"],"#,
            #""device":["/to/*","/to"],"status":"/answers/*""#,
            #"{"pushes":[{\#(entry),"to":["1","2"]},{"app":"a","to":"3"},{\#(entry),"to":"4"},{\#(entry),"to":"5"}],"answers":[200,410,200,429]}"#,
            "app=a body=x device=1", "refused: 410", "payload.missing", "refused: 429",
            "app=a body=x device=5"),
        Case(
            "answers by device", mapping: byToken, failed,
            #"{\#(entry),"tokens":["1","2","3","2"],"failed":[{"token":"3","why":"R"},{"token":"\u0032"}]}"#,
            "app=a body=x device=1", "refused", "refused: R", "refused"),
        Case(
            "the first answer for a device counts", mapping: byToken, failed,
            #"{\#(entry),"tokens":["1"],"failed":[{"token":"1","why":"R"},{"token":"1","why":"S"}]}"#,
            "refused: R"),
        Case(
            "an answer without a device is that of no push", mapping: byToken, failed,
            #"{\#(entry),"tokens":["1"],"failed":[{"why":"R"},{"token":null},{"token":true}]}"#,
            "app=a body=x device=1"),
        Case(
            "a number is the device with its digits", mapping: byToken,
            #""device":"/tokens/*","reason":"/failed/*/why""#,
            #"{\#(entry),"tokens":[1,2],"failed":[{"token":2,"why":"R"}]}"#, "app=a body=x device=1",
            "refused: R"),
        Case(
            "answers by device around entries", mapping: #""each":["/pushes/*"],"# + byToken, failed,
            #"{"pushes":[{\#(entry),"tokens":["1","2"]},{\#(entry),"tokens":["2"]}],"failed":[{"token":"2","why":"R"}]}"#,
            "app=a body=x device=1", "refused: R", "refused: R"),
        Case(
            "an answer around an entry", mapping: #""unwrap":["/push"],"#, #""status":"/answer/code""#,
            #"{"push":{\#(entry)},"answer":{"code":410}}"#, "refused: 410"),
        Case(
            "any refusal counts", mapping: #""unwrap":["/push"],"#, #""status":["/code","/answer/code"]"#,
            #"{"push":{\#(entry),"code":200},"answer":{"code":410}}"#, "refused: 410"),
        Case(
            "names of a native record are not looked up around an entry", mapping: #""unwrap":["/push"],"#,
            #""id":"/id""#, #"{"push":{\#(entry)},"status":"failed"}"#, "app=a body=x"),
    ]

    @Test(arguments: cases) func anAnswerIsFound(_ item: Case) {
        let line = ReadLine(item.line, item.input)
        #expect(line.summary == item.records)
        #expect(line.isUnchangedAtTheEnd)
        #expect(line.records.allSatisfy { $0.findings.isEmpty })
    }

    /// Requests with their responses, whatever the shape of the request.
    static let pairs: [Example<String, [String]>] = [
        .init(
            "a native record", #"{"request":{\#(entry)},"response":{"status":410,"reason":"R"}}"#,
            ["refused: R"]),
        .init("an accepted one", #"{"request":{\#(entry)},"response":{"status":200}}"#, ["app=a body=x"]),
        .init("no response", #"{"request":{\#(entry)}}"#, ["app=a body=x"]),
        .init(
            "a body that is a text",
            #"{"request":{\#(entry)},"response":{"status":400,"body":"{\"reason\":\"\u0052\"}"}}"#,
            ["refused: R"]),
        .init(
            "texts",
            #"{"request":"{\"app\":\"a\",\"aps\":{\"alert\":\"x\"}}","response":"{\"statusCode\":503}"}"#,
            ["refused: 503"]),
        .init(
            "several native records",
            #"{"request":[{\#(entry)},{\#(entry)}],"response":{"results":[{},{"error":"R"}]}}"#,
            ["app=a body=x", "refused: R"]),
        .init(
            "tokens of gorush",
            #"{"request":{"notifications":[{"tokens":["d","e"],"platform":1,"message":"x","topic":"a"},{"tokens":["e"],"platform":2,"message":"x","topic":"a"}]},"response":{"success":"ok","logs":[{"type":"failed-push","token":"e","error":"R"},{"type":"succeeded-push","token":"d","error":""}]}}"#,
            ["app=a body=x device=d", "refused: R", "other platform"]),
        .init(
            "a status of the log is not an answer",
            #"{"request":{\#(entry)},"status":"error","response":{}}"#,
            ["app=a body=x"]),
    ]

    @Test(arguments: pairs) func aRequestHasItsResponse(_ item: Example<String, [String]>) throws {
        for (name, line) in [("alone", item.input), ("wrapped", #"{"log":\#(item.input)}"#)] {
            let read = ReadLine(line)
            #expect(read.summary == item.expected, "\(name)")
            #expect(read.isUnchangedAtTheEnd)
        }
        let opened = try LogInput.automatic.unwrapping(["/request"])
        #expect(ReadLine(item.input, opened).summary == item.expected)
    }

    /// A payload with results is node-apn's, unless only native records are read.
    static let results: [Example<String, [String]>] = [
        .init(
            "devices",
            #"{\#(entry),"sent":[{"device":"1"}],"failed":[{"device":"2","status":"410","response":{"reason":"R"}}]}"#,
            ["app=a body=x device=1", "refused: R"]),
        .init(
            "a payload that is a text",
            #"{"app":"a","payload":"{\"aps\":{\"alert\":\"\u0078\"}}","failed":[{"device":"2","error":{"message":"timeout"}}]}"#,
            ["refused: timeout"]),
        .init(
            "a result", #"{\#(entry),"result":{"sent":[{"device":"1"}],"failed":[]}}"#,
            ["app=a body=x device=1"]),
        .init("no devices", #"{\#(entry),"sent":[],"failed":[]}"#, ["app=a body=x"]),
        .init("other arrays", #"{\#(entry),"sent":[1],"failed":[{"x":1}]}"#, ["app=a body=x"]),
        .init("numbers", #"{\#(entry),"sent":3,"failed":0}"#, ["app=a body=x"]),
    ]

    @Test(arguments: results) func resultsAreForDevices(_ item: Example<String, [String]>) throws {
        #expect(ReadLine(item.input).summary == item.expected)
        let native = try #require(LogInput(named: "apns"))
        #expect(ReadLine(item.input, native).summary == ["app=a body=x"])
    }

    /// Texts that would take more than the line's length in the annex are not lost without a word.
    @Test func aReasonThatDoesNotFitRejectsItsRecord() {
        let why = String(repeating: #"\u0041"#, count: 20)
        let tokens = Array(repeating: #""1""#, count: 200).joined(separator: ",")
        let input = LogInput(
            mapping:
                #"{"match":["/failed/*/token"],"fields":{"device":"/tokens/*","reason":"/failed/*/why"}}"#)
        let line = ReadLine(
            #"{\#(Self.entry),"tokens":[\#(tokens)],"failed":[{"token":"1","why":"\#(why)"}]}"#, input)
        #expect(line.records.count == 200)
        #expect(line.summary.first == "refused: " + String(repeating: "A", count: 20))
        #expect(Set(line.summary) == [line.summary[0], "field.too-long"])
    }

    // MARK: Random answers

    /// A push with the answer to it, as a model has them.
    private struct ModelPush {
        var device: Int
        var refusal: String?
    }

    @Test(arguments: Seeds.several(12)) func answersBelongToTheirPushes(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            // A device has one answer, however often it occurs.
            let refused = (0..<6).map { _ in Bool.random(using: &random) }
            let pushes = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                let device = Int.random(in: 0..<6, using: &random)
                return ModelPush(device: device, refusal: refused[device] ? "R\(device)" : nil)
            }
            let expected = pushes.map { push in
                push.refusal.map { "refused: \($0)" } ?? "app=a body=x device=\(push.device)"
            }
            let tokens = pushes.map { "\"\($0.device)\"" }.joined(separator: ",")
            let inOrder = pushes.map { $0.refusal.map { #"{"why":"\#($0)"}"# } ?? "{}" }.joined(
                separator: ",")
            var byDevice = (0..<6).map { device in
                #"{"token":"\#(device)"\#(refused[device] ? #","why":"R\#(device)""# : "")}"#
            }
            byDevice.shuffle(using: &random)
            let matched = byDevice.joined(separator: ",")
            let fields = #""device":"/tokens/*","reason":"/answers/*/why""#
            let lines: [(mapping: String, line: String)] = [
                (
                    #"{"fields":{\#(fields)}}"#,
                    #"{\#(Self.entry),"tokens":[\#(tokens)],"answers":[\#(inOrder)]}"#
                ),
                (
                    #"{"unwrap":["/push"],"fields":{\#(fields)}}"#,
                    #"{"answers":[\#(inOrder)],"push":{\#(Self.entry),"tokens":[\#(tokens)]}}"#
                ),
                (
                    #"{"match":["/answers/*/token"],"fields":{\#(fields)}}"#,
                    #"{"answers":[\#(matched)],\#(Self.entry),"tokens":[\#(tokens)]}"#
                ),
                (
                    #"{"match":["/answers/*/token"],"unwrap":["/push"],"fields":{\#(fields)}}"#,
                    #"{"push":{\#(Self.entry),"tokens":[\#(tokens)]},"answers":[\#(matched)]}"#
                ),
            ]
            for (mapping, line) in lines {
                #expect(ReadLine(line, LogInput(mapping: mapping)).summary == expected, "\(seed): \(line)")
            }
        }
    }
}
