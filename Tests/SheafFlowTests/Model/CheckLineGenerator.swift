import TestSupport

/// Generates random lines for checks: priorities, push types, collapse identifiers and payloads around their limits, in
/// all forms, and lines that are rejected.
struct CheckLineGenerator {
    /// A line, and the payload that is sent for it; nil for a rejected line and for a response.
    struct Line {
        let text: String
        let payload: String?
    }

    private(set) var random: SeededGenerator
    private var odd: LogGenerator
    /// Chooses responses, so that existing seeds keep their other lines.
    private var responseRandom: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        odd = LogGenerator(seed: seed)
        responseRandom = SeededGenerator(seed: seed &* 29 &+ 5)
    }

    mutating func lines(_ count: Int) -> [Line] {
        var lines: [Line] = []
        for _ in 0..<count {
            let line = random.chance(10) ? rejected() : record()
            lines.append(responseRandom.chance(6) ? response() : line)
        }
        return lines
    }

    private mutating func response() -> Line {
        let dismissal = "com.apple.UNNotificationDismissActionIdentifier"
        let actions = [
            "TRACK", "TR\\u0041CK", "OPEN", dismissal, dismissal.replacing("Dismiss", with: "Default"),
        ]
        let members = [
            "\"event\":\"response\"", "\"topic\":\(jsonString(responseRandom.pick(["a", "b", "größe"])))",
            "\"action\":\"\(responseRandom.pick(actions))\"",
            "\"category\":\"\(responseRandom.pick(["order", "off\\u0065r", "größe", ""]))\"",
        ]
        return Line(
            text: "{\(members.shuffled(using: &responseRandom).joined(separator: ","))}", payload: nil)
    }

    /// Returns a line that is rejected.
    private mutating func rejected() -> Line {
        while true {
            let line = odd.lines(1)[0]
            let model = RecordModel(line, source: 0, line: 1)
            guard case .rejected = model.outcome else { continue }
            // Lines that are not valid UTF-8 or are blank are left to other tests.
            guard let text = String(validating: line, as: UTF8.self),
                text.contains(where: { !$0.isWhitespace })
            else { continue }
            return Line(text: text, payload: nil)
        }
    }

    private mutating func record() -> Line {
        var envelope = [
            "\"topic\":\(jsonString(random.pick(["a", "b", "a.voip", "größe", "a.push-type.widgets"])))"
        ]
        var headers: [String] = []
        if random.chance(90) { envelope.append("\"ts\":1700000000") }
        addSome(["apns-push-type", "push-type"], to: &envelope, &headers) { generator in
            generator.written(
                generator.random.pick([
                    "alert", "background", "background", "voip", "", "Alert", "BACKGROUND", "VoIP", "allert",
                    "widgets", "liveactivity",
                ]))
        }
        addSome(["apns-id"], to: &envelope, &headers) { generator in
            generator.written(generator.random.pick(["eabeae54-14a8-11e5-b60b-1697f925ec7b", "17", ""]))
        }
        if random.chance(20) {
            let token = random.pick([String(repeating: "0F", count: 32), "0f", "no token"])
            envelope.append("\"device-token\":" + written(token))
        }
        if random.chance(5) { headers.append("\"thread-id\":\"t\"") }
        addSome(["apns-priority", "priority"], to: &envelope, &headers) { generator in
            generator.random.pick([
                "10", "10", "\"10\"", "5", "1", "7", "\"high\"", "\"3\"", "null", "\"\"", "10.0",
                "\"\\u00310\"", "1e1", "[]",
            ])
        }
        addSome(["apns-collapse-id", "collapse-id"], to: &envelope, &headers) { generator in
            let text = generator.random.pick(["x", "é", "😀", "\""])
            let count = 64 / text.utf8.count + generator.random.below(3) - 1
            return generator.written(String(repeating: text, count: count))
        }
        let expirations = ["0", "\"1700000000\"", "-1", "1.5", "\"soon\"", "null", "\"\""]
        let isBare = random.below(3) == 0
        // In the bare form, the expiration is a part of the payload.
        if random.chance(20) {
            let expiration = "\"apns-expiration\":" + random.pick(expirations)
            if isBare || random.chance(50) { headers.append(expiration) } else { envelope.append(expiration) }
        }
        if !isBare, random.chance(5) { envelope.append("\"thread-id\":\"t\"") }
        if !headers.isEmpty { envelope.append("\"headers\":{\(headers.joined(separator: ","))}") }
        let members = payload()
        if isBare { return bare(members, envelope) }
        switch random.below(2) {
        case 0:
            let payload = object(members)
            envelope.append("\"payload\":\(payload)")
            return Line(text: object(envelope.shuffled(using: &random)), payload: payload)
        default:
            let payload = object(members)
            envelope.append("\"payload\":\(random.chance(50) ? jsonString(payload) : written(payload))")
            return Line(text: object(envelope.shuffled(using: &random)), payload: payload)
        }
    }

    /// Adds a field under some of its names, usually none; the first name may also occur in the headers.
    private mutating func addSome(
        _ names: [String], to envelope: inout [String], _ headers: inout [String],
        _ value: (inout CheckLineGenerator) -> String
    ) {
        for name in names where random.chance(20) { envelope.append("\"\(name)\":\(value(&self))") }
        if random.chance(20) { headers.append("\"\(names[0])\":\(value(&self))") }
    }

    /// Returns a line whose record and payload are one object. The sent payload consists of the members that are not
    /// part of the envelope, and the white space between them and next to the braces.
    private mutating func bare(_ members: [String], _ envelope: [String]) -> Line {
        let (before, after) = (random.pick(["", " "]), random.pick(["", " "]))
        let all = (members + envelope).shuffled(using: &random)
        func isSent(_ index: Int) -> Bool { !all.indices.contains(index) || members.contains(all[index]) }
        let sent = all.indices.filter(isSent).map { index in
            (isSent(index - 1) ? before : "") + all[index] + (isSent(index + 1) ? after : "")
        }
        return Line(
            text: random.pick(["", "  "]) + "{\(all.map { before + $0 + after }.joined(separator: ","))}",
            payload: "{\(sent.joined(separator: ","))}")
    }

    private mutating func object(_ members: [String]) -> String {
        "{\(members.joined(separator: random.pick([",", ", "])))}"
    }

    /// Returns a payload's members, with a size near the limit or a small one.
    private mutating func payload() -> [String] {
        var aps: [String] = []
        if random.chance(50) {
            aps.append(
                "\"alert\":"
                    + random.pick([
                        "\"x\"", "\"\"", "{\"body\":\"B\"}", "{\"title\":\"T\",\"summary-arg\":\"A\"}",
                        "{\"body\":\"B\",\"summary-arg\":\"\"}", "{\"body\":\"B\",\"summary-arg-count\":0}",
                        "{\"body\":\"B\",\"thread-id\":\"t\"}", "null", "5", "{\"body\":5}",
                        "{\"loc-key\":\"K\"}",
                        "{\"body\":\"B\",\"loc-args\":[1],\"title-loc-args\":[]}",
                        "{\"body\":\"B\",\"data\":{}}",
                    ]))
        }
        if random.chance(50) {
            aps.append("\"content-available\":" + random.pick(["1", "1", "0", "\"1\"", "1.0", "2"]))
        }
        if random.chance(20) { aps.append("\"badge\":" + random.pick(["0", "null", "\"1\"", "-1"])) }
        if random.chance(20) {
            aps.append(
                "\"sound\":"
                    + random.pick([
                        "\"\"", "null", "{}", "{\"critical\":1,\"name\":\"x\",\"volume\":2}",
                        "{\"name\":\"x\",\"volume\":0.5}", "{\"critical\":1,\"name\":\"x\"}",
                    ]))
        }
        if random.chance(10) { aps.append("\"mutable-content\":" + random.pick(["1", "0"])) }
        if random.chance(20) {
            aps.append("\"interruption-level\":" + random.pick(["\"active\"", "\"Active\"", "\"\"", "1"]))
        }
        if random.chance(20) {
            aps.append("\"relevance-score\":" + random.pick(["0", "1", "1.5", "-1", "0.5", "\"1\""]))
        }
        if random.chance(10) {
            aps.append(random.pick(["\"threadId\":\"t\"", "\"order\":1", "\"body\":\"B\""]))
        }
        if random.chance(10) { aps.append("\"thread-id\":\"t\"") }
        if random.chance(50) {
            aps.append(
                "\"category\":" + random.pick(["\"order\"", "\"off\\u0065r\"", "\"\"", "5", "\"größe\""]))
        }
        var members = ["\"aps\":{\(aps.shuffled(using: &random).joined(separator: ","))}"]
        if random.chance(10) { members.append("\"thread-id\":\"t\"") }
        if random.chance(20) { members.append("\"other\":{\"ts\":[1,\"}\\\"\"]}") }
        if random.chance(40) {
            let limit = random.pick([4096, 4096, 5120])
            let taken = members.joined(separator: ",").utf8.count
            let size = max(0, limit - taken - 14 + random.below(9))
            let text = random.pick(["x", "é", "\\u00e9", "\\n", "日"])
            let filler = String(repeating: text, count: size / text.utf8.count)
            members.append(
                "\"filler\":\"\(filler)\(String(repeating: "y", count: size - filler.utf8.count))\"")
        }
        return members.shuffled(using: &random)
    }

    /// Returns a text as JSON, with some of its characters escaped.
    private mutating func written(_ text: String) -> String {
        let escapes = random.pick([0, 0, 20, 100])
        var output = "\""
        for scalar in text.unicodeScalars {
            guard random.chance(escapes) else {
                output += jsonString(String(scalar)).dropFirst().dropLast()
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return output + "\""
    }
}
