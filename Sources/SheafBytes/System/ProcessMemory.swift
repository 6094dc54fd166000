#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What the system says of this process's memory, and how many processors there are.
public enum ProcessMemory {
    /// The most that was resident at any time, in bytes; 0 where the system does not say.
    public static var peakResidentBytes: UInt64 {
        #if canImport(Darwin)
        var usage = rusage()
        // Safety: the system fills the structure that it is given the address of.
        guard unsafe getrusage(RUSAGE_SELF, &usage) == 0 else { return 0 }
        return UInt64(usage.ru_maxrss)
        #else
        // Not `getrusage`: its peak counts what the parent had when it started this process.
        return peakResidentKibibytes(in: contents(of: "/proc/self/status")) << 10
        #endif
    }

    /// How much memory the machine has, in bytes.
    public static var physicalBytes: Int {
        max(0, Int(sysconf(Int32(_SC_PHYS_PAGES)))) * max(0, Int(sysconf(Int32(_SC_PAGESIZE))))
    }

    /// How many processors are there to be used.
    public static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// The number behind `VmHWM:`, "high water mark".
    static func peakResidentKibibytes(in status: String) -> UInt64 {
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }) else {
            return 0
        }
        return UInt64(line.filter(\.isNumber)) ?? 0
    }

    /// The start of a small file of the system's; empty when it can't be read.
    private static func contents(of path: String) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { systemClose(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 1 << 13)
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            // Safety: the system writes at most `count` bytes into a buffer that outlives the call.
            unsafe systemRead(descriptor, bytes.baseAddress, bytes.count)
        }
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
}
