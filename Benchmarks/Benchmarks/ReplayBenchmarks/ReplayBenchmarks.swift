import Benchmark
import SheafFlow

/// Adds benchmarks of complete replays. One operation is the sample log, 20,000 lines and 4,581 groups.
func addReplayBenchmarks() {
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
}
