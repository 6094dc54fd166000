import SheafBytes
import SheafFlow
import SheafSynthesis
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Writes a synthetic log to its files, one after another.
final class LogWriter: Sendable {
    private let shape: LogShape
    private let paths: [String]
    private let generated = Atomic<UInt64>(0)
    /// The signal that interrupted writing; 0 if none has arrived.
    private let signal = Atomic<Int32>(0)

    private static let bufferBytes = 256 << 10

    init(_ shape: LogShape, paths: [String]) {
        self.shape = shape
        self.paths = paths
    }

    /// The number of records generated so far. Safe to read from any thread.
    var recordsGenerated: UInt64 { generated.load(ordering: .relaxed) }

    /// The names of `count` files: each has its number before the first dot of the file's name, padded with zeros so
    /// that byte order is the files' order.
    static func paths(_ path: String, _ count: Int) -> [String] {
        guard count > 1 else { return [path] }
        let nameStart = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        let dot = path[nameStart...].dropFirst().firstIndex(of: ".") ?? path.endIndex
        let width = String(count).count
        return (1...count).map { number in
            "\(path[..<dot])-\(Numbers.padded(String(number), to: width))\(path[dot...])"
        }
    }

    func interrupt(signal number: Int32) { signal.store(number, ordering: .relaxed) }

    /// The number of records in the files before `index`: that share of all records, rounded down, so that the sizes of
    /// files differ by at most one record and their sum is exact.
    static func recordsBefore(file index: Int, of files: Int, records: Int) -> Int {
        let (high, low) = records.multipliedFullWidth(by: index)
        return files.dividingFullWidth((high, low)).quotient
    }

    /// Writes all files and creates missing folders. Each file is either complete or absent.
    ///
    /// - Returns: the number of bytes of text, before compression.
    func write() throws(ReplayError) -> UInt64 {
        let storage = SystemStorage()
        var log = SyntheticLog(shape)
        var total: UInt64 = 0
        var buffer: [UInt8] = []
        for (index, path) in paths.enumerated() {
            let first = Self.recordsBefore(file: index, of: paths.count, records: shape.records)
            let count = Self.recordsBefore(file: index + 1, of: paths.count, records: shape.records) - first
            let file: OutputFile
            do {
                if path != "-" { try Self.makeFolder(of: path, storage) }
                file = try OutputFile(path, storage: storage)
            } catch {
                throw .output(error)
            }
            do throws(StorageError) {
                for number in 0..<count {
                    guard log.appendRecord(to: &buffer) else { break }
                    guard buffer.count >= Self.bufferBytes else { continue }
                    generated.store(UInt64(first + number + 1), ordering: .relaxed)
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

    /// Creates the folder of a path, and that folder's parents, if they are missing.
    private static func makeFolder(of path: String, _ storage: some Storage) throws(StorageError) {
        let folder = storage.folder(of: path)
        guard try storage.status(of: folder) == nil else { return }
        try makeFolder(of: folder, storage)
        do {
            try storage.makeFolder(folder)
        } catch {
            // Another process may create it at the same time.
            guard error.code == EEXIST else { throw error }
        }
    }
}
