#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An advisory lock (`flock`) on a file.
///
/// A process that holds the lock may remove the file: other processes then find that their file is no longer the one
/// at the path.
final class SystemLock: FileLock {
    private let descriptor: Int32

    /// - Returns: nil if another process has the lock.
    init?(_ path: String) throws(StorageError) {
        while true {
            let file = try SystemFile(own: path, flags: O_RDWR | O_CREAT, operation: .lock)
            guard try file.lock() else { return nil }
            if file.isSame(as: path) {
                descriptor = file.release()
                return
            }
            // The previous owner removed the file between the two calls, so a lock on it is worthless.
        }
    }

    deinit { systemClose(descriptor) }
}
