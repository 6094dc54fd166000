import Foundation

@testable import SheafFlow

/// Runs a check on a separate thread, since it blocks until it is done.
func run(_ check: LogCheck) async -> Result<CheckReport, ReplayError> {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            do throws(ReplayError) {
                continuation.resume(returning: .success(try check.run()))
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
    }
}

/// Creates a check and runs it.
func run(_ options: CheckOptions, _ storage: MemoryStorage) async -> Result<CheckReport, ReplayError> {
    do throws(ReplayError) {
        return await run(try LogCheck(options, storage: storage))
    } catch {
        return .failure(error)
    }
}
