import Benchmark
import SheafBytes
import SheafFlow
import SheafGroups

/// Adds benchmarks of the stages from decoded records to a snapshot's text.
func addGroupBenchmarks() {
    // One operation is 100,000 records.
    Benchmark("hashing and sharding") { benchmark in
        let sample = SampleRecords(count: 100_000, groups: 50_000)
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            for record in sample.records {
                let hash = MeasuredGroups.hash(record, in: sample.bytes.span)
                blackHole(MeasuredGroups.shard(of: hash, count: 8))
            }
        }
    }

    // One operation is 100,000 records, added to existing groups.
    for groups in [200, 300_000] {
        Benchmark("adding to one of \(groups) groups") { benchmark in
            let sample = SampleRecords(count: 600_000, groups: groups)
            var table = MeasuredGroups(maximumArguments: 16)
            sample.add(0..<500_000, to: &table)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { sample.add(500_000..<600_000, to: &table) }
        }
    }

    // One operation is 20,000 states of another store, each merged into an existing state.
    Benchmark("merging states") { benchmark in
        let sample = SampleRecords(count: 80_000, groups: 20_000)
        var store = GroupStore(maximumArguments: 16)
        var other = GroupStore(maximumArguments: 16)
        var states = sample.states(40_000..<80_000, groups: 20_000, in: &store)
        let others = sample.states(0..<40_000, groups: 20_000, in: &other)
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            for index in states.indices { store.merge(others[index], of: other, into: &states[index]) }
        }
        blackHole(states.count)
    }

    // One operation is 50,000 groups: sorted, rendered by two threads, and written to the null device.
    Benchmark("rendering") { benchmark in
        let sample = SampleRecords(count: 100_000, groups: 50_000)
        var table = MeasuredGroups(maximumArguments: 16)
        sample.add(0..<100_000, to: &table)
        var options = ReplayOptions(sources: [])
        options.threads = 2
        do {
            let file = try OutputFile("/dev/null", storage: SystemStorage())
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations {
                try table.write(to: file, options: options)
            }
            benchmark.stopMeasurement()
            try file.finish()
            try file.commit()
        } catch {
            benchmark.error("\(error)")
        }
    }
}
