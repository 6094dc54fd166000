#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An advisory lock (`flock`) on a file that is there for nothing else.
///
/// Whoever has taken a lock may remove its file: the others see that theirs is no longer the one at the path.
final class SystemLock: FileLock {
    private let descriptor: Int32

    /// - Returns: nil when another process has the lock.
    init?(_ path: String) throws(StorageError) {
        while true {
            let opened = unsafe open(SystemPath.cString(path), O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
            if opened < 0 {
                if errno == EINTR { continue }
                throw StorageError(.lock, path: path, code: errno)
            }
            guard systemLock(opened) == 0 else {
                let code = errno
                systemClose(opened)
                if code == EINTR { continue }
                if code == EWOULDBLOCK { return nil }
                throw StorageError(.lock, path: path, code: code)
            }
            if Self.isSame(opened, path) {
                descriptor = opened
                return
            }
            // Its last owner removed the file between the two calls: a lock on it says nothing.
            systemClose(opened)
        }
    }

    deinit { systemClose(descriptor) }

    private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
        var opened = stat()
        var found = stat()
        // Safety: `fstat` and `stat` fill the structures that they are given the addresses of.
        guard unsafe fstat(descriptor, &opened) == 0, unsafe stat(SystemPath.cString(path), &found) == 0
        else { return false }
        return opened.st_ino == found.st_ino && opened.st_dev == found.st_dev
    }
}
