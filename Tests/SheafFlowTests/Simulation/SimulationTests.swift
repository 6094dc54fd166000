import Foundation
import TestSupport
import Testing

@testable import SheafFlow

/// Rounds of the simulation: a few with every test run, and as many as there is time for when `SHEAF_SOAK_SECONDS` says
/// for how long.
@Suite(.serialized) struct SimulationTests {
    private static let soakSeconds = ProcessInfo.processInfo.environment["SHEAF_SOAK_SECONDS"].map { text in
        guard let seconds = Int(text) else { fatalError("SHEAF_SOAK_SECONDS is no number: '\(text)'") }
        return seconds
    }

    @Test(arguments: Seeds.several(8))
    func aRound(_ seed: UInt64) async throws {
        var simulation = try Simulation(seed: seed)
        let problems = try await simulation.run()
        #expect(problems == [], "\(simulation.story.joined(separator: "\n"))")
    }

    @Test(.enabled(if: soakSeconds != nil)) func soak() async throws {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(Self.soakSeconds ?? 0)
        // Other rounds each time; a failure's seed makes it the same again.
        let first = UInt64.random(in: 1 << 20...1 << 40)
        var rounds: UInt64 = 0
        var failures = 0
        Self.say("soak: \(Self.soakSeconds ?? 0) s, from seed \(first) on")
        while clock.now < end {
            let seed = first + rounds
            var simulation = try Simulation(seed: seed)
            let problems = try await simulation.run()
            rounds += 1
            if problems.isEmpty { continue }
            failures += 1
            Self.say("soak: seed \(seed) failed: \(problems.joined(separator: "; "))")
            Issue.record("SHEAF_TEST_SEED=\(seed): \(simulation.story.joined(separator: "\n"))")
        }
        Self.say("soak: \(rounds) rounds, \(failures) of them failed")
    }

    private static func say(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
