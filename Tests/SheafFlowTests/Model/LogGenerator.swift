import SheafFlow
import SheafGroups
import TestSupport

/// Generates random log lines: few apps, threads, devices, categories, collapse ids and times, so that all combinations
/// occur, and every irregularity that a record can have.
struct LogGenerator {
    var random: SeededGenerator
    /// Chooses removals, so that existing seeds keep their other records.
    private var removalRandom: SeededGenerator
    private let hasRemovals: Bool
    /// Chooses changes of settings and what notifications ask for, likewise.
    var deliveryRandom: SeededGenerator
    let hasDelivery: Bool
    /// Chooses how persons group and show notifications, likewise.
    var choiceRandom: SeededGenerator
    let hasChoices: Bool
    /// Chooses the locales of devices, likewise.
    private var localeRandom: SeededGenerator
    private let hasLocales: Bool
    /// Chooses when apps are open and what they are authorized to do, likewise.
    var openRandom: SeededGenerator
    let hasOpenings: Bool
    /// Chooses responses, likewise.
    var responseRandom: SeededGenerator
    private let hasResponses: Bool
    /// Chooses badges, likewise.
    var badgeRandom: SeededGenerator
    /// Chooses results of service extensions, likewise.
    var resultRandom: SeededGenerator
    private let hasResults: Bool
    /// Chooses outcomes of pushes, likewise.
    private var outcomeRandom: SeededGenerator
    private let hasOutcomes: Bool
    /// Whether some lines are repeated.
    private let hasRepeats: Bool
    /// The number of different ids of pushes: few in some logs with results.
    var identifiers: Int
    /// The time of the last line in milliseconds, if lines are nearly in the order of time; nil if they are not.
    var clock: Int64?

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        removalRandom = SeededGenerator(seed: seed &* 31 &+ 7)
        hasRemovals = removalRandom.chance(60)
        deliveryRandom = SeededGenerator(seed: seed &* 37 &+ 19)
        hasDelivery = deliveryRandom.chance(60)
        choiceRandom = SeededGenerator(seed: seed &* 61 &+ 37)
        hasChoices = choiceRandom.chance(60)
        localeRandom = SeededGenerator(seed: seed &* 71 &+ 41)
        hasLocales = localeRandom.chance(60)
        openRandom = SeededGenerator(seed: seed &* 67 &+ 41)
        hasOpenings = openRandom.chance(60)
        responseRandom = SeededGenerator(seed: seed &* 43 &+ 11)
        hasResponses = responseRandom.chance(60)
        badgeRandom = SeededGenerator(seed: seed &* 47 &+ 23)
        resultRandom = SeededGenerator(seed: seed &* 53 &+ 29)
        hasResults = resultRandom.chance(60)
        outcomeRandom = SeededGenerator(seed: seed &* 59 &+ 31)
        hasOutcomes = outcomeRandom.chance(40)
        hasRepeats = outcomeRandom.chance(40)
        let hasFewIdentifiers = resultRandom.chance(60)
        identifiers = hasResults && hasFewIdentifiers ? 40 : 1_000
    }

    static let apps = ["com.example.chat", "com.example.photos", "com.a", "com.a/b", "com.a.b", "écran"]
    static let threads = ["t", "u", "t/u", "\\u00fc", ""]
    static let categories = ["message", "image", "video", "comment", "other", ""]
    /// The longest line that the tests with these logs allow.
    static let maximumLine = 4_600

    mutating func lines(_ count: Int) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for _ in 0..<count {
            lines.append(line())
            if hasRemovals, removalRandom.chance(15) { lines.append(Array(removal().utf8)) }
            if hasDelivery, deliveryRandom.chance(15) { lines.append(Array(settings().utf8)) }
            if hasOpenings, openRandom.chance(12) { lines.append(Array(opening().utf8)) }
            if hasResults, resultRandom.chance(25) {
                lines.append(Array(result().utf8))
            }
            if hasResponses, responseRandom.chance(15) { lines.append(Array(response().utf8)) }
            if hasOutcomes, outcomeRandom.chance(12) { lines.append(Array(laterOutcome().utf8)) }
            if hasRepeats, outcomeRandom.chance(8) {
                lines.append(outcomeRandom.pick(clock == nil ? lines : lines.suffix(4)))
            }
        }
        return lines
    }

    private mutating func line() -> [UInt8] {
        switch random.below(100) {
        case ..<4: return Array(random.pick(["", " ", "\t \t"]).utf8)
        case ..<12: return odd()
        case ..<16: return Array(record(isSilent: true).utf8)
        default: return Array(record(isSilent: false).utf8)
        }
    }

    /// Returns a line that is usually rejected.
    private mutating func odd() -> [UInt8] {
        let aps = #""aps":{"alert":"x"}"#
        let nested = String(repeating: "[", count: 130) + String(repeating: "]", count: 130)
        let texts = [
            "{", "nothing", "[1,2]", "17", #"{"app":"a"}"#, #"{"app":"a","payload":5}"#,
            #"{"app":"a","payload":"no"}"#, #"{"app":"\u0061","payload":"{\"x\":\"\\u0062"}"#,
            #"{"app":"a","payload":{}}"#, #"{"app":"a","aps":null}"#, "{\"payload\":{\(aps)}}",
            "{\"app\":\".voip\",\(aps)}", "{\"app\":\"\\u0061\",\"ts\":\"never\",\(aps)}",
            "{\"app\":\"a\",\"ts\":-5,\(aps)}", "{\"app\":\"a\",\"x\":\(nested),\(aps)}",
            "{\"app\":\"\(String(repeating: "a", count: 4_097))\",\(aps)}",
            "{\"app\":\"a\",\"ts\":true,\(aps)}", "{\"app\":\"a\",\"id\":\"\u{1}\",\(aps)}",
        ]
        switch random.below(10) {
        case 0: return Array("{\"app\":\"".utf8) + [0xff, 0xfe] + Array("\",\(aps)}".utf8)
        case 1:
            let length = Self.maximumLine + 1 + random.below(2_000)
            return Array(String(repeating: "long ", count: length / 5 + 1).utf8.prefix(length))
        case 2:
            // Exactly the maximum length.
            let start = "{\"app\":\"a\",\"payload\":{\(aps)},\"x\":\""
            let rest = Self.maximumLine - start.utf8.count - 2
            return Array((start + String(repeating: "x", count: rest) + "\"}").utf8)
        default: return Array(random.pick(texts).utf8)
        }
    }

    /// Returns a removal of notifications that the log may have.
    private mutating func removal() -> String {
        swap(&random, &removalRandom)
        defer { swap(&random, &removalRandom) }
        let events = [
            "removed", "cleared", "removed", "dismissed", "opened", "read", "app-opened", "app_opened",
            "appOpened",
            "r\\u0065moved", "sent",
        ]
        var members = ["\"event\":\"\(random.pick(events))\""]
        if random.chance(95) { members.append("\"app\":\(jsonString(random.pick(Self.apps)))") }
        if random.chance(95) { members.append("\"ts\":\(time())") }
        if random.chance(60) {
            members.append("\"device\":\"\(random.pick(["d1", "d2", "\\u0064\\u0033"]))\"")
        }
        func identifier() -> String {
            random.chance(70) ? "\"c\\u003\(random.below(5))\"" : "\"id \(random.below(1_000))\""
        }
        switch random.below(6) {
        case 0: members.append("\"thread\":\(random.pick(Self.threads.map { "\"\($0)\"" } + ["null", "7"]))")
        case 1: members.append("\"thread-id\":\"\(random.pick(Self.threads))\"")
        case 2:
            let identifiers = (0..<random.below(4)).map { _ in random.chance(4) ? "5" : identifier() }
            members.append("\"ids\":[\(identifiers.joined(separator: random.pick([",", " , "])))]")
        case 3: members.append("\"id\":\(identifier())")
        case 4: members.append("\"collapse-id\":\"c\(random.below(5))\"")
        default: if random.chance(20) { members.append("\"ids\":\"c1\"") }
        }
        if random.chance(5) { members.append("\"Thread\":\"\(random.pick(Self.threads))\"") }
        if random.chance(10) { members.append("\"aps\":{\"alert\":\"removed, not shown\"}") }
        return "{\(members.shuffled(using: &random).joined(separator: ","))}"
    }

    private mutating func record(isSilent: Bool) -> String {
        var members: [String] = []
        let app = jsonString(random.pick(Self.apps))
        let appName = random.pick([
            "app", "topic", "apns-topic", "bundle-id", "headers", "payload", "bundle_id", "apnsTopic",
        ])
        var payload = ["\"aps\":\(aps(isSilent: isSilent))"]
        switch appName {
        case "headers": members.append("\"headers\":{\"apns-topic\":\(app),\"apns-id\":\"of headers\"}")
        case "payload": payload.append("\"Simulator Target Bundle\":\(app)")
        default: members.append("\"\(appName)\":\(app)")
        }
        if random.chance(90) {
            let names = ["timestamp", "ts", "time", "@timestamp", "sentAt", "occurred"]
            members.append("\"\(random.pick(names))\":\(time())")
        }
        if random.chance(60) {
            let name = random.pick(["device", "device-token", "token", "device_token", "deviceToken"])
            members.append("\"\(name)\":\"\(random.pick(["d1", "d2", "\\u0064\\u0033"]))\"")
        }
        if random.chance(70) {
            members.append(
                "\"\(random.pick(["apns-id", "id", "apnsID"]))\":\"id \(random.below(1_000) % identifiers)\"")
        }
        if random.chance(35) {
            let name = random.pick(["apns-collapse-id", "collapse-id", "collapseId", "apns_collapse_id"])
            members.append("\"\(name)\":\"c\(random.below(5))\"")
        }
        // Chosen without the generator, so that existing seeds keep their records.
        if random.chance(20) {
            let pushTypes = ["alert", "Alert", "ALERT"]
            members.append("\"apns-push-type\":\"\(pushTypes[members.count % pushTypes.count])\"")
        }
        if isSilent, random.chance(50) {
            let pushTypes = ["background", "Background", "allert", "controls"]
            members.append("\"push-type\":\"\(pushTypes[members.count % pushTypes.count])\"")
        }
        if random.chance(10) { members.append("\"device\":null,\"extra\":[{},[1.5e3,true]]") }
        let outcome = outcome()
        switch random.below(3) {
        case 0: members += payload
        case 1: members.append("\"payload\":{\(payload.joined(separator: ","))}")
        default: members.append("\"payload\":\(jsonString("{\(payload.joined(separator: ","))}"))")
        }
        // Not shuffled, so that existing seeds keep their records.
        return "{\(outcome)\(members.shuffled(using: &random).joined(separator: random.pick([",", ", "])))}"
    }

    /// Returns members for what the push service answered, each with a comma; empty in most logs.
    private mutating func outcome() -> String {
        guard hasOutcomes, outcomeRandom.chance(12) else { return "" }
        let members = [
            "\"status\":200", "\"status\":\"sent\"", "\"status\":410", "\"status\":\"FAILED\"",
            "\"status\":\"odd\"",
            "\"statusCode\":\"429\"", "\"code\":\"E1\"", "\"success\":false", "\"ok\":\"true\"",
            "\"success\":null",
            "\"reason\":\"Unregistered\"", "\"reason\":\"Bad\\u0044eviceToken\"", "\"reason\":\"\"",
            "\"response\":{\"status\":400,\"reason\":\"BadTopic\"}", "\"result\":{\"code\":201}",
            "\"error\":{\"code\":\"NotRegistered\"}", "\"error\":\"timeout\"", "\"error\":{}",
            "\"error\":null",
        ]
        return (0...outcomeRandom.below(2)).map { _ in outcomeRandom.pick(members) + "," }.joined()
    }

    /// Returns an outcome that comes apart from its push, of which a few are invalid.
    private mutating func laterOutcome() -> String {
        swap(&random, &outcomeRandom)
        defer { swap(&random, &outcomeRandom) }
        var members = ["\"event\":\"\(random.chance(90) ? "outcome" : "outc\\u006fme")\""]
        if random.chance(50) { members.append("\"app\":\(jsonString(random.pick(Self.apps)))") }
        if random.chance(40) {
            members.append("\"device\":\"\(random.pick(["d1", "d2", "\\u0064\\u0033"]))\"")
        }
        if random.chance(3) { members.append("\"token\":7") }
        if random.chance(90) { members.append("\"ts\":\(time())") }
        func identifier() -> String { "\"id \(random.below(1_000) % identifiers)\"" }
        switch random.below(5) {
        case 0:
            let all = (0..<random.below(4)).map { _ in random.chance(4) ? "5" : identifier() }
            members.append("\"ids\":[\(all.joined(separator: random.pick([",", " , "])))]")
        case 1: members.append("\"collapse-id\":\"c\(random.below(5))\"")
        case 2: members += ["\"apns-collapse-id\":\"c1\"", "\"apns-id\":\(identifier())"]
        default: members.append("\"id\":\(identifier())")
        }
        members.append(
            random.pick([
                "\"status\":200", "\"status\":410,\"reason\":\"Unregistered\"", "\"status\":\"failed\"",
                "\"success\":true", "\"response\":{\"status\":400,\"reason\":\"Bad\\u0054opic\"}",
                "\"status\":\"odd\"",
                "\"success\":false", "\"reason\":\"Unregistered\"", "\"code\":null",
            ]))
        return "{\(members.shuffled(using: &random).joined(separator: random.pick([",", " , "])))}"
    }

    /// Chooses by `seed` whether records of one push count once, and whether later outcomes are applied.
    static func addDecisions(to options: inout ReplayOptions, seed: UInt64) {
        var random = SeededGenerator(seed: seed &* 67 &+ 9)
        options.unique = random.chance(35)
        options.appliesOutcomes = random.chance(45)
    }

    mutating func time() -> String {
        if let clock {
            let next = clock + random.pick([0, 1, 30, 250, 700])
            self.clock = next
            if random.chance(3) { return "0" }
            return "\(next - (random.chance(4) ? Int64(random.below(2_000)) : 0))"
        }
        let second = 1_700_000_000 + random.below(4)
        switch random.below(7) {
        case 0: return "\(second).5"
        case 1: return "\(second)500"
        case 2: return "\"\(second)\""
        case 3: return "\(second)000000"
        case 4: return "\(second)000999999"
        case 5: return "\"2023-11-14T22:13:2\(random.below(4)).\(random.pick(["5", "500", "0009"]))Z\""
        default:
            return random.pick([
                "\(second)", "\"2023-11-14T23:13:21+01:00\"", "\"2023-11-14 22:13:20,25\"", "0",
                "\"1969-12-31T23:59:59.5Z\"",
            ])
        }
    }

    private mutating func aps(isSilent: Bool) -> String {
        var members: [String] = []
        if !isSilent || random.chance(50) { members.append("\"alert\":\(alert())") }
        // A thread usually has one category, so that both one format and several occur.
        let index = random.below(Self.threads.count)
        if random.chance(80) { members.append("\"thread-id\":\"\(Self.threads[index])\"") }
        let category = random.chance(80) ? Self.categories[index] : random.pick(Self.categories)
        if random.chance(90) { members.append("\"category\":\"\(category)\"") }
        if random.chance(15) {
            members.append(random.pick(["\"badge\":\"1\"", "\"badge\":1", "\"sound\":5"]))
        }
        if random.chance(5) { members.append("\"category\":17") }
        members += deliveryMembers()
        if badgeRandom.chance(30) { members.append("\"badge\":\(badge())") }
        return "{\(members.joined(separator: ","))}"
    }

    private mutating func alert() -> String {
        if random.chance(8) {
            return jsonString(random.pick(["Hello", "a \"quote\"\n", "日本/\u{2028}", "\u{7f}"]))
        }
        var members: [String] = []
        if random.chance(70) { members.append("\"title\":\"T\(random.below(9))\"") }
        if random.chance(30) { members.append("\"subtitle\":\"\\u00e9\\ud83d\\ude00\"") }
        members.append(random.pick(["\"body\":\"B\"", "\"loc-key\":\"KEY\"", "\"body\":\"\\ud800 half\""]))
        if random.chance(95) {
            members.append(
                "\"summary-arg\":\"\(random.pick(["Ana", "Bob", "Cleo", "D\\u00e9", "Eve", "Fay"]))\"")
        }
        if random.chance(40) {
            let count = random.pick(["2", "5", "2147483647", "0", "\"3\"", "1.5", "null"])
            members.append("\"summary-arg-count\":\(count)")
        }
        if random.chance(10) { members.append("\"thread-id\":\"misplaced\"") }
        if random.chance(5) { members.append("\"loc-args\":\"x\"") }
        if random.chance(20) { members.append("\"loc-args\":[\"Ana\",3,{\"a\":\"\\u00e9]\"}]") }
        if random.chance(10) { members.append("\"title-loc-args\":[],\"title-loc-key\":\"T\\u0031\"") }
        members.shuffle(using: &random)
        return "{\(members.joined(separator: ","))}"
    }

    /// Returns a member with a locale, a few times with an unknown one; nil for none.
    mutating func locale() -> String? {
        guard hasLocales, localeRandom.chance(50) else { return nil }
        let names = DeliveryModel.languages.keys.sorted().map(jsonString)
        let value =
            localeRandom.chance(4)
            ? localeRandom.pick(["\"xx-YY\"", "\"\"", "7", "\"de-\""])
            : localeRandom.pick(names + ["null", "\"d\\u0065\""])
        return "\"\(localeRandom.pick(["locale", "lo\\u0063ale"]))\":\(value)"
    }

    /// Returns random options, including every configuration.
    /// Returns a log of pushes alone, and options to replay it.
    static func pushes(_ count: Int, seed: UInt64) throws -> (text: [UInt8], options: ReplayOptions) {
        var generator = LogGenerator(seed: seed)
        let lines = generator.lines(count).filter { !RandomLog.text($0).contains("\"event\"") }
        var options = try generator.options()
        options.sources = ["log"]
        options.output = "out"
        return (Array(lines.joined(separator: [UInt8(ascii: "\n")])), options)
    }

    mutating func options() throws -> ReplayOptions {
        var options = ReplayOptions(sources: [])
        options.byDevice = random.chance(40)
        options.order = random.chance(30) ? .recent : .key
        options.locked = random.chance(50)
        options.maximumArguments = random.pick([1, 2, 16])
        options.maximumLine = Self.maximumLine
        options.settings = try Settings(
            json: Array(random.pick(Self.configurations).utf8), file: "sheaf.json")
        return options
    }

    static let configurations = [
        "{}",
        """
        {"showPreviews":"whenAuthenticated","apps":{"com.example.chat":{"categories":{
          "message":{"categorySummaryFormat":"%u more messages from %@","options":["hiddenPreviewsShowTitle"]},
          "image":{"categorySummaryFormat":"%u more images","hiddenPreviewsBodyPlaceholder":"%u Images"},
          "video":{"categorySummaryFormat":"%u more images","hiddenPreviewsBodyPlaceholder":"A video"},
          "comment":{"categorySummaryFormat":"%1$u%% more","hiddenPreviewsBodyPlaceholder":"100%"}}},
         "com.a":{"grouping":"byApp","categories":{"image":{"categorySummaryFormat":"%u of %@"}}},
         "com.a/b":{"grouping":"off"},"écran":{"showPreviews":"always",
          "categories":{"image":{"categorySummaryFormat":"%2$@ sent %1$u"}}}}}
        """,
        """
        {"showPreviews":"never","apps":{
         "com.example.photos":{"grouping":"off","showPreviews":"whenAuthenticated"},
         "com.a.b":{"grouping":"byApp","showPreviews":"always","categories":{
          "image":{"categorySummaryFormat":"%lld more images","options":["hiddenPreviewsShowSubtitle"]},
          "comment":{"hiddenPreviewsBodyPlaceholder":"%u Comments"},"other":{"categorySummaryFormat":"and %u"}}}}}
        """,
    ]
}
