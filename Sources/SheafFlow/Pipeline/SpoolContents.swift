import SheafBytes

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
