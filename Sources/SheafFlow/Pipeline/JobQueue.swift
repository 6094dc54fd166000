import DequeModule
import Dispatch
import Synchronization

/// Runs jobs on at most `threads` threads, so that jobs never compete for a processor.
///
/// A thread takes the first available job in this order:
///
///     reading            on all threads but one     inflating is the bottleneck
///     jobs of a lane     one after the other        adding to a shard: the decoded records are still in a cache, and
///                                                   work units become free
///     other jobs                                    decoding, rendering
///     reading            on all threads             several sources, and no other work
///
/// At least one thread does not read while there is other work, so slow sources never block that work. A thread that
/// finishes a job takes the next one itself; only idle threads have to be woken. A thread that waits for jobs runs some
/// itself.
final class JobQueue: Sendable {
    typealias Job = @Sendable () -> Void

    private struct State {
        var reading = Deque<Job>()
        /// The jobs of each lane, and whether one is running.
        var lanes: [(jobs: Deque<Job>, isRunning: Bool)]
        var others = Deque<Job>()
        /// The number of threads with a job, and the number of those that are reading.
        var working = 0
        var readers = 0
        let threads: Int

        private var nextLane: Int? { lanes.firstIndex { !$0.isRunning && !$0.jobs.isEmpty } }

        /// Whether a thread can take a job.
        var hasJob: Bool { !others.isEmpty || !reading.isEmpty || nextLane != nil }

        mutating func take() -> (Kind, Job)? {
            if readers < threads - 1, let job = reading.popFirst() {
                readers += 1
                return (.reading, job)
            }
            if let lane = nextLane {
                lanes[lane].isRunning = true
                return (.lane(lane), lanes[lane].jobs.removeFirst())
            }
            if let job = others.popFirst() { return (.other, job) }
            if let job = reading.popFirst() {
                readers += 1
                return (.reading, job)
            }
            return nil
        }

        mutating func end(_ kind: Kind) {
            switch kind {
            case .reading: readers -= 1
            case .lane(let lane): lanes[lane].isRunning = false
            case .other: break
            }
        }
    }

    private enum Kind {
        case reading
        case lane(Int)
        case other
    }

    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "sheaf.jobs", attributes: .concurrent)

    /// - Parameters:
    ///   - threads: the number of threads, without those that wait for jobs; 0 if only these run jobs.
    ///   - lanes: the number of lanes.
    init(threads: Int, lanes: Int) {
        state = Mutex(State(lanes: Array(repeating: ([], false), count: lanes), threads: threads))
    }

    func enqueueReading(_ job: @escaping Job) { update { $0.reading.append(job) } }

    /// Adds a job that runs after all earlier jobs of the same lane.
    func enqueue(inLane lane: Int, _ job: @escaping Job) { update { $0.lanes[lane].jobs.append(job) } }

    func enqueue(_ job: @escaping Job) { update { $0.others.append(job) } }

    /// Waits until all jobs of a group have left it. Until then, this thread runs jobs, too, of the group or not.
    func wait(for group: DispatchGroup) {
        while group.wait(timeout: .now()) == .timedOut {
            guard let (kind, job) = state.withLock({ $0.take() }) else { return group.wait() }
            job()
            update { $0.end(kind) }
        }
    }

    /// Changes the state, and wakes a thread if there is a job for it.
    private func update(_ change: (inout sending State) -> Void) {
        let starts = state.withLock { state in
            change(&state)
            guard state.working < state.threads, state.hasJob else { return false }
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
            if let done { state.end(done) }
            let next = state.take()
            if next == nil { state.working -= 1 }
            return next
        }
    }
}
