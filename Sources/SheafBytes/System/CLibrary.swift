// The C library. Exported, so that each file that imports `SheafBytes` can use the system's error codes and calls, and
// no other file has to know which C library the platform has.
#if canImport(Glibc)
@_exported import Glibc
#elseif canImport(Musl)
@_exported import Musl
#elseif canImport(Darwin)
@_exported import Darwin
#endif

// System calls under different names, for types that have methods with the names of the calls.
//
// The package swift-system would not replace them: it has no calls that rename, remove, lock and sync files, change
// their owners, list folders and resolve links. Its `FilePath` holds any bytes, but arguments, options and messages are
// strings, so `SystemPath` would still be needed.

/// Repeats a system call as long as signals interrupt it. If the result is -1, `errno` is the reason.
func repeatingInterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}

func systemOpen(_ path: String, _ flags: Int32, mode: mode_t = 0) -> Int32 {
    // Safety: the system only reads the path, a C string that outlives the call.
    repeatingInterrupted { unsafe open(SystemPath.cString(path), flags | O_CLOEXEC, mode) }
}

func systemRead(_ descriptor: Int32, into buffer: inout MutableSpan<UInt8>) -> Int {
    unsafe buffer.withUnsafeMutableBufferPointer { bytes in
        // Safety: the system writes at most `count` bytes into a buffer that outlives the call.
        repeatingInterrupted { unsafe read(descriptor, bytes.baseAddress, bytes.count) }
    }
}

/// Writes all of `bytes`; returns false, with an error in `errno`, if the system does not accept all of them.
func systemWrite(_ descriptor: Int32, _ bytes: Span<UInt8>) -> Bool {
    var written = 0
    while written < bytes.count {
        let count = unsafe bytes.extracting(droppingFirst: written).withUnsafeBytes { rest in
            // Safety: the system reads at most `count` bytes of a buffer that outlives the call.
            repeatingInterrupted { unsafe write(descriptor, rest.baseAddress, rest.count) }
        }
        if count < 0 { return false }
        written += count
    }
    return true
}

/// Returns 0, or -1 with an error; the descriptor is closed in either case.
@discardableResult
func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

func systemRename(_ path: String, _ target: String) -> Int32 {
    // Safety: the system only reads the paths, C strings that outlive the call.
    unsafe rename(SystemPath.cString(path), SystemPath.cString(target))
}

/// Locks the file unless another process holds its lock; never waits.
func systemLock(_ descriptor: Int32) -> Int32 {
    repeatingInterrupted { flock(descriptor, LOCK_EX | LOCK_NB) }
}

/// Returns the status of an open file, or nil with an error.
func systemStatus(_ descriptor: Int32) -> stat? {
    var status = stat()
    // Safety: the system fills in the structure, which outlives the call.
    return unsafe fstat(descriptor, &status) == 0 ? status : nil
}

/// Returns the status of the file at a path, or nil with an error.
func systemStatus(_ path: String, followsLinks: Bool = true) -> stat? {
    var status = stat()
    let path = SystemPath.cString(path)
    // Safety: the system only reads the path and fills in the structure, which both outlive the call.
    return unsafe (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 ? status : nil
}

extension stat {
    /// The type of file: `S_IFREG`, `S_IFDIR` and others.
    var type: mode_t { st_mode & S_IFMT }
}
