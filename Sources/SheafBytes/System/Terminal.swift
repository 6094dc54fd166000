#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What the system says of the standard streams.
public enum Terminal {
    /// Whether somebody watches standard error.
    public static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether somebody reads standard output.
    public static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// How many columns the terminal of standard error has; 80 when it does not say.
    public static var errorColumns: Int { columns(of: STDERR_FILENO) }

    /// How many columns the terminal of standard output has; 80 when it does not say.
    public static var outputColumns: Int { columns(of: STDOUT_FILENO) }

    private static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        // Safety: the system fills the structure that it is given the address of.
        let status = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
        return status == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// Writes `text` to standard error. What can't be written there has nobody to be told to.
    public static func writeError(_ text: String) {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                // Safety: the system reads what is left of a buffer that outlives the call.
                unsafe systemWrite(STDERR_FILENO, buffer.baseAddress! + written, buffer.count - written)
            }
            if count > 0 {
                written += count
            } else if errno != EINTR {
                return
            }
        }
    }
}
