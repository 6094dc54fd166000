import SheafBytes
import SheafFlow
import SheafGroups

// DecodeThroughput LOG PASSES: decodes lines in memory to the fields of notifications, on one thread.
//
// The counterpart of Peers/decode-simdjson.cpp: both print the sums and the speed of each pass.

guard CommandLine.arguments.count == 3, let passes = Int(CommandLine.arguments[2]) else {
    fatalError("usage: DecodeThroughput LOG PASSES")
}
let log = try LogInMemory(readingFrom: CommandLine.arguments[1])
for _ in 0..<passes {
    // Escapes are decoded in place, so each pass has chunks of its own. All are created before the clock starts: a
    // chunk copied immediately before decoding would still be in the cache.
    let chunks = log.chunks()
    var sums = FieldSums()
    let duration = ContinuousClock().measure { sums.add(chunks) }
    let seconds = duration / .seconds(1)
    let speed = Int(Double(log.bytes.count) / seconds / 100_000)
    print(
        "\(log.bytes.count) bytes, \(sums.lines) lines, \(sums.notifications) notifications,",
        "checksum \(sums.checksum), \(speed / 10_000).\(String(speed % 10_000 + 10_000).dropFirst()) GB/s")
}
