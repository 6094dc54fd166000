import CSheaf

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// This process's memory, and the processors that it may use.
public enum ProcessMemory {
    /// Has the allocator give large blocks back to the system as soon as they are freed.
    ///
    /// By default glibc keeps freed blocks of up to 32 MiB for later ones once one of their size was freed, for each thread
    /// its own: what a memory limit counts on is then still taken.
    public static func returnLargeBlocks() {
        sheaf_fix_large_blocks(1 << 17)
    }

    /// The most that was resident at any time, in bytes; 0 where the system does not say.
    public static var peakResidentBytes: UInt64 {
        #if canImport(Darwin)
        var usage = rusage()
        // Safety: the system fills the structure that it is given the address of.
        guard unsafe getrusage(RUSAGE_SELF, &usage) == 0 else { return 0 }
        return UInt64(usage.ru_maxrss)
        #else
        // Not `getrusage`: its peak counts what the parent had when it started this process.
        return peakResidentKibibytes(in: contents(of: "/proc/self/status") ?? "") << 10
        #endif
    }

    /// How much memory the machine has, in bytes.
    public static var physicalBytes: Int {
        max(0, Int(sysconf(Int32(_SC_PHYS_PAGES)))) * max(0, Int(sysconf(Int32(_SC_PAGESIZE))))
    }

    /// How much of the machine's memory this process may use, in bytes: all of it, or what its control group allows.
    public static var usableBytes: Int {
        min(physicalBytes, ControlGroups(read: contents(of:)).memoryBytes ?? .max)
    }

    /// How many processors this process may use: those that are online, fewer where it is bound to some of them
    /// (`taskset`) or where its control group has a quota.
    public static var processorCount: Int {
        let online = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let quota = ControlGroups(read: contents(of:)).processors ?? .max
        let bound = Int(sheaf_bound_processors())
        return max(1, min(online, bound > 0 ? bound : .max, quota))
    }

    /// The number behind `VmHWM:`, "high water mark".
    static func peakResidentKibibytes(in status: String) -> UInt64 {
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }) else {
            return 0
        }
        return UInt64(line.filter(\.isNumber)) ?? 0
    }

    /// A small file of the system's, as a `SystemPath` text; nil when it can't be read.
    private static func contents(of path: String) -> String? {
        let descriptor = unsafe open(SystemPath.cString(path), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { systemClose(descriptor) }
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 13)
        while contents.count < 1 << 20 {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                // Safety: the system writes at most `count` bytes into a buffer that outlives the call.
                unsafe systemRead(descriptor, bytes.baseAddress, bytes.count)
            }
            if count == 0 { break }
            if count > 0 { contents += buffer[..<count] } else if errno != EINTR { return nil }
        }
        return SystemPath.text(contents)
    }
}
