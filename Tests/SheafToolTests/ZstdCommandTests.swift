import Foundation
import SheafBytes
import TestSupport
import Testing

@testable import SheafTool

/// zstd sources and outputs of the command.
@Suite struct ZstdCommandTests {
    private static func write(_ bytes: [UInt8], to name: String, in folder: URL) throws {
        try Data(bytes).write(to: folder.appendingPathComponent(name))
    }

    private static func text(_ frame: [UInt8]) throws -> [UInt8] {
        var input = SourceInput(MemoryInput(frame))
        var text = [UInt8](repeating: 0, count: 1 << 16)
        var count = 0
        while true {
            var target = text.mutableSpan
            var room = target._mutatingExtracting(count..<target.count)
            let produced = try input.read(into: &room)
            if produced == 0 { return Array(text[..<count]) }
            count += produced
        }
    }

    /// A file with any name, a pipe and standard input.
    @Test func sourcesAreRecognizedByTheirContent() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            let frames =
                [0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 9] + zstd([UInt8](oneNotification.utf8)) + zstd([])
            try Self.write(frames, to: "log", in: command.folder)
            let plain = try command.run("replay", "a.ndjson", "-q").output
            for shell in [
                "\"$SHEAF\" replay log -q", "\"$SHEAF\" replay - -q < log",
                "cat log | \"$SHEAF\" replay - -q",
                "mkfifo pipe; cat log > pipe & \"$SHEAF\" replay pipe -q",
            ] {
                let result = try command.shell(shell)
                #expect(result.status == 0)
                let source = shell.contains("- -q") ? "-" : shell.contains("pipe") ? "pipe" : "log"
                #expect(
                    result.output.replacingOccurrences(of: #""\#(source)""#, with: #""a.ndjson""#) == plain)
            }
        }
    }

    @Test func outputsAreCompressed() throws {
        try withFolder { command in
            try command.write(oneNotification + "no JSON\n", to: "a.ndjson")
            let result = try command.run(
                "replay", "a.ndjson", "--max-rejects", "1", "-q", "-o", "out.csv.zst", "--stats",
                "stats.json.zst",
                "--rejects", "bad.zst")
            #expect(result.status == 0, "\(result.errors)")
            for (name, start) in [
                ("out.csv.zst", "app,thread,"), ("stats.json.zst", "{\""), ("bad.zst", "{\"source\""),
            ] {
                let bytes = [UInt8](try Data(contentsOf: command.folder.appendingPathComponent(name)))
                #expect(bytes.starts(with: [0x28, 0xb5, 0x2f, 0xfd]))
                #expect(String(decoding: try Self.text(bytes), as: UTF8.self).hasPrefix(start), "\(name)")
            }
            let generated = try command.run(
                "generate", "--records", "50", "--seed", "7", "--files", "2", "-o", "push.ndjson.zst", "-q")
            #expect(generated.status == 0)
            #expect(try command.names.contains("push-2.ndjson.zst"))
            #expect(try command.run("replay", "push-1.ndjson.zst", "push-2.ndjson.zst", "-q").status == 0)
        }
    }

    @Test func partialResultsMayBeCompressed() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            #expect(try command.run("replay", "a.ndjson", "--partial", "a.partial.zst", "-q").status == 0)
            #expect(try command.run("merge", "a.partial.zst", "-q").output == oneGroup)
            let result = try command.run("replay", "a.partial.zst")
            #expect(
                result.errors.contains(
                    "a.partial.zst: a partial result, not a log; sheaf merge a.partial.zst"))
        }
    }

    @Test(arguments: [
        ("truncated", "the zstd data ends in the middle of a frame, at byte 40", "zstd.truncated"),
        ("garbage", "bytes after the last zstd frame are not zstd data, at byte SIZE", "zstd.garbage"),
        ("checksum", "the checksum at byte SIZE-4 does not match the data before it", "zstd.checksum"),
    ])
    func aDamagedSourceIsUsedUpToTheDamage(_ name: String, _ message: String, _ reason: String) throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            var bytes = zstd([UInt8]((oneNotification + oneNotification).utf8))
            let size = bytes.count
            switch name {
            case "truncated": bytes.removeSubrange(40...)
            case "garbage": bytes += [UInt8]("garbage".utf8)
            default: bytes[size - 1] ^= 1
            }
            try Self.write(bytes, to: "d.zst", in: command.folder)
            let result = try command.run("replay", "d.zst", "a.ndjson", "-o", "out.ndjson")
            #expect(result.status == 65)
            let expected = message.replacingOccurrences(of: "SIZE-4", with: "\(size - 4)")
                .replacingOccurrences(of: "SIZE", with: "\(size)")
            #expect(
                result.errors.contains("sheaf: d.zst: \(expected); the data before that was used\n"),
                "\(result.errors)")
            let check = try command.run("check", "d.zst")
            #expect(check.status == 65)
            #expect(check.output.contains(reason))
        }
    }

    /// A window that needs more memory than the run has ends the run; with more memory the result is right.
    @Test func windowsAreBoundedByTheMemoryLimit() throws {
        try withFolder { command in
            var frame = zstd([UInt8](oneNotification.utf8))
            // The frame has neither a content size nor a single segment: its window is the sixth byte.
            #expect(frame[4] & 0xe0 == 0)
            frame[5] = 0x88
            try Self.write(frame, to: "a.zst", in: command.folder)
            let small = try command.run("replay", "a.zst", "--memory", "80MiB", "--threads", "2")
            #expect(small.status == 64)
            #expect(
                small.errors.contains(
                    "a.zst: the window of the zstd frame at byte 0 takes 129 MiB, but each source can take only "
                ),
                "\(small.errors)")
            #expect(
                try command.run("replay", "a.zst", "--memory", "400MiB", "--threads", "2", "-q").status == 0)
            frame[5] = 0xa8
            try Self.write(frame, to: "b.zst", in: command.folder)
            let refused = try command.run("replay", "b.zst", "--memory", "400MiB")
            #expect(refused.status == 65)
            #expect(
                refused.errors.contains(
                    "b.zst: the zstd frame at byte 0 has a window of more than 128 MiB; the data before that was used; "
                        + "for all of it: zstd -dc --long=31 b.zst | sheaf replay -"))
        }
    }
}
