import CSheaf

/// This process: its arguments and environment, its memory, and what the system lets it use.
package enum CurrentProcess {
    /// The command-line arguments, without the program's name, each as a `SystemPath` text: `CommandLine.arguments`
    /// replaces bytes that are not UTF-8, so it could name a different file.
    package static var arguments: [String] {
        // Safety: the array has `argc` C strings, which live as long as the process and which this program never
        // changes.
        let values = unsafe CommandLine.unsafeArgv
        return (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            guard let value = unsafe values[index] else { return nil }
            return unsafe SystemPath.text(cString: value)
        }
    }

    /// Returns the value of an environment variable as a `SystemPath` text, or nil if it is not set.
    package static func environment(_ name: String) -> String? {
        // Safety: this program never changes the environment, and the C string is copied at once.
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe SystemPath.text(cString: value)
    }
}

// MARK: - Memory and processors

extension CurrentProcess {
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

    /// Returns the number after `VmHWM:` ("high water mark").
    static func peakResidentKibibytes(in status: String) -> UInt64 {
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }) else {
            return 0
        }
        return UInt64(line.filter(\.isNumber)) ?? 0
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

    /// Returns the contents of a small system file as a `SystemPath` text, or nil if it can't be read.
    private static func contents(of path: String) -> String? {
        let descriptor = systemOpen(path, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { systemClose(descriptor) }
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 13)
        while contents.count < 1 << 20 {
            var room = buffer.mutableSpan
            let count = systemRead(descriptor, into: &room)
            if count < 0 { return nil }
            if count == 0 { break }
            contents += buffer[..<count]
        }
        return SystemPath.text(contents)
    }
}

// MARK: - Open files

extension CurrentProcess {
    /// The number of files that can still be opened.
    package static var availableFiles: Int {
        let limit = fileLimit
        // The system assigns the smallest free descriptors, so those past the first few thousand are hardly ever in
        // use.
        let open = (0..<Int32(min(limit, maximumCounted))).count { fcntl($0, F_GETFD) != -1 }
        return limit - open
    }

    /// The maximum number of open files.
    package static var fileLimit: Int { fileLimits().map { Int(clamping: $0.rlim_cur) } ?? defaultFileLimit }

    /// Raises the limit on open files for this process to `wanted`, or as far as the system allows. Never lowers it.
    package static func raiseFileLimit(to wanted: Int) {
        guard var limits = fileLimits(), limits.rlim_cur < wanted else { return }
        limits.rlim_cur = min(rlim_t(wanted), limits.rlim_max)
        // Safety: the system reads the structure, which outlives the call. If the call fails, the limit is unchanged.
        _ = unsafe setrlimit(openFiles, &limits)
    }

    /// Lower than the default limit of any system.
    private static let defaultFileLimit = 256
    private static let maximumCounted = 4096

    #if canImport(Glibc)
    private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let openFiles = RLIMIT_NOFILE
    #endif

    private static func fileLimits() -> rlimit? {
        var limits = rlimit()
        // Safety: the system fills in the structure, which outlives the call.
        return unsafe getrlimit(openFiles, &limits) == 0 ? limits : nil
    }
}
