import SheafBytes

/// Rejected lines in a checkpoint's folder until the run ends, one file per source.
///
/// The contents of a file that a checkpoint records have been synced to disk. A resumed run truncates the file to them.
struct RejectSpools {
    /// Ends with a slash.
    private let folder: String
    private let storage: any Storage
    /// The contents of the files, by source.
    private var contents: [Int: SpoolContents]
    /// Files are synced when they are closed, since a checkpoint may follow.
    private var files: AppendedFiles

    /// - Parameters:
    ///   - folder: a path that ends with a slash.
    ///   - contents: the contents kept from an earlier run, by source.
    ///   - maximumOpen: the most files that are open at once.
    init(
        folder: String, contents: [Int: SpoolContents], storage: any Storage,
        maximumOpen: Int = Limits.openSpools
    ) {
        self.folder = folder
        self.contents = contents
        self.storage = storage
        files = AppendedFiles(storage: storage, maximumOpen: maximumOpen, syncs: true)
    }

    mutating func write(_ rejects: Span<UInt8>, of source: Int) throws(StorageError) {
        try files.append(rejects, to: path(of: source), length: contents[source]?.byteCount)
        contents[source, default: SpoolContents()].append(rejects)
    }

    /// Closes a source's file after its last reject.
    mutating func close(_ source: Int) throws(StorageError) { try files.close(path(of: source)) }

    /// Syncs all rejects to disk.
    ///
    /// - Returns: the contents of the files, by source.
    func sync() throws(StorageError) -> [Int: SpoolContents] {
        try files.sync()
        return contents
    }

    /// Writes all rejects to `output`, in the order of sources.
    mutating func copy(to output: OutputFile) throws(StorageError) {
        for source in contents.keys { try close(source) }
        for (source, contents) in contents.orderedByKey() {
            try contents.check(path(of: source), storage: storage)
            try output.append(path(of: source), length: contents.byteCount, storage: storage)
        }
    }

    private func path(of source: Int) -> String { folder + CheckpointNames.rejects(of: source) }
}
