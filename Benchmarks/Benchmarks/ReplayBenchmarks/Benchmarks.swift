import Benchmark
import SheafBytes
import SheafFlow
import SheafGroups

// One piece of the way that a log takes each, over the same 20,000 records. Throughput is bytes of text.
let benchmarks: @Sendable () -> Void = {
    unsafe Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput, .peakMemoryResident],
        warmupIterations: 1,
        maxDuration: .seconds(3),
        maxIterations: 100
    )

    // What the rest is measured against: zlib alone.
    Benchmark("inflate") { benchmark in
        let compressed = SampleLog.compressed
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(SampleLog.inflate(compressed)) }
    }

    // Finding the lines' ends, as decoding does.
    Benchmark("frame lines") { benchmark in
        let chunk = Chunk(SampleLog.text)
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            var cursor = LineCursor(chunk)
            while let line = cursor.next(in: chunk) { blackHole(line.text.count) }
        }
    }

    // Validating alone: no field is wanted.
    Benchmark("scan, nothing wanted") { benchmark in
        let chunk = Chunk(SampleLog.text)
        var scanner = FieldScanner(FieldPlan())
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            var cursor = LineCursor(chunk)
            while let line = cursor.next(in: chunk) { blackHole(scanner.scan(line.text, of: chunk)) }
        }
    }

    // Lines to notifications. Escapes are decoded in place, so each run has a chunk of its own.
    Benchmark("decode records") { benchmark in
        var decoder = RecordDecoder(keepsRejectedText: false)
        let chunks = benchmark.scaledIterations.map { _ in Chunk(SampleLog.text) }
        benchmark.startMeasurement()
        for chunk in chunks {
            var cursor = LineCursor(chunk)
            while let line = cursor.next(in: chunk) {
                blackHole(decoder.decode(line.text, of: chunk, source: 0, line: line.number))
            }
        }
    }

    // Everything, from the compressed file to a snapshot that nobody reads.
    Benchmark("replay") { benchmark in
        var options = ReplayOptions(sources: [SampleLog.path])
        options.output = "/dev/null"
        options.threads = 2
        for _ in benchmark.scaledIterations {
            do {
                blackHole(try Replay(options).run())
            } catch {
                benchmark.error("\(error)")
            }
        }
    }
}
