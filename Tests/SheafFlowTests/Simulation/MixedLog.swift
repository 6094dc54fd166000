import Foundation
import TestSupport

@testable import SheafFlow

/// Random pushes in all shapes and wrappers, several in many lines, and the same pushes as native records.
struct MixedLog {
    /// The lines in any shape.
    private(set) var lines: [String] = []
    /// One native record for each push in `lines`, in the same order.
    private(set) var native: [String] = []
    /// The number of messages in `lines` for other platforms.
    private(set) var otherPlatform = 0
    private var random: SeededGenerator

    /// A push, and what its shape can't express.
    private struct Push {
        var app = ""
        var device = ""
        var identifier = ""
        var collapse = ""
        var thread = ""
        var category = ""
        var title = ""
        var subtitle = ""
        var body = ""
        var key = ""
        var arguments: [String] = []
        var summary = ""
        var weight = 1
        /// In seconds; nil for that of a wrapper.
        var time: Int?
        /// A record that every shape rejects.
        var rejected: String?
    }

    private typealias Written = (text: String, pushes: [Push])

    init(seed: UInt64, lines count: Int) {
        random = SeededGenerator(seed: seed)
        for _ in 0..<count {
            let (text, pushes) = node(depth: random.below(5))
            lines.append(text)
            native += pushes.map { $0.rejected ?? Self.native($0) }
        }
    }

    // MARK: Wrappers

    /// Returns an entry inside at most `depth` wrappers.
    private mutating func node(depth: Int) -> Written {
        guard depth > 0 else { return entry() }
        if random.chance(30) {
            let nodes = (0..<1 + random.below(4)).map { _ in node(depth: random.below(depth)) }
            return array(nodes)
        }
        let inner = node(depth: depth - 1)
        let time = random.chance(50) ? 1_700_000_000 + random.below(40) : nil
        let member =
            time.map { "\"\(random.pick(["time", "timestamp", "@timestamp", "date"]))\":\($0)," } ?? ""
        let text = jsonString(inner.text)
        let wrapped = random.pick([
            "{\(member)\"message\":\(text)}", "{\(member)\"message\":\(inner.text),\"host\":\"h\"}",
            "{\(member)\"log\":\(text),\"stream\":\"stdout\"}", "{\"x\":[{}],\(member)\"log\":\(inner.text)}",
            "{\"schema\":null,\(member)\"payload\":\(inner.text)}",
            "{\(member)\"payload\":\(text),\"schema\":{\"type\":\"string\"}}",
        ])
        return (wrapped, timed(inner.pushes, time))
    }

    private mutating func array(_ nodes: [Written]) -> Written {
        var pushes: [Push] = []
        let form = random.below(5)
        let elements = nodes.map { node -> String in
            let text = random.chance(50) ? jsonString(node.text) : node.text
            let time = form > 0 && random.chance(50) ? 1_700_000_000 + random.below(40) : nil
            let member = time.map { "\"timestamp\":\($0)," } ?? ""
            pushes += timed(node.pushes, time)
            switch form {
            case 0: return text
            case 1: return "{\(member)\"message\":\(text)}"
            case 2: return "{\(member)\"Sns\":\(text)}"
            case 3: return "{\(member)\"body\":\(text)}"
            default: return jsonString("{\(member)\"message\":\(text)}")
            }
        }
        let joined = "[\(elements.joined(separator: random.pick([",", " , "])))]"
        switch form {
        case 0: return (joined, pushes)
        case 2, 3: return ("{\"Records\":\(joined)}", pushes)
        default: return ("{\"logEvents\":\(joined)}", pushes)
        }
    }

    private func timed(_ pushes: [Push], _ time: Int?) -> [Push] {
        pushes.map { push in
            var push = push
            push.time = push.time ?? time
            return push
        }
    }

    // MARK: Entries

    private mutating func entry() -> Written {
        var push = Push()
        push.app = random.pick(LogGenerator.apps)
        push.device = random.pick(["d1", "d2", "d\n\"3\""])
        push.identifier = "id \(random.below(1_000))"
        push.collapse = random.chance(30) ? "c\(random.below(4))" : ""
        push.thread = random.pick(["", "t", "t/u", "ü"])
        push.category = random.pick(["", "message", "image", "comment"])
        push.title = random.pick(["", "T", "Ti\"tle\\", "日本"])
        push.subtitle = random.chance(20) ? "S😀" : ""
        push.body = random.pick(["B", "{\"x\":", "[", "line\nbreak", "\\u0041"])
        push.time = random.chance(60) ? 1_700_000_000 + random.below(40) : nil
        switch random.below(10) {
        case 0: return (#"{"a":1}"#, [Push(rejected: #"{"a":1}"#)])
        case 1: return fcm(&push)
        case 2: return sns(&push)
        case 3, 4: return gorush(&push)
        case 5: return expo(&push)
        case 6: return oneSignal(&push)
        case 7: return parse(&push)
        case 8: return local(&push)
        default:
            addRest(&push)
            return (Self.native(push, isBare: random.chance(50)), [push])
        }
    }

    /// Adds what only shapes with a whole alert have.
    private mutating func addRest(_ push: inout Push) {
        push.summary = random.pick(["", "Ana", "B\"ob"])
        push.weight = random.chance(20) ? 2 + random.below(4) : 1
        if random.chance(20) {
            push.key = "KEY"
            push.body = ""
            push.arguments = random.pick([[], ["x"], ["a long argument with \"quotes\"", "é\\"]])
        }
    }

    private static func members(_ members: [(String, String)]) -> String {
        members.filter { $0.1 != "\"\"" }.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",")
    }

    private static func object(_ members: (String, String)...) -> String { "{\(Self.members(members))}" }

    private static func time(_ push: Push, _ name: String = "ts") -> (String, String) {
        (name, push.time.map(String.init) ?? "\"\"")
    }

    private static func alert(_ push: Push) -> String {
        object(
            ("title", jsonString(push.title)), ("subtitle", jsonString(push.subtitle)),
            ("body", jsonString(push.body)), ("loc-key", jsonString(push.key)),
            ("loc-args", push.arguments.isEmpty ? "\"\"" : array(push.arguments)),
            ("summary-arg", jsonString(push.summary)),
            ("summary-arg-count", push.weight == 1 ? "\"\"" : "\(push.weight)"))
    }

    private static func array(_ texts: [String]) -> String {
        "[\(texts.map(jsonString).joined(separator: ","))]"
    }

    private static func aps(_ push: Push) -> String {
        object(
            ("alert", alert(push)), ("thread-id", jsonString(push.thread)),
            ("category", jsonString(push.category)))
    }

    private static func native(_ push: Push, isBare: Bool = false) -> String {
        object(
            time(push), ("app", jsonString(push.app)), ("device", jsonString(push.device)),
            ("id", jsonString(push.identifier)), ("collapse-id", jsonString(push.collapse)),
            isBare ? ("aps", aps(push)) : ("payload", object(("aps", aps(push)))))
    }

    private mutating func fcm(_ push: inout Push) -> Written {
        let usesNotification = random.chance(50)
        if usesNotification { push.subtitle = "" } else { addRest(&push) }
        let notification = Self.object(("title", jsonString(push.title)), ("body", jsonString(push.body)))
        let headers = Self.object(
            ("apns-topic", jsonString(push.app)), ("apns-id", jsonString(push.identifier)),
            ("apns-collapse-id", jsonString(push.collapse)))
        let aps = Self.object(
            ("alert", usesNotification ? "\"\"" : Self.alert(push)), ("thread-id", jsonString(push.thread)),
            ("category", jsonString(push.category)))
        let payload = Self.object(("aps", aps), ("x", "{}"))
        let apns = Self.object(
            ("headers", headers), ("payload", random.chance(30) ? jsonString(payload) : payload))
        let message: [(String, String)] = [
            ("token", jsonString(push.device)),
            ("notification", usesNotification || random.chance(30) ? notification : "\"\""), ("apns", apns),
        ]
        if random.chance(30) { return ("{\(Self.members(message + [Self.time(push)]))}", [push]) }
        return (Self.object(("message", "{\(Self.members(message))}"), Self.time(push, "time")), [push])
    }

    private mutating func sns(_ push: inout Push) -> Written {
        addRest(&push)
        let payload = Self.object(("aps", Self.aps(push)))
        let name = random.pick(["APNS", "APNS_SANDBOX"])
        let message = Self.object(
            ("default", jsonString("x")), (name, random.chance(60) ? jsonString(payload) : payload))
        let attributes = Self.object(
            (
                "AWS.SNS.MOBILE.APNS.COLLAPSE_ID",
                push.collapse.isEmpty ? "\"\"" : Self.object(("Value", jsonString(push.collapse)))
            ), ("x", "1"))
        let target = "arn:aws:sns:x:1:endpoint/APNS/\(push.app)/\(push.device)"
        var members: [(String, String)] = [
            ("Type", jsonString("Notification")),
            ("Message", random.chance(60) ? jsonString(message) : message),
            ("MessageId", jsonString(push.identifier)), ("MessageAttributes", attributes),
            Self.time(push, "Timestamp"),
        ]
        if push.app.contains("/") || random.chance(30) {
            members += [("app", jsonString(push.app)), ("device", jsonString(push.device))]
        } else {
            members.append(("TargetArn", jsonString(target)))
        }
        return ("{\(Self.members(members))}", [push])
    }

    private mutating func gorush(_ push: inout Push) -> Written {
        let hasAlert = random.chance(50)
        if hasAlert { addRest(&push) }
        var notifications: [String] = []
        var pushes: [Push] = []
        for _ in 0..<1 + random.below(3) {
            let devices = (0..<1 + random.below(4)).map { _ in random.pick(["d1", "d2", "d\n\"3\"", "é"]) }
            let isOther = random.chance(15)
            push.thread = random.pick(["", "t", "t/u"])
            let alert: [(String, String)] =
                hasAlert
                ? [("alert", Self.alert(push))]
                : [
                    ("title", jsonString(push.title)), ("subtitle", jsonString(push.subtitle)),
                    ("message", jsonString(push.body)),
                ]
            notifications.append(
                "{"
                    + Self.members(
                        [
                            ("tokens", Self.array(devices)), ("platform", isOther ? "2" : "1"),
                            ("topic", jsonString(push.app)), ("notif_id", jsonString(push.identifier)),
                            ("collapse_id", jsonString(push.collapse)),
                            ("thread-id", jsonString(push.thread)), ("category", jsonString(push.category)),
                        ] + alert) + "}")
            if isOther {
                otherPlatform += devices.count
            } else {
                pushes += devices.map { device in
                    var push = push
                    push.device = device
                    return push
                }
            }
        }
        let request = Self.object(
            ("notifications", "[\(notifications.joined(separator: ","))]"), Self.time(push))
        return (request, pushes)
    }

    private mutating func expo(_ push: inout Push) -> Written {
        (push.thread, push.identifier, push.collapse) = ("", "", "")
        let tokens = (0..<1 + random.below(3)).map { _ in
            "ExponentPushToken[\(random.pick(["a", "é\"", "c"]))]"
        }
        let isList = tokens.count > 1 || random.chance(50)
        let text = Self.object(
            ("to", isList ? Self.array(tokens) : jsonString(tokens[0])), ("title", jsonString(push.title)),
            ("subtitle", jsonString(push.subtitle)), ("body", jsonString(push.body)),
            ("categoryId", jsonString(push.category)), ("app", jsonString(push.app)), Self.time(push))
        return (
            text,
            tokens.map { token in
                var push = push
                push.device = token
                return push
            }
        )
    }

    private mutating func oneSignal(_ push: inout Push) -> Written {
        addRest(&push)
        (push.device, push.key, push.arguments) = ("", "", [])
        if push.body.isEmpty { push.body = "B" }
        func localized(_ text: String) -> String {
            text.isEmpty ? "\"\"" : Self.object(("de", jsonString("anders")), ("en", jsonString(text)))
        }
        let text = Self.object(
            ("app_id", jsonString("x")), ("headings", localized(push.title)),
            ("subtitle", localized(push.subtitle)), ("contents", localized(push.body)),
            ("thread_id", jsonString(push.thread)), ("ios_category", jsonString(push.category)),
            ("collapse_id", jsonString(push.collapse)), ("id", jsonString(push.identifier)),
            ("bundle_id", jsonString(push.app)), ("summary_arg", jsonString(push.summary)),
            ("summary_arg_count", push.weight == 1 ? "\"\"" : "\(push.weight)"), Self.time(push, "send_after")
        )
        return (text, [push])
    }

    private mutating func parse(_ push: inout Push) -> Written {
        addRest(&push)
        let data = Self.object(
            ("alert", Self.alert(push)), ("threadId", jsonString(push.thread)),
            ("category", jsonString(push.category)))
        let text = Self.object(
            ("where", "{}"), ("data", data), ("app", jsonString(push.app)),
            ("device", jsonString(push.device)), ("id", jsonString(push.identifier)),
            ("collapse-id", jsonString(push.collapse)), Self.time(push, "push_time"))
        return (text, [push])
    }

    private mutating func local(_ push: inout Push) -> Written {
        addRest(&push)
        (push.key, push.arguments) = ("", [])
        if push.body.isEmpty { push.body = "B" }
        // The identifier is the id, too, unless there is another.
        if push.collapse.isEmpty || random.chance(30) {
            push.collapse = push.identifier
        } else if random.chance(50) {
            push.identifier = push.collapse
        }
        let content = Self.object(
            ("title", jsonString(push.title)), ("subtitle", jsonString(push.subtitle)),
            ("body", jsonString(push.body)), ("threadIdentifier", jsonString(push.thread)),
            ("categoryIdentifier", jsonString(push.category)), ("summaryArgument", jsonString(push.summary)),
            ("summaryArgumentCount", "\(push.weight)"), ("badge", "1"))
        let request: [(String, String)] = [
            ("identifier", jsonString(push.collapse)), ("content", content),
            ("trigger", random.pick(["null", "{\"repeats\":false}", "\"\""])),
        ]
        let envelope: [(String, String)] = [
            ("app", jsonString(push.app)), ("device", jsonString(push.device)),
            ("id", push.identifier == push.collapse ? "\"\"" : jsonString(push.identifier)),
        ]
        let text =
            random.chance(50)
            ? Self.members(request + envelope + [Self.time(push)])
            : Self.members([("request", "{\(Self.members(request))}")] + envelope + [Self.time(push, "date")])
        return ("{\(text)}", [push])
    }
}
