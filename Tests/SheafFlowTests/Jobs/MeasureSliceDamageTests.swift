import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Damaged slices of measures, and of the people that they are made from: the error names the file, nothing is written, and
/// nothing traps.
@Suite(.tags(.extended, .spilling)) struct MeasureSliceDamageTests {
    /// The files of a job with two sources, whose people are in two ranges.
    private static let files: [String: MemoryStorage.Entry] = {
        var files: [String: MemoryStorage.Entry] = [:]
        for source in 0..<2 {
            var text = ""
            for number in 0..<30 {
                let time = 1_700_000_000_000 + number * 40_000_000
                text +=
                    "{\"app\":\"app \(number % 3)\",\"device\":\"\(number % 5)\",\"timestamp\":\(time),"
                    + "\"collapse-id\":\"\(number % 7 + source)\",\"aps\":{\"alert\":\"Hi\",\"thread-id\":\"\(number % 4)\"}}\n"
            }
            files["log\(source)"] = .file(Array(text.utf8))
        }
        let storage = MemoryStorage(files)
        do {
            for source in 0..<2 {
                var options = ReplayOptions(sources: [])
                options.namedSources = [
                    NamedSource(path: "log\(source)", name: "log \(source)", ordinal: source)
                ]
                options.every = Timeline(step: 86_400_000)
                options.partial = "p\(source)"
                options.measure(MeasureOptions())
                _ = try Replay(options, storage: storage).run()
            }
            var options = ReplayOptions(sources: ["p0", "p1"])
            options.output = "ranges"
            try PartialRun(.findRanges(count: 2), options, storage: storage).run()
            try PartialRun(.split(ranges: "ranges", folder: "s"), options, storage: storage).run()
            for range in 0..<2 {
                options.sources = slices(range)
                options.output = "m\(range)"
                try PartialRun(.measure(fold: 4), options, storage: storage).run()
            }
        } catch {
            Issue.record("\(error)")
        }
        return storage.entries
    }()

    private static func slices(_ range: Int) -> [String] {
        [Slice.Kind.groups, .identities].map { "s/\(SliceFiles.name($0, range))" }
    }

    private static let paths = ["m0", "s/identities-00001.partial"]

    /// Runs what reads a file, with other bytes in its place.
    private static func run(_ path: String, _ bytes: [UInt8]) -> (error: ReplayError?, isUntouched: Bool) {
        var files = files
        files[path] = .file(bytes)
        let storage = MemoryStorage(files)
        var options = ReplayOptions(sources: path == "m0" ? ["m0", "m1"] : slices(1))
        options.output = "new"
        var error: ReplayError?
        do throws(ReplayError) {
            if path == "m0" {
                _ = try Merge(options, storage: storage).run()
            } else {
                try PartialRun(.measure(fold: 2), options, storage: storage).run()
            }
        } catch let found {
            error = found
        }
        #expect(storage.openFiles == 0)
        return (error, storage.entries == files)
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        guard case .file(let bytes) = files[path] else { throw ReplayError.usage("there is no such file") }
        return bytes
    }

    @Test(arguments: paths) func everyChangedByteIsDetected(_ path: String) throws {
        let good = try Self.bytes(path)
        #expect(Self.run(path, good).error == nil)
        for index in good.indices {
            var bytes = good
            bytes[index] ^= 0x10
            let (error, isUntouched) = Self.run(path, bytes)
            guard case .damaged(path, _, _) = error, isUntouched else {
                Issue.record("byte \(index): \(String(describing: error))")
                continue
            }
        }
    }

    /// Changed records in intact frames are reported as damage, do not fit, or are merged.
    @Test(arguments: paths) func changedRecordsNeverTrap(_ path: String) throws {
        var random = SeededGenerator(seed: 9)
        let frames = try FrameFile.frames(Self.bytes(path), magic: .partial).get()
        var damaged = 0
        for _ in 0..<400 {
            let changed = FrameFile.changed(frames, &random)
            let (error, isUntouched) = Self.run(path, try FrameFile.bytes(changed, magic: .partial))
            switch error {
            case nil, .usage: break
            case .damaged(path, .content, _): damaged += 1
            case .some(let error): Issue.record("\(error)")
            }
            #expect(error == nil || isUntouched)
        }
        #expect(damaged > 80)
    }
}
