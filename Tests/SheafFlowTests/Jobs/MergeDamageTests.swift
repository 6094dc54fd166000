import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Damaged partial results: the error names the file, and nothing is written.
@Suite(.tags(.spilling)) struct MergeDamageTests {
    private static func mergeWithGood(_ bytes: [UInt8]) -> (error: ReplayError?, isUntouched: Bool) {
        MergedParts.merge(
            ["good", "bad"], ["good": .file(MergedParts.good), "bad": .file(bytes), "out": .file([1])])
    }

    @Test func theUndamagedFileIsMerged() {
        #expect(MergedParts.good.count > 150)
        #expect(Self.mergeWithGood(MergedParts.good).error == nil)
    }

    @Test(arguments: [UInt8(0x10), 0xff])
    func everyChangedByteIsDetected(_ mask: UInt8) {
        for index in MergedParts.good.indices {
            var bytes = MergedParts.good
            bytes[index] ^= mask
            let (error, isUntouched) = Self.mergeWithGood(bytes)
            guard case .damaged("bad", let damage, let offset) = error, isUntouched else {
                Issue.record("byte \(index): \(String(describing: error))")
                continue
            }
            #expect(offset <= UInt64(bytes.count))
            #expect((damage == .version(bytes[5])) == (index == 5), "byte \(index)")
        }
    }

    /// The error for a file without bytes.
    private static let isEmpty: ReplayError? = .notPartial(path: "bad", holds: "no data")

    @Test func everyTruncationIsDetected() {
        let (error, isUntouched) = Self.mergeWithGood([])
        #expect(error == Self.isEmpty && isUntouched)
        for count in MergedParts.good.indices.dropFirst() {
            let (error, isUntouched) = Self.mergeWithGood(Array(MergedParts.good[..<count]))
            guard case .damaged("bad", let damage, let offset) = error, isUntouched else {
                Issue.record("\(count) bytes: \(String(describing: error))")
                continue
            }
            #expect(damage == (count < 8 ? .foreign : .truncated), "\(count) bytes")
            #expect(offset <= UInt64(count))
        }
    }

    /// A truncated compressed file is damaged where its data ends.
    @Test func everyTruncationOfACompressedFileIsDetected() throws {
        let compressed = gzip(MergedParts.good)
        #expect(Self.mergeWithGood(compressed).error == nil)
        for count in compressed.indices {
            let (error, isUntouched) = Self.mergeWithGood(Array(compressed[..<count]))
            switch error {
            case .damaged("bad", _, _) where isUntouched: continue
            case Self.isEmpty where isUntouched && count == 0: continue
            // Only the ends of a block and of the member are missing, which follow all frames.
            case nil: #expect(count >= compressed.count - 12)
            default: Issue.record("\(count) bytes: \(String(describing: error))")
            }
        }
    }

    /// Changed records in intact frames, so that only their content can reveal the change: they are reported as damage,
    /// do not fit, or are merged. Nothing traps.
    @Test(arguments: Seeds.several(3))
    func changedRecordsNeverTrap(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let frames = try FrameFile.frames(MergedParts.good, magic: .positional).get()
        var outcomes: [String: Int] = [:]
        for _ in 0..<120 {
            var changed = frames
            for _ in 0...random.below(3) {
                let index = random.below(changed.count)
                random.change(&changed[index].payload)
                if random.chance(4) { changed.remove(at: index) }
                if random.chance(4), !changed.isEmpty {
                    changed.insert(random.pick(frames), at: random.below(changed.count))
                }
                if changed.isEmpty { changed = frames }
            }
            let bytes = try FrameFile.bytes(changed, magic: .positional)
            let paths = random.pick([["bad"], ["good", "bad"], ["bad", "good"]])
            let (error, isUntouched) = MergedParts.merge(
                paths, ["good": .file(MergedParts.good), "bad": .file(bytes)]
            ) {
                $0.order = random.pick([.key, .recent])
                $0.partial = random.chance(30) ? "out" : nil
                $0.spillsAlways = random.chance(50)
            }
            switch error {
            case nil: outcomes["merged", default: 0] += 1
            case .damaged("bad", .content, _): outcomes["damaged", default: 0] += 1
            case .usage: outcomes["usage", default: 0] += 1
            case .some(let error): Issue.record("\(error)")
            }
            #expect(error == nil || isUntouched)
        }
        #expect(outcomes["damaged"] ?? 0 > 0, "\(outcomes)")
    }

    /// A merged result must be readable again: sums that exceed the format's limit are refused.
    @Test(arguments: [1, 300]) func sumsAboveTheMaximumAreRefused(_ count: Int) throws {
        var frames = try FrameFile.frames(MergedParts.good, magic: .positional).get()
        frames[3] = Self.counts {
            $0.tally.notifications = 3
            $0.bytesRead = 1 << 56
        }
        let bytes = try FrameFile.bytes(frames, magic: .positional)
        let paths = (0..<count).map { "many/\($0)" }
        var entries: [String: MemoryStorage.Entry] = ["good": .file(MergedParts.good), "many": .folder]
        for path in paths { entries[path] = .file(bytes) }
        let (error, isUntouched) = MergedParts.merge(paths + ["good"], entries)
        let last = count == 1 ? "good" : "many/1"
        let message = "can't be merged: together with the preceding files, its counts exceed the maximum"
        #expect(error == .usage("'\(last)' \(message)"))
        #expect(isUntouched)
        #expect(MergedParts.merge(paths.suffix(1), entries).error == nil)
    }

    /// Sums of weights are capped at their limit, both in a snapshot and in a partial result that is merged again.
    @Test(arguments: ["again", nil]) func sumsOfWeightsAreCapped(_ partial: String?) throws {
        func file(weight: UInt64) throws -> [UInt8] {
            var group = OutputBuffer()
            group.appendNumber(0)
            for text in ["", "a", ""] { group.appendText(Array(text.utf8).span) }
            for number in [8, 0, 1, 1] as [UInt64] { group.appendNumber(number) }
            for _ in 0..<6 { group.appendNumber(0) }
            // One millisecond older, and one tally of one notification.
            for number in [1, 1, 0, 1, weight, 1, 6, 0, 2, 0] as [UInt64] { group.appendNumber(number) }
            let groups = Self.record(3) { $0.append(group.bytes) }
            let counts = Self.counts { $0.tally.notifications = 2 }
            return try FrameFile.bytes([Self.header(["log"]), groups, counts], magic: .positional)
        }
        func total(_ weights: [UInt64]) throws -> String {
            var entries: [String: MemoryStorage.Entry] = [:]
            for (index, weight) in weights.enumerated() {
                entries["\(index)"] = .file(try file(weight: weight))
            }
            let storage = MemoryStorage(entries)
            var sources = entries.keys.sorted()
            if let partial {
                var options = ReplayOptions(sources: sources)
                options.partial = partial
                _ = try Merge(options, storage: storage).run()
                sources = [partial]
            }
            var options = ReplayOptions(sources: sources)
            options.output = "out"
            _ = try Merge(options, storage: storage).run()
            let snapshot = String(decoding: try #require(storage["out"]), as: UTF8.self)
            return String(try #require(snapshot.firstMatch(of: /"total":(\d+)/)?.1))
        }
        // Each leading notification has a weight of 1.
        #expect(try total([1 << 55]) == "36028797018963969")
        #expect(try total([1 << 56]) == "72057594037927936")
        #expect(try total([1 << 55 - 1, 1 << 55 - 2]) == "72057594037927935")
        #expect(try total([1 << 55 - 1, 1 << 55 - 1]) == "72057594037927936")
        #expect(try total([1 << 56, 1 << 56, 1 << 56]) == "72057594037927936")
    }

    /// The header gives an app a different grouping than its records have.
    @Test(arguments: [Grouping.automatic, .byApp, .off], [Grouping.automatic, .byApp, .off])
    func recordsMustMatchTheGroupingInTheHeader(_ written: Grouping, _ stated: Grouping) throws {
        for line in [
            #"{"app":"a","ts":1,"collapse-id":"c","aps":{"alert":"x"}}"#,
            #"{"app":"a","ts":1,"aps":{"alert":"x"}}"#,
            #"{"app":"a","ts":1,"aps":{"alert":"x","thread-id":"t"}}"#,
        ] {
            let partial = MergedParts.partial([line]) {
                $0.settings.apps["a", default: AppSettings()].grouping = written
            }
            var frames = try FrameFile.frames(partial, magic: .positional).get()
            frames[0] = Self.header(["log"]) { header in
                if stated != .automatic { header.groupings = [.init(app: "a", grouping: stated)] }
            }
            let bytes = try FrameFile.bytes(frames, magic: .positional)
            let (error, isUntouched) = MergedParts.merge(["bad"], ["bad": .file(bytes)])
            // A group without a thread is the same with `byApp` and `automatic`.
            let isGroup = !line.contains("collapse-id")
            let isSame = isGroup && (written == .byApp || !line.contains("thread-id"))
            if stated == written || isSame && written != .off && stated != .off {
                #expect(error == nil, "\(line)")
            } else if case .damaged("bad", .content, _) = error {
                #expect(isUntouched)
            } else {
                Issue.record("\(line): \(String(describing: error))")
            }
        }
    }

    struct Contents: NamedCase {
        let name: String
        let change: @Sendable (inout [Frame]) throws -> Void
    }

    private static func counts(_ change: (inout RunCounts) -> Void) -> Frame {
        var counts = RunCounts()
        change(&counts)
        return record(4) { counts.append(to: &$0, input: InputIdentity()) }
    }

    private static func header(_ sources: [String], _ change: (inout PartialHeader) -> Void = { _ in })
        -> Frame
    {
        var header = ReplayOptions(sources: []).header(of: SourceTable(paths: sources))
        change(&header)
        return record(1) { header.append(to: &$0) }
    }

    private static func record(_ kind: UInt8, _ body: (inout OutputBuffer) -> Void) -> Frame {
        var record = OutputBuffer()
        body(&record)
        var frame = OutputBuffer()
        frame.appendText(record.bytes)
        return Frame(kind: kind, payload: StateText.copy(frame))
    }

    /// Frames of the good file: header, notifications, groups, counts.
    static let contents = [
        Contents(name: "no header") { $0.removeFirst() },
        Contents(name: "two headers") { $0.insert($0[0], at: 0) },
        Contents(name: "no counts") { $0.removeLast() },
        Contents(name: "two counts") { $0.append($0[3]) },
        Contents(name: "groups before notifications") { $0.swapAt(1, 2) },
        Contents(name: "an unknown section") { $0[1].kind = 5 },
        Contents(name: "no sources") { $0[0] = header([]) },
        Contents(name: "no arguments kept") { $0[0] = header(["log"]) { $0.maximumArguments = 0 } },
        Contents(name: "fewer notifications counted") {
            $0[3] = counts { $0.tally.notifications = 0 }
        },
        Contents(name: "fewer notifications counted than in both sections") {
            $0[3] = counts { $0.tally.notifications = 2 }
        },
        Contents(name: "a default input that is written") {
            $0[0] = record(1) { output in
                ReplayOptions(sources: []).header(of: SourceTable(paths: ["log"])).append(to: &output)
                for text in ["auto", ""] { output.appendText(text) }
                output.appendNumber(0)
            }
        },
        Contents(name: "an input that is cut off") {
            $0[0] = record(1) { output in
                ReplayOptions(sources: []).header(of: SourceTable(paths: ["log"])).append(to: &output)
                output.appendText("fcm")
            }
        },
        Contents(name: "an unknown flag of the input") { $0[0] = input(flags: 64) },
        Contents(name: "a time that is cut off") { $0[0] = input(flags: 2) },
        Contents(name: "records before no time") { $0[3] = counts { $0.tally.earlier = 1 } },
        Contents(name: "records after no time") { $0[3] = counts { $0.tally.later = 1 } },
        Contents(name: "no records outside, but their numbers") {
            $0[3] = record(4) { output in
                var counts = RunCounts()
                counts.tally.notifications = 3
                counts.append(to: &output, input: InputIdentity())
                for _ in 0..<3 { output.appendNumber(0) }
            }
        },
        Contents(name: "no records for other platforms, but their number") {
            $0[3] = record(4) { output in
                var counts = RunCounts()
                counts.tally.notifications = 3
                counts.append(to: &output, input: InputIdentity())
                output.appendNumber(0)
            }
        },
        Contents(name: "more updates than notifications") { $0[3] = counts { $0.updated = 4 } },
        Contents(name: "more blank lines than lines") { $0[3] = counts { $0.tally.blank = 1 } },
        Contents(name: "a sum that can't be added to") { $0[3] = counts { $0.tally.lines = 1 << 56 + 1 } },
        Contents(name: "damage of a source that does not exist") {
            $0[3] = counts {
                $0.damages = [
                    .init(source: 1, damage: SourceDamage(reason: .truncated, offset: 1))
                ]
            }
        },
        Contents(name: "damage without sources") {
            $0 = [
                header([]),
                counts {
                    $0.damages = [.init(source: 0, damage: SourceDamage(reason: .truncated, offset: 1))]
                },
            ]
        },
    ]

    /// Returns a header with an input that ends after its flags.
    private static func input(flags: UInt64) -> Frame {
        record(1) { output in
            ReplayOptions(sources: []).header(of: SourceTable(paths: ["log"])).append(to: &output)
            output.appendText("fcm")
            output.appendText("")
            output.appendNumber(flags)
        }
    }

    @Test(arguments: contents)
    func inconsistentContentsAreDamage(_ item: Contents) throws {
        var frames = try FrameFile.frames(MergedParts.good, magic: .positional).get()
        try #require(frames.map(\.kind) == [1, 2, 3, 4])
        try item.change(&frames)
        let (error, isUntouched) = Self.mergeWithGood(try FrameFile.bytes(frames, magic: .positional))
        guard case .damaged("bad", .content, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(isUntouched)
    }

    /// Records are counted, and a line may have several. The first reject keeps its index.
    @Test func countsOfLinesWithSeveralRecordsAreMerged() throws {
        var frames = try FrameFile.frames(MergedParts.good, magic: .positional).get()
        frames[3] = Self.counts {
            $0.tally.lines = 3
            $0.tally.blank = 1
            $0.tally.notifications = 3
            $0.tally.silent = 1
            $0.tally.otherPlatform = 5
            $0.tally.reject(.appMissing, source: 0, line: 2, index: 1)
        }
        let storage = MemoryStorage([
            "several": .file(try FrameFile.bytes(frames, magic: .positional)),
            "good": .file(MergedParts.good),
        ])
        var options = ReplayOptions(sources: ["several", "good"])
        options.partial = "both"
        let statistics = try Merge(options, storage: storage).run()
        #expect(statistics.lines == 7 && statistics.blank == 1 && statistics.linesRead == 6)
        #expect(statistics.otherPlatform == 5)
        #expect(statistics.records == 4 + 10)
        let first = try #require(statistics.firstReject)
        #expect(first.line == 2 && first.index == 1 && first.reason == .appMissing)
        // The merged counts are those of both.
        options.sources = ["both"]
        options.partial = nil
        options.output = "out"
        let again = try Merge(options, storage: storage).run()
        #expect(again.comparable == statistics.comparable)
        #expect(again.firstReject == first)
    }
}
