@testable import SheafBytes

/// A log in memory that can be read from anywhere, or refuses to be.
final class StoredLog: ReadableFile {
    private var input: MemoryInput
    private let seekFailure: StorageError?
    /// Where it was told to go on, in order.
    private(set) var seeks: [UInt64] = []

    /// - Parameters:
    ///   - step: how much is handed out at once.
    ///   - seekFailure: what going elsewhere fails with.
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
