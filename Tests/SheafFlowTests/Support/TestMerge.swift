import Foundation
import SheafBytes

@testable import SheafFlow

/// Runs a merge on a separate thread, since it blocks until it is done.
func run(_ merge: Merge) async -> Result<Statistics, ReplayError> {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            do throws(ReplayError) {
                continuation.resume(returning: .success(try merge.run()))
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
    }
}

/// Creates a merge and runs it.
func merge(_ options: ReplayOptions, _ storage: MemoryStorage) async -> Result<Statistics, ReplayError> {
    do throws(ReplayError) {
        return await run(try Merge(options, storage: storage))
    } catch {
        return .failure(error)
    }
}

extension Statistics {
    /// The statistics that depend neither on the machine nor on how the work was done.
    var comparable: String {
        String(decoding: json(), as: UTF8.self)
            .replacing(/"(spilledBytes|peakResidentBytes|seconds)":[0-9.]+,?/, with: "")
    }
}
