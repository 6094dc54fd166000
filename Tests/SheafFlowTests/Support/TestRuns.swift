import Foundation
import SheafBytes

@testable import SheafChecks
@testable import SheafFlow

/// The common interface of a replay, a merge and a check.
protocol Job<Success>: AnyObject, Sendable {
    associatedtype Success: Sendable

    func run(willWrite: () -> Void) throws(ReplayError) -> Success
    func interrupt(signal: Int32)
}

extension Replay: Job {}
extension Merge: Job {}
extension LogCheck: Job {}
extension Measures: Job {}
extension Comparison: Job {}
extension ComparisonMerge: Job {}
extension Explainer: Job {}

/// Runs a job on a separate thread, since it blocks until it is done.
func run<Success: Sendable>(_ job: any Job<Success>) async -> Result<Success, ReplayError> {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(
                returning: Result { () throws(ReplayError) in try job.run {} })
        }
    }
}

/// Creates a job and runs it.
func run<Success: Sendable>(
    _ makeJob: () throws(ReplayError) -> any Job<Success>
) async -> Result<Success, ReplayError> {
    do throws(ReplayError) {
        return await run(try makeJob())
    } catch {
        return .failure(error)
    }
}

/// Creates a replay and runs it.
func run(_ options: ReplayOptions, on storage: any Storage) async -> Result<Statistics, ReplayError> {
    await run { () throws(ReplayError) in try Replay(options, storage: storage) }
}

/// Creates a merge and runs it.
func merge(_ options: ReplayOptions, on storage: any Storage) async -> Result<Statistics, ReplayError> {
    await run { () throws(ReplayError) in try Merge(options, storage: storage) }
}

/// Creates a check and runs it.
func run(_ options: CheckOptions, on storage: any Storage) async -> Result<CheckReport, ReplayError> {
    await run { () throws(ReplayError) in try LogCheck(options, storage: storage) }
}

extension Statistics {
    /// The statistics that depend neither on the machine nor on how the work was done.
    var comparable: String {
        String(decoding: json(), as: UTF8.self)
            .replacing(/"(spilledBytes|peakResidentBytes|seconds)":[0-9.]+,?/, with: "")
    }
}
