import SheafGroups
import Testing

@testable import SheafFlow

/// Observing a group.
@Suite struct GroupArrivalTests {
    private static func push(_ time: Int64, _ body: String, thread: String? = "t", id: String? = nil) -> Push
    {
        var push = Push(app: "a")
        push.timestamp = 1_700_000_000_000 + time
        (push.body, push.thread, push.collapseID) = (body, thread, id)
        return push
    }

    /// Returns what an observer receives until the groups are gone.
    private func received(
        after before: [Push] = [], thread: String? = "t", limit: Int = 100,
        _ options: LiveOptions = LiveOptions(), _ change: (LiveSource) throws -> Void
    ) async throws -> [String] {
        var live: LiveGroups? = try LiveGroups(options)
        var source = try live?.addSource(named: "api")
        for push in before { try source?.add(push) }
        let stream = try #require(live?.arrivals(app: "a", thread: thread, limit: limit))
        if let source { try change(source) }
        (source, live) = (nil, nil)
        var texts: [String] = []
        for await arrival in stream { texts.append("\(arrival.number) \(arrival.notification.body ?? "")") }
        return texts
    }

    @Test func theLeadingNotificationComesFirst() async throws {
        let found = try await received(
            after: [Self.push(1, "one"), Self.push(3, "three"), Self.push(2, "two")]
        ) {
            try $0.add(Self.push(4, "four"))
            try $0.add(Self.push(5, "other", thread: "u"))
            try $0.add(Self.push(0, "zero"))
        }
        #expect(found == ["0 three", "1 four", "2 zero"])
    }

    @Test func aGroupMayBeEmptyAtFirst() async throws {
        let found = try await received {
            try $0.add(Self.push(1, "one"))
            try $0.add(Removal(app: "a", .app, at: 1_700_000_000_002))
            try $0.add(Self.push(3, "three"))
        }
        #expect(found == ["0 one", "1 three"])
    }

    @Test func updatesAreArrivalsUnlessTheyAreOutdatedOrRemoved() async throws {
        let found = try await received(after: [Self.push(1, "1", id: "x")]) {
            try $0.add(Self.push(3, "3", id: "x"))
            try $0.add(Self.push(2, "2", id: "x"))
            try $0.add(Removal(app: "a", .ids(["x", "y"]), at: 1_700_000_000_005))
            try $0.add(Self.push(4, "4", id: "x"))
            try $0.add(Self.push(4, "4", id: "y"))
            try $0.add(Self.push(6, "6", id: "x"))
        }
        #expect(found == ["0 1", "1 3", "2 6"])
    }

    @Test func anAppMayGroupAllThreads() async throws {
        var options = LiveOptions()
        var settings = Settings()
        settings.apps["a", default: AppSettings()].grouping = .byApp
        options.configuration = Configuration(settings)
        let found = try await received(
            after: [Self.push(1, "1", thread: "s")], thread: "ignored", options
        ) {
            try $0.add(Self.push(2, "2", thread: "u"))
        }
        #expect(found == ["0 1", "1 2"])
    }

    @Test func anAppMayNotGroupAtAll() async throws {
        var options = LiveOptions()
        var settings = Settings()
        settings.apps["a", default: AppSettings()].grouping = .off
        options.configuration = Configuration(settings)
        let found = try await received(after: [Self.push(1, "1"), Self.push(2, "2")], options) {
            try $0.add(Self.push(3, "3"))
            try $0.add(Self.push(4, "4", thread: "u"))
            try $0.add(Self.push(5, "5"))
        }
        #expect(found == ["0 2", "1 3", "2 5"])
    }

    /// The numbers of those that were dropped are missing.
    @Test func aSlowObserverReceivesTheNewest() async throws {
        let found = try await received(limit: 3) {
            for number in 0..<10 { try $0.add(Self.push(Int64(number), "\(number)")) }
        }
        #expect(found == ["7 7", "8 8", "9 9"])
    }

    @Test func aCancelledObserverIsForgotten() async throws {
        let live = try LiveGroups()
        let stream = live.arrivals(app: "a", thread: "t")
        let task = Task { for await _ in stream {} }
        task.cancel()
        await task.value
        #expect(live.observerCount == 0)
    }
}
