import Foundation
import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Checkpoints with intact frames but contents that no run writes: the run fails, names the file and leaves every other
/// file unchanged.
@Suite(.tags(.spilling)) struct CheckpointDamageTests {
    private static func options() -> ReplayOptions {
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        // Each checkpoint then covers the same chunks on every machine.
        options.threads = 1
        options.chunkBytes = 60
        options.checkpoint = "check"
        options.checkpointChunks = 1
        return options
    }

    private static let log = Array(
        String(repeating: #"{"app":"a","ts":1,"collapse-id":"c","aps":{"alert":"x"}}"# + "\n", count: 8).utf8)

    /// Returns the files of a run that crashed after its second checkpoint, with that checkpoint's contents changed.
    private static func storage(
        _ change: (inout Checkpoint, MemoryStorage) throws -> Void
    ) async throws -> MemoryStorage {
        let storage = MemoryStorage(files: ["log": log])
        let third = Moment(after: 0) { $0.operation == .create && $0.path == "check/checkpoint-3.tmp" }
        _ = await run(options(), on: InterceptedStorage(storage, at: third, .crashes))
        let left = storage.restarted()
        do {
            let folder = try CheckpointFolder("check", storage: left)
            var checkpoint = try #require(try folder.load())
            try change(&checkpoint, left)
            // Not written through the folder, which would remove the files that the previous checkpoint names.
            var record = OutputBuffer()
            checkpoint.append(to: &record)
            var payload = OutputBuffer()
            payload.appendText(record.bytes)
            let frame = Frame(kind: StateSection.header.rawValue, payload: StateText.copy(payload))
            left["check/checkpoint-2"] = try FrameFile.bytes([frame], magic: .checkpoint)
        }
        return left
    }

    /// Returns a state file with these notifications and groups.
    private static func state(
        _ notifications: [NotificationText], _ groups: [NotificationText] = [], magic: FrameMagic
    ) throws -> [UInt8] {
        try StateText.file(
            notifications.map { (.notifications, $0.asBytes()) }
                + groups.map { (.groups, StateText.encoded([$0])) }, magic: magic)
    }

    private static func notification(
        _ line: UInt64, source: Int = 0, identifier: String = "c"
    ) -> NotificationText {
        var text = NotificationText()
        text.app = "a"
        text.collapseIdentifier = identifier
        text.order = OrderKey(timestamp: 1, source: source, line: line)
        return text
    }

    struct Change: NamedCase {
        let name: String
        let damaged: String
        let change: @Sendable (inout Checkpoint, MemoryStorage) throws -> Void
    }

    static let changes = [
        Change(name: "a dumped notification of an unknown source", damaged: "check/state-2-0.run") {
            _, storage in
            storage["check/state-2-0.run"] = try state([notification(1, source: 1)], magic: .dump)
        },
        Change(name: "a dumped group of an unknown source", damaged: "check/state-2-0.run") { _, storage in
            storage["check/state-2-0.run"] = try state(
                [], [notification(1, source: 1, identifier: "")], magic: .dump)
        },
        Change(name: "a spilled notification of an unknown source", damaged: "check/spill-0.run") {
            $1["check/spill-0.run"] = try state([notification(1, source: 1)], magic: .run)
            addFirstRun(to: &$0)
        },
        Change(name: "a spilled group of an unknown source", damaged: "check/spill-0.run") {
            $1["check/spill-0.run"] = try state([], [notification(1, source: 1, identifier: "")], magic: .run)
            addFirstRun(to: &$0)
        },
        Change(name: "more versions dumped than were counted", damaged: "check/state-2-0.run") { _, storage in
            storage["check/state-2-0.run"] = try state((1...9).map { notification($0) }, magic: .dump)
        },
        Change(name: "more groups dumped than were counted", damaged: "check/state-2-0.run") { _, storage in
            storage["check/state-2-0.run"] = try state(
                [], (1...9).map { notification($0, identifier: "") }, magic: .dump)
        },
        Change(name: "more versions spilled than were counted", damaged: "check/checkpoint-2") {
            for number in 0..<9 {
                $1["check/spill-\(number).run"] = try state([notification(UInt64(number))], magic: .run)
                $0.runs.append("spill-\(number).run")
                $0.nextNumber = 9
            }
        },
        Change(name: "a dumped group with a different grouping", damaged: "check/state-2-0.run") {
            _, storage in
            var alone = notification(1, identifier: "")
            alone.grouping = .off
            storage["check/state-2-0.run"] = try state([], [alone], magic: .dump)
        },
        Change(name: "a dump listed twice", damaged: "check/checkpoint-2") { checkpoint, _ in
            checkpoint.dumps += checkpoint.dumps
        },
        Change(name: "a dump with an invalid name", damaged: "check/checkpoint-2") {
            $1["check/mine.run"] = $1["check/state-2-0.run"]
            $0.dumps = ["mine.run"]
        },
        Change(name: "a dump outside the folder", damaged: "check/checkpoint-2") {
            $1["elsewhere"] = $1["check/state-2-0.run"]
            $0.dumps = ["../elsewhere"]
        },
        Change(name: "a run with an invalid name", damaged: "check/checkpoint-2") {
            $1["check/mine.run"] = try state([], magic: .run)
            $0.runs = ["mine.run"]
        },
    ]

    /// Runs that spill whenever possible already have this run, and others.
    private static func addFirstRun(to checkpoint: inout Checkpoint) {
        if !checkpoint.runs.contains("spill-0.run") { checkpoint.runs.append("spill-0.run") }
        checkpoint.nextNumber = max(checkpoint.nextNumber, 1)
    }

    @Test(arguments: changes, [nil, "partial"]) func theDamagedFileIsNamed(_ item: Change, partial: String?)
        async throws
    {
        let storage = try await Self.storage(item.change)
        var options = Self.options()
        options.partial = partial
        // A newer checkpoint would replace this one.
        options.checkpointChunks = 1_000
        let before = storage.paths.filter { $0.hasPrefix("check/") || $0 == "elsewhere" }
        let outcome = await run(options, on: storage)
        guard case .failure(.damaged(let path, .content, _)) = outcome, path == item.damaged else {
            Issue.record("\(outcome)")
            return
        }
        #expect(Set(storage.paths).isSuperset(of: before))
        #expect(storage["out"] == nil && storage["partial"] == nil)
    }

    /// Order keys cannot hold line numbers above the maximum.
    @Test func linesAboveTheMaximumAreAnError() async throws {
        let storage = try await Self.storage { checkpoint, storage in
            let point = try #require(
                RestartPoint(restoring: .betweenMembers, offset: 0, bytesInflated: 1 << 41))
            let position = try #require(
                SourcePosition(
                    restoring: point, bytesInflated: 1 << 41, nextLine: OrderKey.maximumLines - 1))
            checkpoint.progress = [.position(position)]
            let file = gzip(Self.log)
            storage["log"] = file
            let source = try #require(try SourceList.expand(["log"], storage: storage).first)
            checkpoint.identities = [try SourceIdentity(source, storage: storage)]
        }
        let outcome = await run(Self.options(), on: storage)
        let reason = "has more than the maximum of 1099511627775 lines"
        guard case .failure(.source("log", reason)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    /// The next checkpoint after it could not be numbered.
    @Test func theLargestNumberIsNotACheckpointName() throws {
        #expect(CheckpointNames.number(of: "checkpoint-\(Int.max)") == nil)
        #expect(CheckpointNames.number(of: "checkpoint-\(Int.max - 1)") == Int.max - 1)
        #expect(!CheckpointNames.isOwn("checkpoint-\(Int.max)"))
    }
}
