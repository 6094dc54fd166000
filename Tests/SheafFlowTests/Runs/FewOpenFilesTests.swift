import SheafBytes
import Synchronization
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Whole runs with a low limit on open files: they give the same results, and never open more files than allowed.
@Suite(.tags(.spilling)) struct FewOpenFilesTests {
    struct Case: NamedCase {
        var threads: Int
        var available: Int?
        var checkpoint: String?

        var name: String {
            "\(threads) threads, \(available.map(String.init) ?? "any") files, \(checkpoint ?? "no checkpoint")"
        }

        static let all = [1, 2, 9].flatMap { threads in
            [nil, OpenFiles.minimum, OpenFiles.minimum + 1, OpenFiles.minimum + 20].flatMap { available in
                [nil, "check"].map { Case(threads: threads, available: available, checkpoint: $0) }
            }
        }
    }

    private static func sources() -> [String: MemoryStorage.Entry] {
        var files: [String: MemoryStorage.Entry] = [:]
        for source in 0..<60 {
            var text = ""
            for line in 0..<(source == 0 ? 200 : 4) {
                text +=
                    line % 2 == 1
                    ? "garbage \(source).\(line)\n"
                    : #"{"app":"a\#(line % 7)","timestamp":\#(source * 7 % 5),"payload":{"aps":{"alert":"\#(source)"}}}"#
                        + "\n"
            }
            files["logs/\(source + 100)"] = .file(Array(text.utf8))
        }
        return files
    }

    private static func results(_ item: Case) async throws -> (outputs: [[UInt8]?], maximumOpen: Int) {
        var entries = sources()
        entries["logs"] = .folder
        let files = MemoryStorage(entries)
        let maximumOpen = Mutex(0)
        let storage = InterceptedStorage(files) { _, _ in
            let count = files.openFiles
            maximumOpen.withLock { $0 = max($0, count) }
            return .succeeds
        }
        var options = ReplayOptions(sources: ["logs"])
        options.output = "out"
        options.rejects = "rejects"
        options.threads = item.threads
        options.chunkBytes = 200
        options.maximumLine = 1000
        options.openFiles = item.available
        options.spillsAlways = true
        options.checkpoint = item.checkpoint
        options.checkpointChunks = item.checkpoint == nil ? nil : 5
        _ = try await run(options, on: storage).get()
        #expect(files.openFiles == 0)
        return ([files["out"], files["rejects"]], maximumOpen.withLock { $0 })
    }

    @Test(arguments: Case.all) func resultsDoNotDependOnTheLimit(_ item: Case) async throws {
        let (results, maximumOpen) = try await Self.results(item)
        #expect(try await results == Self.results(Case(threads: 1)).outputs)
        #expect(results[1].map { $0.count { $0 == UInt8(ascii: "\n") } } == 100 + 59 * 2)
        // The count includes neither the nine files of Dispatch nor the lock.
        if let available = item.available { #expect(maximumOpen <= available - 10) }
    }
}
