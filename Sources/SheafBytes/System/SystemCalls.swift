#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

// The system's calls under names of their own, for types whose methods have the calls' names.

@unsafe func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(descriptor, buffer, count)
}

@unsafe func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, buffer, count)
}

func systemClose(_ descriptor: Int32) { _ = close(descriptor) }

func systemRename(_ path: String, _ target: String) -> Int32 {
    unsafe rename(SystemPath.cString(path), SystemPath.cString(target))
}

/// Takes the file's lock where nobody has it; never waits.
func systemLock(_ descriptor: Int32) -> Int32 { flock(descriptor, LOCK_EX | LOCK_NB) }
