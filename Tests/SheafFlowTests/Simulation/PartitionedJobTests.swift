import TestSupport
import Testing

@testable import SheafFlow

/// A job on many machines has the result of one replay (specification §17).
@Suite(.serialized) struct PartitionedJobTests {
    @Test(arguments: Seeds.several(6))
    func aRoundHasNoProblems(_ seed: UInt64) async throws {
        var job = try PartitionedJob(seed: seed)
        let problems = try await job.run()
        #expect(problems == [], "\(job.story.joined(separator: "\n"))")
    }
}
