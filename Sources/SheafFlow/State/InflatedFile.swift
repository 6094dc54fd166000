import SheafBytes

/// Reads a file's bytes, inflated if the file is compressed.
///
/// Corrupt compressed data ends the file at that point: the reader of the frames then reports the missing data.
final class InflatedFile: ByteInput {
    private var input: SourceInput

    /// The memory that decoding has taken for windows, in bytes.
    var windowBytes: Int { input.windowBytes }

    init(_ file: any ReadableFile) { input = SourceInput(file) }

    func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int {
        do {
            return try input.read(into: &buffer)
        } catch {
            switch error {
            case .unreadable(let cause, _): throw cause
            case .damaged, .tooLarge: return 0
            }
        }
    }
}
