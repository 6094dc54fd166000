import TestSupport

extension LogGenerator {
    /// Returns a service extension's result, of which a few are invalid.
    mutating func result() -> String {
        swap(&random, &resultRandom)
        defer { swap(&random, &resultRandom) }
        var members = ["\"event\":\"\(random.chance(90) ? "modified" : "modif\\u0069ed")\""]
        if random.chance(95) { members.append("\"app\":\(jsonString(random.pick(Self.apps)))") }
        if random.chance(95) { members.append("\"ts\":\(time())") }
        if random.chance(50) {
            members.append(
                "\"device\":\(random.pick(["\"d1\"", "\"d2\"", "\"\\u0064\\u0033\"", "null", "7"]))")
        }
        if random.chance(60) { members.append("\"collapse-id\":\"c\\u003\(random.below(5))\"") }
        if random.chance(60) { members.append("\"id\":\"id \(random.below(40) % identifiers)\"") }
        if random.chance(10) { members.append("\"identifier\":\"c\(random.below(5))\"") }
        if random.chance(90) {
            let times = ["0", "1.5", "29.999", "30", "3e1", "30.001", "45", "null", "-1", "\"2\""]
            members.append("\"elapsed\":\(random.pick(times))")
        }
        switch random.below(8) {
        case 0: members.append("\"aps\":\(modifiedPayload())")
        case 1: members.append("\"payload\":\(jsonString("{\"aps\":\(modifiedPayload())}"))")
        case 2: members.append("\"payload\":\(random.pick(["{}", "null", "5", "{\"aps\":{}}", "\"no\""]))")
        case 3: members.append("\"content\":\(random.chance(80) ? modifiedContent() : "null")")
        case 4:
            members.append(
                "\"request\":{\"identifier\":\"c\(random.below(5))\",\"content\":\(modifiedContent())}")
        case 5: members.append("\"notification\":{\"request\":{\"content\":\(modifiedContent())}}")
        default: members.append("\"payload\":{\"aps\":\(modifiedPayload())}")
        }
        return "{\(members.shuffled(using: &random).joined(separator: random.pick([",", " , "])))}"
    }

    /// Returns `aps` with a new content.
    private mutating func modifiedPayload() -> String {
        var members: [String] = []
        if random.chance(90) {
            let alerts = [
                "{\"title\":\"New\",\"body\":\"N\(random.below(9))\"}", "\"N\\u0065w\"", "\"\"",
                "{\"loc-key\":\"KEY\",\"loc-args\":[\"Zo\\u00e9\"],\"summary-arg\":\"Gil\",\"summary-arg-count\":3}",
                "{\"body\":\"N\",\"thread-id\":\"misplaced\"}",
            ]
            members.append("\"alert\":\(random.pick(alerts))")
        }
        if random.chance(40) { members.append("\"thread-id\":\"\(random.pick(Self.threads))\"") }
        if random.chance(30) { members.append("\"category\":\"\(random.pick(Self.categories))\"") }
        if random.chance(30) { members.append("\"badge\":\(random.below(9))") }
        if random.chance(40) {
            let levels = ["critical", "time-sensitive", "active", "passive", "p\\u0061ssive", "unknown", ""]
            members.append("\"interruption-level\":\"\(random.pick(levels))\"")
        }
        if random.chance(30) {
            let sounds = ["\"default\"", "\"\"", "null", #"{"critical":1}"#, #"{"name":"a"}"#]
            members.append("\"sound\":\(random.pick(sounds))")
        }
        return "{\(members.shuffled(using: &random).joined(separator: ","))}"
    }

    /// Returns a new content as a `UNNotificationContent`.
    private mutating func modifiedContent() -> String {
        var members: [String] = []
        if random.chance(80) { members.append("\"body\":\"C\\u006e\(random.below(9))\"") }
        if random.chance(30) { members.append("\"title\":\"Title\"") }
        if random.chance(30) { members.append("\"subtitle\":\(random.pick(["\"Sub\"", "null", "4"]))") }
        if random.chance(40) { members.append("\"threadIdentifier\":\"\(random.pick(Self.threads))\"") }
        if random.chance(30) { members.append("\"categoryIdentifier\":\"\(random.pick(Self.categories))\"") }
        if random.chance(30) {
            let count = random.pick(["2", "0", "\"3\""])
            members.append("\"summaryArgument\":\"Hal\",\"summaryArgumentCount\":\(count)")
        }
        if random.chance(40) {
            let levels = [
                "0", "1", "2", "2.0", "3e0", "4", "\"passive\"", "\"active\"", "\"timeSensitive\"",
                "\"time-sensitive\"",
                "\"critical\"", "\"\"",
            ]
            members.append("\"interruptionLevel\":\(random.pick(levels))")
        }
        if random.chance(30) {
            members.append("\"sound\":\(random.pick(["\"default\"", "{}", "true", #"{"critical":1}"#]))")
        }
        if random.chance(30) { members.append("\"badge\":\(random.below(9))") }
        return "{\(members.shuffled(using: &random).joined(separator: ","))}"
    }
}
