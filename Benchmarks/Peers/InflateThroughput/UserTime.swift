import SheafBytes

/// Returns the time that this process has spent outside the kernel, in microseconds.
func userTime() -> Int {
    #if canImport(Glibc)
    // An enumeration in this library, a number in others.
    let ownProcess = Int32(RUSAGE_SELF.rawValue)
    #else
    let ownProcess = RUSAGE_SELF
    #endif
    var usage = rusage()
    // Safety: the system fills in the structure, which outlives the call.
    guard unsafe getrusage(ownProcess, &usage) == 0 else { fatalError("getrusage failed") }
    return Int(usage.ru_utime.tv_sec) * 1_000_000 + Int(usage.ru_utime.tv_usec)
}
