import SheafBytes
import SheafFlow
import SheafSynthesis
import Synchronization

/// Writes a synthetic log into its files, one after the other.
final class LogWriter: Sendable {
    private let log: SyntheticLog
    private let records: Int
    private let paths: [String]
    /// The signal that ended it; 0 while none has.
    private let signal = Atomic<Int32>(0)

    private static let bufferBytes = 256 << 10

    init(_ log: SyntheticLog, records: Int, paths: [String]) {
        self.log = log
        self.records = records
        self.paths = paths
    }

    /// The names of `count` files: the number goes before the first dot of the file's name, with zeros so that
    /// byte order is the files' order.
    static func paths(_ path: String, _ count: Int) -> [String] {
        guard count > 1 else { return [path] }
        let nameStart = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        let dot = path[nameStart...].dropFirst().firstIndex(of: ".") ?? path.endIndex
        let width = String(count).count
        return (1...count).map { number in
            let digits = String(number)
            let zeros = String(repeating: "0", count: width - digits.count)
            return "\(path[..<dot])-\(zeros)\(digits)\(path[dot...])"
        }
    }

    func interrupt(signal number: Int32) { signal.store(number, ordering: .relaxed) }

    /// Writes all files. Each is complete or not there.
    ///
    /// - Returns: how many bytes of text were made.
    func write() throws(ReplayError) -> UInt64 {
        var log = log
        var total: UInt64 = 0
        var buffer: [UInt8] = []
        for (index, path) in paths.enumerated() {
            // Differences of rounded-down shares: files differ by one record at most, and the sum is exact.
            let count = records * (index + 1) / paths.count - records * index / paths.count
            let file: OutputFile
            do {
                file = try OutputFile(path, storage: SystemStorage())
            } catch {
                throw .output(error)
            }
            do throws(StorageError) {
                for _ in 0..<count {
                    guard log.appendRecord(to: &buffer) else { break }
                    guard buffer.count >= Self.bufferBytes else { continue }
                    total += UInt64(buffer.count)
                    try file.write(buffer.span)
                    buffer.removeAll(keepingCapacity: true)
                    if signal.load(ordering: .relaxed) != 0 { break }
                }
                total += UInt64(buffer.count)
                try file.write(buffer.span)
                buffer.removeAll(keepingCapacity: true)
                let number = signal.load(ordering: .relaxed)
                if number == 0 { try file.commit() } else { file.discard() }
            } catch {
                throw error.operation == .rename ? .output(error) : .writing(error)
            }
            let number = signal.load(ordering: .relaxed)
            if number != 0 { throw .interrupted(signal: number) }
        }
        return total
    }
}
