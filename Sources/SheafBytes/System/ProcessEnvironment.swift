#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What the process was started with.
public enum ProcessEnvironment {
    /// The value of a variable, as a `SystemPath` text; nil when it is not set.
    public static func value(_ name: String) -> String? {
        // Safety: nothing of this program changes the environment, and the C string is copied at once.
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe SystemPath.text(cString: value)
    }
}
