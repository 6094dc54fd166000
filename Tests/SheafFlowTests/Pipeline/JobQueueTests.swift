import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import SheafFlow

@Suite struct JobQueueTests {
    /// What the jobs of a test record.
    private struct Notes {
        var order: [String] = []
        var running = 0
        var maximumRunning = 0
        var lanes: [Int: Int] = [:]
        var clashes = 0
        var left = 0
    }

    /// Returns the order in which a single thread runs the jobs that are added while it is blocked.
    private static func order(of adding: (JobQueue, @escaping @Sendable (String) -> Void) -> Void) -> [String]
    {
        let jobs = JobQueue(threads: 1, lanes: 2)
        let notes = Mutex(Notes())
        let (gate, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        jobs.enqueue { gate.wait() }
        adding(jobs) { name in notes.withLock { $0.order.append(name) } }
        // Runs after all others: reading has the lowest priority.
        jobs.enqueueReading { end.signal() }
        gate.signal()
        end.wait()
        return notes.withLock { $0.order }
    }

    @Test func oneThreadReadsLast() {
        let order = Self.order { jobs, note in
            jobs.enqueueReading { note("read") }
            jobs.enqueue { note("decode") }
            jobs.enqueue(inLane: 1) { note("add") }
        }
        #expect(order == ["add", "decode", "read"])
    }

    @Test func jobsOfOneKindRunInOrder() {
        let order = Self.order { jobs, note in
            for number in 0..<5 { jobs.enqueue(inLane: 1) { note("add \(number)") } }
            for number in 0..<5 { jobs.enqueue { note("decode \(number)") } }
        }
        #expect(order == (0..<5).map { "add \($0)" } + (0..<5).map { "decode \($0)" })
    }

    /// With two threads, one reads before everything else, and the other reads only if there is no other job.
    @Test func oneOfTwoThreadsPrefersReading() {
        let jobs = JobQueue(threads: 2, lanes: 1)
        let notes = Mutex(Notes())
        let (gate, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let blocked = DispatchSemaphore(value: 0)
        for _ in 0..<2 {
            jobs.enqueue {
                blocked.signal()
                gate.wait()
            }
        }
        for _ in 0..<2 { blocked.wait() }
        let reading = DispatchSemaphore(value: 0)
        jobs.enqueueReading {
            notes.withLock { $0.order.append("read") }
            reading.wait()
        }
        jobs.enqueueReading {
            notes.withLock { $0.order.append("read") }
            end.signal()
        }
        for _ in 0..<3 { jobs.enqueue { notes.withLock { $0.order.append("decode") } } }
        gate.signal()
        gate.signal()
        end.wait()
        reading.signal()
        let order = notes.withLock { $0.order }
        #expect(order.count { $0 == "decode" } == 3)
        #expect(order.last == "read")
    }

    /// A thread that waits runs the jobs itself if there is no other thread, up to the last one that it waits for.
    @Test func aThreadThatWaitsRunsJobs() {
        let jobs = JobQueue(threads: 0, lanes: 2)
        let notes = Mutex(Notes())
        let group = DispatchGroup()
        group.enter()
        for number in 0..<2 { jobs.enqueue { notes.withLock { $0.order.append("other \(number)") } } }
        jobs.enqueue { group.leave() }
        jobs.enqueue { notes.withLock { $0.order.append("late") } }
        for number in 0..<2 {
            jobs.enqueue(inLane: 1) { notes.withLock { $0.order.append("lane \(number)") } }
        }
        jobs.wait(for: group)
        #expect(notes.withLock { $0.order } == ["lane 0", "lane 1", "other 0", "other 1"])
    }

    /// A job that a waiting thread's job held up is run by another thread once the first one has ended.
    @Test func aLaneContinuesWithoutTheThreadThatWaited() {
        let jobs = JobQueue(threads: 1, lanes: 1)
        let group = DispatchGroup()
        let (begun, gate, end) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        jobs.enqueue {
            begun.signal()
            gate.wait()
        }
        begun.wait()
        group.enter()
        jobs.enqueue(inLane: 0) {
            jobs.enqueue(inLane: 0) { end.signal() }
            gate.signal()
            group.leave()
        }
        jobs.wait(for: group)
        end.wait()
    }

    /// Random jobs that add further jobs: all of them run, never more at once than there are threads, with the one that
    /// waits for them, and never two of the same lane.
    @Test(arguments: Seeds.several(1), [0, 1, 2, 3, 7])
    func concurrencyIsBounded(_ seed: UInt64, _ threads: Int) {
        let jobs = JobQueue(threads: threads, lanes: 3)
        let notes = Mutex(Notes())
        let group = DispatchGroup()
        @Sendable func run(_ depth: Int, _ seed: UInt64, lane: Int?) {
            notes.withLock { notes in
                notes.running += 1
                notes.maximumRunning = max(notes.maximumRunning, notes.running)
                if let lane {
                    notes.lanes[lane, default: 0] += 1
                    if notes.lanes[lane] != 1 { notes.clashes += 1 }
                }
            }
            add(depth, seed)
            notes.withLock { notes in
                notes.running -= 1
                if let lane { notes.lanes[lane]! -= 1 }
                notes.left -= 1
            }
            group.leave()
        }
        @Sendable func add(_ depth: Int, _ seed: UInt64) {
            guard depth > 0 else { return }
            var random = SeededGenerator(seed: seed)
            for _ in 0..<4 {
                let next = UInt64(random.below(1 << 30))
                notes.withLock { $0.left += 1 }
                group.enter()
                switch random.below(3) {
                case 0: jobs.enqueueReading { run(depth - 1, next, lane: nil) }
                case 1: jobs.enqueue { run(depth - 1, next, lane: nil) }
                default:
                    let lane = random.below(3)
                    jobs.enqueue(inLane: lane) { run(depth - 1, next, lane: lane) }
                }
            }
        }
        notes.withLock { $0.left = 1 }
        group.enter()
        jobs.enqueueReading { run(5, seed, lane: nil) }
        jobs.wait(for: group)
        notes.withLock { notes in
            #expect(notes.clashes == 0)
            #expect(notes.maximumRunning <= threads + 1)
            #expect(notes.left == 0)
        }
    }
}
