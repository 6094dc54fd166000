import SheafBytes
import SheafFlow
import SheafGroups
import TestSupport

/// A partial result that can be cut by key is cut into slices whose parts are its snapshot; ranges in any file are either
/// reported as damaged, or cut a good partial result so.
///
/// An input is used unchanged, and with correct lengths and checksums in its frames.
package enum KeyPartitioning: FuzzCheck {
    private static let partial = FrameMagic("SHEAF", version: 4)
    private static let keys = FrameMagic("SHKEY", version: 2)

    package static func violations(in file: [UInt8]) -> [String] {
        if keys.matches(file) {
            let frames = LooseFrames(file.dropFirst(LooseFrames.magicBytes), singles: [1])
            return [file, frames.file(keys)].flatMap {
                Self.violations(cutting: Samples.namedPartial, by: $0)
            }
        }
        let frames = LooseFrames(file.dropFirst(LooseFrames.magicBytes), singles: [1, 4])
        return [file, frames.file(partial)].flatMap { Self.violations(cutting: $0, by: nil) }
    }

    /// - Parameter ranges: a file of ranges; nil for ranges of the partial result itself.
    private static func violations(cutting file: [UInt8], by ranges: [UInt8]?) -> [String] {
        var choices = InputChoices(file)
        var files = ["partial": file]
        files["ranges"] = ranges
        let storage = MemoryStorage(files: files, step: .max)
        guard let whole = try? merge(["partial"], storage) else { return [] }
        do throws(ReplayError) {
            if ranges == nil {
                var options = ReplayOptions(sources: ["partial"])
                options.output = "ranges"
                let count = choices.pick([1, 2, 3])
                let areComplete = choices.pick([false, true])
                try PartialRun(
                    .findRanges(count: count, areComplete: areComplete), options, storage: storage
                ).run()
            }
            try PartialRun(
                .split(ranges: "ranges", folder: "slices"), ReplayOptions(sources: ["partial"]),
                storage: storage
            ).run()
        } catch {
            switch error {
            case .usage: return []
            case .damaged("ranges", _, _) where ranges != nil: return []
            default: return ["cutting: \(error)"]
            }
        }
        do throws(ReplayError) {
            let parts = try parts(storage)
            return parts == whole ? [] : ["the parts are \(parts.shown), not \(whole.shown)"]
        } catch {
            return ["merging slices: \(error)"]
        }
    }

    /// Returns all parts of the snapshot.
    private static func parts(_ storage: MemoryStorage) throws(ReplayError) -> [UInt8] {
        let count = storage.files.keys.count { $0.hasPrefix("slices/groups-") }
        func slices(_ prefix: String) -> [String] {
            storage.files.keys.filter { $0.hasPrefix("slices/\(prefix)") }
        }
        let numbers = (0..<count).map { index in String(String(100_000 + index).dropFirst()) }
        var isByDevice = false
        for number in numbers {
            do throws(ReplayError) {
                try PartialRun(
                    .keepNewest(ranges: "ranges", folder: "slices"),
                    ReplayOptions(sources: ["slices/identities-\(number).partial"]), storage: storage
                ).run()
            } catch {
                guard case .usage = error else { throw error }
                isByDevice = true
            }
        }
        var parts: [UInt8] = []
        for number in numbers {
            let others = isByDevice ? slices("identities-\(number)") : slices("newest-\(number)")
            parts += try merge(slices("groups-\(number)") + others, storage)
        }
        return parts
    }

    private static func merge(_ paths: [String], _ storage: MemoryStorage) throws(ReplayError) -> [UInt8] {
        var options = ReplayOptions(sources: paths)
        options.output = "out"
        options.threads = 1
        options.chunkBytes = 1
        options.maximumLine = 1
        _ = try Merge(options, storage: storage).run()
        return storage["out"] ?? []
    }

    package static var seeds: [[UInt8]] {
        [
            Samples.namedPartial, Samples.named { $0.byDevice = true },
            Samples.named { $0.appliesRemovals = true },
        ]
            + [(1, false), (3, false), (2, true)].map { partitions, areComplete in
                let partial = Samples.named { $0.appliesRemovals = areComplete }
                let storage = MemoryStorage(files: ["partial": partial], step: .max)
                var options = ReplayOptions(sources: ["partial"])
                options.output = "ranges"
                do {
                    try PartialRun(
                        .findRanges(count: partitions, areComplete: areComplete), options, storage: storage
                    ).run()
                } catch {
                    fatalError("a seed could not be made: \(error)")
                }
                return storage["ranges"] ?? []
            }
    }

    package static var words: [[UInt8]] {
        PartialMerging.words + [[0x53, 0x48, 0x4b, 0x45, 0x59, 2, 13, 10]]
    }
}

extension Samples {
    /// A partial result with named sources.
    static let namedPartial = named { _ in }

    /// Returns the partial result of a replay of the logs with named sources.
    static func named(_ change: (inout ReplayOptions) -> Void) -> [UInt8] {
        let storage = MemoryStorage(files: StateLogs.files)
        var options = ReplayOptions(sources: [])
        options.namedSources = StateLogs.files.keys.sorted().enumerated().map {
            NamedSource(path: $0.element, name: "s\($0.offset)", ordinal: 3 * $0.offset)
        }
        options.partial = "out"
        options.chunkBytes = 100
        options.threads = 1
        options.maximumLine = 300
        change(&options)
        do {
            _ = try Replay(options, storage: storage).run()
        } catch {
            fatalError("a seed could not be made: \(error)")
        }
        return storage["out"] ?? []
    }
}
