import Foundation
import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Which runs may resume from a checkpoint, and the error messages for those that may not.
@Suite(.tags(.spilling)) struct CheckpointRefusalTests {
    private static let line =
        Array((#"{"app":"a","payload":{"aps":{"alert":"x"}}}"# + "\n").utf8)

    private static func text(_ count: Int) -> [UInt8] {
        (0..<count).reduce(into: []) { text, _ in text += line }
    }

    private static func options() throws -> ReplayOptions {
        var options = ReplayOptions(sources: ["logs"])
        options.output = "out"
        options.rejects = "rejects"
        options.chunkBytes = 300
        options.checkpoint = "check"
        options.checkpointChunks = 1
        options.threads = 1
        options.settings = try Settings(json: Array(#"{"apps":{"a":{"grouping":"byApp"}}}"#.utf8), file: "c")
        return options
    }

    /// Returns the files of a run that crashed after its second checkpoint.
    private static func begun() async throws -> MemoryStorage {
        let files = ["logs/a": text(20), "logs/b": text(10), "other/a": text(20)]
        let storage = MemoryStorage(files: files)
        let third = Moment(after: 0) { $0.operation == .create && $0.path == "check/checkpoint-3.tmp" }
        _ = await run(try options(), on: InterceptedStorage(storage, at: third, .crashes))
        let left = storage.restarted()
        #expect(left.paths.contains("check/checkpoint-2"))
        return left
    }

    private static func error(_ options: ReplayOptions, _ storage: MemoryStorage) -> ReplayError? {
        do throws(ReplayError) {
            _ = try Replay(options, storage: storage)
            return nil
        } catch {
            return error
        }
    }

    struct Change: NamedCase {
        let name: String
        let message: OptionMessage
        let change: @Sendable (inout ReplayOptions) -> Void
    }

    static let changes = [
        Change(name: "fewer sources", message: "it has 2 sources, not 1") { $0.sources = ["logs/a"] },
        Change(name: "more sources", message: "it has 2 sources, not 3") {
            $0.sources = ["logs", "other"]
        },
        Change(name: "other sources", message: "source 'logs/a' is now 'other/a'") {
            $0.sources = ["other/a", "logs/b"]
        },
        Change(name: "another order", message: "source 'logs/a' is now 'logs/b'") {
            $0.sources = ["logs/b", "logs/a"]
        },
        Change(name: "by device", message: "\(.byDevice) differs") { $0.byDevice = true },
        Change(name: "arguments", message: "\(.maximumArguments) differs") { $0.maximumArguments = 3 },
        Change(name: "another grouping", message: "the configuration groups apps differently") {
            $0.settings.apps["a"]?.grouping = .off
        },
        Change(name: "no grouping", message: "the configuration groups apps differently") {
            $0.settings = Settings()
        },
        Change(name: "longest line", message: "\(.maximumLine) differs") { $0.maximumLine = 1_000 },
        Change(
            name: "delivery", message: "only one of them has \(.delivery), or a configuration of delivery"
        ) { $0.delivery = true },
        Change(
            name: "a configuration of delivery",
            message: "only one of them has \(.delivery), or a configuration of delivery"
        ) { $0.settings.delivery.sounds = false },
        Change(name: "profile", message: "\(.profile) was ios12 and is now ios15") { $0.profile = .ios15 },
        Change(name: "input", message: "the input was 'auto' and is now 'fcm'") { $0.input.name = "fcm" },
        Change(name: "changed input", message: "the input 'auto' has changed") { $0.input.digest = "d" },
        Change(name: "app", message: "the app for records without one was none and is now 'com.a'") {
            $0.defaultApp = "com.a"
        },
        Change(name: "since", message: "it had neither \(.since) nor \(.until) and now has \(.since) 5") {
            $0.since = 5
        },
        Change(name: "until", message: "it had neither \(.since) nor \(.until) and now has \(.until) -5") {
            $0.until = -5
        },
        Change(name: "no rejects", message: "only one of them has \(.rejects)") { $0.rejects = nil },
    ]

    @Test(arguments: changes) func aCheckpointOfAnotherRunIsRefused(_ item: Change) async throws {
        let storage = try await Self.begun()
        let before = storage.paths
        var options = try Self.options()
        item.change(&options)
        #expect(
            Self.error(options, storage)
                == .usage("the checkpoint in 'check' belongs to another run: \(item.message)"))
        // The original run can still resume.
        #expect(Set(storage.paths).isSuperset(of: before.filter { $0.hasPrefix("check/checkpoint-") }))
        _ = try await run(Self.options(), on: storage).get()
    }

    /// Version 2 has no profile: such a checkpoint is accepted with any profile.
    @Test(arguments: Profile.allCases) func aVersion2CheckpointFitsAnyProfile(_ profile: Profile)
        async throws
    {
        let storage = try await Self.begun()
        let path = "check/checkpoint-2"
        let file = StateFile(path: path, magic: .checkpoint)
        var checkpoint = try StateReader.onlyRecord(of: .header, file, storage) { Checkpoint($0) }.value
        #expect(checkpoint.profile == .ios12)
        checkpoint.profile = nil
        var record = OutputBuffer()
        checkpoint.append(to: &record)
        var payload = OutputBuffer()
        payload.appendText(record.bytes)
        try storage.remove(path)
        let output = try storage.createNew(path)
        var frames = try FrameWriter(output, magic: FrameMagic("SHCKP", version: 2))
        try frames.write(payload.bytes, kind: StateSection.header.rawValue)
        try frames.end()
        output.close()
        var options = try Self.options()
        options.profile = profile
        let statistics = try await run(options, on: storage).get()
        #expect(statistics.records == 30)
    }

    static let allowed = [
        Change(name: "threads and chunks", message: "") {
            $0.threads = 3
            $0.chunkBytes = 1_000
        },
        Change(name: "order and lock", message: "") {
            $0.order = .recent
            $0.locked = true
        },
        Change(name: "outputs", message: "") {
            $0.output = "else"
            $0.rejects = "rejects too"
            $0.statistics = "stats"
        },
        Change(name: "a partial result", message: "") { $0.partial = "partial" },
        Change(name: "spilling", message: "") { $0.spillsAlways.toggle() },
        Change(name: "how text is shown", message: "") { $0.settings.showPreviews = .never },
        Change(name: "the same folder", message: "") { $0.checkpoint = "check/" },
    ]

    @Test(arguments: allowed) func optionsThatDoNotAffectStateMayChange(_ item: Change) async throws {
        let storage = try await Self.begun()
        var options = try Self.options()
        item.change(&options)
        let statistics = try await run(options, on: storage).get()
        #expect(statistics.grouped == 30)
        #expect(!storage.paths.contains { $0.hasPrefix("check/") })
    }

    struct SourceChange: NamedCase {
        let name: String
        let message: OptionMessage
        let change: @Sendable (MemoryStorage) -> Void
    }

    static let sourceChanges = [
        SourceChange(name: "longer", message: "it had 440 bytes and now has 880") {
            $0["logs/b"] = text(20)
        },
        SourceChange(name: "empty", message: "it had 440 bytes and now has 0") { $0["logs/b"] = [] },
        SourceChange(name: "modified", message: "its modification time differs") { $0.touch("logs/b") },
    ]

    @Test(arguments: sourceChanges) func aChangedSourceIsNamed(_ item: SourceChange) async throws {
        let storage = try await Self.begun()
        item.change(storage)
        #expect(
            Self.error(try Self.options(), storage)
                == .source(
                    path: "logs/b", reason: "changed since the checkpoint in 'check': \(item.message)"))
        #expect(storage.paths.contains("check/checkpoint-2"))
    }

    @Test func theFirstDifferenceIsNamed() {
        let identity = SourceIdentity(size: 5, modified: 6, head: 7)
        #expect(identity.difference(to: identity) == nil)
        #expect(
            identity.difference(to: SourceIdentity(size: 4, modified: 1, head: 1))
                == "it had 5 bytes and now has 4")
        #expect(
            identity.difference(to: SourceIdentity(size: 5, modified: 5, head: 1))
                == "its modification time differs")
        #expect(
            identity.difference(to: SourceIdentity(size: 5, modified: 6, head: 8))
                == "its first bytes differ")
    }

    /// The checksum covers the first bytes, up to the limit, however they are split into reads.
    @Test(arguments: [0, 1, 699, 700, 701, 4_095, 4_096, 4_097, 9_000])
    func theHeadCoversTheFirstBytesOnly(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
        func head(_ bytes: [UInt8]) throws -> UInt32 {
            let storage = MemoryStorage(files: ["a": bytes])
            let source = try #require(try SourceList.expand(["a"], storage: storage).first)
            let identity = try SourceIdentity(source, storage: storage)
            #expect(identity.size == UInt64(bytes.count))
            #expect(storage.openFiles == 0)
            return identity.head
        }
        var checksum = Checksum()
        let first = Array(bytes.prefix(SourceIdentity.headBytes))
        checksum.update(first.span)
        #expect(try head(bytes) == checksum.value)
        guard count > 0 else { return }
        for offset in [0, count - 1] {
            var changed = bytes
            changed[offset] ^= 1
            #expect(try (head(changed) == checksum.value) == (offset >= SourceIdentity.headBytes))
        }
    }

    @Test func sourcesThatCannotBeReadTwiceAreRefused() throws {
        var options = try Self.options()
        options.sources = ["-"]
        let message: OptionMessage =
            "can't be a source with \(.checkpoint): reading can't resume in the middle"
        #expect(Self.error(options, MemoryStorage()) == .usage("standard input \(message)"))
        options.sources = ["pipe"]
        let error = #expect(throws: ReplayError.self) {
            _ = try Replay(options, storage: MemoryStorage(["pipe": .device([])]))
        }
        #expect(error == .usage("'pipe', which is not a regular file, \(message)"))
    }

    @Test func aSecondRunIsRefusedWhileTheFirstIsActive() throws {
        let storage = MemoryStorage(files: ["logs/a": Self.text(1)])
        let first = try Replay(Self.options(), storage: storage)
        #expect(
            Self.error(try Self.options(), storage) == .inUse(folder: "check"))
        withExtendedLifetime(first) {}
    }

    @Test func aDamagedCheckpointIsNamed() async throws {
        let storage = try await Self.begun()
        storage["check/checkpoint-2"] = Array("SHCKP".utf8)
        guard case .damaged("check/checkpoint-2", _, _)? = Self.error(try Self.options(), storage) else {
            Issue.record("the damaged checkpoint was accepted")
            return
        }
    }

    @Test func aMissingStateFileIsNamed() async throws {
        let storage = try await Self.begun()
        storage["check/state-2-0.run"] = nil
        let error = StorageError(.open, path: "check/state-2-0.run", code: ENOENT)
        guard case .failure(.writing(error)) = await run(try Self.options(), on: storage) else {
            Issue.record("the run resumed without the missing state")
            return
        }
        #expect(storage.paths.contains("check/checkpoint-2"))
    }
}
