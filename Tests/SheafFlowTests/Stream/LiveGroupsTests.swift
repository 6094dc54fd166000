import SheafBytes
import SheafGroups
import SheafText
import TestSupport
import Testing

@testable import SheafFlow

/// The engine for programs that embed it.
@Suite struct LiveGroupsTests {
    @Test(arguments: Seeds.several(12)) func resultsAreThoseOfAReplay(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let log = try LiveLog(seed: seed, lines: 250, sources: 1 + random.below(3))
        let expected = try await log.replayed()
        for _ in 0..<3 {
            let (live, rejects) = try log.live(&random)
            #expect(live.snapshot() == expected.groups)
            #expect(rejects == expected.rejects)
            #expect(live.count == expected.groups.count)
            let statistics = live.statistics()
            #expect(statistics.lines == expected.statistics.lines)
            #expect(statistics.records == expected.statistics.records)
            #expect(statistics.grouped == expected.statistics.grouped)
            #expect(statistics.updated == expected.statistics.updated)
            // Of a removed notification it is not known whether settings that come later would have suppressed it.
            if statistics.delivery == nil { #expect(statistics.removals == expected.statistics.removals) }
            #expect(statistics.delivery?.settings == expected.statistics.delivery?.settings)
            #expect(statistics.settingsIgnored == expected.statistics.settingsIgnored)
            #expect(statistics.removalsIgnored == expected.statistics.removalsIgnored)
            #expect(statistics.bytesRead == expected.statistics.bytesRead)
        }
    }

    @Test(arguments: Seeds.several(6)) func parallelSourcesHaveTheSameResults(_ seed: UInt64) async throws {
        let log = try LiveLog(seed: seed, lines: 300, sources: 4)
        let live = try LiveGroups(log.options)
        let sources = try log.sources.indices.map { try live.addSource(named: "\($0)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (source, bytes) in zip(sources, log.sources) {
                group.addTask {
                    for start in stride(from: 0, to: bytes.count, by: 200) {
                        try source.append(Array(bytes[start..<min(start + 200, bytes.count)]).span)
                    }
                    try source.finish()
                }
            }
            group.addTask {
                for _ in 0..<20 { _ = live.snapshot() }
                for _ in 0..<200 { #expect(live.statistics().grouped <= 1_200) }
            }
            try await group.waitForAll()
        }
        #expect(live.snapshot() == (try await log.replayed()).groups)
    }

    @Test(arguments: Seeds.several(6)) func questionsFindTheGroupsOfTheSnapshot(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let log = try LiveLog(seed: seed, lines: 200, sources: 2)
        let (live, _) = try log.live(&random)
        let all = live.snapshot()
        for app in Set(all.map(\.app)) {
            #expect(live.groups(ofApp: app) == all.filter { $0.app == app })
        }
        for device in Set(all.map { $0.device ?? "" }) where log.options.byDevice {
            #expect(live.groups(ofDevice: device) == all.filter { ($0.device ?? "") == device })
        }
        #expect(live.groups(ofApp: "missing").isEmpty)
        #expect(live.groups(ofDevice: "missing").isEmpty)
        let settings = log.options.configuration.settings
        for group in all {
            let found = live.group(app: group.app, thread: group.thread, device: group.device)
            let thread = settings.apps[group.app]?.grouping == .byApp ? nil : group.thread
            // Notifications that are alone share their key, with each other and with a group.
            let others = all.filter { ($0.app, $0.thread, $0.device) == (group.app, thread, group.device) }
            #expect(others.contains { $0 == found } || others.isEmpty && found == nil)
            #expect(others.allSatisfy { $0.leading.timestamp <= found?.leading.timestamp ?? 0 })
        }
        #expect(live.group(app: "missing") == nil)
    }

    // MARK: - Pushes and removals

    @Test func aPushIsARecord() throws {
        let live = try LiveGroups()
        let source = try live.addSource(named: "api")
        var push = Push(app: "com.example.\"podcasts\"")
        push.timestamp = 1_700_000_000_123
        push.id = "1"
        push.title = "Song Exploder"
        push.subtitle = "Subtitle"
        push.body = "Line 1\nLine 2 \u{1f389}"
        push.thread = "t"
        push.category = "episode"
        push.summaryArgument = "Song Exploder"
        push.summaryArgumentCount = 3
        #expect(try source.add(push).isEmpty)
        push.timestamp = 1_700_000_000_124
        #expect(try source.add(push).isEmpty)
        let group = try #require(live.group(app: push.app, thread: "t"))
        #expect(group.count == 2 && group.total == 6 && group.summary?.more == 3)
        #expect(group.summary?.text == "3 more notifications from Song Exploder")
        #expect(group.first == 1_700_000_000_123 && group.last == 1_700_000_000_124)
        #expect(
            group.leading
                == ShownNotification(
                    id: "1", timestamp: 1_700_000_000_124, title: push.title, subtitle: push.subtitle,
                    body: push.body, category: "episode", source: "api", line: 2))
    }

    /// The number of a record's time has the unit of its size (specification §2).
    @Test(arguments: [
        0, 1, 12, 999, 1_000, 99_999_999_999, 100_000_000_000, 1_700_000_000_123, 99_999_999_999_999,
        100_000_000_000_000, 9_223_372_036_854,
    ])
    func theTimeOfAPushIsInMilliseconds(_ time: Int64) throws {
        let live = try LiveGroups()
        var push = Push(app: "a")
        (push.timestamp, push.body) = (time, "x")
        #expect(try live.addSource(named: "api").add(push).isEmpty)
        #expect(live.group(app: "a")?.leading.timestamp == time)
    }

    @Test(arguments: [-1, Int64.min]) func aPushFromBefore1970IsReturned(_ time: Int64) throws {
        var push = Push(app: "a")
        (push.timestamp, push.body) = (time, "x")
        let rejects = try LiveGroups().addSource(named: "api").add(push)
        #expect(rejects.map(\.reason) == [.timestampInvalid])
    }

    @Test func aPushThatIsNoRecordIsReturned() throws {
        let live = try LiveGroups()
        let source = try live.addSource(named: "api")
        var push = Push(app: "")
        push.body = "x"
        let rejects = try source.add(push)
        #expect(rejects.map(\.reason) == [.appMissing] && rejects.map(\.line) == [1])
        push.app = String(repeating: "a", count: 5_000)
        #expect(try source.add(push).map(\.reason) == [.fieldTooLong])
        let ids = (0..<5_000).map { "\($0)" }
        #expect(try source.add(Removal(app: "a", .ids(ids), at: 0)).map(\.reason) == [.removalInvalid])
        #expect(live.count == 0 && live.statistics().rejectedTotal == 3)
    }

    private static func push(
        _ app: String, _ time: Int64, thread: String? = nil, id: String? = nil, collapseID: String? = nil
    ) -> Push {
        var push = Push(app: app)
        push.timestamp = time
        push.body = "\(time)"
        (push.thread, push.id, push.collapseID) = (thread, id, collapseID)
        return push
    }

    private static let removalTime: Int64 = 100_000_000_010

    @Test(arguments: [
        (Removal(app: "a", .ids(["1", "2"]), at: removalTime), ["a s 1"]),
        (Removal(app: "a", .thread("t"), at: removalTime), ["a s 1"]),
        (Removal(app: "a", .thread(nil), at: removalTime), ["a s 1", "a t 2"]),
        (Removal(app: "a", .app, at: removalTime), []),
        (Removal(app: "b", .app, at: removalTime), ["a s 1", "a t 2"]),
    ])
    func aRemovalRemovesOlderNotifications(_ removal: Removal, _ expected: [String]) throws {
        for isFirst in [false, true] {
            let live = try LiveGroups()
            let source = try live.addSource(named: "api")
            if isFirst { try source.add(removal) }
            try source.add(Self.push("a", 100_000_000_001, thread: "t", id: "1"))
            try source.add(Self.push("a", 100_000_000_002, thread: "t", collapseID: "2"))
            try source.add(Self.push("a", 100_000_000_003, thread: "s", id: "3"))
            if !isFirst { try source.add(removal) }
            #expect(live.snapshot().map { "\($0.app) \($0.thread ?? "") \($0.count)" } == expected)
            try source.add(Self.push("a", 100_000_000_011, thread: "u"))
            #expect(live.count == expected.count + 1)
        }
    }

    @Test func pushesComeBeforeAnIncompleteLine() throws {
        let live = try LiveGroups()
        let source = try live.addSource(named: "api")
        try source.append("{\"app\":\"a\",\"aps\":{\"al")
        try source.add(Self.push("b", 100_000_000_001))
        try source.append("ert\":\"x\"}}")
        #expect(live.snapshot().map(\.app) == ["b"])
        try source.finish()
        #expect(live.snapshot().map { "\($0.app) \($0.leading.line)" } == ["a 2", "b 1"])
        #expect(throws: LiveError.sourceFinished(name: "api")) { try source.append("\n") }
        #expect(throws: LiveError.sourceFinished(name: "api")) { try source.finish() }
        #expect(throws: LiveError.sourceFinished(name: "api")) { try source.add(Push(app: "a")) }
    }

    // MARK: - Delivery

    @Test func settingsApplyToNewerPushesOnly() throws {
        var options = LiveOptions()
        options.delivery = true
        options.profile = .ios15
        let live = try LiveGroups(options)
        let source = try live.addSource(named: "api")
        var push = Push(app: "a")
        push.body = "x"
        push.sound = "default"
        push.isMutable = true
        for (time, level) in [(1, "active"), (2, "critical"), (3, "passive"), (4, "time-sensitive")] {
            push.timestamp = 100_000_000_000 + Int64(time)
            push.interruptionLevel = level
            try source.add(push)
        }
        func delivery() -> GroupSnapshot.DeliveryCounts? { live.group(app: "a")?.delivery }
        #expect(
            delivery()
                == GroupSnapshot.DeliveryCounts(
                    critical: 1, timeSensitive: 1, active: 1, passive: 1, banners: 3, sounds: 3, mutable: 0))
        var change = SettingsChange(app: "a", DeliverySettings())
        change.settings.delivery = .quiet
        change.settings.serviceExtension = true
        change.timestamp = 100_000_000_001
        #expect(try source.add(change).isEmpty)
        #expect(delivery()?.banners == 2 && delivery()?.sounds == 2 && delivery()?.mutable == 3)
        change = SettingsChange(app: nil, DeliverySettings())
        change.settings.delivery = .off
        change.timestamp = 100_000_000_000
        #expect(try source.add(change).isEmpty)
        #expect(live.group(app: "a")?.count == 3)
        change.app = "a"
        change.settings.delivery = .criticalOnly
        change.timestamp = 100_000_000_002
        #expect(try source.add(change).isEmpty)
        #expect(live.group(app: "a")?.count == 1)
        #expect(live.statistics().delivery?.suppressed == 3)
        change.settings.delivery = .prominent
        #expect(try source.add(change).isEmpty)
        #expect(live.group(app: "a")?.count == 3)
        #expect(try source.add(SettingsChange(app: "a")).map(\.reason) == [.settingsInvalid])
    }

    /// A person chooses how notifications are grouped and shown, also after they have come.
    @Test func changesApplyToGroupsOnScreen() async throws {
        var options = LiveOptions()
        options.delivery = true
        options.locked = true
        let live = try LiveGroups(options)
        let source = try live.addSource(named: "api")
        var push = Push(app: "a")
        var arrivals = live.arrivals(app: "a", thread: "t").makeAsyncIterator()
        for time in 1...4 as ClosedRange<Int64> {
            push.timestamp = 100_000_000_000 + time
            (push.thread, push.body) = (time % 2 == 0 ? "t" : "u", "\(time)")
            try source.add(push)
        }
        #expect(live.count == 2)
        var change = SettingsChange(app: "a")
        change.grouping = .byApp
        change.timestamp = 100_000_000_001
        #expect(try source.add(change).isEmpty)
        #expect(live.group(app: "a", thread: "u")?.count == 1)
        #expect(live.group(app: "a", thread: "t") == nil)
        #expect(live.group(app: "a")?.count == 3)
        #expect(live.group(app: "a")?.display.body == "4")
        change.grouping = .off
        change.timestamp = 100_000_000_003
        change.showPreviews = .whenAuthenticated
        #expect(try source.add(change).isEmpty)
        #expect(live.count == 3)
        #expect(live.group(app: "a")?.display.body == "3")
        #expect(live.group(app: "a", thread: "t")?.display.body == "Notification")
        // Of those with the thread, the first two came before the changes, the third one is alone.
        push.timestamp = 100_000_000_005
        (push.thread, push.body) = ("t", "5")
        try source.add(push)
        for body in ["2", "4", "5"] { #expect(await arrivals.next()?.notification.body == body) }
        #expect(live.group(app: "a", thread: "t")?.leading.body == "5")
    }

    /// A group is shown in the locale of its leading notification, and so is a notification that arrives.
    @Test func textsAreInTheLocaleOfTheDevice() async throws {
        var options = LiveOptions()
        options.delivery = true
        options.byDevice = true
        options.configuration = try Configuration(
            contentsOf: Repository.root + "/Data/languages/config.json")
        let live = try LiveGroups(options)
        let source = try live.addSource(named: "api")
        func send(_ time: Int64, to device: String) throws {
            let alert = #"{"title-loc-key":"INVITATION_TITLE","title-loc-args":["Blitz"],"body":"x"}"#
            try source.append(
                #"{"app":"com.example.chess","device":"\#(device)","ts":\#(time),"aps":{"alert":\#(alert)}}"#
                    + "\n")
        }
        func change(_ time: Int64, _ device: String, _ locale: String) throws {
            var change = SettingsChange(app: nil)
            (change.device, change.timestamp) = (device, time * 1_000)
            change.locale = LocaleIdentifier(locale)
            #expect(try source.add(change).isEmpty == (locale != "xx"))
        }
        func title(_ device: String) -> String? {
            live.group(app: "com.example.chess", device: device)?.display.title
        }
        var arrivals = live.arrivals(app: "com.example.chess", device: "r").makeAsyncIterator()
        try change(1_700_000_000, "r", "ru")
        for device in ["r", "e"] { try send(1_700_000_001, to: device) }
        #expect(title("e") == "Invitation to Blitz")
        #expect(title("r") == "Приглашение: Blitz")
        #expect(await arrivals.next()?.notification.title == "Приглашение: Blitz")
        try send(1_700_000_002, to: "r")
        #expect(live.group(app: "com.example.chess", device: "r")?.summary?.text == "Ещё 1 уведомление")
        // A change that comes late counts for what is newer than it.
        try change(1_700_000_001, "r", "he")
        #expect(live.group(app: "com.example.chess", device: "r")?.summary?.text == "עוד עדכון אחד")
        try change(1_700_000_003, "r", "ja")
        #expect(live.group(app: "com.example.chess", device: "r")?.summary?.text == "עוד עדכון אחד")
        try change(1_700_000_003, "r", "xx")
        try change(1_700_000_000, "e", "ru")
        #expect(title("e") == "Приглашение: Blitz")
    }

    // MARK: - Limits

    @Test func aSourceHasALastLine() throws {
        var options = LiveOptions()
        options.maximumLine = 1_024
        let live = try LiveGroups(options)
        let line = "{\"app\":\"a\",\"aps\":{\"alert\":\"x\"}}\n"
        // A chunk of lines is taken only if all of them could have numbers.
        let source = try live.addSource(named: "log", firstLine: OrderKey.maximumLines - 80_000)
        let lines = String(repeating: line, count: 1_000)
        var taken = 0
        do {
            for _ in 0..<80 {
                try source.append(lines)
                taken += 1_000
            }
            Issue.record("all lines were taken")
        } catch .tooManyLines(let name, _) {
            #expect(name == "log" && taken > 10_000)
        } catch {
            Issue.record(error)
        }
        #expect(live.group(app: "a")?.count ?? 0 >= taken)
        let next = try live.addSource(named: "next")
        try next.append(line)
        #expect(live.group(app: "a")?.leading.source == "next")
    }

    @Test func noMoreRecordsAreTakenAtTheLimit() throws {
        var options = LiveOptions()
        options.memory = 4 << 20
        let live = try LiveGroups(options)
        let source = try live.addSource(named: "log")
        let text = (0..<60_000).map {
            "{\"app\":\"a\",\"ts\":\(1_700_000_000 + $0),\"apns-id\":\"\($0)\",\"aps\":{\"alert\":\"x\",\"thread-id\":\"\($0)\"}}\n"
        }.joined()
        let bytes = Array(text.utf8)
        var taken = Self.taken(bytes[...], by: source)
        #expect(taken < bytes.count)
        #expect(live.heldBytes >= options.memory && live.heldBytes < 2 * options.memory)
        #expect(throws: LiveError.memoryLimit(options.memory, taken: 0)) { try source.add(Push(app: "a")) }
        // What was taken is there, except for the records of the last chunk that wait for room.
        let lines = bytes[..<taken].count { $0 == UInt8(ascii: "\n") }
        #expect(live.count <= lines && live.count > lines / 2)
        var removals: UInt64 = 0
        // Removing makes room: the remainder can then be taken.
        while taken < bytes.count {
            try source.add(Removal(app: "a", .app, at: 2_000_000_000_000))
            removals += 1
            let count = Self.taken(bytes[taken...], by: source)
            try #require(count > 0)
            taken += count
        }
        #expect(live.statistics().records == 60_000 + removals)
        #expect(live.statistics().rejectedTotal == 0)
    }

    /// Adds bytes, and returns the number of those that were taken.
    private static func taken(_ bytes: ArraySlice<UInt8>, by source: LiveSource) -> Int {
        do {
            try source.append(Array(bytes).span)
            return bytes.count
        } catch .memoryLimit(_, let count) {
            return count
        } catch {
            Issue.record(error)
            return 0
        }
    }

    /// A removal makes room, even if the removed notifications might have had newer versions.
    @Test func removedVersionsMakeRoom() throws {
        var options = LiveOptions()
        options.memory = 4 << 20
        let live = try LiveGroups(options)
        let source = try live.addSource(named: "api")
        var count: Int64 = 0
        func fill() {
            while count < 1_000_000 {
                let push = Self.push("a", 1_700_000_000_000 + count, collapseID: "\(count)")
                do {
                    try source.add(push)
                } catch {
                    return
                }
                count += 1
            }
        }
        fill()
        let first = count
        #expect(first > 1_000)
        for _ in 0..<3 {
            let before = count
            try source.add(Removal(app: "a", .app, at: 1_700_000_000_000 + count))
            fill()
            #expect(count - before > first / 2)
        }
    }

    /// The version of another thread was replaced, and does not come back when it is added late.
    @Test func versionsThatWereRemovedWithTheirThreadStayReplaced() throws {
        var options = LiveOptions()
        options.memory = 4 << 20
        let live = try LiveGroups(options)
        let source = try live.addSource(named: "api")
        try source.add(Self.push("b", 1_700_000_000_010, thread: "t", collapseID: "c"))
        try source.add(Removal(app: "b", .thread("t"), at: 1_700_000_000_020))
        for number in 0..<1_000_000 {
            let push = Self.push("a", 1_700_000_000_000, collapseID: "\(number)")
            guard (try? source.add(push)) != nil else { break }
        }
        try source.add(Removal(app: "a", .app, at: 1_700_000_000_020))
        try source.add(Self.push("b", 1_700_000_000_001, thread: "s", collapseID: "c"))
        #expect(live.heldBytes < options.memory / 2)
        #expect(live.count == 0)
    }

    /// The bad line is before the limit is reached, and the other one after it.
    @Test func rejectsAreNotLostAtTheLimit() throws {
        var options = LiveOptions()
        options.memory = 1 << 20
        let live = try LiveGroups(options)
        let source = try live.addSource(named: "log")
        let line = "{\"app\":\"a\",\"ts\":1700000000,\"aps\":{\"alert\":\"x\"}}\n"
        let text = "bad\n" + String(repeating: line, count: 60_000) + "worse\n"
        let bytes = Array(text.utf8)
        let taken = Self.taken(bytes[...], by: source)
        #expect(taken < bytes.count)
        // Whatever has no room, a source can be finished once its line is complete.
        try source.add(Removal(app: "a", .app, at: 1_800_000_000_000))
        var rejects: [LiveReject] = []
        var start = taken
        while start < bytes.count {
            do {
                rejects += try source.append(Array(bytes[start...]).span)
                start = bytes.count
            } catch .memoryLimit(_, let count) {
                start += count
                rejects += try source.add(Removal(app: "a", .app, at: 1_800_000_000_000 + Int64(start)))
            } catch {
                throw error
            }
        }
        rejects += try source.finish()
        // The removal of the first call has returned the first one.
        #expect(rejects.map { String(decoding: $0.text, as: UTF8.self) } == ["worse"])
        #expect(live.statistics().rejectedTotal == 2)
    }

    /// One line may have very many records.
    @Test func aLineWithManyRecordsStopsAtTheLimit() throws {
        var options = LiveOptions()
        options.memory = 4 << 20
        options.byDevice = true
        options.input = try #require(LogInput(named: "gorush"))
        let live = try LiveGroups(options)
        let source = try live.addSource(named: "log")
        let tokens = (0..<20_000).map { "\"\($0)\"" }.joined(separator: ",")
        let body = String(repeating: "x", count: 1_000)
        let line =
            "{\"tokens\":[\(tokens)],\"platform\":1,\"topic\":\"a\",\"message\":\"\(body)\"}\n"
        try source.append(line)
        #expect(live.heldBytes < 2 * options.memory)
        #expect(throws: LiveError.memoryLimit(options.memory, taken: 0)) { try source.append("\n") }
        var calls = 0
        while live.statistics().records < 20_000, calls < 100 {
            try source.add(Removal(app: "a", .app, at: Int64(calls)))
            calls += 1
        }
        #expect(live.statistics().records > 20_000)
    }

    @Test(arguments: [false, true]) func updatesTakeNoMoreMemory(_ appliesRemovals: Bool) throws {
        var options = LiveOptions()
        options.appliesRemovals = appliesRemovals
        let live = try LiveGroups(options)
        let source = try live.addSource(named: "api")
        var held = 0
        for round in 0..<40_000 {
            var push = Self.push("a", 1_700_000_000_000 + Int64(round), collapseID: "score\(round % 10)")
            push.body = String(repeating: "\(round) ", count: 1 + round % 9)
            try source.add(push)
            if round == 4_000 { held = live.heldBytes }
        }
        #expect(live.heldBytes <= 2 * held)
        #expect(live.count == 1 && live.group(app: "a")?.count == 10)
    }

    @Test func invalidOptionsAreErrors() {
        var options = LiveOptions()
        options.maximumArguments = 0
        #expect(throws: ReplayError.self) { try LiveGroups(options) }
        options = LiveOptions()
        options.memory = 0
        #expect(throws: ReplayError.self) { try LiveGroups(options) }
    }
}
