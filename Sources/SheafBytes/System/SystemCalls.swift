#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

// System calls under different names, for types that have methods with the names of the calls.

/// Safety: `count` bytes at `buffer` must be writable.
@unsafe func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(descriptor, buffer, count)
}

/// Safety: `count` bytes at `buffer` must be readable.
@unsafe func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, buffer, count)
}

/// Returns 0, or -1 with an error; the descriptor is closed in either case.
@discardableResult
func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

// Safety: the system only reads the paths, C strings that outlive the call.
func systemRename(_ path: String, _ target: String) -> Int32 {
    unsafe rename(SystemPath.cString(path), SystemPath.cString(target))
}

/// Locks the file unless another process holds its lock; never waits.
func systemLock(_ descriptor: Int32) -> Int32 { flock(descriptor, LOCK_EX | LOCK_NB) }
