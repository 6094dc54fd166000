import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// Ranges that know all removals of a job: what none of them applies to is in slices of groups.
@Suite struct RemovedScopesTests {
    /// Of apps a and b, on devices d1 and d2, with and without a thread: eight notifications of each of two sources.
    private static func notifications(_ source: Int) -> [String] {
        ["a", "b"].flatMap { app in
            ["d1", "d2"].flatMap { device in
                ["t", ""].map { thread in
                    let id = "\(app)\(device)\(thread)\(source)"
                    return #"{"app":"\#(app)","device":"\#(device)","ts":\#(10 + source),"apns-id":"\#(id)","#
                        + #""payload":{"aps":{"alert":"\#(id)","thread-id":"\#(thread)"}}}"#
                }
            }
        }
    }

    /// A job of two logs.
    private struct Job {
        let storage: MemoryStorage
        let partials = ["partial 0", "partial 1"]

        /// - Parameter records: added to the notifications of the second log.
        init(_ records: [String], _ change: (inout ReplayOptions) -> Void = { _ in }) throws {
            let logs = [notifications(0), notifications(1) + records]
            var files: [String: MemoryStorage.Entry] = [:]
            for (index, lines) in logs.enumerated() {
                files["log \(index)"] = .file(Array(lines.map { $0 + "\n" }.joined().utf8))
            }
            storage = MemoryStorage(files)
            for index in 0..<3 {
                var options = ReplayOptions(sources: [])
                options.namedSources = (index == 2 ? 0..<2 : index..<index + 1).map {
                    NamedSource(path: "log \($0)", name: "\($0)", ordinal: $0)
                }
                if index == 2 { options.output = "whole" } else { options.partial = partials[index] }
                options.appliesRemovals = true
                change(&options)
                _ = try Replay(options, storage: storage).run()
            }
        }

        func ranges(_ count: Int, of paths: [String], areComplete: Bool = true) throws {
            var options = ReplayOptions(sources: paths)
            options.output = "ranges"
            try PartialRun(
                .findRanges(count: count, areComplete: areComplete), options, storage: storage
            ).run()
        }

        func sample(_ path: String) throws -> String {
            var options = ReplayOptions(sources: [path])
            options.output = "sample of \(path)"
            try PartialRun(.sampleKeys, options, storage: storage).run()
            return "sample of \(path)"
        }

        /// Cuts each partial result separately.
        func split() throws {
            for (index, path) in partials.enumerated() {
                try PartialRun(
                    .split(ranges: "ranges", folder: "s\(index)"), ReplayOptions(sources: [path]),
                    storage: storage
                ).run()
            }
        }

        func slices(_ kind: Slice.Kind, _ range: Int) -> [String] {
            partials.indices.map { "s\($0)/\(SliceFiles.name(kind, range))" }
        }

        /// The ids of the notifications in slices of identities.
        func identities(_ count: Int) throws -> [String] {
            let inputs = try PartialInputs(ReplayOptions(sources: ["ranges"]), storage: storage)
            var found: [String] = []
            for path in (0..<count).flatMap({ slices(.identities, $0) }) {
                let (file, _) = try inputs.read(path)
                try inputs.forEachRecord(.notifications, of: file.state) { reader throws(ReplayError) in
                    let bytes = reader.bytes
                    guard let entry = NotificationEntry(bytes, of: file.state) else { throw reader.damage() }
                    if entry.isNotification { found.append(bytes[entry.record.identifier].string) }
                    return true
                }
            }
            return found.sorted()
        }

        /// Finds the newest versions, and merges all ranges.
        func merge(_ count: Int) throws -> [UInt8] {
            for range in 0..<count {
                try PartialRun(
                    .keepNewest(ranges: "ranges", folder: "n"),
                    ReplayOptions(sources: slices(.identities, range)), storage: storage
                ).run()
            }
            var parts: [UInt8] = []
            for range in 0..<count {
                let newest = (0..<count).map { "n/\(SliceFiles.name(.newest, range, of: $0))" }
                var options = ReplayOptions(sources: slices(.groups, range) + newest)
                options.output = "part"
                _ = try Merge(options, storage: storage).run()
                parts += storage["part"] ?? []
            }
            return parts
        }
    }

    struct Scope: NamedCase {
        let name: String
        var records: [String] = []
        /// Whether the notification with an id may be removed or replaced.
        let mayChange: @Sendable (String) -> Bool
    }

    private static func removal(_ members: String) -> [String] {
        [#"{"event":"removed","ts":100,\#(members)}"#]
    }

    static let scopes = [
        Scope(name: "no removal") { _ in false },
        Scope(name: "an app on all devices", records: removal(#""app":"a""#)) { $0.hasPrefix("a") },
        Scope(name: "an app on a device", records: removal(#""app":"a","device":"d2""#)) {
            $0.hasPrefix("ad2")
        },
        Scope(name: "a thread", records: removal(#""app":"b","device":"d1","thread":"t""#)) {
            $0.hasPrefix("bd1t")
        },
        Scope(name: "a thread on all devices", records: removal(#""app":"b","thread":"t""#)) {
            $0.hasPrefix("bd1t") || $0.hasPrefix("bd2t")
        },
        Scope(name: "an identifier", records: removal(#""app":"a","device":"d1","ids":["ad1t0"]"#)) {
            $0 == "ad1t0"
        },
        Scope(name: "an identifier on all devices", records: removal(#""app":"a","ids":["ad1t0","ad20"]"#)) {
            $0 == "ad1t0" || $0 == "ad20"
        },
        Scope(name: "an identifier of another app", records: removal(#""app":"b","ids":["ad1t0"]"#)) { _ in
            false
        },
        Scope(name: "an app without notifications", records: removal(#""app":"c""#)) { _ in false },
        Scope(
            name: "a version that may be replaced",
            records: [
                #"{"app":"c","ts":5,"apns-id":"c","apns-collapse-id":"x","payload":{"aps":{"alert":"v"}}}"#
            ]
        ) { $0 == "c" },
    ]

    @Test(arguments: scopes, [1, 3]) func slicesOfIdentitiesHaveWhatMayChange(_ scope: Scope, _ count: Int)
        throws
    {
        let job = try Job(scope.records)
        try job.ranges(count, of: try job.partials.map(job.sample))
        try job.split()
        let ids = (0..<2).flatMap { source in
            ["ad1t", "ad1", "ad2t", "ad2", "bd1t", "bd1", "bd2t", "bd2"].map { "\($0)\(source)" }
        }
        let found = try job.identities(count)
        #expect(found == (ids + ["c"]).filter(scope.mayChange).sorted())
        #expect(try job.merge(count) == job.storage["whole"])
    }

    struct Unknown: NamedCase {
        let name: String
        var areComplete = true
        var change: @Sendable (inout ReplayOptions) -> Void = { _ in }
    }

    /// Delivery decides by settings and results of extensions, which are not among the removals.
    static let unknown = [
        Unknown(name: "ranges that may be of some partial results", areComplete: false),
        Unknown(name: "delivery is tracked") { $0.delivery = true },
    ]

    @Test(arguments: unknown) func withoutAllRemovalsEveryNotificationMayChange(_ item: Unknown) throws {
        let job = try Job([], item.change)
        try job.ranges(2, of: job.partials, areComplete: item.areComplete)
        try job.split()
        #expect(try job.identities(2).count == 16)
        #expect(try job.merge(2) == job.storage["whole"])
    }

    /// The removal is in the second log alone: without it, what it removes would be shown.
    @Test func completeRangesOfSomePartialResultsAreRefused() throws {
        let job = try Job(Self.removal(#""app":"a""#))
        try job.ranges(1, of: ["partial 0"])
        #expect(
            throws: ReplayError.usage(
                "'partial 1' has a removal that the ranges lack: make them again, of all partial results")
        ) { try job.split() }
        #expect(job.storage["s1/\(SliceFiles.name(.groups, 0))"] == nil)
    }

    @Test func slicesHaveNoKeysOfTheirOwn() throws {
        let job = try Job([])
        try job.ranges(1, of: job.partials)
        try job.split()
        let path = job.slices(.groups, 0)[0]
        #expect(throws: ReplayError.usage("'\(path)' is a slice already")) { try job.ranges(1, of: [path]) }
    }

    @Test func slicesByRangesWithOtherRemovalsAreRefused() throws {
        let job = try Job(Self.removal(#""app":"a""#))
        try job.ranges(1, of: job.partials)
        try job.split()
        try job.ranges(1, of: job.partials, areComplete: false)
        #expect(
            throws: ReplayError.usage("'s0/identities-00000.partial' was cut by other ranges")
        ) { try job.merge(1) }
    }

    /// Samples of an older version have no removals, nor has what is made of them.
    @Test func rangesOfOlderSamplesKnowNoRemovals() throws {
        var sample = RangeKeySample(of: .group, limit: 16, removals: RemovedScopes(sorted: [1]))
        try sample.add(RangeKeySample(of: .group, limit: 16), of: "old")
        sample.sort()
        #expect(sample.ranges(count: 2).removals == nil)
    }

    private static func written(_ removals: RemovedScopes?) throws -> [UInt8] {
        let storage = MemoryStorage([:])
        let ranges = KeyRanges(of: .group, count: 3, removals: removals, groups: [], identities: [])
        let output = try OutputFile("ranges", storage: storage)
        try KeyFile.ranges(ranges).write(to: output)
        try output.commit()
        #expect(try KeyFile.readRanges("ranges", storage: storage) == ranges)
        return storage["ranges"] ?? []
    }

    @Test(arguments: [[UInt32](), [0], [0, 1, UInt32.max], [7, 8, 9]])
    func scopesAreWrittenAndRead(_ hashes: [UInt32]) throws {
        #expect(try Self.written(RemovedScopes(sorted: hashes)) != Self.written(nil))
    }

    struct Damage: NamedCase {
        let name: String
        var flags: UInt64 = 8
        let differences: [UInt64]
    }

    static let damages = [
        Damage(name: "a hash twice", differences: [7, 0]),
        Damage(name: "a hash of more than 32 bits", differences: [UInt64(UInt32.max), 1]),
        Damage(name: "removals without their flag", flags: 0, differences: [7]),
    ]

    @Test(arguments: damages) func damageIsDetected(_ damage: Damage) throws {
        let storage = MemoryStorage([:])
        let output = try OutputFile("ranges", storage: storage)
        var writer = try StateWriter(output, magic: .keys)
        var record = OutputBuffer()
        record.appendNumber(damage.flags)
        record.appendNumber(1)
        try writer.add(record.bytes, to: .header)
        for difference in damage.differences {
            record.removeAll()
            record.appendNumber(difference)
            try writer.add(record.bytes, to: .counts)
        }
        try writer.end()
        try output.commit()
        #expect {
            _ = try KeyFile.readRanges("ranges", storage: storage)
        } throws: { error in
            guard case .damaged("ranges", .content, _)? = error as? ReplayError else { return false }
            return true
        }
    }

    /// Files keep hashes: with other ones, ranges of an older version would not know a removal.
    @Test func hashesAreThoseOfEarlierVersions() throws {
        let job = try Job(
            Self.removal(#""app":"a""#) + Self.removal(#""app":"b","device":"d1","thread":"t""#)
                + Self.removal(#""app":"a","ids":["ad1t0","ad20"]"#))
        try job.ranges(1, of: job.partials)
        let ranges = try KeyFile.readRanges("ranges", storage: job.storage)
        #expect(ranges.removals?.hashes == [2_924_650_301, 3_129_731_935, 3_368_935_519, 4_106_750_382])
    }

    @Test func scopesAreAddedOnce() {
        var removals = RemovedScopes(sorted: [1, 3, 5])
        removals.add(RemovedScopes(sorted: [2, 3, 9]))
        removals.sort()
        #expect(removals == RemovedScopes(sorted: [1, 2, 3, 5, 9]))
    }

    @Test func tooManyScopesAreNotKept() {
        for (hashes, areTooMany) in [([1, 2, 3, 4], false), ([1, 2, 3, 4, 5], true)] as [([UInt32], Bool)] {
            var removals = RemovedScopes(limit: 4)
            for hash in hashes + hashes { removals.add(RemovedScopes(sorted: [hash])) }
            var sample = RangeKeySample(of: .group, limit: 16, removals: removals)
            removals.sort()
            #expect(removals.areTooMany == areTooMany)
            #expect(removals.hashes == (areTooMany ? [] : hashes))
            sample.sort()
            #expect((sample.removals == nil) == areTooMany)
        }
    }
}
