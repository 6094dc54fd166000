import Benchmark

// One piece of the way that a log takes each, in the order in which it takes them. Throughput is operations a
// second; what one operation is stands beside each.
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
