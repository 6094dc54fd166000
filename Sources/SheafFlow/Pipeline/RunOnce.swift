import Synchronization

/// Lets a run begin once: afterwards its resources are gone.
struct RunOnce: ~Copyable {
    private let hasBegun = Atomic(false)

    /// - Throws: `ReplayError.alreadyRun` the second time.
    func begin() throws(ReplayError) {
        if hasBegun.exchange(true, ordering: .relaxed) { throw .alreadyRun }
    }
}
