import Foundation
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Rounds of the simulation: a few in every test run, and as many as fit into `SHEAF_SOAK_SECONDS` if it is set.
@Suite(.serialized, .tags(.extended)) struct SimulationTests {
    private static let soakSeconds = ProcessInfo.processInfo.environment["SHEAF_SOAK_SECONDS"].map { text in
        guard let seconds = Int(text) else { fatalError("SHEAF_SOAK_SECONDS is not a number: '\(text)'") }
        return seconds
    }

    @Test(arguments: Seeds.several(2))
    func aRoundHasNoProblems(_ seed: UInt64) async throws {
        var simulation = try Simulation(seed: seed)
        let problems = try await simulation.run()
        #expect(problems == [], "\(simulation.story.joined(separator: "\n"))")
    }

    @Test(.enabled(if: soakSeconds != nil)) func soak() async throws {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(Self.soakSeconds ?? 0)
        // Different rounds each time; the seed of a failure reproduces it.
        let first = UInt64.random(in: 1 << 20...1 << 40)
        var rounds: UInt64 = 0
        var failures = 0
        Self.report("soak: \(Self.soakSeconds ?? 0) s, starting at seed \(first)")
        while clock.now < end {
            let seed = first + rounds
            var simulation = try Simulation(seed: seed)
            let problems = try await simulation.run()
            rounds += 1
            if problems.isEmpty { continue }
            failures += 1
            Self.report("soak: seed \(seed) failed: \(problems.joined(separator: "; "))")
            Issue.record("SHEAF_TEST_SEED=\(seed): \(simulation.story.joined(separator: "\n"))")
        }
        Self.report("soak: \(rounds) rounds, \(failures) failed")
    }

    private static func report(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
