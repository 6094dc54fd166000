import CSheaf

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// This process's memory, and the processors that it may use.
package enum ProcessMemory {
    /// Makes the allocator return large blocks to the system as soon as they are freed.
    ///
    /// By default, once a block of up to 32 MiB has been freed, glibc keeps freed blocks of that size for reuse,
    /// separately for each thread. Memory that a memory limit assumes to be free would then still be in use.
    package static func returnLargeBlocks() {
        sheaf_fix_large_blocks(1 << 17)
    }

    /// The peak resident memory, in bytes; 0 if the system does not report it.
    package static var peakResidentBytes: UInt64 {
        #if canImport(Darwin)
        var usage = rusage()
        // Safety: the system fills in the structure, which outlives the call.
        guard unsafe getrusage(RUSAGE_SELF, &usage) == 0 else { return 0 }
        return UInt64(usage.ru_maxrss)
        #else
        // Not `getrusage`: its peak includes the memory that the parent had when it started this process.
        return peakResidentKibibytes(in: contents(of: "/proc/self/status") ?? "") << 10
        #endif
    }

    /// The machine's memory, in bytes.
    package static var physicalBytes: Int {
        max(0, Int(sysconf(Int32(_SC_PHYS_PAGES)))) * max(0, Int(sysconf(Int32(_SC_PAGESIZE))))
    }

    /// The control groups of the process, whose limits are read each time.
    private static let controlGroups = ControlGroups { contents(of: $0) }

    /// The part of the machine's memory that this process may use, in bytes: all of it, or the limit of its control
    /// group.
    package static var usableBytes: Int {
        min(physicalBytes, controlGroups.memoryBytes ?? .max)
    }

    /// The number of processors that this process may use: those online, or fewer if it is bound to some of them
    /// (`taskset`) or if its control group has a quota.
    package static var processorCount: Int {
        let online = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let quota = controlGroups.processors ?? .max
        let bound = Int(sheaf_bound_processors())
        return max(1, min(online, bound > 0 ? bound : .max, quota))
    }

    /// Returns the number after `VmHWM:` ("high water mark").
    static func peakResidentKibibytes(in status: String) -> UInt64 {
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }) else {
            return 0
        }
        return UInt64(line.filter(\.isNumber)) ?? 0
    }

    /// Returns the contents of a small system file as a `SystemPath` text, or nil if it can't be read.
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
