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
    /// A checkpoint may come after a file was closed, so each is synced when it is closed.
    private var files: AppendedFiles

    /// - Parameters:
    ///   - folder: with a slash at its end.
    ///   - lengths: by source, what is kept of what another run wrote.
    ///   - maximumOpen: how many of the files are open at once.
    init(
        folder: String, lengths: [Int: UInt64], storage: any Storage, maximumOpen: Int = Limits.openSpools
    ) {
        self.folder = folder
        self.lengths = lengths
        self.storage = storage
        files = AppendedFiles(storage: storage, maximumOpen: maximumOpen, syncs: true)
    }

    mutating func write(_ rejects: Span<UInt8>, of source: Int) throws(StorageError) {
        try files.append(rejects, to: path(of: source), length: lengths[source])
        lengths[source, default: 0] += UInt64(rejects.count)
    }

    /// The source has no more of them.
    mutating func close(_ source: Int) throws(StorageError) { try files.close(path(of: source)) }

    /// Puts everything on the disk.
    ///
    /// - Returns: how many bytes there are, by source.
    func sync() throws(StorageError) -> [Int: UInt64] {
        try files.sync()
        return lengths
    }

    /// Writes all of them to `output`, in the order of sources.
    mutating func copy(to output: OutputFile) throws(StorageError) {
        for source in lengths.keys { try close(source) }
        for (source, length) in lengths.sorted(by: { $0.key < $1.key }) {
            try copy(path(of: source), length: length, to: output)
        }
    }

    private func copy(_ path: String, length: UInt64, to output: OutputFile) throws(StorageError) {
        var input: any ByteInput = try storage.openOwn(path)
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
}
