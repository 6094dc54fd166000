import TestSupport

extension LogGenerator {
    /// Returns a response, of which a few are invalid.
    mutating func response() -> String {
        swap(&random, &responseRandom)
        defer { swap(&random, &responseRandom) }
        var members = ["\"event\":\"\(random.chance(90) ? "response" : "resp\\u006fnse")\""]
        if random.chance(95) { members.append("\"app\":\(jsonString(random.pick(Self.apps)))") }
        if random.chance(90) { members.append("\"ts\":\(time())") }
        if random.chance(50) { members.append("\"device\":\"d1\"") }
        if random.chance(95) {
            let name = random.pick(["action", "actionIdentifier", "act\\u0069on", "action_identifier"])
            members.append("\"\(name)\":\(action())")
        }
        if random.chance(10) { members.append("\"action\":\(action())") }
        if random.chance(50) {
            let name = random.pick(["category", "categoryIdentifier", "category-identifier"])
            members.append("\"\(name)\":\(category())")
        }
        let content = "{\"categoryIdentifier\":\(category())}"
        switch random.below(5) {
        case 0: members.append("\"notification\":{\"request\":{\"identifier\":\"i\",\"content\":\(content)}}")
        case 1: members.append("\"aps\":{\"alert\":\"x\",\"category\":\(category())}")
        case 2: members.append("\"payload\":{\"aps\":{\"category\":\(category())}}")
        case 3: members.append("\"payload\":\(jsonString("{\"aps\":{\"category\":\(category())}}"))")
        default: break
        }
        return "{\(members.shuffled(using: &random).joined(separator: random.pick([",", " , "])))}"
    }

    private mutating func action() -> String {
        random.pick([
            "\"REPLY\"", "\"OPEN\"", "\"R\\u0045PLY\"", "\"\"", "7", "null",
            "\"com.apple.UNNotificationDefaultActionIdentifier\"",
        ])
    }

    private mutating func category() -> String {
        random.pick(["\"message\"", "\"im\\u0061ge\"", "\"\"", "null", "5", "\"other\""])
    }
}

extension LogGenerator {
    /// Returns the value of a badge.
    mutating func badge() -> String {
        let number = badgeRandom.below(100)
        return badgeRandom.pick([
            "\(number)", "\(number)", "\(number).0", "\(number)e0", "\(number).5", "-\(number)", "0", "null",
            "\"\(number)\"", "9007199254740992", "9007199254740994", "1e99",
        ])
    }
}
