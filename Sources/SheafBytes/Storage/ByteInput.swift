/// Bytes in order from any source: a file, a pipe, a test.
package protocol ByteInput {
    /// Reads up to `buffer.count` bytes into the start of `buffer`, which is not empty.
    ///
    /// - Returns: the number of bytes read; 0 only at the end.
    /// - Throws: `StorageError` if reading failed.
    mutating func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int
}

extension ByteInput {
    /// Reads until `buffer` is full or the input ends.
    ///
    /// - Parameter filled: the number of bytes already in the buffer, updated by each read, even if a later one fails.
    package mutating func fill(_ buffer: inout [UInt8], count filled: inout Int) throws(StorageError) {
        while filled < buffer.count {
            var whole = buffer.mutableSpan
            var room = whole._mutatingExtracting(filled..<whole.count)
            let count = try read(into: &room)
            if count == 0 { return }
            filled += count
        }
    }
}

/// An input that yields bytes from memory, at most `step` bytes at a time, as a pipe does.
package struct MemoryInput: ByteInput {
    private let bytes: [UInt8]
    private let step: Int
    private var offset = 0

    package init(_ bytes: [UInt8], step: Int = .max) {
        precondition(step > 0, "an input that yields nothing would never end")
        self.bytes = bytes
        self.step = step
    }

    package mutating func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int {
        let count = min(step, buffer.count, bytes.count - offset)
        guard count > 0 else { return 0 }
        buffer.write(bytes.span.extracting(offset..<(offset + count)), at: 0)
        offset += count
        return count
    }

    /// Continues reading `offset` bytes from the start. Past the end there is nothing to read.
    package mutating func seek(to offset: UInt64) { self.offset = Int(min(offset, UInt64(bytes.count))) }
}
