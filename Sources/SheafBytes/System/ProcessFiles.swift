#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The limit on the number of files that this process can have open.
package enum ProcessFiles {
    /// The number of files that can still be opened.
    package static var available: Int {
        let limit = limit
        // The system assigns the smallest free descriptors, so those past the first few thousand are hardly ever in
        // use.
        let open = (0..<Int32(min(limit, maximumCounted))).count { fcntl($0, F_GETFD) != -1 }
        return limit - open
    }

    /// The maximum number of open files.
    package static var limit: Int { limits().map { Int(clamping: $0.rlim_cur) } ?? defaultLimit }

    /// Raises the limit for this process to `wanted`, or as far as the system allows. Never lowers it.
    package static func raiseLimit(to wanted: Int) {
        guard var values = limits(), values.rlim_cur < wanted else { return }
        values.rlim_cur = min(rlim_t(wanted), values.rlim_max)
        // Safety: the system reads the structure, which outlives the call. If the call fails, the limit is unchanged.
        _ = unsafe setrlimit(resource, &values)
    }

    /// Lower than the default limit of any system.
    private static let defaultLimit = 256
    private static let maximumCounted = 4096

    #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let resource = RLIMIT_NOFILE
    #endif

    private static func limits() -> rlimit? {
        var values = rlimit()
        // Safety: the system fills in the structure, which outlives the call.
        return unsafe getrlimit(resource, &values) == 0 ? values : nil
    }
}
