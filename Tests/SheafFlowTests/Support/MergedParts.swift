import SheafBytes
import TestSupport

@testable import SheafFlow

/// Partial results of a few lines, and merges of files in memory.
enum MergedParts {
    /// Returns a partial result of these lines.
    static func partial(
        _ lines: [String], _ change: (inout ReplayOptions) -> Void = { _ in }
    ) -> [UInt8] {
        let storage = MemoryStorage(["log": .file(Array(lines.map { $0 + "\n" }.joined().utf8))])
        var options = ReplayOptions(sources: ["log"])
        options.partial = "partial"
        change(&options)
        _ = try? Replay(options, storage: storage).run()
        return storage["partial"] ?? []
    }

    static let lines = [
        #"{"app":"a","ts":1,"collapse-id":"c","aps":{"alert":"x"}}"#,
        #"{"app":"a","ts":2,"aps":{"alert":{"body":"x","summary-arg":"Ana"},"category":"k"}}"#,
        #"{"app":"a","ts":3,"aps":{"alert":{"body":"x"}}}"#,
        "reject",
    ]

    static let good = partial(lines)

    static func merge(
        _ paths: [String], _ entries: [String: MemoryStorage.Entry],
        _ change: (inout ReplayOptions) -> Void = { _ in }
    ) -> (error: ReplayError?, isUntouched: Bool) {
        let storage = MemoryStorage(entries)
        var options = ReplayOptions(sources: paths)
        options.output = "out"
        options.statistics = "stats"
        change(&options)
        do throws(ReplayError) {
            _ = try Merge(options, storage: storage).run()
            return (nil, storage.entries == entries)
        } catch {
            return (error, storage.entries == entries)
        }
    }
}
