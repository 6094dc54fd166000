import DequeModule
import Dispatch
import Synchronization

/// Runs the jobs of a replay, as many at once as there are threads: never more, so that none takes turns with another.
///
///     reading            first, by all threads but one      inflating is what everything waits for
///     adding to shards   then, a shard's one by one         while what was decoded is in a cache, and chunks come back
///     decoding           then
///     reading            else, by all threads               several sources, and nothing else to do
///
/// One thread at least does not read while there is other work, so that sources that are slow to read keep nothing
/// waiting. A thread that has done a job takes the next one itself: threads are woken only where there was nothing to do.
final class JobQueue: Sendable {
    typealias Job = @Sendable () -> Void

    private struct State {
        var reading = Deque<Job>()
        var adding: [Lane]
        var decoding = Deque<Job>()
        /// How many threads have a job, and how many of these are reading.
        var working = 0
        var readers = 0
    }

    /// One shard's jobs.
    private struct Lane {
        var jobs = Deque<Job>()
        var isRunning = false
    }

    private enum Kind {
        case reading
        case adding(shard: Int)
        case decoding
    }

    private let state: Mutex<State>
    private let threads: Int
    private let queue = DispatchQueue(label: "sheaf.jobs", attributes: .concurrent)

    init(threads: Int, shards: Int) {
        self.threads = threads
        state = Mutex(State(adding: Array(repeating: Lane(), count: shards)))
    }

    func addReading(_ job: @escaping Job) { add { $0.reading.append(job) } }

    /// Adds a job that runs behind those that were added for the same shard.
    func addAdding(to shard: Int, _ job: @escaping Job) { add { $0.adding[shard].jobs.append(job) } }

    func addDecoding(_ job: @escaping Job) { add { $0.decoding.append(job) } }

    private func add(_ change: (inout sending State) -> Void) {
        let starts = state.withLock { state in
            change(&state)
            guard state.working < threads else { return false }
            state.working += 1
            return true
        }
        if starts { queue.async { self.work() } }
    }

    private func work() {
        var done: Kind?
        while let (kind, job) = next(after: done) {
            job()
            done = kind
        }
    }

    /// The next job for a thread that is done with another one; nil when there is nothing left to do.
    private func next(after done: Kind?) -> (Kind, Job)? {
        state.withLock { state in
            switch done {
            case .reading: state.readers -= 1
            case .adding(let shard): state.adding[shard].isRunning = false
            case .decoding, nil: break
            }
            if state.readers < threads - 1, let job = state.reading.popFirst() {
                state.readers += 1
                return (.reading, job)
            }
            if let shard = state.adding.firstIndex(where: { !$0.isRunning && !$0.jobs.isEmpty }) {
                state.adding[shard].isRunning = true
                return (.adding(shard: shard), state.adding[shard].jobs.removeFirst())
            }
            if let job = state.decoding.popFirst() { return (.decoding, job) }
            if let job = state.reading.popFirst() {
                state.readers += 1
                return (.reading, job)
            }
            state.working -= 1
            return nil
        }
    }
}
