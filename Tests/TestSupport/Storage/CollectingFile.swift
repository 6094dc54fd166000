import SheafBytes

/// A file that keeps the bytes written to it.
package final class CollectingFile: WritableFile {
    package private(set) var bytes: [UInt8] = []
    private var writesLeft: Int

    package static let failure = StorageError(.write, path: "frames", code: 28)

    /// - Parameter failsAfter: the number of writes that succeed before every further write fails.
    package init(failsAfter: Int = .max) { writesLeft = failsAfter }

    package func write(_ bytes: Span<UInt8>) throws(StorageError) {
        if writesLeft == 0 { throw Self.failure }
        writesLeft -= 1
        self.bytes.append(bytes)
    }

    package func setAccess(_ access: FileAccess) {}
    package func sync() throws(StorageError) {}
    package func finish() throws(StorageError) {}
    package func close() {}
}
