import SheafBytes
import TestSupport

@testable import SheafGroups

/// The observable state of a group, as plain values.
struct ObservedGroup: Equatable {
    struct Tally: Equatable {
        var count: UInt64 = 0
        var weight: UInt64 = 0
        var withoutArgument: UInt64 = 0
        var newest = OrderKey(timestamp: .min, source: 0, line: 0)
    }

    struct Argument: Equatable {
        let text: String
        let newest: OrderKey
    }

    var app: String
    var device: String
    var thread: String
    /// The leading notification's identifier, title, subtitle, body, argument and category, in this order.
    var leadingTexts: [String]
    var leadingOrder: OrderKey
    var leadingWeight: UInt32
    var tallies: [String: Tally]
    /// The sum over the categories without a tally of their own.
    var others: Tally?
    var arguments: [Argument]
    var argumentsTruncated: Bool
    var first: Int64
    var last: Int64
    var isSingle: Bool

    /// Reads the state from a store.
    init(_ state: GroupState, of store: borrowing GroupStore) {
        app = store.app(of: state).string
        device = store.device(of: state).string
        thread = store.thread(of: state).string
        let leading = store.leadingRecord(of: state)
        let bytes = store.leadingBytes(of: state)
        leadingTexts = [
            CompactText.string(bytes[leading.identifier]), bytes[leading.title].string,
            bytes[leading.subtitle].string,
            bytes[leading.body].string, bytes[leading.argument].string,
            store.categories.text(of: store.leadingCategory(of: state)).string,
        ]
        leadingOrder = leading.order
        leadingWeight = leading.weight
        tallies = [:]
        var list = [CategoryTally(category: 1, leading: leading)]
        others = store.collectTallies(of: state, into: &list).map {
            Tally(
                count: $0.count, weight: $0.weight, withoutArgument: $0.withoutArgument, newest: $0.newest)
        }
        var hasDuplicate = false
        for tally in list {
            let name = store.categories.text(of: tally.category).string
            hasDuplicate = hasDuplicate || tallies[name] != nil
            tallies[name] = Tally(
                count: tally.count, weight: tally.weight, withoutArgument: tally.withoutArgument,
                newest: tally.newest)
        }
        precondition(!hasDuplicate, "a category has two tallies")
        var uses: [GroupStore.Argument] = []
        store.collectArguments(of: state, into: &uses)
        arguments = []
        for use in uses { arguments.append(Argument(text: store.text(of: use).string, newest: use.newest)) }
        argumentsTruncated = state.argumentsTruncated
        first = state.first
        last = state.last
        isSingle = state.isSingle
    }

    /// Computes the state from all notifications, as specification §6 and §9 define it.
    init(_ notifications: [NotificationText], maximumArguments: Int) {
        let newestFirst = notifications.sorted { $0.order > $1.order }
        let leading = newestFirst[0]
        let rest = newestFirst.dropFirst()
        app = leading.app
        device = leading.device
        thread = leading.thread
        leadingTexts = [
            leading.identifier, leading.title, leading.subtitle, leading.body, leading.argument,
            leading.category,
        ]
        leadingOrder = leading.order
        leadingWeight = leading.weight
        tallies = [:]
        var distinct: [Argument] = []
        for notification in rest {
            var tally = tallies[notification.category] ?? Tally()
            tally.count += 1
            tally.weight = min(tally.weight + UInt64(notification.weight), 1 << 56)
            tally.withoutArgument += notification.argument.isEmpty ? 1 : 0
            tally.newest = max(tally.newest, notification.order)
            tallies[notification.category] = tally
            if !notification.argument.isEmpty, !distinct.contains(where: { $0.text == notification.argument })
            {
                distinct.append(Argument(text: notification.argument, newest: notification.order))
            }
        }
        let names = tallies.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for name in names.dropFirst(1_024) {
            let tally = tallies.removeValue(forKey: name)!
            var sum = others ?? Tally()
            sum.count += tally.count
            sum.weight = min(sum.weight + tally.weight, 1 << 56)
            sum.withoutArgument += tally.withoutArgument
            sum.newest = max(sum.newest, tally.newest)
            others = sum
        }
        arguments = Array(distinct.prefix(maximumArguments))
        argumentsTruncated = distinct.count > maximumArguments
        first = notifications.map(\.order.timestamp).min()!
        last = leading.order.timestamp
        isSingle = rest.isEmpty
    }
}
