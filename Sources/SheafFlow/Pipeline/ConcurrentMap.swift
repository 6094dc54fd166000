import Dispatch
import Synchronization

extension Array where Element: Sendable {
    /// Returns the results of `transform` for all elements, in their order. The calls run in parallel, and this thread
    /// waits for all of them.
    func concurrentMap<Result: Sendable>(_ transform: @Sendable (Element) -> Result) -> [Result] {
        let results = Mutex([Result?](repeating: nil, count: count))
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = transform(self[index])
            results.withLock { $0[index] = result }
        }
        return results.withLock { $0.compactMap(\.self) }
    }
}
