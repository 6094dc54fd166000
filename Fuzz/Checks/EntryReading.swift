import SheafBytes
import SheafGroups
import SheafText

/// A mapping is read or refused with its location, and by any mapping a line gives the same records whatever was read
/// before it, whatever bytes surround it, and however large its chunk is.
///
/// An input is the name of a shape or a mapping, a zero, and a line.
package enum EntryReading: FuzzCheck {
    package static func violations(in bytes: [UInt8]) -> [String] {
        let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map {
            Array($0)
        }
        guard parts.count == 2,
            let line = parts[1].split(separator: UInt8(ascii: "\n")).first.map({ Array($0) })
        else { return [] }
        let name = String(validating: parts[0], as: UTF8.self)
        guard let input = name.flatMap({ LogInput(named: $0) }) else { return violations(in: parts[0], line) }
        return violations(of: input, line)
    }

    private static func violations(in mapping: [UInt8], _ line: [UInt8]) -> [String] {
        do {
            return violations(of: try LogInput(json: mapping, file: "m"), line)
        } catch {
            return error.description.contains(": ") && !error.message.isEmpty
                ? [] : ["a mapping refused without a reason: \(error)"]
        }
    }

    private static func violations(of input: LogInput, _ line: [UInt8]) -> [String] {
        let reader = EntryReader(input)
        var decoder = RecordDecoder(keepsRejectedText: true)
        let first = ReadEntries(line, input, by: reader, &decoder)
        var violations = first.violations
        func compare(_ other: ReadEntries, _ name: String) {
            violations += other.violations
            if other != first { violations.append("\(name): \(other), not \(first)") }
        }
        compare(ReadEntries(line, input, by: reader, &decoder), "again")
        _ = ReadEntries(other, input, by: reader, &decoder)
        compare(
            ReadEntries(
                line, input, before: other + [UInt8(ascii: "\n")], after: other, by: reader, &decoder),
            "between others")
        if input.readsNative {
            let native = DecodedBytes(line, by: &decoder)
            if !native.mayBeForeign { compare(ReadEntries(native), "without a mapping") }
        }
        return violations
    }

    private static let other = [UInt8](
        #"{"message":"{\"app\":\"a\\u0062\",\"message\":{\"apns\":{\"payload\":{\"aps\":{\"alert\":{\"loc-key\":\"\\u0063\"}}}}}}","tokens":["\u0061"],"time":"2026-01-31T12:00:00Z"}"#
    )

    // MARK: Seeds

    package static var seeds: [[UInt8]] {
        let auto = Self.lines.map { seed("auto", $0) } + PushTexts.lines.map { seed("auto", $0) }
        let shapes = InputShape.all.flatMap { shape in
            Self.lines.map { seed(shape.name, $0) } + [seed(shape.json, Self.lines[0])]
        }
        return auto + shapes + mappings.flatMap { mapping in Self.lines.suffix(8).map { seed(mapping, $0) } }
    }

    package static var words: [[UInt8]] {
        let texts = InputShape.all.flatMap { $0.json.split(separator: UInt8(ascii: "\"")) }
            .filter { $0.count > 1 && $0.count < 40 && !$0.contains(UInt8(ascii: "\n")) }
        return PushTexts.tokens + Set(texts).sorted { $0.lexicographicallyPrecedes($1) }.map { Array($0) }
            + [
                [0], [UInt8](#"{"native":true}"#), [UInt8](#"{"constant":"a"}"#), [UInt8]("/*"),
                [UInt8]("{locale}"),
            ]
    }

    private static func seed(_ mapping: String, _ line: [UInt8]) -> [UInt8] { seed([UInt8](mapping), line) }

    private static func seed(_ mapping: [UInt8], _ line: [UInt8]) -> [UInt8] { mapping + [0] + line }

    private static let mappings: [[UInt8]] = [
        #"{"unwrap":["/event/body","/a/0"],"each":["/batch/*","/batch/*/e"],"fields":{"timestamp":["/sent/at"],"app":["/bundle",{"constant":"com.example.app"}],"device":["/tokens/*"],"payload":["/apns"],"payload/aps/thread-id":["/conversation/id","/apns/aps/thread-id"]}}"#,
        #"{"when":[["/tokens/0",{"pointer":"/tokens/1/x/y","contains":"a"}],[{"pointer":"/n","equals":[1,"1",true]}]],"fields":{"device":["/tokens/*/id","/tokens/0/id"],"payload":[],"payload/aps":"/tokens/1/x","payload/aps/alert/loc-key":"/tokens/0/k","payload/aps/alert/loc-args":"/tokens","payload/aps/badge":{"pointer":"/n","unless":["/m"]},"payload/aps/content-available":"/on"}}"#,
        #"{"fields":{"payload":"","payload/aps/alert":["/text/{locale}","/text"],"app":{"pointer":"/arn","separator":":","part":2},"push-type":[{"native":true},{"constant":"background","when":["/silent"]}],"id":"/a/b/c/0/d"}}"#,
        #"{"unwrap":["/a/b/c","/a/b","/a"]}"#,
    ].map { [UInt8]($0) }

    private static let lines: [[UInt8]] = [
        #"{"message":{"token":"t","notification":{"title":"T","body":"B"},"apns":{"headers":{"apns-topic":"com.example","apns-collapse-id":"c"},"payload":{"aps":{"alert":{"title":"A\u0041"},"thread-id":"x"}}}},"timestamp":"2026-01-31T12:00:00Z"}"#,
        #"{"message":{"apns":{"payload":"{\"aps\":{\"alert\":\"\\u0061\"}}"}},"app":"com.example"}"#,
        #"{"message":{"apns":{"payload":"{\"x\":\"\\\",\\\"aps\\\"\"}"},"aps":{"alert":"a"}},"app":"com.example"}"#,
        #"{"Type":"Notification","Message":"{\"APNS\":\"{\\\"aps\\\":{\\\"alert\\\":\\\"a\\\"}}\"}","TargetArn":"arn:aws:sns:us-east-1:1:endpoint/APNS/com.example/0f","Timestamp":"2026-01-31T12:00:00.000Z"}"#,
        #"{"APNS_VOIP":"{\"aps\":{\"alert\":\"a\"}}","destination":"arn:aws:sns:eu-west-1:1:endpoint/APNS_VOIP/app/tok"}"#,
        #"{"notifications":[{"tokens":["a","b\u0062"],"platform":1,"topic":"com.example","message":"M","title":"T","alert":{"loc-key":"k"},"content_available":true},{"tokens":["c"],"platform":2,"message":"x"}]}"#,
        #"{"to":["ExponentPushToken[a]","ExponentPushToken[\u0062]"],"title":"T","body":"B","mutableContent":true,"app":"a"}"#,
        #"[{"to":"ExponentPushToken[a]","body":"x"},{"to":["ExponentPushToken[b]"],"body":"y"},5,"z"]"#,
        #"{"app_id":"a","contents":{"en":"E","de":"D"},"headings":{"en":"H"},"thread_id":"t","send_after":"2026-01-31 12:00:00 GMT+0000"}"#,
        #"{"body":{"data":{"alert":"a","threadId":"t"},"where":{}},"app":"x"}"#,
        #"{"schema":null,"payload":{"app":"a","payload":{"aps":{"alert":"a"}}}}"#,
        #"{"message":"{\"log\":\"{\\\"message\\\":{\\\"aps\\\":{\\\"alert\\\":\\\"d\\\"},\\\"app\\\":\\\"a\\\"}}\"}","@timestamp":"2026-01-31T12:00:00Z"}"#,
        #"{"logEvents":[{"timestamp":1700000000000,"message":"{\"aps\":{\"alert\":\"a\"}}"},{"message":"x"},"{\"aps\":{},\"app\":\"\\u0061\"}"],"app":"z\u007a"}"#,
        #"{"Records":[{"Sns":{"Message":"{\"APNS\":\"{}\"}"}},{"body":"[{\"aps\":{\"alert\":\"a\"}}]"},{}],"time":5}"#,
        #"[["{\"aps\":{\"alert\":\"\\u0061\"}}"],[[{"aps":{"alert":"b"},"app":"a"}]]]"#,
        #"{"batch":[{"e":"{\"apns\":{\"aps\":{\"alert\":\"\\\"\"}},\"tokens\":[\"a\\u0022,\",\"b\"]}"},{"apns":"{\"aps\":{\"alert\":\"q\"}}","bundle":"b\u0022"}],"sent":{"at":"1700000000"}}"#,
        #"{"tokens":[{"k":"K\u0022]","id":"a"},{"x":"{\"alert\":{\"loc-key\":\"L\"},\"y\":\"a\"}","id":"b\u0022"}],"n":1,"on":true,"silent":0}"#,
        #"{"event":{"body":"{\"apns\":{\"aps\":{\"alert\":\"a\"}}}"},"bundle":"a","a":["{\"apns\":\"\\u007b\"}"]}"#,
        #"{"a":{"b":"{\"x\":\"\\\"\"}","aps":{"alert":"a"},"app":"b"},"arn":"a:b:c:d","text":{"en":"E"}}"#,
    ].map { [UInt8]($0) }
}
