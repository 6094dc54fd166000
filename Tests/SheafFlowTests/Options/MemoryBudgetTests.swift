import SheafBytes
import TestSupport
import Testing

@testable import SheafFlow

/// The memory budget: a sum of consumers, whose remainder goes to the state.
@Suite struct MemoryBudgetTests {
    struct Case: NamedCase {
        let threads: Int
        var chunkBytes = Limits.chunkBytes
        var maximumLine = Limits.lineBytes

        var name: String { "\(threads) threads, chunks of \(chunkBytes), lines of \(maximumLine)" }

        var options: ReplayOptions {
            var options = ReplayOptions(sources: [])
            options.threads = threads
            options.chunkBytes = chunkBytes
            options.maximumLine = maximumLine
            return options
        }
    }

    static let cases = [
        Case(threads: 1), Case(threads: 2), Case(threads: 7), Case(threads: 256),
        Case(threads: 1, chunkBytes: 1, maximumLine: 1), Case(threads: 3, chunkBytes: 64 << 20),
        Case(threads: 2, maximumLine: 1 << 30),
    ]

    @Test(arguments: cases)
    func theMinimumIsAcceptedAndLessIsRefused(_ item: Case) throws {
        var options = item.options
        let minimum = MemoryBudget.minimum(options)
        options.memory = minimum
        let budget = try MemoryBudget(options)
        #expect(budget.total == minimum)
        #expect(budget.shard == Limits.minimumShardBytes)
        #expect(budget.state == item.threads * Limits.minimumShardBytes)
        options.memory = minimum - 1
        #expect(throws: ReplayError.self) { try MemoryBudget(options) }
        options.memory = 0
        #expect(throws: ReplayError.self) { try MemoryBudget(options) }
    }

    @Test(arguments: cases)
    func additionalMemoryGoesToTheState(_ item: Case) throws {
        var options = item.options
        let minimum = MemoryBudget.minimum(options)
        for more in [0, 1, 1_000, 1 << 30] {
            options.memory = minimum + more
            let budget = try MemoryBudget(options)
            #expect(budget.state == item.threads * Limits.minimumShardBytes + more)
            #expect(budget.shard * item.threads <= budget.state)
        }
    }

    /// The message names the minimum, rounded up to MiB; that much memory is accepted.
    @Test(arguments: cases)
    func theMessageNamesTheMinimum(_ item: Case) throws {
        var options = item.options
        let mebibyte = 1 << 20
        options.memory = 3 * mebibyte
        let error = #expect(throws: ReplayError.self) { try MemoryBudget(options) }
        guard case .usage(let usage) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let message = usage.description
        let threads = item.threads == 1 ? "1 thread" : "\(item.threads) threads"
        let start = "3 MiB of memory is too little: \(threads) and lines of up to "
        #expect(message.hasPrefix(start))
        #expect(
            message.hasSuffix(
                item.threads == 1 ? "; a smaller --max-line needs less" : "--max-line need less"))
        let minimum = try #require(message.firstMatch(of: /need at least (\d+) MiB/)?.1)
        options.memory = try #require(Int(minimum)) * mebibyte
        _ = try MemoryBudget(options)
        options.memory = try #require(Int(minimum)) * mebibyte - mebibyte
        #expect(throws: ReplayError.self) { try MemoryBudget(options) }
    }

    /// The default is half of the machine's memory, and never below the minimum.
    @Test(arguments: cases)
    func theDefaultIsHalfOfTheMachinesMemory(_ item: Case) throws {
        let budget = try MemoryBudget(item.options)
        let half = CurrentProcess.usableBytes / 2
        #expect(budget.total == max(half, MemoryBudget.minimum(item.options)))
        #expect(budget.shard >= Limits.minimumShardBytes)
    }

    /// However much memory there is, the texts of a table fit in an arena.
    @Test(arguments: [1, 2, 7, 256]) func tablesAreSmallerThanArenas(_ threads: Int) throws {
        var options = Case(threads: threads).options
        options.memory = 1 << 45
        let budget = try MemoryBudget(options)
        #expect(budget.shard == 16 << 30)
        #expect(budget.state == threads * budget.shard)
        #expect(budget.table == min(budget.state / 2, 16 << 30))
        #expect(2 * max(budget.shard, budget.table) <= ByteArena.maximumBytes)
    }

    @Test func moreThreadsNeedMoreMemory() {
        let minimum = [1, 2, 4, 8, 64].map { MemoryBudget.minimum(Case(threads: $0).options) }
        #expect(minimum == minimum.sorted())
        #expect(Set(minimum).count == minimum.count)
    }
}
