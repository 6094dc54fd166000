import Benchmark
import SheafBytes
import SheafGroups

/// Adds benchmarks of the stages from compressed bytes to decoded records. One operation is the sample log, 20,000
/// lines.
func addTextBenchmarks() {
    // The baselines for the other stages: each decoder alone.
    for (name, inflater) in [("inflate", Inflater.sheaf), ("inflate with zlib", .zlib)] {
        Benchmark(name) { benchmark in
            let compressed = SampleLog.compressed
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations {
                SampleLog.inflate(compressed, inflater) { blackHole($0.lineCount) }
            }
        }
    }

    Benchmark("line framing") { benchmark in
        let text = SampleLog.text
        let chunk = Chunk(
            capacity: ChunkFiller.chunkCapacity(targetBytes: SampleLog.chunkBytes, maximumLine: 1 << 20))
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            var filler = ChunkFiller(
                SourceInput(MemoryInput(text)), targetBytes: SampleLog.chunkBytes, maximumLine: 1 << 20)
            while case .more = filler.fill(chunk) {
                var cursor = LineCursor(chunk)
                while let line = cursor.next(in: chunk) { blackHole(line.text.count) }
            }
        }
    }

    // Validation alone, without any fields.
    Benchmark("scanning a record") { benchmark in
        let chunk = Chunk(SampleLog.text)
        var scanner = FieldScanner(FieldPlan())
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            var cursor = LineCursor(chunk)
            while let line = cursor.next(in: chunk) { blackHole(scanner.scan(line.text, of: chunk)) }
        }
    }

    // From lines to notifications. Escapes are decoded in place, so each iteration has a chunk of its own.
    Benchmark("decoding") { benchmark in
        var decoder = RecordDecoder(keepsRejectedText: false)
        let chunks = benchmark.scaledIterations.map { _ in Chunk(SampleLog.text) }
        benchmark.startMeasurement()
        for chunk in chunks {
            var cursor = LineCursor(chunk)
            while let line = cursor.next(in: chunk) {
                blackHole(
                    decoder.decode(line.text, of: chunk, at: RecordPosition(source: 0, line: line.number)))
            }
        }
    }
}
