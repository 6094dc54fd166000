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
        var shards: [Int: Int] = [:]
        var clashes = 0
        var left = 0
    }

    /// Returns the order in which a single thread runs the jobs that are added while it is blocked.
    private static func order(of adding: (JobQueue, @escaping @Sendable (String) -> Void) -> Void) -> [String]
    {
        let jobs = JobQueue(threads: 1, shards: 2)
        let notes = Mutex(Notes())
        let (gate, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        jobs.enqueueDecoding { gate.wait() }
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
            jobs.enqueueDecoding { note("decode") }
            jobs.enqueueAdding(to: 1) { note("add") }
        }
        #expect(order == ["add", "decode", "read"])
    }

    @Test func jobsOfOneKindRunInOrder() {
        let order = Self.order { jobs, note in
            for number in 0..<5 { jobs.enqueueAdding(to: 1) { note("add \(number)") } }
            for number in 0..<5 { jobs.enqueueDecoding { note("decode \(number)") } }
        }
        #expect(order == (0..<5).map { "add \($0)" } + (0..<5).map { "decode \($0)" })
    }

    /// With two threads, one reads before everything else, and the other reads only if there is no other job.
    @Test func oneOfTwoThreadsPrefersReading() {
        let jobs = JobQueue(threads: 2, shards: 1)
        let notes = Mutex(Notes())
        let (gate, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let blocked = DispatchSemaphore(value: 0)
        for _ in 0..<2 {
            jobs.enqueueDecoding {
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
        for _ in 0..<3 { jobs.enqueueDecoding { notes.withLock { $0.order.append("decode") } } }
        gate.signal()
        gate.signal()
        end.wait()
        reading.signal()
        let order = notes.withLock { $0.order }
        #expect(order.count { $0 == "decode" } == 3)
        #expect(order.last == "read")
    }

    /// Random jobs that add further jobs: all of them run, never more at once than there are threads, and never two of
    /// the same shard.
    @Test(arguments: Seeds.several(1), [1, 2, 3, 7])
    func concurrencyIsBounded(_ seed: UInt64, _ threads: Int) {
        let jobs = JobQueue(threads: threads, shards: 3)
        let notes = Mutex(Notes())
        let end = DispatchSemaphore(value: 0)
        @Sendable func run(_ depth: Int, _ seed: UInt64, shard: Int?) {
            notes.withLock { notes in
                notes.running += 1
                notes.maximumRunning = max(notes.maximumRunning, notes.running)
                if let shard {
                    notes.shards[shard, default: 0] += 1
                    if notes.shards[shard] != 1 { notes.clashes += 1 }
                }
            }
            add(depth, seed)
            let isLast = notes.withLock { notes in
                notes.running -= 1
                if let shard { notes.shards[shard]! -= 1 }
                notes.left -= 1
                return notes.left == 0
            }
            if isLast { end.signal() }
        }
        @Sendable func add(_ depth: Int, _ seed: UInt64) {
            guard depth > 0 else { return }
            var random = SeededGenerator(seed: seed)
            for _ in 0..<4 {
                let next = UInt64(random.below(1 << 30))
                notes.withLock { $0.left += 1 }
                switch random.below(3) {
                case 0: jobs.enqueueReading { run(depth - 1, next, shard: nil) }
                case 1: jobs.enqueueDecoding { run(depth - 1, next, shard: nil) }
                default:
                    let shard = random.below(3)
                    jobs.enqueueAdding(to: shard) { run(depth - 1, next, shard: shard) }
                }
            }
        }
        notes.withLock { $0.left = 1 }
        jobs.enqueueReading { run(5, seed, shard: nil) }
        end.wait()
        notes.withLock { notes in
            #expect(notes.clashes == 0)
            #expect(notes.maximumRunning <= threads)
            #expect(notes.left == 0)
        }
    }
}
