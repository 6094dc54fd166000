import SheafBytes
import SheafFlow

// InflateThroughput FILE PASSES: inflates a compressed file in memory, chunk by chunk, on one thread.
//
// The counterpart of Peers/inflate-libraries.c: both print the number of bytes and the times of each pass, and verify
// the members' checksums. The environment variable SHEAF_INFLATER selects the decoder.

guard CommandLine.arguments.count == 3, let passes = Int(CommandLine.arguments[2]) else {
    fatalError("usage: InflateThroughput FILE PASSES")
}
let compressed = try contents(of: CommandLine.arguments[1])
let maximumLine = Limits.lineBytes
let chunk = Chunk(
    capacity: ChunkFiller.chunkCapacity(targetBytes: Limits.chunkBytes, maximumLine: maximumLine))
for _ in 0..<passes {
    var filler = ChunkFiller(
        SourceInput(MemoryInput(compressed)), targetBytes: Limits.chunkBytes, maximumLine: maximumLine)
    var bytes = 0
    let start = (user: userTime(), wall: ContinuousClock.now)
    while true {
        let ending = filler.fill(chunk)
        bytes += chunk.bytes.count
        guard case .more = ending else { break }
    }
    let user = userTime() - start.user
    let wall = start.wall.duration(to: .now) / .microseconds(1)
    print("\(bytes) bytes, \(user) us user, \(Int(wall)) us wall")
}

/// Reads the whole file at `path`.
func contents(of path: String) throws(StorageError) -> [UInt8] {
    let storage = SystemStorage()
    let size = try storage.status(of: path)?.size ?? 0
    var file = try storage.openForReading(path)
    defer { file.close() }
    var content = [UInt8](repeating: 0, count: Int(size))
    var filled = 0
    try file.fill(&content, count: &filled)
    return content
}
