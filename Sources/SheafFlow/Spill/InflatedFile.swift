import SheafBytes

/// A file's bytes, inflated where it is compressed.
///
/// Compressed data that is damaged ends where it is: frames say what is missing behind it.
final class InflatedFile: ByteInput {
    private var input: SourceInput

    init(_ file: any ReadableFile) { input = SourceInput(file) }

    func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int {
        do {
            return try input.read(into: &buffer)
        } catch {
            switch error {
            case .unreadable(let cause, _): throw cause
            case .damaged: return 0
            }
        }
    }
}
