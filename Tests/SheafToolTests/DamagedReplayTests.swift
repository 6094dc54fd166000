import Foundation
import FuzzChecks
import SheafBytes
import TestSupport
import TestTags
import Testing

@testable import SheafTool

/// Damaged files are replayed the same with either inflater: a bit of each is wrong, in files of several members with
/// several blocks each.
@Suite(.tags(.spilling)) struct DamagedReplayTests {
    /// A log in three members, of about eight blocks each.
    private static let log: [UInt8] = (0..<3).flatMap { member in
        BlockedMember(
            (0..<4).map { block in
                let lines = (0..<25).map { line in
                    let number = 1_000 * member + 100 * block + line
                    return #"{"ts":\#(number),"app":"com.example.\#(number % 7)","#
                        + #""payload":{"aps":{"alert":"Message \#(number * number % 977)"}}}"# + "\n"
                }
                return [UInt8](lines.joined().utf8)
            }
        ).bytes
    }

    private struct Run: Equatable {
        let status: Int32
        let snapshot: String
        /// A line for each damaged source, with the damage and its offset.
        let messages: [String]
    }

    /// Writes copies of the log that differ in a bit, from 0.gz on.
    private static func writeDamaged(_ count: Int, _ random: inout SeededGenerator, for command: Command)
        throws
    {
        for file in 0..<count {
            var damaged = log
            // The first bytes decide whether the file is gzip data at all.
            let offset = 2 + random.below(damaged.count - 2)
            damaged[offset] ^= 1 << UInt8(random.below(8))
            try Data(damaged).write(to: command.folder.appendingPathComponent("\(file).gz"))
        }
    }

    private static func run(_ command: Command, _ files: [String], _ inflater: Inflater) throws -> Run {
        let result = try command.run(["replay", "-q", "--inflater", inflater.rawValue] + files)
        return Run(
            status: result.status, snapshot: result.output,
            messages: result.errors.split(separator: "\n").map(String.init))
    }

    @Test(arguments: Seeds.several(1)) func hundredFilesAreReplayedTheSame(_ seed: UInt64) throws {
        try withFolder { command in
            var random = SeededGenerator(seed: seed)
            try Self.writeDamaged(100, &random, for: command)
            let files = (0..<100).map { "\($0).gz" }
            let runs = try Inflater.allCases.map { try Self.run(command, files, $0) }
            #expect(runs[0] == runs[1])
            #expect(runs[0].status == 65)
            // Only some bits of a member's header have no effect.
            let damages = runs[0].messages.filter { $0.contains("the data before that was used") }
            #expect((90...100).contains(damages.count), "\(runs[0].messages)")
            let corrupt = damages.count { $0.contains(Self.corruption) }
            #expect((10...90).contains(corrupt), "\(runs[0].messages)")
        }
    }

    private static let corruption = "the compressed data is corrupt"

    /// Each has a status of its own then.
    @Test(arguments: Seeds.several(1)) func singleFilesAreReplayedTheSame(_ seed: UInt64) throws {
        try withFolder { command in
            var random = SeededGenerator(seed: seed ^ 1)
            try Self.writeDamaged(20, &random, for: command)
            for file in 0..<20 {
                let runs = try Inflater.allCases.map { try Self.run(command, ["\(file).gz"], $0) }
                #expect(runs[0] == runs[1])
                #expect(runs[0].status == (runs[0].messages.isEmpty ? 0 : 65))
            }
        }
    }

    @Test func undamagedLogIsReplayedTheSame() throws {
        try withFolder { command in
            try Data(Self.log).write(to: command.folder.appendingPathComponent("0.gz"))
            let runs = try Inflater.allCases.map { try Self.run(command, ["0.gz"], $0) }
            #expect(runs[0] == runs[1])
            #expect(runs[0].status == 0)
            #expect(runs[0].snapshot.contains("com.example.6"))
        }
    }
}
