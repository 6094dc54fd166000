import Benchmark

// One benchmark for each stage that a log passes through, in order. Throughput is in operations per second; a comment
// at each benchmark defines its operation.
let benchmarks: @Sendable () -> Void = {
    unsafe Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .cpuTotal, .throughput, .peakMemoryResident],
        warmupIterations: 1,
        maxDuration: .seconds(3),
        maxIterations: 100
    )
    addTextBenchmarks()
    addGroupBenchmarks()
    addReplayBenchmarks()
}
