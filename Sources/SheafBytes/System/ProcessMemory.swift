#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What the system says of this process's memory.
public enum ProcessMemory {
    /// The most that was resident at any time, in bytes.
    public static var peakResidentBytes: UInt64 {
        var usage = rusage()
        #if canImport(Darwin)
        // Safety: the system fills the structure that it is given the address of.
        guard unsafe getrusage(RUSAGE_SELF, &usage) == 0 else { return 0 }
        return UInt64(usage.ru_maxrss)
        #elseif canImport(Musl)
        guard unsafe getrusage(RUSAGE_SELF, &usage) == 0 else { return 0 }
        return UInt64(usage.ru_maxrss) << 10
        #else
        guard unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
        return UInt64(usage.ru_maxrss) << 10
        #endif
    }

    /// How many processors are there to be used.
    public static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
