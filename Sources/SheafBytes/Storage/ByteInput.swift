/// Bytes in order, from wherever they come: a file, a pipe, a test.
public protocol ByteInput {
    /// Reads up to `buffer.count` bytes into the start of `buffer`, which is not empty.
    ///
    /// - Returns: how many bytes were read; 0 only at the end.
    /// - Throws: `StorageError` when reading failed.
    mutating func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int
}

/// An input over bytes in memory, in pieces of at most `step` bytes, as a pipe hands them out.
public struct MemoryInput: ByteInput {
    private let bytes: [UInt8]
    private let step: Int
    private var offset = 0

    public init(_ bytes: [UInt8], step: Int = .max) {
        precondition(step > 0, "an input that yields nothing would never end")
        self.bytes = bytes
        self.step = step
    }

    public mutating func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int {
        let count = min(step, buffer.count, bytes.count - offset)
        guard count > 0 else { return 0 }
        buffer.write(bytes.span.extracting(offset..<(offset + count)), at: 0)
        offset += count
        return count
    }

    /// Goes on reading `offset` bytes from the start; behind the end there is nothing.
    public mutating func seek(to offset: UInt64) { self.offset = Int(min(offset, UInt64(bytes.count))) }
}
