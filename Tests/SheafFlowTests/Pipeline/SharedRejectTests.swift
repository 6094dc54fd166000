import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// What all records of one payload share is rejected once, with the text that has the mistake.
@Suite struct SharedRejectTests {
    struct Case: NamedCase {
        let name: String
        let line: String
        var mapping: String?
        /// The records that are grouped.
        let grouped: UInt64
        /// The indices, reasons and texts.
        let rejects: [String]
    }

    private static let tokens =
        #"{"fields":{"timestamp":["/when"],"app":["/bundle"],"device":["/tokens/*"],"payload":["/apns"]}}"#
    private static let devices =
        #"{"fields":{"timestamp":["/to/*/when"],"app":["/to/*/app"],"device":["/to/*/id"],"payload":["/apns"]}}"#
    private static let apns = #""apns":{"aps":{"alert":"x"}}"#

    @Test(
        arguments: [
            Case(
                name: "no app",
                line:
                    #"{"notifications":[{"tokens":["t","u"],"platform":1,"message":"m"},{"tokens":["v","w"],"platform":1,"message":"n","topic":"a"}]}"#,
                grouped: 2, rejects: [#"0 app.missing {"tokens":["t","u"],"platform":1,"message":"m"}"#]),
            Case(
                name: "an invalid time",
                line: "{\"tokens\":[\"t\",\"u\\n\"],\"bundle\":\"a\",\"when\":\"x\",\(apns)}",
                mapping: tokens, grouped: 0,
                rejects: [
                    "0 timestamp.invalid {\"tokens\":[\"t\",\"u\\n\"],\"bundle\":\"a\",\"when\":\"x\",\(apns)}"
                ]),
            Case(
                name: "an app for each device",
                line: #"{"to":[{"app":"a","id":"t"},{"id":"u"},{"app":5,"id":"v","when":"x"}],\#(apns)}"#,
                mapping: devices, grouped: 1,
                rejects: [
                    #"1 app.missing {"id":"u"}"#, #"2 timestamp.invalid {"app":5,"id":"v","when":"x"}"#,
                ]),
            Case(
                name: "none of the devices", line: #"{"to":[{"id":"t"},{"id":"u"}],\#(apns)}"#,
                mapping: devices,
                grouped: 0, rejects: [#"0 app.missing {"id":"t"}"#, #"1 app.missing {"id":"u"}"#]),
            Case(
                name: "a long token",
                line:
                    "{\"tokens\":[\"\(String(repeating: "t", count: 4_097))\",\"u\"],\"bundle\":\"a\",\(apns)}",
                mapping: tokens, grouped: 1,
                rejects: ["0 field.too-long \"\(String(repeating: "t", count: 4_097))\""]),
        ], [1, 1 << 16])
    func sharedMistakesAreOneReject(_ item: Case, chunkBytes: Int) throws {
        let storage = MemoryStorage(["log": .file(Array((item.line + "\n").utf8))])
        var options = ReplayOptions(sources: ["log"])
        (options.output, options.rejects, options.chunkBytes) = ("out", "rejects", chunkBytes)
        if let mapping = item.mapping {
            options.input = try LogInput(json: Array(mapping.utf8), file: "m.json")
        }
        let statistics = try Replay(options, storage: storage).run()
        #expect(statistics.grouped == item.grouped)
        #expect(statistics.rejectedTotal == UInt64(item.rejects.count))
        #expect(statistics.records == item.grouped + UInt64(item.rejects.count))
        let rejects = String(decoding: storage["rejects"] ?? [], as: UTF8.self).split(separator: "\n")
        for (found, expected) in zip(rejects, item.rejects) {
            let parts = expected.split(separator: " ", maxSplits: 2)
            #expect(
                found
                    == #"{"source":"log","line":1,"index":\#(parts[0]),"reason":"\#(parts[1])","text":\#(jsonString(String(parts[2])))}"#
            )
        }
    }
}
