import SheafBytes

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Rejected lines in a checkpoint's folder, a file a source, until the run is at its end.
///
/// What a checkpoint says of a file's length is on the disk; what is behind it a run that goes on cuts off.
struct RejectSpools {
    /// With a slash at its end.
    private let folder: String
    private let storage: any Storage
    /// By source: bytes that are kept.
    private var lengths: [Int: UInt64]
    private var open: [Int: any WritableFile] = [:]

    /// - Parameters:
    ///   - folder: with a slash at its end.
    ///   - lengths: by source, what is kept of what another run wrote.
    init(folder: String, lengths: [Int: UInt64], storage: any Storage) {
        self.folder = folder
        self.lengths = lengths
        self.storage = storage
    }

    mutating func write(_ rejects: Span<UInt8>, of source: Int) throws(StorageError) {
        try file(of: source).write(rejects)
        lengths[source, default: 0] += UInt64(rejects.count)
    }

    /// The source has no more of them.
    mutating func close(_ source: Int) throws(StorageError) {
        guard let file = open.removeValue(forKey: source) else { return }
        // A checkpoint may come later, when the file is open no more.
        try file.sync()
        file.close()
    }

    /// Puts everything on the disk.
    ///
    /// - Returns: how many bytes there are, by source.
    func sync() throws(StorageError) -> [Int: UInt64] {
        for file in open.values { try file.sync() }
        return lengths
    }

    /// Writes all of them to `output`, in the order of sources.
    mutating func copy(to output: OutputFile) throws(StorageError) {
        for source in open.keys { try close(source) }
        for (source, length) in lengths.sorted(by: { $0.key < $1.key }) {
            try copy(path(of: source), length: length, to: output)
        }
    }

    private func copy(_ path: String, length: UInt64, to output: OutputFile) throws(StorageError) {
        var input: any ByteInput = try storage.openForReading(path)
        var buffer = [UInt8](repeating: 0, count: Limits.copyBytes)
        var left = length
        while left > 0 {
            var target = buffer.mutableSpan
            let count = min(UInt64(try input.read(into: &target)), left)
            // No rejected line is lost without a word.
            if count == 0 { throw StorageError(.read, path: path, code: ENODATA) }
            try output.write(buffer.span.extracting(first: Int(count)))
            left -= count
        }
    }

    private func path(of source: Int) -> String { folder + CheckpointNames.rejects(of: source) }

    private mutating func file(of source: Int) throws(StorageError) -> any WritableFile {
        if let file = open[source] { return file }
        let path = path(of: source)
        let file: any WritableFile
        if let length = lengths[source] {
            file = try storage.openForAppending(path, keeping: length)
        } else {
            file = try storage.createNew(path)
        }
        open[source] = file
        return file
    }
}
