import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// The notifications of a live group are those of the model.
@Suite struct GroupNotificationsTests {
    @Test(arguments: Seeds.several(16)) func groupsHaveTheirNotifications(_ seed: UInt64) async throws {
        let log = try LiveLog(seed: seed, lines: 120, sources: 2)
        var random = SeededGenerator(seed: seed)
        let (live, _) = try log.live(&random)
        var replay = log.options.replay
        replay.sources = log.sources.indices.map { "\($0)" }
        let model = ReplayModel(log.sources.enumerated().map { ("\($0.offset)", $0.element) }, replay)
        let expected = Set(model.groups.map { group in Set(group.map { "\($0.source):\($0.line)" }) })
        let keepsAll = log.options.appliesRemovals || replay.tracksDelivery
        for group in live.snapshot() {
            guard let notifications = live.notifications(of: group) else {
                #expect(!keepsAll)
                continue
            }
            #expect(UInt64(notifications.count) == group.count)
            #expect(notifications.first == group.leading)
            #expect(notifications.map(\.timestamp) == notifications.map(\.timestamp).sorted(by: >))
            #expect(expected.contains(Set(notifications.map { "\($0.source):\($0.line)" })))
        }
    }

    @Test func aGroupThatIsGoneHasNone() throws {
        let live = try LiveGroups()
        let source = try live.addSource(named: "a")
        let push =
            #"{"app":"a","id":"1","timestamp":1767571200000,"aps":{"alert":"x","thread-id":"t"}}"# + "\n"
        try source.append(push)
        let group = try #require(live.group(app: "a", thread: "t"))
        #expect(live.notifications(of: group)?.map(\.body) == ["x"])
        try source.append(#"{"app":"a","event":"removed","timestamp":1767571201000}"# + "\n")
        #expect(live.notifications(of: group) == [])
    }

    @Test func notificationsThatAreNotKeptAreUnknown() throws {
        var options = LiveOptions()
        options.appliesRemovals = false
        let live = try LiveGroups(options)
        let source = try live.addSource(named: "a")
        let push = #"{"app":"a","aps":{"alert":"x","thread-id":"t"}}"# + "\n"
        try source.append(push)
        let one = try #require(live.group(app: "a", thread: "t"))
        #expect(live.notifications(of: one)?.count == 1)
        try source.append(push)
        let two = try #require(live.group(app: "a", thread: "t"))
        #expect(live.notifications(of: two) == nil)
    }
}
