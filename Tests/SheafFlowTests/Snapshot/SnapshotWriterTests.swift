import Foundation
import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Groups in several shards, rendered in pieces by several threads: their lines are written in order.
@Suite(.tags(.spilling)) struct SnapshotWriterTests {
    /// Returns `count` thread identifiers in byte order.
    private static func threads(_ count: Int) -> [String] { (0..<count).map { String(10_000 + $0) } }

    /// Returns `count` shards of sorted groups, each group with one notification in its own thread.
    private func shards(_ threads: [String], count: Int) -> [SortedShard] {
        var tables = (0..<count).map { _ in GroupTable(maximumArguments: 1) }
        for (index, thread) in threads.enumerated() {
            var notification = NotificationText()
            notification.thread = thread
            notification.body = "B"
            notification.order = OrderKey(timestamp: 0, source: 0, line: UInt64(index + 1))
            let (record, bytes) = notification.encoded()
            // If there are several shards, the first one is empty.
            let shard = count == 1 ? 0 : 1 + index * index % (count - 1)
            tables[shard].add(record, in: bytes.span, hash: Routing.groupHash(record, in: bytes.span))
        }
        return tables.map { SortedShard(SortedGroups($0, order: .key, byDevice: false)) }
    }

    private func options(threads: Int) -> ReplayOptions {
        var options = ReplayOptions(sources: [])
        options.threads = threads
        return options
    }

    struct Case: NamedCase {
        let groups: Int
        let threads: Int
        let shards: Int

        var name: String { "\(groups) groups of \(shards) shards by \(threads) threads" }
    }

    @Test(arguments: [
        Case(groups: 0, threads: 1, shards: 1), Case(groups: 0, threads: 7, shards: 7),
        Case(groups: 1, threads: 2, shards: 2), Case(groups: 3, threads: 7, shards: 7),
        Case(groups: Limits.groupsPerPiece, threads: 1, shards: 1),
        Case(groups: Limits.groupsPerPiece + 1, threads: 1, shards: 3),
        Case(groups: 2 * Limits.groupsPerPiece, threads: 2, shards: 2),
        Case(groups: 2 * Limits.groupsPerPiece + 7, threads: 2, shards: 5),
    ])
    func everyGroupIsWrittenOnceAndInOrder(_ item: Case) throws {
        let threads = Self.threads(item.groups)
        let storage = MemoryStorage()
        let file = try OutputFile("out", storage: storage)
        let progress = RunProgress()
        var writer = SnapshotWriter(
            shards(threads, count: item.shards), options: options(threads: item.threads))
        try writer.write(to: file, progress: progress) {}
        try file.commit()
        let lines = String(decoding: try #require(storage["out"]), as: UTF8.self).split(separator: "\n")
        let written = lines.map { $0.split(separator: "\"")[7] }
        #expect(written.map(String.init) == threads)
        #expect(progress.groupsWritten == UInt64(item.groups))
    }

    /// Pieces whose lines fill their buffers several times over.
    @Test(arguments: [1, 2]) func longLinesAreWrittenInOrder(_ threads: Int) throws {
        let names = Self.threads(Limits.groupsPerPiece + 10)
        let long = String(repeating: "x", count: Limits.pieceBytes / 200)
        let storage = MemoryStorage()
        let file = try OutputFile("out", storage: storage)
        let progress = RunProgress()
        var writer = SnapshotWriter(
            shards(names.map { $0 + long }, count: 2), options: options(threads: threads))
        try writer.write(to: file, progress: progress) {}
        try file.commit()
        let lines = String(decoding: try #require(storage["out"]), as: UTF8.self).split(separator: "\n")
        #expect(lines.map { String($0.split(separator: "\"")[7].prefix(5)) } == names)
        #expect(progress.groupsWritten == UInt64(names.count))
    }

    struct LineCase: NamedCase {
        var groups = 2 * Limits.groupsPerPiece + 7
        var threads = 1
        var top: Int?
        var format = SnapshotFormat.ndjson
        let lines: Int
        let written: Int

        var name: String {
            "\(lines) lines of \(groups) groups by \(threads) threads, top \(top ?? 0), \(format)"
        }
    }

    /// A group is one line in JSON; in text it is two, or three with the preceding empty line.
    @Test(arguments: [
        LineCase(lines: 1, written: 1), LineCase(lines: 2, written: 2),
        LineCase(threads: 3, lines: 3, written: 3),
        LineCase(lines: Limits.groupsPerPiece, written: Limits.groupsPerPiece),
        LineCase(threads: 2, lines: Limits.groupsPerPiece + 1, written: Limits.groupsPerPiece + 1),
        LineCase(lines: 10_000, written: 2 * Limits.groupsPerPiece + 7),
        LineCase(groups: 0, lines: 1, written: 0), LineCase(groups: 3, lines: 3, written: 3),
        LineCase(format: .text(TextStyle()), lines: 1, written: 1),
        LineCase(format: .text(TextStyle()), lines: 4, written: 1),
        LineCase(format: .text(TextStyle()), lines: 5, written: 2),
        LineCase(threads: 2, format: .text(TextStyle()), lines: 6, written: 2),
        LineCase(top: 5, lines: 3, written: 3), LineCase(top: 5, lines: 9, written: 5),
    ])
    func theNumberOfLinesIsLimited(_ item: LineCase) throws {
        let threads = Self.threads(item.groups)
        let storage = MemoryStorage()
        let file = try OutputFile("out", storage: storage)
        let progress = RunProgress()
        var options = options(threads: item.threads)
        options.maximumLines = item.lines
        options.top = item.top
        options.format = item.format
        var writer = SnapshotWriter(
            shards(threads, count: item.threads), options: options)
        try writer.write(to: file, progress: progress) {}
        try file.commit()
        let text = String(decoding: try #require(storage["out"]), as: UTF8.self)
        let groups = item.format == .ndjson ? text.count { $0 == "\n" } : text.count(where: { $0 == "B" })
        #expect(groups == item.written)
        #expect(progress.groupsLeftOut == UInt64(min(item.groups, item.top ?? .max) - item.written))
        #expect(progress.groupsWritten == UInt64(min(item.groups, item.top ?? .max)))
        if item.format == .ndjson, item.top == nil {
            let written = text.split(separator: "\n").map { String($0.split(separator: "\"")[7]) }
            #expect(written == Array(threads.prefix(item.written)))
        }
    }

    @Test func writingCanBeInterrupted() throws {
        let storage = MemoryStorage()
        let file = try OutputFile("out", storage: storage)
        let progress = RunProgress()
        var writer = SnapshotWriter(
            shards(Self.threads(3 * Limits.groupsPerPiece), count: 1), options: options(threads: 1))
        var checks = 0
        #expect(throws: ReplayError.interrupted(signal: 2)) {
            try writer.write(to: file, progress: progress) { () throws(ReplayError) in
                checks += 1
                if checks == 2 { throw .interrupted(signal: 2) }
            }
        }
        #expect(progress.groupsWritten == UInt64(Limits.groupsPerPiece))
    }

    @Test func aFailedWriteIsAnError() throws {
        let storage = InterceptedStorage(MemoryStorage()) { _, event in
            event.operation == .write ? .fails(ENOSPC) : .succeeds
        }
        let file = try OutputFile("out", storage: storage)
        var writer = SnapshotWriter(
            shards(Self.threads(3), count: 1), options: options(threads: 2))
        try expectFullDisk { () throws(ReplayError) in try writer.write(to: file, progress: RunProgress()) {}
        }
    }

    private func expectFullDisk(_ write: () throws(ReplayError) -> Void) throws {
        let error = try #require(throws: ReplayError.self, performing: write)
        guard case .writing(let failure) = error else { throw error }
        #expect(failure.code == ENOSPC)
    }

    /// Two groups, each with far more output than a piece's buffer holds.
    private func largeGroups(_ options: ReplayOptions) -> [SortedShard] {
        var table = GroupTable(maximumArguments: options.maximumArguments)
        let long = String(repeating: "\u{1}\",é", count: 300)
        for index in 0..<240 {
            var notification = NotificationText()
            notification.thread = String(index % 2)
            notification.category = "\(index)\(long)"
            notification.argument = notification.category
            notification.body = String(repeating: long, count: index < 2 ? 40 : 1)
            notification.order = OrderKey(timestamp: 0, source: 0, line: UInt64(index + 1))
            let (record, bytes) = notification.encoded()
            table.add(record, in: bytes.span, hash: Routing.groupHash(record, in: bytes.span))
        }
        return [SortedShard(SortedGroups(table, order: options.order, byDevice: false))]
    }

    private static let formats = [
        SnapshotFormat.ndjson, .json, .csv, .text(TextStyle()), .text(TextStyle(width: 80, hasColours: true)),
    ]

    private func largeOptions(_ format: SnapshotFormat, hidesPreviews: Bool = false) throws -> ReplayOptions {
        var options = options(threads: 2)
        options.format = format
        options.maximumArguments = 100
        if hidesPreviews {
            let settings = #"{"apps":{"app":{"showPreviews":"never"}}}"#
            options.settings = try Settings(json: Array(settings.utf8), file: "c")
        }
        return options
    }

    /// Large groups are written while they are rendered: the bytes are the same as from one buffer.
    @Test(arguments: formats, [false, true])
    func largeGroupsAreWrittenWhileTheyAreRendered(_ format: SnapshotFormat, _ hidesPreviews: Bool) throws {
        let options = try largeOptions(format, hidesPreviews: hidesPreviews)
        let shards = largeGroups(options)
        var renderer = GroupRenderer(options.style, names: SourceNames(["log"]), shards: 1)
        var rendered: [UInt8] = []
        for index in 0..<2 { renderer.append(index, of: shards[0].groups, shard: 0, to: &rendered) }
        let written = format.groupFormat
        let expected =
            written.header(options.style) + rendered.dropFirst(written.firstDropped) + written.footer

        let storage = MemoryStorage()
        let file = try OutputFile("out", storage: storage)
        var writer = SnapshotWriter(shards, options: options)
        try writer.write(to: file, progress: RunProgress()) {}
        try file.commit()
        #expect(try #require(storage["out"]) == expected)
    }

    /// Whichever write of a large group fails is reported.
    @Test(arguments: [1, 2, 7]) func aFailedWriteOfALargeGroupIsAnError(_ number: Int) throws {
        let moment = Moment(after: number - 1) { $0.operation == .write }
        let storage = InterceptedStorage(MemoryStorage(), at: moment, .fails(ENOSPC))
        let options = try largeOptions(.json)
        let file = try OutputFile("out", storage: storage)
        var writer = SnapshotWriter(largeGroups(options), options: options)
        try expectFullDisk { () throws(ReplayError) in try writer.write(to: file, progress: RunProgress()) {}
        }
        #expect(storage.events.count { $0.operation == .write } == number)
    }
}

extension SnapshotWriter {
    fileprivate init(_ shards: [SortedShard], options: ReplayOptions) {
        self.init(
            shards, top: options.top, style: options.style, names: SourceNames(["log"]),
            threads: options.threads)
    }
}
