import DequeModule
import Dispatch
import Synchronization

/// Runs the jobs of a replay on at most `threads` threads, so that jobs never compete for a processor.
///
/// A thread takes the first available job in this order:
///
///     reading            on all threads but one     inflating is the bottleneck
///     adding to shards   one job per shard          the decoded records are still in a cache, and work units become free
///     decoding
///     reading            on all threads             several sources, and no other work
///
/// At least one thread does not read while there is other work, so slow sources never block that work. A thread that
/// finishes a job takes the next one itself; only idle threads have to be woken.
final class JobQueue: Sendable {
    typealias Job = @Sendable () -> Void

    private struct State {
        var reading = Deque<Job>()
        /// The jobs of each shard, and whether one is running.
        var adding: [(jobs: Deque<Job>, isRunning: Bool)]
        var decoding = Deque<Job>()
        /// The number of threads with a job, and the number of those that are reading.
        var working = 0
        var readers = 0
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
        state = Mutex(State(adding: Array(repeating: ([], false), count: shards)))
    }

    func enqueueReading(_ job: @escaping Job) { enqueue { $0.reading.append(job) } }

    /// Adds a job that runs after all earlier jobs for the same shard.
    func enqueueAdding(to shard: Int, _ job: @escaping Job) { enqueue { $0.adding[shard].jobs.append(job) } }

    func enqueueDecoding(_ job: @escaping Job) { enqueue { $0.decoding.append(job) } }

    private func enqueue(_ change: (inout sending State) -> Void) {
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

    /// Returns the next job for a thread that finished a job of type `done`; nil when there is no job left.
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
