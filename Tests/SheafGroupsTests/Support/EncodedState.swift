import SheafBytes
import TestSupport

@testable import SheafGroups

/// A group in its own store.
struct StoredGroup {
    var store: GroupStore
    var state: GroupState

    /// Adds the notifications in the given order.
    init(_ notifications: [NotificationText], maximumArguments: Int, into used: GroupStore? = nil) {
        store = used ?? GroupStore(maximumArguments: maximumArguments)
        let (record, bytes) = notifications[0].encoded()
        state = store.start(record, in: bytes.span)
        for notification in notifications.dropFirst() {
            let (record, bytes) = notification.encoded()
            store.add(record, in: bytes.span, to: &state)
        }
    }

    /// Decodes a group; nil when `bytes` are not a valid encoding.
    init?(_ bytes: [UInt8], maximumArguments: Int, sourceOffset: Int = 0) {
        guard let group = EncodedGroup(bytes.span, sourceOffset: sourceOffset) else { return nil }
        store = GroupStore(maximumArguments: maximumArguments)
        state = store.start(group, in: bytes.span, sourceOffset: sourceOffset)
    }

    /// Merges an encoded group; returns false when `bytes` are not a valid encoding.
    mutating func merge(_ bytes: [UInt8], sourceOffset: Int = 0) -> Bool {
        guard let group = EncodedGroup(bytes.span, sourceOffset: sourceOffset) else { return false }
        store.merge(group, in: bytes.span, sourceOffset: sourceOffset, into: &state)
        return true
    }

    var observed: ObservedGroup { ObservedGroup(state, of: store) }

    func encoded() -> [UInt8] {
        var encoder = GroupEncoder()
        var output = OutputBuffer()
        encoder.append(state, of: store, to: &output)
        var bytes: [UInt8] = []
        bytes.append(output.bytes)
        return bytes
    }
}

/// The parameters of a random group.
struct GroupShape: NamedCase {
    let name: String
    let notifications: Int
    let categories: Int
    let arguments: Int
    let limit: Int

    static let all = [
        GroupShape(name: "one notification", notifications: 1, categories: 1, arguments: 1, limit: 2),
        GroupShape(name: "two notifications", notifications: 2, categories: 2, arguments: 2, limit: 1),
        GroupShape(name: "no arguments", notifications: 20, categories: 3, arguments: 0, limit: 1),
        GroupShape(name: "limit 1", notifications: 24, categories: 3, arguments: 4, limit: 1),
        GroupShape(
            name: "more arguments than the limit", notifications: 60, categories: 4, arguments: 30, limit: 5),
        GroupShape(
            name: "as many arguments as the limit", notifications: 40, categories: 2, arguments: 2, limit: 2),
        GroupShape(
            name: "categories around the size that is indexed", notifications: 60, categories: 10,
            arguments: 3, limit: 16),
        GroupShape(
            name: "many categories and arguments", notifications: 400, categories: 200, arguments: 300,
            limit: 1024),
        GroupShape(
            name: "more categories than the maximum", notifications: 4_000, categories: 3_000, arguments: 2,
            limit: 2),
    ]

    /// Returns random notifications, with timestamps around 1970 and at the minimum, and with sources far apart.
    func random(_ random: inout SeededGenerator) -> [NotificationText] {
        let texts = ["", "é", "a", "\u{0}", String(repeating: "long ", count: 40)]
        let times: [Int64] = [.min, -1_700_000_000_000, -1, 0, 1, 127, 128, 1_700_000_000_000]
        let isEarly = random.chance(30)
        return (0..<notifications).map { index in
            var notification = NotificationText()
            notification.app = "com.example"
            notification.device = notifications % 3 == 0 ? "device" : ""
            notification.thread = notifications % 4 == 0 ? "thread" : ""
            notification.identifier = "id \(index)"
            notification.title = random.pick(texts)
            notification.subtitle = random.pick(texts)
            notification.body = random.pick(texts)
            let category = random.below(categories)
            notification.category = category == 0 ? "" : "category \(category)"
            if arguments > 0, random.chance(80) {
                notification.argument = "argument \(random.below(arguments))"
            }
            notification.weight = random.pick([1, 1, 2, 128, 2_147_483_647])
            notification.order = OrderKey(
                timestamp: isEarly
                    ? random.pick(Array(times.prefix(4))) : random.pick(Array(times.dropFirst())),
                source: random.pick([0, 1, 127, 128, 70_000]), line: UInt64(index / 3 + 1),
                index: UInt32(index % 3))
            return notification
        }
    }
}
