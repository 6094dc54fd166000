import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// Delivery in snapshots of several instants, in the other formats, in windows of time, and in files that do not fit
/// together.
@Suite struct DeliveryFormatTests {
    private typealias Logs = DeliveryReplayTests

    private static let lines = [
        Logs.push(1), Logs.push(2, Logs.critical), Logs.set(3, Logs.off), Logs.push(4),
        Logs.set(5, Logs.quiet),
        Logs.push(6, Logs.mutable),
    ]

    private static func replay(
        _ lines: [String] = lines, _ change: (inout ReplayOptions) -> Void = { _ in }
    ) async throws -> (text: String, statistics: Statistics) {
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        options.delivery = true
        change(&options)
        let storage = MemoryStorage(["log": .file(Array(lines.joined().utf8))])
        let statistics = try await run(options, on: storage).get()
        return (RandomLog.text(storage["out"]), statistics)
    }

    /// Returns the instants and numbers of the lines of a snapshot.
    private static func shown(_ text: String) -> [String] {
        text.split(separator: "\n").map { line in
            let at = line.firstMatch(of: #/"at":(\d+)/#).map { "\($0.1): " } ?? ""
            let count = line.firstMatch(of: #/"count":(\d+)/#).map { "\($0.1)" } ?? "none"
            let delivery = line.firstMatch(of: #/"delivery":\{([^}]*)\}/#).map { match in
                " of " + match.1.matches(of: #/\d+/#).map { String($0.0) }.joined(separator: " ")
            }
            return at + count + (delivery ?? "")
        }
    }

    @Test(arguments: [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [2, 4, 0, 5, 1, 3]])
    func eachSnapshotHasTheDeliveryAsOfItsInstant(_ order: [Int]) async throws {
        let (text, statistics) = try await Self.replay(order.map { Self.lines[$0] }) {
            $0.every = Timeline(step: 1_000)
        }
        // Nothing changes at 3, 4 and 5.
        #expect(
            Self.shown(text) == [
                "1000: 1 of 0 0 1 0 1 1 0", "2000: 2 of 1 0 1 0 2 2 0", "6000: 3 of 1 0 2 0 2 2 0",
            ])
        #expect(
            statistics.delivery
                == .init(settings: 2, suppressed: 1, banners: 2, sounds: 2, modified: 0, expired: 0))
    }

    @Test func aGroupIsEmptiedByASuppressedVersion() async throws {
        let lines = [
            Logs.push(1, collapse: "c"), Logs.set(2, Logs.off), Logs.push(3, collapse: "c"),
            Logs.set(4, Logs.quiet), Logs.push(5, collapse: "c"), Logs.push(2, Logs.passive, app: "b"),
        ]
        let (text, statistics) = try await Self.replay(lines) {
            $0.every = Timeline(step: 1_000)
            $0.profile = .ios15
        }
        #expect(
            Self.shown(text) == [
                "1000: 1 of 0 0 1 0 1 1 0", "2000: 1 of 0 0 0 1 0 0 0", "3000: 0", "5000: 1 of 0 0 1 0 0 0 0",
            ])
        #expect(
            statistics.delivery
                == .init(settings: 2, suppressed: 0, banners: 1, sounds: 1, modified: 0, expired: 0))
        #expect(statistics.updated == 2)
    }

    @Test func csvHasColumns() async throws {
        let (text, _) = try await Self.replay { $0.format = .csv }
        let lines = text.components(separatedBy: "\r\n")
        let names = "critical time_sensitive active passive banners sounds mutable"
        #expect(
            lines[0].hasSuffix(
                ",last_ms," + names.split(separator: " ").map { "delivery_\($0)" }.joined(separator: ",")))
        #expect(lines[1].hasSuffix(",1000,6000,1,0,2,0,2,2,0"))
        let (plain, _) = try await Self.replay {
            $0.format = .csv
            $0.delivery = false
        }
        #expect(plain.components(separatedBy: "\r\n")[0].hasSuffix(",last_ms"))
    }

    @Test func emptiedGroupsHaveAsManyCells() async throws {
        let removal = #"{"event":"removed","app":"a","ts":9}"# + "\n"
        for delivery in [false, true] {
            let (text, _) = try await Self.replay(Self.lines + [removal]) {
                $0.format = .csv
                $0.every = Timeline(step: 1_000)
                $0.appliesRemovals = true
                $0.delivery = delivery
            }
            let lines = text.components(separatedBy: "\r\n").dropLast()
            #expect(lines.last?.hasPrefix("9000,a,,0,") == true)
            let cells = lines.map { $0.replacing(#/"(?:[^"]|"")*"/#, with: "") }
            let counts = Set(cells.map { line in line.count { $0 == "," } })
            #expect(counts.count == 1, "\(counts)")
        }
    }

    @Test func textShowsNothingOfIt() async throws {
        let prominent = [Self.lines[0], Self.lines[1]]
        let (text, _) = try await Self.replay(prominent) { $0.format = .text(TextStyle()) }
        let (plain, _) = try await Self.replay(prominent) {
            $0.format = .text(TextStyle())
            $0.delivery = false
        }
        #expect(text == plain)
    }

    /// What is set before a window holds during it.
    @Test func aWindowHasTheSettingsBeforeIt() async throws {
        let (text, statistics) = try await Self.replay {
            $0.since = 4_000
            $0.until = 4_500
        }
        #expect(text == "")
        #expect(statistics.delivery == .init(settings: 1, suppressed: 1, modified: 0, expired: 0))
        #expect(statistics.outsideWindow == .init(earlier: 2, later: 2))
        #expect(statistics.records == 6)
    }

    @Test func statisticsHaveTheirNumbers() async throws {
        let (_, statistics) = try await Self.replay()
        let json = RandomLog.text(statistics.json())
        #expect(
            json.contains(
                #""otherPlatform":0,"settings":2,"suppressed":1,"banners":2,"sounds":2,"modified":0,"expired":0,"untimed":0"#
            ))
        #expect(statistics.grouped == 3)
    }

    // MARK: - Files

    private static func partial(_ change: (inout ReplayOptions) -> Void) -> [UInt8] {
        MergedParts.partial(lines.map { String($0.dropLast()) }, change)
    }

    @Test func filesWithAndWithoutAreNotMerged() {
        let files: [String: MemoryStorage.Entry] = [
            "with": .file(Self.partial { $0.delivery = true }), "without": .file(Self.partial { _ in }),
            "configured": .file(Self.partial { $0.settings.delivery.sounds = true }),
        ]
        for paths in [["with", "without"], ["without", "with"]] {
            let (error, isUntouched) = MergedParts.merge(paths, files)
            #expect(
                error
                    == .usage(
                        "'\(paths[1])' and '\(paths[0])' can't be merged: 'with' was written with \(.delivery) or a "
                            + "configuration of delivery, 'without' without"))
            #expect(isUntouched)
        }
        #expect(MergedParts.merge(["with", "configured"], files).error == nil)
        let (error, isUntouched) = MergedParts.merge(["without"], files) {
            $0.settings.delivery.delivery = .quiet
        }
        #expect(
            error
                == .usage(
                    "the configuration has settings of delivery, but 'without' was written without \(.delivery)"
                ))
        #expect(isUntouched)
    }

    /// Only the traits are stored, so that what was configured then makes no difference.
    @Test func partialResultsDoNotDependOnTheConfiguration() {
        let expected = Self.partial { $0.delivery = true }
        for delivery in DeliverySettings.Delivery.allCases {
            #expect(Self.partial { $0.settings.delivery.delivery = delivery } == expected)
        }
        #expect(
            Self.partial {
                $0.delivery = true
                $0.profile = .ios15
            } == expected)
        #expect(Self.partial { _ in } != expected)
    }

    struct Damage: NamedCase {
        let name: String
        /// Records of the section of notifications.
        let records: [[UInt8]]
        var flags: UInt64 = 32
        var isValid = false
    }

    private static let change: [UInt8] = [4, 0, 1, 0x61, 3, 0, 0, 1]

    static let damages = [
        Damage(name: "a change", records: [change], isValid: true),
        Damage(name: "two changes", records: [change, [4, 0, 1, 0x61, 3, 2, 0, 1]], isValid: true),
        Damage(name: "changes out of order", records: [[4, 0, 1, 0x61, 3, 2, 0, 1], change]),
        Damage(name: "a change twice", records: [change, change]),
        Damage(name: "a change of nothing", records: [[4, 0, 1, 0x61, 0, 0, 0, 1]]),
        Damage(name: "a change of unknown settings", records: [[4, 0, 1, 0x61, 7, 0, 0, 1]]),
        Damage(name: "a change of a source that does not exist", records: [[4, 0, 1, 0x61, 3, 0, 1, 1]]),
        Damage(name: "a change in a file that has only removals", records: [change], flags: 8),
        Damage(name: "a removal in a file that has only changes", records: [[0, 0, 1, 0x61, 0, 0, 0, 1]]),
        Damage(
            name: "a change after a removal", records: [[0, 0, 1, 0x61, 0, 0, 0, 1], change], flags: 40),
        Damage(
            name: "a change before a removal", records: [change, [0, 0, 1, 0x61, 0, 0, 0, 1]], flags: 40,
            isValid: true),
        Damage(
            name: "a change of all apps after that of one", records: [change, [4, 0, 0, 3, 0, 0, 1]]),
        Damage(name: "an unknown kind of record", records: [[5, 0, 1, 0x61, 3, 0, 0, 1]]),
    ]

    @Test(arguments: damages) func otherRecordsAreDamage(_ damage: Damage) throws {
        let empty = MergedParts.partial([]) {
            $0.delivery = damage.flags & 32 != 0
            $0.appliesRemovals = damage.flags & 8 != 0
        }
        var frames = try FrameFile.frames(empty, magic: .positional).get()
        try #require(frames.map(\.kind) == [1, 4])
        var payload = OutputBuffer()
        for record in damage.records { payload.appendText(record.span) }
        frames.insert(Frame(kind: 2, payload: StateText.copy(payload)), at: 1)
        let bytes = try FrameFile.bytes(frames, magic: .positional)
        let (error, isUntouched) = MergedParts.merge(["bad"], ["bad": .file(bytes)])
        if damage.isValid {
            #expect(error == nil)
        } else if case .damaged("bad", .content, _) = error {
            #expect(isUntouched)
        } else {
            Issue.record("\(String(describing: error))")
        }
    }

    /// All notifications of such a file are kept one by one.
    @Test func groupsInAFileAreDamage() throws {
        var frames = try FrameFile.frames(MergedParts.good, magic: .positional).get()
        let tracked = MergedParts.partial(MergedParts.lines) { $0.delivery = true }
        frames[0] = try FrameFile.frames(tracked, magic: .positional).get()[0]
        frames.remove(at: 1)
        let bytes = try FrameFile.bytes(frames, magic: .positional)
        let (error, _) = MergedParts.merge(["bad"], ["bad": .file(bytes)])
        guard case .damaged("bad", .content, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
