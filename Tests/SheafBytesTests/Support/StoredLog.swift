@testable import SheafBytes

/// A log in memory that can be read from any offset, or fails to seek.
final class StoredLog: ReadableFile {
    private var input: MemoryInput
    private let seekFailure: StorageError?
    /// The offsets of all seeks, in order.
    private(set) var seeks: [UInt64] = []

    /// - Parameters:
    ///   - step: the largest number of bytes that one read returns.
    ///   - seekFailure: the error that every seek throws; nil when seeks succeed.
    init(_ bytes: [UInt8], step: Int = .max, seekFailure: StorageError? = nil) {
        input = MemoryInput(bytes, step: step)
        self.seekFailure = seekFailure
    }

    func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int {
        try input.read(into: &buffer)
    }

    func seek(to offset: UInt64) throws(StorageError) {
        if let seekFailure { throw seekFailure }
        seeks.append(offset)
        input.seek(to: offset)
    }

    func close() {}
}
