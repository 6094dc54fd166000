import Benchmark
import SheafChecks
import SheafFlow
import SheafGroups
import SheafSynthesis

/// Adds benchmarks of complete runs.
func addReplayBenchmarks() {
    // One operation is the sample log, 20,000 lines and 4,581 groups.
    addReplay("whole pipeline in memory, plain", { SampleLog.text })
    addReplay("whole pipeline in memory, gzip", { SampleLog.compressed })
    // One operation is a log of 20,000 lines over 30 days, 1,000 of them removals.
    let hour: Int64 = 3_600_000
    addReplay("one mode: the last snapshot", { monthLog })
    addReplay("one mode: by device", { monthLog }) { $0.byDevice = true }
    addReplay("one mode: every day", { monthLog }) { $0.every = Timeline(step: 24 * hour) }
    addReplay("one mode: every hour", { monthLog }) { $0.every = Timeline(step: hour) }
    addReplay("one mode: removals", { monthLog }) { $0.appliesRemovals = true }
    addReplay("one mode: removals, every day", { monthLog }) {
        $0.appliesRemovals = true
        $0.every = Timeline(step: 24 * hour)
    }
    addRun("one mode: check", { monthLog }) { storage in
        var options = CheckOptions(sources: ["log"])
        options.output = "report"
        options.threads = 2
        blackHole(try LogCheck(options, storage: storage).run())
    }
}

private let monthLog: [UInt8] = {
    var log = SyntheticLog(LogShape(records: 20_000, seed: 1, threads: 500, removed: 50_000, days: 30))
    var text: [UInt8] = []
    while log.appendRecord(to: &text) {}
    return text
}()

/// Adds a benchmark of a replay by two threads.
private func addReplay(
    _ name: String, _ log: @escaping @Sendable () -> [UInt8],
    _ change: @escaping @Sendable (inout ReplayOptions) -> Void = { _ in }
) {
    addRun(name, log) { storage in
        var options = ReplayOptions(sources: ["log"])
        options.output = "snapshot"
        options.threads = 2
        change(&options)
        blackHole(try Replay(options, storage: storage).run())
    }
}

/// Adds a benchmark of a run.
///
/// - Parameter log: returns the content of the source `log`; called before the measurement.
private func addRun(
    _ name: String, _ log: @escaping @Sendable () -> [UInt8],
    _ run: @escaping @Sendable (MemoryStorage) throws -> Void
) {
    Benchmark(name) { benchmark in
        let storage = MemoryStorage(["log": log()])
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            do {
                try run(storage)
            } catch {
                benchmark.error("\(error)")
            }
        }
    }
}
