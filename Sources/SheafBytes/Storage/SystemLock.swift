#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An advisory lock (`flock`) on a file.
///
/// A process that has taken a lock may remove its file: the others see that theirs is no longer the one at the path.
final class SystemLock: FileLock {
    private let descriptor: Int32

    /// - Returns: nil when another process has the lock.
    init?(_ path: String) throws(StorageError) {
        while true {
            let file = try SystemFile(own: path, flags: O_RDWR | O_CREAT, operation: .lock)
            guard try file.lock() else { return nil }
            if file.isSame(as: path) {
                descriptor = file.release()
                return
            }
            // Its last owner removed the file between the two calls: a lock on it says nothing.
        }
    }

    deinit { systemClose(descriptor) }
}
