import Foundation
import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// What concerns notifications of several slices, and what slices must have in common.
@Suite(.tags(.spilling)) struct SliceRulesTests {
    /// Ten notifications with collapse identifiers, and a result for the id of the one with the last identifier.
    private static func log(device: String) -> [UInt8] {
        let envelope = #"{"app":"a"\#(device.isEmpty ? "" : #","device":"\#(device)""#),"#
        let pushes = "bcdefghjkx".map { name in
            envelope
                + #""ts":1,"apns-id":"id \#(name)","apns-collapse-id":"\#(name)","payload":{"aps":{"alert":"logged"}}}"#
        }
        let result =
            envelope
            + #""ts":14,"event":"modified","apns-collapse-id":"id x","elapsed":1,"#
            + #""payload":{"aps":{"alert":"replaced","thread-id":"t1"}}}"#
        return Array((pushes + [result]).map { $0 + "\n" }.joined().utf8)
    }

    private static func replay(
        _ storage: MemoryStorage, partial: String? = nil,
        _ change: (inout ReplayOptions) throws -> Void = { _ in }
    ) throws -> [UInt8] {
        var options = ReplayOptions(sources: [])
        options.namedSources = [NamedSource(path: "log", name: "log", ordinal: 0)]
        options.output = "whole"
        options.partial = partial
        options.delivery = true
        try change(&options)
        _ = try Replay(options, storage: storage).run()
        return storage[partial ?? "whole"] ?? []
    }

    private static func cut(_ storage: MemoryStorage, into count: Int) throws {
        var options = ReplayOptions(sources: ["partial"])
        options.output = "ranges"
        try PartialRun(.findRanges(count: count), options, storage: storage).run()
        try PartialRun(
            .split(ranges: "ranges", folder: "slices"), ReplayOptions(sources: ["partial"]), storage: storage
        ).run()
    }

    private static func newest(_ storage: MemoryStorage, _ range: Int, _ settings: Settings = Settings())
        throws
    {
        var options = ReplayOptions(sources: ["slices/\(SliceFiles.name(.identities, range))"])
        options.settings = settings
        try PartialRun(.keepNewest(ranges: "ranges", folder: "slices"), options, storage: storage).run()
    }

    private static func part(
        _ storage: MemoryStorage, _ range: Int, of count: Int, _ settings: Settings = Settings()
    ) throws -> [UInt8] {
        var options = ReplayOptions(
            sources: ["slices/\(SliceFiles.name(.groups, range))"]
                + (0..<count).map { "slices/\(SliceFiles.name(.newest, range, of: $0))" })
        options.output = "part"
        options.settings = settings
        _ = try Merge(options, storage: storage).run()
        return storage["part"] ?? []
    }

    /// A result concerns a notification by its id too, which may be in any range of its app.
    @Test(arguments: ["", "d1"], [2, 3, 5])
    func resultsConcernNotificationsByTheirIds(_ device: String, _ count: Int) throws {
        let storage = MemoryStorage(["log": .file(Self.log(device: device))])
        let whole = try Self.replay(storage)
        #expect(String(decoding: whole, as: UTF8.self).contains("replaced"))
        _ = try Self.replay(storage, partial: "partial")
        try Self.cut(storage, into: count)
        for range in 0..<count { try Self.newest(storage, range) }
        var parts: [UInt8] = []
        for range in 0..<count { parts += try Self.part(storage, range, of: count) }
        #expect(String(decoding: parts, as: UTF8.self) == String(decoding: whole, as: UTF8.self))
    }

    /// Newest versions have been delivered by a configuration and a profile, which the merge must have too.
    @Test func newestVersionsAreMergedWithTheirConfiguration() throws {
        let settings = try Settings(json: Array(#"{"apps":{"a":{"delivery":"off"}}}"#.utf8), file: "c.json")
        let storage = MemoryStorage(["log": .file(Self.log(device: "d"))])
        _ = try Self.replay(storage, partial: "partial") { $0.settings = settings }
        try Self.cut(storage, into: 2)
        try Self.newest(storage, 0)
        try Self.newest(storage, 1, settings)
        let mixed = ReplayError.usage(
            "'slices/newest-00000-00000.partial' and 'slices/newest-00000-00001.partial' can't be merged: they were made with "
                + "different configurations of delivery, profiles, or choices of \(.locked)")
        #expect(throws: mixed) { try Self.part(storage, 0, of: 2, settings) }
        try Self.newest(storage, 0, settings)
        #expect(try Self.part(storage, 0, of: 2, settings).isEmpty)
        let other = ReplayError.usage(
            "the newest versions of range 0 were made with another configuration of delivery, another "
                + "profile, or another choice of \(.locked)"
        )
        #expect(throws: other) { try Self.part(storage, 0, of: 2) }
    }

    // MARK: Attempts

    /// An attempt that fails leaves the slices of an earlier one, which have the same contents.
    @Test func aFailedAttemptKeepsSlicesThatItReplaced() throws {
        let storage = MemoryStorage(["log": .file(Self.log(device: "d"))])
        _ = try Self.replay(storage, partial: "partial")
        try Self.cut(storage, into: 4)
        let complete = storage.entries
        let moment = Moment(after: 3) { $0.operation == .rename }
        let split = try PartialRun(
            .split(ranges: "ranges", folder: "slices"), ReplayOptions(sources: ["partial"]),
            storage: InterceptedStorage(storage, at: moment, .fails(ENOSPC)))
        #expect(throws: ReplayError.self) { try split.run() }
        #expect(storage.entries == complete)
    }

    /// A folder that another process creates at the same moment is used.
    @Test func foldersMayBeCreatedByOthers() throws {
        let storage = MemoryStorage([:])
        _ = try SliceFiles(in: "a/b/c", names: [], nil, replacing: [], storage: storage)
        #expect(storage.entries["a/b/c"] == .folder)
        _ = try SliceFiles(in: "a/b/c", names: [], nil, replacing: [], storage: storage)
    }

    // MARK: Keyed lines

    private static func keyed(_ lines: [Int], _ path: String, _ storage: MemoryStorage) throws {
        let text = lines.map { "7\t\($0)\t" + #"{"app":"a","aps":{"alert":"x"}}"# + "\n" }.joined()
        storage["in"] = Array(text.utf8)
        var options = ReplayOptions(sources: ["in"])
        options.isKeyed = true
        options.partial = path
        _ = try Replay(options, storage: storage).run()
    }

    struct Coverage: NamedCase {
        let name: String
        let paths: [String]
        var lines: UInt64?
        let message: OptionMessage?
    }

    static let coverages = [
        Coverage(name: "all", paths: ["c", "a", "b"], message: nil),
        Coverage(
            name: "one twice, with another between", paths: ["a", "b", "a"],
            message: "'a' and 'a' can't be merged: both cover the same lines of source 7, '7'"),
        Coverage(
            name: "a copy", paths: ["a", "b", "c", "copy"],
            message: "'a' and 'copy' can't be merged: both cover the same lines of source 7, '7'"),
        Coverage(
            name: "more lines than numbers", paths: ["b", "all"],
            message: "'all' can't be merged: it covers lines of source 7, '7', that 'b' covers"),
        Coverage(name: "all, as expected", paths: ["a", "b", "c"], lines: 6, message: nil),
        Coverage(
            name: "one is missing", paths: ["a", "c"], lines: 6,
            message:
                "source 7, '7', is expected to have 6 lines, but the partial results cover 4: some are missing"
        ),
        Coverage(
            name: "one twice, merged before", paths: ["ab", "a"], lines: 4,
            message:
                "source 7, '7', is expected to have 4 lines, but the partial results cover 6: some are covered twice"
        ),
    ]

    @Test(arguments: coverages) func keyedLinesAreCoveredOnce(_ item: Coverage) throws {
        let storage = MemoryStorage([:])
        for (name, lines) in [("a", [1, 40]), ("b", [2, 50]), ("c", [3, 60]), ("all", Array(1...50))] {
            try Self.keyed(lines, name, storage)
        }
        storage["copy"] = storage["a"]
        var merged = ReplayOptions(sources: ["a", "b"])
        merged.partial = "ab"
        _ = try Merge(merged, storage: storage).run()
        var options = ReplayOptions(sources: item.paths)
        options.output = "out"
        options.expectedSources = item.lines.map {
            [NamedSource(path: "-", name: "7", ordinal: 7, lines: $0)]
        }
        var error: ReplayError?
        do throws(ReplayError) {
            _ = try Merge(options, storage: storage).run()
        } catch let found {
            error = found
        }
        #expect(error == item.message.map { .usage($0) })
    }
}
