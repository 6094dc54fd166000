#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The environment variables of the process.
package enum ProcessEnvironment {
    /// Returns the value of a variable as a `SystemPath` text, or nil if it is not set.
    package static func value(_ name: String) -> String? {
        // Safety: this program never changes the environment, and the C string is copied at once.
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe SystemPath.text(cString: value)
    }
}
