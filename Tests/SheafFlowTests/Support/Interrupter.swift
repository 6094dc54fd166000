import SheafBytes
import Synchronization
import TestSupport

@testable import SheafFlow

/// Interrupts a job at chosen operations.
final class Interrupter: Sendable {
    private let job = Mutex<(any Job)?>(nil)
    private let signals: Mutex<[Int32]>
    private let matches: @Sendable (InterceptedStorage.Event) -> Bool

    /// - Parameter signals: one for each operation that `matches` accepts.
    init(_ signals: [Int32], at matches: @escaping @Sendable (InterceptedStorage.Event) -> Bool) {
        self.signals = Mutex(signals)
        self.matches = matches
    }

    /// Whether all signals were sent.
    var isDone: Bool { signals.withLock { $0.isEmpty } }

    private func interruptIfMatching(_ event: InterceptedStorage.Event) {
        guard let job = job.withLock({ $0 }), matches(event) else { return }
        let signal = signals.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let signal { job.interrupt(signal: signal) }
    }

    /// Runs a job. The operations that create it do not count.
    func run<Success: Sendable>(
        on files: MemoryStorage, _ makeJob: (any Storage) throws(ReplayError) -> any Job<Success>
    ) async throws(ReplayError) -> Result<Success, ReplayError> {
        let storage = InterceptedStorage(files) { _, event in
            self.interruptIfMatching(event)
            return .succeeds
        }
        let job = try makeJob(storage)
        self.job.withLock { $0 = job }
        defer { self.job.withLock { $0 = nil } }
        return await SheafFlowTests.run(job)
    }

    /// Runs a replay.
    func run(
        _ options: ReplayOptions, on files: MemoryStorage
    ) async throws(ReplayError) -> Result<Statistics, ReplayError> {
        try await run(on: files) { storage throws(ReplayError) in try Replay(options, storage: storage) }
    }
}
