import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// Partial results with named sources, and slices of them, that do not fit together: the error names the files, and nothing
/// is written (specification §17).
@Suite struct NamedMergeTests {
    /// The files of two small jobs: partial results of sources 0, 1 and 2, their slices by two ranges, and files that do
    /// not belong to them.
    static let files: [String: MemoryStorage.Entry] = makeFiles(byDevice: false)
    static let filesByDevice: [String: MemoryStorage.Entry] = makeFiles(byDevice: true)

    private static func makeFiles(byDevice: Bool) -> [String: MemoryStorage.Entry] {
        var entries: [String: MemoryStorage.Entry] = [:]
        for index in 0..<3 {
            let lines = (0..<6).map { line in
                let collapse = line % 2 == 0 ? #""collapse-id":"c\#(line % 3)","# : ""
                return
                    #"{"app":"a\#(line % 4)","device":"d\#(line % 2)",\#(collapse)"aps":{"alert":"\#(index)"}}"#
            }
            entries["log \(index)"] = .file(Array((lines.joined(separator: "\n") + "\n").utf8))
        }
        let storage = MemoryStorage(entries)
        do {
            func replay(_ ordinals: [Int], _ path: String, job: String = "job") throws {
                var options = ReplayOptions(sources: [])
                options.namedSources = ordinals.map {
                    NamedSource(path: "log \($0 % 3)", name: "\(job) \($0)", ordinal: $0)
                }
                options.partial = path
                options.byDevice = byDevice
                _ = try Replay(options, storage: storage).run()
            }
            for ordinal in 0..<3 { try replay([ordinal], "p\(ordinal)") }
            try replay([1, 2], "p12")
            try replay([0, 3], "p03")
            try replay([1], "other1", job: "other")
            var options = ReplayOptions(sources: ["log 0"])
            options.partial = "positional"
            options.byDevice = byDevice
            _ = try Replay(options, storage: storage).run()
            for (name, parts) in [("ranges", ["p0", "p1"]), ("ranges 2", ["p0", "p1", "p2"])] {
                var options = ReplayOptions(sources: parts)
                options.output = name
                try PartialRun(.findRanges(count: name == "ranges" ? 2 : 3), options, storage: storage).run()
            }
            for (folder, ranges, parts) in [
                ("s0", "ranges", ["p0"]), ("s1", "ranges", ["p1"]), ("s2", "ranges", ["p2"]),
                ("t0", "ranges 2", ["p0"]),
            ] {
                try PartialRun(
                    .split(ranges: ranges, folder: folder), ReplayOptions(sources: parts), storage: storage
                ).run()
            }
            if !byDevice {
                for (folder, parts) in [("n", ["s0", "s1"]), ("n0", ["s0"])] {
                    for range in 0..<2 {
                        let slices = parts.map { "\($0)/identities-0000\(range).partial" }
                        try PartialRun(
                            .keepNewest(ranges: "ranges", folder: folder), ReplayOptions(sources: slices),
                            storage: storage
                        ).run()
                    }
                }
            }
        } catch {
            Issue.record("the files could not be made: \(error)")
        }
        return storage.entries
    }

    private static func merge(
        _ paths: [String], _ files: [String: MemoryStorage.Entry],
        _ change: (inout ReplayOptions) -> Void = { _ in }
    ) -> ReplayError? {
        let (error, isUntouched) = MergedParts.merge(paths, files, change)
        #expect(error == nil || isUntouched)
        return error
    }

    struct Refusal: NamedCase {
        let name: String
        let paths: [String]
        var isPartial = false
        let message: OptionMessage
    }

    static let refusals = [
        Refusal(
            name: "the same file twice", paths: ["p0", "p0"],
            message: "'p0' and 'p0' can't be merged: both cover source 0, 'job 0'"),
        Refusal(
            name: "a source twice", paths: ["p0", "p2", "p12"],
            message: "'p2' and 'p12' can't be merged: both cover source 2, 'job 2'"),
        Refusal(
            name: "a source twice, as a partial result", paths: ["p12", "p1"], isPartial: true,
            message: "'p12' and 'p1' can't be merged: both cover source 1, 'job 1'"),
        Refusal(
            name: "another job", paths: ["p1", "other1"],
            message:
                "'p1' and 'other1' can't be merged: they are of different jobs: source 1 is 'job 1' in the first one and "
                + "'other 1' in the second one"),
        Refusal(
            name: "positions and names", paths: ["p0", "positional"],
            message:
                "'positional' and 'p0' can't be merged: only 'p0' has named sources (\(.namedSources)), so the order of all "
                + "sources is unknown"),
        Refusal(
            name: "names and positions", paths: ["positional", "p0"],
            message:
                "'p0' and 'positional' can't be merged: only 'p0' has named sources (\(.namedSources)), so the order of all "
                + "sources is unknown"),
        Refusal(
            name: "a slice and a whole", paths: ["p1", "s0/groups-00000.partial"],
            message:
                "'s0/groups-00000.partial' and 'p1' can't be merged: only 's0/groups-00000.partial' is a slice"
        ),
        Refusal(
            name: "slices by other ranges", paths: ["s0/groups-00000.partial", "t0/groups-00000.partial"],
            message:
                "'t0/groups-00000.partial' and 's0/groups-00000.partial' can't be merged: they are slices by different ranges"
        ),
        Refusal(
            name: "only groups", paths: ["s0/groups-00000.partial", "s1/groups-00000.partial"],
            message:
                "no slice of newest versions of range 0 is given: a part of a result needs all slices of its range"
        ),
        Refusal(
            name: "no groups", paths: ["n/newest-00000-00000.partial", "n/newest-00000-00001.partial"],
            message: "no slice of groups is given: a part of a result needs all slices of its range"),
        Refusal(
            name: "identities", paths: ["s0/groups-00000.partial", "s0/identities-00000.partial"],
            message:
                "'s0/identities-00000.partial' is a slice of identities: merge the slices of newest versions that are made "
                + "from it"),
        Refusal(
            name: "a range of identities is missing",
            paths: ["s0/groups-00000.partial", "s1/groups-00000.partial", "n/newest-00000-00001.partial"],
            message: "the newest versions of range 0 of 2 are missing from range 0 of the groups"),
        Refusal(
            name: "a range of identities twice",
            paths: [
                "s0/groups-00000.partial", "n0/newest-00000-00001.partial", "n0/newest-00000-00001.partial",
            ],
            message:
                "'n0/newest-00000-00001.partial' and 'n0/newest-00000-00001.partial' can't be merged: both have the newest "
                + "versions of range 1"),
        Refusal(
            name: "a slice of groups is missing",
            paths: [
                "s0/groups-00000.partial", "n/newest-00000-00000.partial", "n/newest-00000-00001.partial",
            ],
            message:
                "the slices with 's0/groups-00000.partial' and those with 'n/newest-00000-00000.partial' can't be merged: they "
                + "are made from different sources, so slices are missing"),
        Refusal(
            name: "a slice of groups twice",
            paths: ["s0/groups-00000.partial", "s0/groups-00000.partial", "n0/newest-00000-00000.partial"],
            message:
                "'s0/groups-00000.partial' and 's0/groups-00000.partial' can't be merged: both cover source 0, 'job 0'"
        ),
        Refusal(
            name: "newest versions of other sources",
            paths: [
                "s0/groups-00000.partial", "n/newest-00000-00000.partial", "n0/newest-00000-00001.partial",
            ],
            message:
                "'n/newest-00000-00000.partial' and 'n0/newest-00000-00001.partial' can't be merged: they were made from "
                + "different sources"),
        Refusal(
            name: "two ranges", paths: ["s0/groups-00000.partial", "n0/newest-00001-00000.partial"],
            message:
                "'s0/groups-00000.partial' has range 0 of the groups, 'n0/newest-00001-00000.partial' newest versions in range "
                + "1 of the groups: a part of a result is of one range"),
        Refusal(
            name: "two kinds, as a partial result",
            paths: ["s0/groups-00000.partial", "n0/newest-00000-00000.partial"], isPartial: true,
            message:
                "'s0/groups-00000.partial' has range 0 of the groups, 'n0/newest-00000-00000.partial' newest versions in range "
                + "0 of the groups: only slices with the same can be merged into a partial result"),
        Refusal(
            name: "two ranges, as a partial result",
            paths: ["s0/groups-00000.partial", "s1/groups-00001.partial"], isPartial: true,
            message:
                "'s0/groups-00000.partial' has range 0 of the groups, 's1/groups-00001.partial' range 1 of the groups: only "
                + "slices with the same can be merged into a partial result"),
    ]

    @Test(arguments: refusals) func filesThatDoNotFitTogetherAreRefused(_ refusal: Refusal) {
        let error = Self.merge(refusal.paths, Self.files) { $0.partial = refusal.isPartial ? "partial" : nil }
        #expect(error == .usage(refusal.message))
    }

    static let refusalsByDevice = [
        Refusal(
            name: "only groups", paths: ["s0/groups-00000.partial"],
            message:
                "no slice of identities of range 0 is given: a part of a result needs all slices of its range"
        ),
        Refusal(
            name: "a slice of identities is missing",
            paths: ["s0/groups-00000.partial", "s1/groups-00000.partial", "s0/identities-00000.partial"],
            message:
                "the slices with 's0/groups-00000.partial' and those with 's0/identities-00000.partial' can't be merged: they "
                + "are made from different sources, so slices are missing"),
        Refusal(
            name: "a slice of identities twice",
            paths: ["s0/groups-00000.partial", "s0/identities-00000.partial", "s0/identities-00000.partial"],
            message:
                "'s0/identities-00000.partial' and 's0/identities-00000.partial' can't be merged: both cover source 0, 'job "
                + "0'"),
    ]

    @Test(arguments: refusalsByDevice) func slicesByDeviceMustBeComplete(_ refusal: Refusal) {
        #expect(Self.merge(refusal.paths, Self.filesByDevice) == .usage(refusal.message))
    }

    @Test func completeSlicesAreMerged() {
        let newest = ["n/newest-00000-00001.partial", "n/newest-00000-00000.partial"]
        let groups = ["s1/groups-00000.partial", "s0/groups-00000.partial"]
        #expect(Self.merge(newest + groups, Self.files) == nil)
        let identities = ["s1/identities-00001.partial", "s0/identities-00001.partial"]
        let others = ["s0/groups-00001.partial", "s1/groups-00001.partial"]
        #expect(Self.merge(identities + others, Self.filesByDevice) == nil)
    }

    @Test(arguments: [SnapshotFormat.json, .text(TextStyle())])
    func partsAreNotWrittenInFormatsThatEncloseGroups(_ format: SnapshotFormat) {
        let paths = [
            "s0/groups-00000.partial", "n0/newest-00000-00000.partial", "n0/newest-00000-00001.partial",
        ]
        let error = Self.merge(paths, Self.files) { $0.format = format }
        #expect(
            error == .usage("a part of a result can be written as ndjson or csv, not as \(format.name)"))
        for change in [{ $0.order = .recent }, { $0.top = 3 }, { $0.maximumLines = 3 }]
            as [(inout ReplayOptions) -> Void]
        {
            #expect(
                Self.merge(paths, Self.files, change)
                    == .usage("a part of a snapshot has all groups of its range, in the order of their keys"))
        }
    }

    // MARK: Expected sources

    struct Expectation: NamedCase {
        let name: String
        let paths: [String]
        let expected: [String: Int]
        let message: OptionMessage?
    }

    static let expectations = [
        Expectation(
            name: "all", paths: ["p2", "p0", "p1"], expected: ["job 0": 0, "job 1": 1, "job 2": 2],
            message: nil),
        Expectation(
            name: "one is missing", paths: ["p2", "p0"], expected: ["job 0": 0, "job 1": 1, "job 2": 2],
            message: "no partial result covers source 1, 'job 1'"),
        Expectation(
            name: "several are missing", paths: ["p2"], expected: ["job 0": 0, "job 1": 1, "job 2": 2],
            message: "no partial result covers source 0, 'job 0', and 1 more"),
        Expectation(
            name: "one is not expected", paths: ["p0", "p12"], expected: ["job 0": 0, "job 1": 1],
            message: "source 2, 'job 2', is not expected: it may be of another job"),
        Expectation(
            name: "another name", paths: ["p0", "other1"], expected: ["job 0": 0, "job 1": 1],
            message: "source 1 is 'other 1', not 'job 1' as expected: it may be of another job"),
        Expectation(
            name: "positions", paths: ["positional"], expected: ["log 0": 0],
            message:
                "\(.expectedSources) has no effect: the partial results were written without \(.namedSources)"
        ),
    ]

    @Test(arguments: expectations) func theExpectedSourcesMustBeCovered(_ item: Expectation) {
        let error = Self.merge(item.paths, Self.files) { options in
            options.expectedSources = item.expected.map {
                NamedSource(path: "-", name: $0.key, ordinal: $0.value)
            }
        }
        #expect(error == item.message.map { .usage($0) })
    }

    // MARK: Cutting

    struct Cut: NamedCase {
        let name: String
        let error: ReplayError
        let run: @Sendable (any Storage) throws(ReplayError) -> Void
    }

    private static func cut(
        _ name: String, _ error: ReplayError,
        _ run: @escaping @Sendable (any Storage) throws(ReplayError) -> Void
    ) -> Cut { Cut(name: name, error: error, run: run) }

    private static func split(
        _ paths: [String], _ ranges: String = "ranges", folder: String = "new"
    ) -> @Sendable (any Storage) throws(ReplayError) -> Void {
        { storage throws(ReplayError) in
            try PartialRun(
                .split(ranges: ranges, folder: folder), ReplayOptions(sources: paths), storage: storage
            ).run()
        }
    }

    private static func newest(
        _ paths: [String], _ ranges: String = "ranges"
    ) -> @Sendable (any Storage) throws(ReplayError) -> Void {
        { storage throws(ReplayError) in
            try PartialRun(
                .keepNewest(ranges: ranges, folder: "new"), ReplayOptions(sources: paths), storage: storage
            ).run()
        }
    }

    static let cuts = [
        cut(
            "a slice is split", .usage("'s0/groups-00000.partial' is a slice already"),
            split(["s0/groups-00000.partial"])),
        cut(
            "a source twice", .usage("'p0' and 'p0' can't be merged: both cover source 0, 'job 0'"),
            split(["p0", "p0"])),
        cut(
            "a partial result instead of ranges", .damaged(path: "p0", .foreign, offset: 0),
            split(["p0"], "p0")),
        cut(
            "no ranges", .source(path: "none", reason: "cannot be opened: No such file or directory"),
            split(["p0"], "none")),
        cut(
            "a slice replaces a source",
            .usage(
                "'s0/groups-00000.partial' is a source: the slice 's0/groups-00000.partial' would replace it"),
            { storage throws(ReplayError) in
                let options = ReplayOptions(sources: ["s0/groups-00000.partial"])
                _ = try SliceFiles(
                    in: "s0", names: ["groups-00000.partial"], nil,
                    replacing: SourceList.expand(options.sources, storage: storage), storage: storage)
            }),
        cut(
            "newest versions of a whole",
            .usage("'p0' is not a slice of identities, but a whole partial result"), newest(["p0"])),
        cut(
            "newest versions of groups",
            .usage("'s0/groups-00000.partial' has range 0 of the groups, not a slice of identities"),
            newest(["s0/groups-00000.partial"])),
        cut(
            "newest versions by other ranges",
            .usage("'s0/identities-00000.partial' was cut by other ranges"),
            newest(["s0/identities-00000.partial"], "ranges 2")),
        cut(
            "newest versions twice",
            .usage(
                "'s0/identities-00000.partial' and 's0/identities-00000.partial' can't be merged: both cover source 0, 'job 0'"
            ), newest(["s0/identities-00000.partial", "s0/identities-00000.partial"])),
        cut(
            "a range with fewer sources",
            .usage(
                "the slices with 's0/identities-00000.partial' and those with 's0/identities-00001.partial' can't be merged: a "
                    + "range of identities lacks sources that another one has"),
            newest([
                "s0/identities-00000.partial", "s1/identities-00000.partial", "s0/identities-00001.partial",
            ])),
        cut(
            "too many partitions",
            .usage("\(.partitions) is 10001, but must be from 1 to 10000"),
            { storage throws(ReplayError) in
                _ = try PartialRun(
                    .findRanges(count: 10_001), ReplayOptions(sources: ["p0"]), storage: storage)
            }),
        cut(
            "ranges of ranges",
            .usage("'ranges' has ranges already: they are made of partial results and samples of keys"),
            { storage throws(ReplayError) in
                var options = ReplayOptions(sources: ["p0", "ranges"])
                options.output = "new"
                try PartialRun(.findRanges(count: 2), options, storage: storage).run()
            }),
    ]

    @Test(arguments: cuts) func whatCantBeCutIsRefused(_ item: Cut) {
        let storage = MemoryStorage(Self.files)
        #expect(throws: item.error) { try item.run(storage) }
        #expect(storage.entries == Self.files)
        #expect(storage.openFiles == 0)
    }

    @Test func newestVersionsAreNotForJobsByDevice() {
        let storage = MemoryStorage(Self.filesByDevice)
        let error = ReplayError.usage(
            "'s0/identities-00000.partial' was written with \(.byDevice): its identities are in the ranges of their groups, so "
                + "merge both kinds of slices")
        #expect(throws: error) { try Self.newest(["s0/identities-00000.partial"])(storage) }
        var mixed = Self.files
        mixed["ranges"] = Self.filesByDevice["ranges"]
        let other = ReplayError.usage(
            "'p0' and the files that the ranges were made of were written with different \(.byDevice) settings"
        )
        #expect(throws: other) { try Self.split(["p0"])(MemoryStorage(mixed)) }
    }

    @Test func snapshotsOverTimeAreNotCut() throws {
        let storage = MemoryStorage(Self.files)
        var options = ReplayOptions(sources: ["log 0"])
        options.every = Timeline(step: 1_000, offset: 0)
        options.partial = "timed"
        _ = try Replay(options, storage: storage).run()
        let error = ReplayError.usage(
            "'timed' was written with \(.every): snapshots over time are not made of the snapshots of ranges")
        #expect(throws: error) { try Self.split(["timed"])(storage) }
        var keys = ReplayOptions(sources: ["timed"])
        keys.output = "new"
        #expect(throws: error) { try PartialRun(.findRanges(count: 2), keys, storage: storage).run() }
        #expect(storage["new"] == nil)
    }

    /// Positions become ordinals, so one machine can cut what it replayed without names.
    @Test func positionalResultsCanBeCut() throws {
        let storage = MemoryStorage(Self.files)
        var options = ReplayOptions(sources: ["log 0", "log 1"])
        options.output = "whole"
        _ = try Replay(options, storage: storage).run()
        try Self.split(["positional"], folder: "a")(storage)
        for range in 0..<2 { try Self.newest(["a/identities-0000\(range).partial"])(storage) }
        var parts: [UInt8] = []
        for range in 0..<2 {
            var options = ReplayOptions(sources: [
                "a/groups-0000\(range).partial", "new/newest-0000\(range)-00000.partial",
                "new/newest-0000\(range)-00001.partial",
            ])
            options.output = "part"
            _ = try Merge(options, storage: storage).run()
            parts += storage["part"] ?? []
        }
        options.sources = ["log 0"]
        _ = try Replay(options, storage: storage).run()
        #expect(parts == storage["whole"])
    }
}
