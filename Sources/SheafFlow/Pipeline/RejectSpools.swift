import SheafBytes

/// Rejected lines in a checkpoint's folder until the run ends, one file per source.
///
/// The contents of a file that a checkpoint records have been synced to disk. A resumed run truncates the file to them.
package struct RejectSpools {
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

/// What was appended to a file of rejected lines: damage shows when it is read.
struct SpoolContents: Equatable, Sendable {
    /// The number of bytes.
    private(set) var byteCount: UInt64
    /// The CRC-32 of the bytes; nil if it is not known, because the file was begun by a version that stored none.
    private(set) var checksum: UInt32?

    init(byteCount: UInt64 = 0, checksum: UInt32? = 0) {
        self.byteCount = byteCount
        self.checksum = checksum
    }

    mutating func append(_ bytes: Span<UInt8>) {
        byteCount += UInt64(bytes.count)
        guard let known = checksum else { return }
        var checksum = Checksum(known)
        checksum.update(bytes)
        self.checksum = checksum.value
    }

    /// Reads a file, before it is copied: the output may be a pipe.
    ///
    /// - Throws: `StorageError`, also if the file does not have these contents.
    func check(_ path: String, storage: any Storage) throws(StorageError) {
        guard let checksum else { return }
        var found = Checksum()
        try storage.forEachPart(of: path, upTo: byteCount) { found.update($0) }
        guard found.value == checksum else {
            throw StorageError(
                .read, path: path, code: EIO, detail: "the lines in it do not match their checksum")
        }
    }
}

extension OutputFile {
    /// Writes the first bytes of one of the program's own files.
    ///
    /// - Throws: `StorageError`, also if the file is shorter than `length`: nothing may be lost silently.
    func append(_ path: String, length: UInt64, storage: any Storage) throws(StorageError) {
        try storage.forEachPart(of: path, upTo: length) { part throws(StorageError) in try write(part) }
    }
}

extension Storage {
    /// Calls `body` with the first bytes of one of the program's own files, part by part.
    ///
    /// - Throws: `StorageError`, also if the file is shorter than `length`, and the error that `body` throws.
    func forEachPart(
        of path: String, upTo length: UInt64, _ body: (Span<UInt8>) throws(StorageError) -> Void
    ) throws(StorageError) {
        let file = try openOwn(path)
        defer { file.close() }
        var input: any ByteInput = file
        var buffer = [UInt8](repeating: 0, count: Limits.copyBytes)
        var left = length
        while left > 0 {
            var target = buffer.mutableSpan
            let count = min(UInt64(try input.read(into: &target)), left)
            if count == 0 { throw StorageError(.read, path: path, code: ENODATA) }
            try body(buffer.span.extracting(first: Int(count)))
            left -= count
        }
    }
}
