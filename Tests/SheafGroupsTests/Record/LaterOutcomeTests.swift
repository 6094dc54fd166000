import SheafBytes
import TestSupport
import TestTags
import Testing

@testable import SheafGroups

/// Outcomes that come apart from their pushes (specification §18).
@Suite struct LaterOutcomeTests {
    typealias Line = Example<String, String>

    @Test(arguments: [
        Line("a code", #""id":"x","status":410"#, "refused id x: 410"),
        Line("a reason", #""id":"x","status":410,"reason":"Unregistered""#, "refused id x: Unregistered"),
        Line("an acceptance", #""apns-id":"x","status":200"#, "accepted id x"),
        Line("a flag", #""apnsId":"x","success":false"#, "refused id x"),
        Line("a reason alone", #""id":"x","response":{"reason":"Bad\u0054opic"}"#, "refused id x: BadTopic"),
        Line("its app and device", #""app":"a","device":"d","id":"x","ok":true"#, "accepted id x of a, d"),
        Line("the app of a topic", #""topic":"a.voip","id":"x","ok":true"#, "accepted id x of a"),
        Line(
            "ids", #""ids":["x","","\u0079"],"status":"failed""#,
            "refused id x: failed; refused id y: failed"),
        Line("no ids", #""ids":[],"id":"x","status":410"#, ""),
        Line("ids that are null", #""ids":null,"id":"x","status":410"#, "refused id x: 410"),
        Line("a collapse id", #""collapse-id":"c","success":"false""#, "refused collapse id c"),
        Line("an id before a collapse id", #""collapse-id":"c","id":"x","status":1"#, "refused id x: 1"),
        Line(
            "headers", #""headers":{"apns-id":"x","apns-topic":"a"},"status":429"#, "refused id x of a: 429"),
        Line("an unknown word", #""id":"x","status":"parked""#, "none id x"),
        Line("no push", #""status":410"#, "outcome.invalid"),
        Line("no outcome", #""id":"x""#, "outcome.invalid"),
        Line("members that tell nothing", #""id":"x","code":"E1","error":null"#, "outcome.invalid"),
        Line("an id that is a number", #""id":7,"status":410"#, "outcome.invalid"),
        Line("ids that are a text", #""ids":"x","status":410"#, "outcome.invalid"),
        Line("an id in a list that is a number", #""ids":["x",7],"status":410"#, "outcome.invalid"),
        Line("a device that is a number", #""device":7,"id":"x","status":410"#, "outcome.invalid"),
        Line("an app that is a number", #""app":7,"id":"x","status":410"#, "outcome.invalid"),
        Line("a timestamp", #""id":"x","status":410,"ts":"never""#, "timestamp.invalid"),
        Line(
            "a payload", #""app":"a","id":"x","status":200,"aps":{"alert":"n"}"#,
            "app=a body=n id=x"),
        Line("a refused push", #""app":"a","id":"x","status":410,"aps":{"alert":"n"}"#, "refused: 410"),
    ])
    func outcomesNamePushes(_ line: Line) {
        let read = ReadLine("{\"event\":\"outcome\",\(line.input)}")
        #expect(read.summary == [line.expected], "\(line.name)")
    }

    @Test func atMostAsManyPushesAreNamed() {
        func summary(_ count: Int) -> String {
            let ids = (0..<count).map { "\"\($0)\"" }.joined(separator: ",")
            return ReadLine("{\"event\":\"outcome\",\"status\":410,\"ids\":[\(ids)]}").summary[0]
        }
        #expect(summary(4_096).hasPrefix("refused id 0: 410; "))
        #expect(summary(4_097) == "outcome.invalid")
    }

    @Test func anEncodedOutcomeIsDecoded() throws {
        var bytes: [UInt8] = []
        var outcome = OutcomeRecord()
        outcome.app = bytes.appendText(Array("app".utf8).span)
        outcome.device = bytes.appendText(Array("d".utf8).span)
        outcome.text = bytes.appendText(Array("c".utf8).span)
        outcome.reason = bytes.appendText(Array("why".utf8).span)
        (outcome.scope, outcome.answer) = (.collapse, .refused)
        outcome.order = OrderKey(timestamp: 9, source: 2, line: 5)
        var output = OutputBuffer()
        outcome.encode(in: bytes.span, to: &output)
        let encoded = [UInt8](copying: output.bytes)
        let found = OutcomeRecord(encoded: encoded.span, sourceOffset: 3)
        let decoded = try #require(found)
        #expect(decoded.scope == .collapse && decoded.answer == .refused)
        #expect(decoded.order == outcome.order.moved(by: 3))
        let texts = [decoded.app, decoded.device, decoded.text, decoded.reason].map {
            String(decoding: [UInt8](copying: encoded.span.extracting($0.range)), as: UTF8.self)
        }
        #expect(texts == ["app", "d", "c", "why"])
        for count in encoded.indices {
            let partial = OutcomeRecord(encoded: encoded.span.extracting(first: count))
            #expect(partial == nil)
        }
    }
}

/// The estimated share of repeated records.
@Suite(.tags(.extended)) struct RepeatCensusTests {
    private func census(_ identifiers: [String]) -> RepeatCensus {
        var census = RepeatCensus()
        for identifier in identifiers {
            var (record, bytes) = (NotificationRecord(), [UInt8]())
            record.app = bytes.appendText(Array("a".utf8).span)
            record.device = bytes.appendText(Array("d".utf8).span)
            record.identifier = bytes.appendText(Array(identifier.utf8).span)
            guard !identifier.isEmpty, bytes.span[record.identifier].sampleHash < census.limit else {
                continue
            }
            census.record(record, in: bytes.span)
        }
        return census
    }

    @Test func fewRecordsAreCountedExactly() {
        #expect(census([]).share == nil)
        #expect(census([""]).share == nil)
        #expect(census(["x", "y"]).share == 0)
        #expect(census(["x", "y", "x", "x"]).share == 0.5)
        // The same first and last bytes.
        #expect(census(["campaign-1-of-ios-push", "campaign-2-of-ios-push"]).share == 0)
    }

    /// Ids of several forms: numbers, UUIDs, and texts whose first and last bytes are the same.
    private static func identifier(_ form: String, _ number: Int, _ random: inout SeededGenerator) -> String {
        func digits(_ count: Int) -> String {
            (0..<count).map { _ in String(random.below(16), radix: 16, uppercase: true) }.joined()
        }
        return switch form {
        case "uuid": "\(digits(8))-\(digits(4))-4\(digits(3))-A\(digits(3))-\(digits(12))"
        case "same ends": "campaign-\(number)-of-an-ios-push"
        default: "\(random.next())-\(random.next())"
        }
    }

    @Test(arguments: Seeds.several(3), ["numbers", "uuid", "same ends"])
    func theShareOfManyIsEstimated(_ seed: UInt64, _ form: String) {
        var random = SeededGenerator(seed: seed)
        var identifiers = (0..<60_000).map { Self.identifier(form, $0, &random) }
        for _ in 0..<6_000 { identifiers.append(identifiers[random.below(60_000)]) }
        identifiers.shuffle(using: &random)
        let share = 1 - 60_000 / 66_000.0
        #expect(abs((census(identifiers).share ?? 0) - share) < 0.02)
        // Merged in any order, the result is the same.
        var (first, second) = (census(Array(identifiers[..<9_000])), census(Array(identifiers[9_000...])))
        let copy = first
        first.add(second)
        second.add(copy)
        #expect(first.share == census(identifiers).share)
        #expect(second.share == first.share)
    }
}
