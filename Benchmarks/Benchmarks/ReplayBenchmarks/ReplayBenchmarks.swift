import Benchmark
import SheafFlow
import SheafGroups
import SheafSynthesis

/// Adds benchmarks of complete runs.
func addReplayBenchmarks() {
    // One operation is the sample log, 20,000 lines and 4,581 groups.
    for (name, content) in [("plain", SampleLog.text), ("gzip", SampleLog.compressed)] {
        Benchmark("whole pipeline in memory, \(name)") { benchmark in
            let storage = MemoryStorage(["log": content])
            var options = ReplayOptions(sources: ["log"])
            options.output = "snapshot"
            options.threads = 2
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations {
                do {
                    blackHole(try Replay(options, storage: storage).run())
                } catch {
                    benchmark.error("\(error)")
                }
            }
        }
    }
    addModeBenchmarks()
}

/// Adds benchmarks of the modes. One operation is a log of 20,000 lines over 30 days, 1,000 of them removals.
private func addModeBenchmarks() {
    let hour: Int64 = 3_600_000
    addModeBenchmark("the last snapshot") { _ in }
    addModeBenchmark("by device") { $0.byDevice = true }
    addModeBenchmark("every day") { $0.every = Timeline(step: 24 * hour) }
    addModeBenchmark("every hour") { $0.every = Timeline(step: hour) }
    addModeBenchmark("removals") { $0.appliesRemovals = true }
    addModeBenchmark("removals, every day") {
        $0.appliesRemovals = true
        $0.every = Timeline(step: 24 * hour)
    }
    Benchmark("one mode: check") { benchmark in
        let storage = MemoryStorage(["log": monthLog])
        var options = CheckOptions(sources: ["log"])
        options.output = "report"
        options.threads = 2
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            do {
                blackHole(try LogCheck(options, storage: storage).run())
            } catch {
                benchmark.error("\(error)")
            }
        }
    }
}

private let monthLog: [UInt8] = {
    var log = SyntheticLog(LogShape(records: 20_000, seed: 1, threads: 500, removed: 50_000, days: 30))
    var text: [UInt8] = []
    while log.appendRecord(to: &text) {}
    return text
}()

private func addModeBenchmark(_ mode: String, _ change: @escaping @Sendable (inout ReplayOptions) -> Void) {
    Benchmark("one mode: \(mode)") { benchmark in
        let storage = MemoryStorage(["log": monthLog])
        var options = ReplayOptions(sources: ["log"])
        options.output = "snapshot"
        options.threads = 2
        change(&options)
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            do {
                blackHole(try Replay(options, storage: storage).run())
            } catch {
                benchmark.error("\(error)")
            }
        }
    }
}
