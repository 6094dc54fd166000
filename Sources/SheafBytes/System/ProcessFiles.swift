#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// How many files the system lets this process have open.
public enum ProcessFiles {
    /// How many more can be opened now.
    public static var available: Int {
        let limit = limit
        // The system gives out the smallest free numbers: those beyond are hardly ever in use.
        let open = (0..<Int32(min(limit, mostCounted))).count { fcntl($0, F_GETFD) != -1 }
        return limit - open
    }

    /// How many may be open altogether.
    public static var limit: Int { limits().map { Int(clamping: $0.rlim_cur) } ?? defaultLimit }

    /// Raises the limit for this process to `wanted`, or as far as the system allows. A higher one stays.
    public static func raiseLimit(to wanted: Int) {
        guard var values = limits(), values.rlim_cur < wanted else { return }
        values.rlim_cur = min(rlim_t(wanted), values.rlim_max)
        // Safety: the system reads the structure that it is given the address of. Where it refuses, the limit stays.
        _ = unsafe setrlimit(resource, &values)
    }

    /// Fewer than any system allows by default.
    private static let defaultLimit = 256
    private static let mostCounted = 4096

    #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let resource = RLIMIT_NOFILE
    #endif

    private static func limits() -> rlimit? {
        var values = rlimit()
        // Safety: the system fills the structure that it is given the address of.
        return unsafe getrlimit(resource, &values) == 0 ? values : nil
    }
}
