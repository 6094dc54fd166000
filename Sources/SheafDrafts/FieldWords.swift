import SheafBytes
import SheafGroups
import SheafText

/// The words of a value's name, by which it may be a field.
///
///     ["meta", "sentAt"]         sent at
///     ["userId", "$oid"]         user id oid: a key for the notation of a value has the words of its object
struct FieldWords {
    /// A field that values are guessed to be.
    enum GuessedField {
        case time, app, device, identifier, thread, title, body, subtitle, platform
    }

    let words: [String]
    /// The words of the key itself, and those of the object's.
    private let own: [String]
    private let outer: [String]

    init(_ keys: [String]) {
        let named = keys.filter { $0 != "*" }
        own = named.last.map(Self.split) ?? []
        outer = named.dropLast().last.map(Self.split) ?? []
        let isGeneric = own.allSatisfy { Self.generic.contains($0) }
        words = isGeneric ? outer + own : own
    }

    private static let generic: Set<String> = [
        "id", "oid", "uuid", "guid", "value", "date", "iso", "at", "string", "long", "number", "ids", "key",
    ]

    private func has(_ set: Set<String>) -> Bool { words.contains { set.contains($0) } }

    /// Returns how well the words fit a field: 0 for no hint, negative for a hint at something else.
    func score(_ role: GuessedField) -> Int {
        switch role {
        case .time:
            if has(Self.otherTimes) { return -60 }
            if has(Self.earlyTimes) { return 10 }
            if has(Self.sentTimes) { return 30 }
            return has(Self.times) ? 20 : 0
        case .app:
            if has(Self.notApps) { return -60 }
            return has(["bundle", "app", "topic", "application", "package"]) ? 30 : 0
        case .device:
            if has(Self.notDevices) { return -60 }
            if has(Self.devices) { return 40 }
            if has(Self.users) { return 25 }
            return outer.contains { Self.users.contains($0) } ? 15 : 0
        case .identifier:
            if has(Self.notIdentifiers) { return -60 }
            guard has(["id", "uuid", "guid", "oid"]) else { return 0 }
            if has(["apns"]) { return 50 }
            if has(["message", "msg", "notification", "notif", "push"]) { return 40 }
            if has(["event", "insert", "request", "req"]) { return 10 }
            return words.count == own.count && own.count == 1 ? 25 : 20
        case .thread:
            if has(["name", "pool", "worker", "count", "title"]) { return -60 }
            if has(["thread", "threadid"]) { return 40 }
            if has(["conversation", "chat"]) { return 30 }
            return has(["group", "channel", "room"]) ? 15 : 0
        case .title, .body, .subtitle:
            return mayBe(role) ? 20 : 0
        case .platform:
            return has(["platform", "os", "provider", "type", "service", "target", "kind"]) ? 20 : 0
        }
    }

    /// Whether the last word names a text.
    func mayBe(_ role: GuessedField) -> Bool {
        guard let last = own.last else { return false }
        return switch role {
        case .title: ["title", "headline", "heading", "subject"].contains(last)
        case .body: ["body", "text", "message", "msg", "content", "alert", "description"].contains(last)
        case .subtitle: ["subtitle", "subheadline", "subhead"].contains(last)
        default: false
        }
    }

    /// Where texts are more probably those of a push: 0, or 1 without such a name.
    static func textRank(_ keys: [String]) -> Int {
        let words = Set(keys.flatMap(split))
        return words.isDisjoint(with: [
            "notification", "push", "alert", "apns", "message", "content", "payload",
        ])
            ? 1 : 0
    }

    /// The words of a key in any case: `deviceToken`, `device_token`, `DEVICE-TOKEN`.
    static func split(_ key: String) -> [String] {
        var words: [String] = []
        var word = ""
        var wasLower = false
        for character in key {
            if !character.isLetter, !character.isNumber {
                if !word.isEmpty { words.append(word) }
                (word, wasLower) = ("", false)
                continue
            }
            if character.isUppercase, wasLower {
                words.append(word)
                word = ""
            }
            wasLower = !character.isUppercase
            word += character.lowercased()
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    private static let sentTimes: Set<String> = [
        "sent", "send", "dispatched", "dispatch", "delivered", "delivery", "published", "publish", "pushed",
        "push",
        "emitted", "fired",
    ]
    private static let times: Set<String> = [
        "timestamp", "time", "ts", "t", "when", "at", "date", "datetime", "epoch", "occurred", "logged",
        "instant",
        "started",
    ]
    private static let earlyTimes: Set<String> = [
        "created", "create", "queued", "enqueued", "scheduled", "requested", "received", "receive",
        "inserted",
        "ingested", "flushed", "updated", "modified",
    ]
    private static let otherTimes: Set<String> = [
        "expiration", "expires", "expiry", "exp", "expire", "ttl", "valid", "until", "birth", "birthday",
        "deadline",
        "due", "end", "last", "first", "next", "offset", "seq", "cursor", "previous", "registered",
        "installed",
        "token", "phone",
    ]
    private static let notApps: Set<String> = [
        "host", "hostname", "server", "logger", "class", "source", "domain", "url", "uri", "endpoint", "mod",
        "module",
        "thread", "ip", "context",
    ]
    private static let devices: Set<String> = [
        "device", "token", "tokens", "registration", "endpoint", "player", "installation", "dev",
    ]
    private static let users: Set<String> = [
        "user", "users", "uid", "recipient", "recipients", "subscriber", "account", "customer", "member",
        "person",
        "contact", "distinct", "target", "dest", "destination", "to", "owner", "audience",
    ]
    private static let notDevices: Set<String> = [
        "type", "model", "os", "version", "name", "locale", "lang", "language", "platform", "trace", "span",
        "session",
        "request", "correlation", "time", "timestamp", "at", "msg", "message", "notification", "app",
        "bundle", "url",
        "count", "status", "title", "text", "body",
    ]
    private static let notIdentifiers: Set<String> = [
        "trace", "span", "session", "correlation", "device", "token", "user", "uid", "account", "recipient",
        "app",
        "bundle", "batch", "thread", "conversation", "chat", "project", "tenant", "campaign", "offset", "seq",
        "cursor", "customer", "member", "subscriber", "process", "pid", "distinct", "player",
    ]
}
