import SheafBytes

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
