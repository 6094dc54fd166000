import SheafBytes
import TestSupport
import Testing

@testable import SheafGroups

/// The laws of specification §9: the state does not depend on how notifications are ordered, split and merged.
@Suite struct GroupLawTests {
    /// The parameters of a random group.
    struct Shape: NamedCase {
        let name: String
        let notifications: Int
        let categories: Int
        let arguments: Int
        let limit: Int
    }

    static let shapes = [
        Shape(name: "one notification", notifications: 1, categories: 1, arguments: 1, limit: 2),
        Shape(name: "two notifications", notifications: 2, categories: 2, arguments: 2, limit: 1),
        Shape(name: "no arguments", notifications: 20, categories: 3, arguments: 0, limit: 1),
        Shape(name: "limit 1", notifications: 24, categories: 3, arguments: 4, limit: 1),
        Shape(name: "limit 2", notifications: 40, categories: 4, arguments: 6, limit: 2),
        Shape(
            name: "as many arguments as the limit", notifications: 40, categories: 2, arguments: 2, limit: 2),
        Shape(name: "limit 16", notifications: 90, categories: 5, arguments: 24, limit: 16),
        Shape(
            name: "categories around the size that is indexed", notifications: 60, categories: 12,
            arguments: 3, limit: 16),
        Shape(name: "many categories", notifications: 500, categories: 300, arguments: 5, limit: 2),
        Shape(
            name: "categories around the maximum", notifications: 3_000, categories: 1_026,
            arguments: 2, limit: 2),
        Shape(
            name: "many more categories than the maximum", notifications: 9_000, categories: 6_000,
            arguments: 2,
            limit: 2),
    ]

    private static func notifications(
        _ shape: Shape, _ random: inout SeededGenerator
    ) -> [NotificationText] {
        let texts = ["", "é", "a", String(repeating: "long ", count: 40)]
        return (0..<shape.notifications).map { index in
            var notification = NotificationText()
            notification.app = "com.example"
            notification.thread = "thread"
            notification.identifier = "id \(index)"
            notification.title = random.pick(texts)
            notification.subtitle = random.pick(texts)
            notification.body = random.pick(texts)
            let category = random.below(shape.categories)
            notification.category = category == 0 ? "" : "category \(category)"
            if shape.arguments > 0, random.chance(80) {
                notification.argument = "argument \(random.below(shape.arguments))"
            }
            notification.weight = random.pick([1, 1, 2, 3, 2_147_483_647])
            // Few different timestamps, so that sources and lines decide the order.
            notification.order = OrderKey(
                timestamp: Int64(random.below(6)) - 2, source: index % 3, line: UInt64(index / 9 + 1),
                index: UInt32(index % 9))
            return notification
        }
    }

    /// A part of the group, in its own store.
    private struct Part {
        var store: GroupStore
        var state: GroupState
    }

    /// Returns a store that has held other groups, so that symbols and positions differ from store to store.
    private static func usedStore(_ limit: Int, _ random: inout SeededGenerator) -> GroupStore {
        var store = GroupStore(maximumArguments: limit)
        for _ in 0..<random.below(4) {
            var other = NotificationText()
            other.app = "other \(random.below(3))"
            other.category = "category \(random.below(20))"
            other.argument = "argument \(random.below(20))"
            let (record, bytes) = other.encoded()
            var state = store.start(record, in: bytes.span)
            other.order = OrderKey(timestamp: 1, source: 0, line: 2)
            let (second, secondBytes) = other.encoded()
            store.add(second, in: secondBytes.span, to: &state)
        }
        return store
    }

    private static func part(
        _ notifications: [NotificationText], _ limit: Int, _ random: inout SeededGenerator
    ) -> Part {
        var store = usedStore(limit, &random)
        let (record, bytes) = notifications[0].encoded()
        var state = store.start(record, in: bytes.span)
        for notification in notifications.dropFirst() {
            let (record, bytes) = notification.encoded()
            store.add(record, in: bytes.span, to: &state)
        }
        return Part(store: store, state: state)
    }

    @Test(arguments: shapes, Seeds.several(3))
    func stateDoesNotDependOnTheOrder(_ shape: Shape, _ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let notifications = Self.notifications(shape, &random)
        let expected = ObservedGroup(notifications, maximumArguments: shape.limit)
        for order in [
            notifications, notifications.reversed(), notifications.sorted { $0.order < $1.order },
            notifications.shuffled(using: &random),
        ] {
            let part = Self.part(order, shape.limit, &random)
            #expect(ObservedGroup(part.state, of: part.store) == expected)
        }
    }

    /// Notifications that differ only in their order keys may be added at once.
    @Test(arguments: [2, 3, 60], ["", "an argument"])
    func equalNotificationsAreAddedAtOnce(_ count: Int, _ argument: String) {
        var random = SeededGenerator(seed: 1)
        let shape = Shape(name: "others", notifications: 5, categories: 2, arguments: 3, limit: 2)
        var notifications = Self.notifications(shape, &random)
        var equal = notifications[0]
        (equal.argument, equal.weight) = (argument, 2_147_483_647)
        notifications.removeFirst()
        let orders = (1...count).map { OrderKey(timestamp: Int64($0 / 2) - 3, source: 7, line: UInt64($0)) }
        let all =
            notifications
            + orders.map { order in
                var notification = equal
                notification.order = order
                return notification
            }
        var part = Self.part(notifications, shape.limit, &random)
        equal.order = orders[count - 1]
        let (record, bytes) = equal.encoded()
        part.store.add(record, in: bytes.span, to: &part.state)
        part.store.add(
            EqualNotifications(count: count - 1, newest: orders[count - 2], oldest: orders[0].timestamp),
            to: record, in: bytes.span, to: &part.state)
        #expect(
            ObservedGroup(part.state, of: part.store) == ObservedGroup(all, maximumArguments: shape.limit))
    }

    @Test(arguments: shapes, Seeds.several(4))
    func stateDoesNotDependOnTheMergeTree(_ shape: Shape, _ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let notifications = Self.notifications(shape, &random)
        let expected = ObservedGroup(notifications, maximumArguments: shape.limit)
        var split = [[NotificationText]](repeating: [], count: 1 + random.below(6))
        for notification in notifications.shuffled(using: &random) {
            split[random.below(split.count)].append(notification)
        }
        var parts = split.filter { !$0.isEmpty }.map { Self.part($0, shape.limit, &random) }
        while parts.count > 1 {
            parts.shuffle(using: &random)
            let one = parts.removeLast()
            let other = parts.removeLast()
            var merged: Part
            if random.chance(50) {
                merged = one
            } else {
                var store = Self.usedStore(shape.limit, &random)
                let state = store.copy(one.state, of: one.store)
                merged = Part(store: store, state: state)
                #expect(ObservedGroup(state, of: store) == ObservedGroup(one.state, of: one.store))
            }
            if random.chance(50) {
                merged.store.merge(other.state, of: other.store, into: &merged.state)
            } else {
                let state = merged.store.copy(other.state, of: other.store)
                merged.store.absorb(state, into: &merged.state)
            }
            parts.append(merged)
        }
        #expect(ObservedGroup(parts[0].state, of: parts[0].store) == expected)
    }

    @Test(arguments: Seeds.several(3))
    func mergingAndAddingCanAlternate(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let shape = Shape(name: "", notifications: 60, categories: 11, arguments: 9, limit: 3)
        let notifications = Self.notifications(shape, &random)
        var whole = Self.part(Array(notifications[..<1]), shape.limit, &random)
        var next = 1
        while next < notifications.count {
            let count = min(1 + random.below(5), notifications.count - next)
            let some = Array(notifications[next..<(next + count)])
            if random.chance(50) {
                let part = Self.part(some, shape.limit, &random)
                whole.store.merge(part.state, of: part.store, into: &whole.state)
            } else {
                for notification in some {
                    let (record, bytes) = notification.encoded()
                    whole.store.add(record, in: bytes.span, to: &whole.state)
                }
            }
            next += count
            let expected = ObservedGroup(Array(notifications[..<next]), maximumArguments: shape.limit)
            #expect(ObservedGroup(whole.state, of: whole.store) == expected)
        }
    }

    /// The second one has groups whose tallies are cut and whose lists then take over the room of others.
    private static let shared = [
        Shape(name: "lists that grow", notifications: 400, categories: 60, arguments: 12, limit: 4),
        Shape(name: "lists that are cut", notifications: 14_000, categories: 6_000, arguments: 12, limit: 4),
    ]

    /// Groups that grow in turn do not share lists or entries in the index of tallies.
    @Test(arguments: Seeds.several(2), shared)
    func groupsInOneStoreAreIndependent(_ seed: UInt64, _ shape: Shape) {
        var random = SeededGenerator(seed: seed)
        var store = GroupStore(maximumArguments: shape.limit)
        var groups = [[NotificationText]](repeating: [], count: 4)
        var states: [GroupState?] = [nil, nil, nil, nil]
        for var notification in Self.notifications(shape, &random) {
            let group = random.below(4)
            notification.app = "app \(group % 2)"
            notification.thread = group < 2 ? "" : "thread"
            groups[group].append(notification)
            let (record, bytes) = notification.encoded()
            if var state = states[group] {
                store.add(record, in: bytes.span, to: &state)
                states[group] = state
            } else {
                states[group] = store.start(record, in: bytes.span)
            }
        }
        for (state, notifications) in zip(states, groups) {
            let expected = ObservedGroup(notifications, maximumArguments: shape.limit)
            #expect(ObservedGroup(state!, of: store) == expected)
        }
    }
}
