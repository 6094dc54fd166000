import SheafBytes
import TestSupport
import Testing

@testable import SheafGroups

/// Individual operations on a group's state; the laws are in `GroupLawTests`.
@Suite struct GroupStoreTests {
    /// A run may hold half a million group states, so their size must not grow by accident.
    @Test func stateHas64Bytes() { #expect(MemoryLayout<GroupState>.stride == 64) }

    @Test func tallyHas48BytesAndAnArgument32() {
        #expect(MemoryLayout<CategoryTally>.stride == 48)
        #expect(MemoryLayout<ArgumentUse>.stride == 32)
    }

    private func store(_ notifications: [NotificationText], limit: Int = 16) -> ObservedGroup {
        var store = GroupStore(maximumArguments: limit)
        let (record, bytes) = notifications[0].encoded()
        var state = store.start(record, in: bytes.span)
        for notification in notifications.dropFirst() {
            let (record, bytes) = notification.encoded()
            store.add(record, in: bytes.span, to: &state)
        }
        return ObservedGroup(state, of: store)
    }

    private func notification(_ time: Int64, _ argument: String = "", weight: UInt32 = 1) -> NotificationText
    {
        var notification = NotificationText()
        notification.argument = argument
        notification.weight = weight
        notification.order = OrderKey(timestamp: time, source: 0, line: UInt64(time + 1))
        return notification
    }

    @Test func leadingNotificationIsNotInTheRest() {
        let group = store([notification(1, "A")])
        #expect(group.isSingle)
        #expect(group.tallies.isEmpty)
        #expect(group.arguments.isEmpty)
        #expect(!group.argumentsTruncated)
        #expect(group.leadingTexts[4] == "A")
    }

    /// Few tallies are sorted in another way than many.
    @Test(arguments: [0, 1, 2, 3, 8, 9, 20], Seeds.several(2))
    func talliesAreSortedByName(_ count: Int, _ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var names = (0..<count).map { $0 == 0 ? "" : "\($0)" }
        names.shuffle(using: &random)
        var store = GroupStore(maximumArguments: 1)
        let (leading, leadingBytes) = notification(1000).encoded()
        var state = store.start(leading, in: leadingBytes.span)
        for (index, name) in names.enumerated() {
            var notification = notification(Int64(index))
            notification.category = name
            let (record, bytes) = notification.encoded()
            store.add(record, in: bytes.span, to: &state)
        }
        var tallies: [CategoryTally] = []
        store.collectTallies(of: state, into: &tallies)
        store.sortByName(&tallies)
        #expect(tallies.map { store.category($0.category).string } == names.sorted())
    }

    @Test func argumentOfTheLeadingNotificationIsExcluded() {
        let group = store([notification(1, "A"), notification(2, "B")])
        #expect(group.arguments.map(\.text) == ["A"])
    }

    @Test func argumentsAreOrderedByLastUse() {
        let group = store(["A", "B", "A", "C", "D"].enumerated().map { notification(Int64($0), $1) })
        #expect(group.arguments.map(\.text) == ["C", "A", "B"])
    }

    @Test(arguments: [1, 2, 3, 4])
    func oldestArgumentsAreDropped(_ limit: Int) {
        let names = ["A", "B", "C", "leading"]
        let group = store(names.enumerated().map { notification(Int64($0), $1) }, limit: limit)
        #expect(group.arguments.map(\.text) == Array(["C", "B", "A"].prefix(limit)))
        #expect(group.argumentsTruncated == (limit < 3))
    }

    @Test func droppedArgumentReturnsWithANewerUse() {
        let names = ["A", "B", "A", "leading"]
        let group = store(names.enumerated().map { notification(Int64($0), $1) }, limit: 1)
        #expect(group.arguments.map(\.text) == ["A"])
        #expect(group.argumentsTruncated)
    }

    @Test func repeatedArgumentIsNotTruncated() {
        let group = store(
            ["A", "A", "A", "leading"].enumerated().map { notification(Int64($0), $1) }, limit: 1)
        #expect(group.arguments.map(\.text) == ["A"])
        #expect(!group.argumentsTruncated)
    }

    @Test func weightsMayExceed32Bits() {
        let heavy = (0..<5).map { notification(Int64($0), weight: 2_147_483_647) }
        #expect(store(heavy).tallies[""]?.weight == 4 * 2_147_483_647)
    }

    @Test func firstAndLastAreTheEarliestAndLatestTimes() {
        let group = store([notification(5), notification(3), notification(9)])
        #expect(group.first == 3)
        #expect(group.last == 9)
    }

    @Test func newerLeadingTextsReplaceTextsOfAnyLength() {
        var long = notification(1)
        long.title = String(repeating: "t", count: 500)
        var short = notification(2)
        short.body = "b"
        var longest = notification(3)
        longest.body = String(repeating: "ü", count: 70_000)
        #expect(store([long, short]).leadingTexts == ["", "", "", "b", "", ""])
        #expect(store([long, short, longest]).leadingTexts[3] == longest.body)
        #expect(store([longest, long]).leadingTexts[3] == longest.body)
    }

    @Test func copiesAreIndependent() {
        var first = GroupStore(maximumArguments: 2)
        let (record, bytes) = notification(1, "A").encoded()
        var state = first.start(record, in: bytes.span)
        var second = first
        var secondState = state
        let (b, bBytes) = notification(2, "B").encoded()
        first.add(b, in: bBytes.span, to: &state)
        let (c, cBytes) = notification(3, "C").encoded()
        second.add(c, in: cBytes.span, to: &secondState)
        #expect(ObservedGroup(state, of: first).leadingTexts[4] == "B")
        #expect(ObservedGroup(secondState, of: second).leadingTexts[4] == "C")
    }

    struct Key: NamedCase {
        let name: String
        let change: @Sendable (inout NotificationText) -> Void
        let matches: Bool
    }

    @Test(arguments: [
        Key(name: "the same", change: { _ in }, matches: true),
        Key(
            name: "other texts",
            change: {
                $0.body = "x"; $0.category = "y"
            }, matches: true),
        Key(name: "another app", change: { $0.app = "apq" }, matches: false),
        Key(name: "a longer app", change: { $0.app = "appp" }, matches: false),
        Key(name: "another thread", change: { $0.thread = "u" }, matches: false),
        Key(name: "no thread", change: { $0.thread = "" }, matches: false),
        Key(name: "another device", change: { $0.device = "e" }, matches: false),
        Key(name: "no device", change: { $0.device = "" }, matches: false),
        Key(
            name: "device and thread swapped",
            change: {
                $0.device = "t"; $0.thread = "d"
            }, matches: false),
        Key(
            name: "device and thread joined",
            change: {
                $0.device = "dt"; $0.thread = ""
            }, matches: false),
    ])
    func deviceAppAndThreadMustMatch(_ key: Key) {
        var notification = NotificationText()
        notification.device = "d"
        notification.thread = "t"
        var store = GroupStore(maximumArguments: 1)
        let (record, bytes) = notification.encoded()
        let state = store.start(record, in: bytes.span)
        key.change(&notification)
        let (other, otherBytes) = notification.encoded()
        #expect(store.matches(state, other, in: otherBytes.span) == key.matches)
    }
}
