import SheafBytes

/// Rejected lines in a checkpoint's folder until the run ends, one file per source.
///
/// The length of a file that a checkpoint records has been synced to disk. A resumed run truncates the file to it.
struct RejectSpools {
    /// Ends with a slash.
    private let folder: String
    private let storage: any Storage
    /// The number of kept bytes, by source.
    private var lengths: [Int: UInt64]
    /// Files are synced when they are closed, since a checkpoint may follow.
    private var files: AppendedFiles

    /// - Parameters:
    ///   - folder: a path that ends with a slash.
    ///   - lengths: the number of bytes kept from an earlier run, by source.
    ///   - maximumOpen: the most files that are open at once.
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

    /// Closes a source's file after its last reject.
    mutating func close(_ source: Int) throws(StorageError) { try files.close(path(of: source)) }

    /// Syncs all rejects to disk.
    ///
    /// - Returns: the number of bytes, by source.
    func sync() throws(StorageError) -> [Int: UInt64] {
        try files.sync()
        return lengths
    }

    /// Writes all rejects to `output`, in the order of sources.
    mutating func copy(to output: OutputFile) throws(StorageError) {
        for source in lengths.keys { try close(source) }
        for (source, length) in lengths.sorted(by: { $0.key < $1.key }) {
            try output.append(path(of: source), length: length, storage: storage)
        }
    }

    private func path(of source: Int) -> String { folder + CheckpointNames.rejects(of: source) }
}
