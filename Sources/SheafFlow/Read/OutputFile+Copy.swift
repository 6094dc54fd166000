import SheafBytes

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension OutputFile {
    /// Writes the first bytes of one of the program's own files.
    ///
    /// - Throws: `StorageError`, also if the file is shorter than `length`: nothing may be lost silently.
    func append(_ path: String, length: UInt64, storage: any Storage) throws(StorageError) {
        let file = try storage.openOwn(path)
        defer { file.close() }
        var input: any ByteInput = file
        var buffer = [UInt8](repeating: 0, count: Limits.copyBytes)
        var left = length
        while left > 0 {
            var target = buffer.mutableSpan
            let count = min(UInt64(try input.read(into: &target)), left)
            if count == 0 { throw StorageError(.read, path: path, code: ENODATA) }
            try write(buffer.span.extracting(first: Int(count)))
            left -= count
        }
    }
}
