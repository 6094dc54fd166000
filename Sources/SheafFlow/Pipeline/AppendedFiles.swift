import SheafBytes

/// A set of files for interleaved appends. At most `maximumOpen` are open: the most recently used.
struct AppendedFiles {
    private let storage: any Storage
    private let maximumOpen: Int
    /// Whether a file is synced before it is closed.
    private let syncs: Bool
    /// The open files, and the sequence number of the last write to each.
    private var open: [String: (file: any WritableFile, lastWrite: UInt64)] = [:]
    private var writes: UInt64 = 0

    init(storage: any Storage, maximumOpen: Int, syncs: Bool) {
        precondition(maximumOpen > 0, "at least one file must be open")
        self.storage = storage
        self.maximumOpen = maximumOpen
        self.syncs = syncs
    }

    /// Appends to a file.
    ///
    /// - Parameter length: the number of bytes in the file before; nil creates the file.
    mutating func append(_ bytes: Span<UInt8>, to path: String, length: UInt64?) throws(StorageError) {
        if open[path] == nil {
            try closeLeastRecentlyWritten()
            let file =
                if let length {
                    try storage.openForAppending(path, keeping: length)
                } else {
                    try storage.createNew(path)
                }
            open[path] = (file, 0)
        }
        writes += 1
        open[path]?.lastWrite = writes
        try open[path]?.file.write(bytes)
    }

    /// Closes a file. Does nothing if it is not open.
    mutating func close(_ path: String) throws(StorageError) {
        guard let opened = open.removeValue(forKey: path) else { return }
        defer { opened.file.close() }
        if syncs { try opened.file.sync() }
        try opened.file.finish()
    }

    /// Syncs all open files to disk.
    func sync() throws(StorageError) {
        for opened in open.values { try opened.file.sync() }
    }

    private mutating func closeLeastRecentlyWritten() throws(StorageError) {
        guard open.count >= maximumOpen,
            let oldest = open.min(by: { $0.value.lastWrite < $1.value.lastWrite })?.key
        else { return }
        try close(oldest)
    }
}
