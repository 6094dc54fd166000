import Synchronization

/// One operation on a storage, chosen by its position among those that match.
package final class Moment: Sendable {
    private struct State {
        var left: Int
        var event: InterceptedStorage.Event?
    }

    private let state: Mutex<State>
    private let matches: @Sendable (InterceptedStorage.Event) -> Bool

    /// - Parameters:
    ///   - skipped: how many matching operations precede the chosen one.
    ///   - matches: whether an operation counts; by default, all do.
    package init(
        after skipped: Int,
        where matches: @escaping @Sendable (InterceptedStorage.Event) -> Bool = { _ in true }
    ) {
        state = Mutex(State(left: skipped))
        self.matches = matches
    }

    /// The operation, once it has been reached.
    package var event: InterceptedStorage.Event? { state.withLock { $0.event } }

    /// Counts an operation, and returns whether it is the chosen one.
    package func isReached(by event: InterceptedStorage.Event) -> Bool {
        guard matches(event) else { return false }
        return state.withLock { state in
            defer { state.left -= 1 }
            if state.left == 0 { state.event = event }
            return state.left == 0
        }
    }
}
