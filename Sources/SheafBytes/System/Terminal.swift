#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The terminals of the standard streams.
package enum Terminal {
    /// Whether standard error is a terminal.
    package static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether standard output is a terminal.
    package static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// The number of columns of standard error's terminal; 80 if it is unknown.
    package static var errorColumns: Int { columns(of: STDERR_FILENO) }

    /// The number of columns of standard output's terminal; 80 if it is unknown.
    package static var outputColumns: Int { columns(of: STDOUT_FILENO) }

    /// The number of rows of standard output's terminal; 24 if it is unknown.
    package static var outputRows: Int {
        size(of: STDOUT_FILENO).map { Int($0.ws_row) }.flatMap { $0 > 0 ? $0 : nil } ?? 24
    }

    /// Whether the terminal can move its cursor, erase a line and show colours: `TERM` is set, and not to `dumb`.
    package static var supportsControlSequences: Bool {
        let name = ProcessEnvironment.value("TERM") ?? ""
        return !name.isEmpty && name != "dumb"
    }

    /// Returns whether output to a path may appear on the terminal, directly or through a process that reads it.
    ///
    /// - Parameter path: the path of an output; `-` is standard output.
    package static func mayShow(_ path: String) -> Bool {
        var information = stat()
        // Safety: the system fills in the structure, which outlives the call.
        let status = unsafe path == "-" ? fstat(STDOUT_FILENO, &information) : stat(path, &information)
        guard status == 0 else { return false }
        switch information.st_mode & S_IFMT {
        case S_IFIFO, S_IFSOCK: return true
        case S_IFCHR: return !isNullDevice(information)
        default: return false
        }
    }

    private static func isNullDevice(_ device: stat) -> Bool {
        var null = stat()
        // Safety: the system fills in the structure, which outlives the call.
        return unsafe stat("/dev/null", &null) == 0 && null.st_rdev == device.st_rdev
    }

    private static func columns(of descriptor: Int32) -> Int {
        guard let size = size(of: descriptor), size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Returns the size of the stream's terminal, or nil if the stream is not a terminal.
    private static func size(of descriptor: Int32) -> winsize? {
        var size = winsize()
        // Safety: the system fills in the structure, which outlives the call.
        let status = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
        return status == 0 ? size : nil
    }

    /// Writes `text` to standard error. If that fails, there is no other way to report it.
    package static func writeError(_ text: String) { write(text, to: STDERR_FILENO) }

    /// Writes `text` to standard output. Failures are ignored: results are written elsewhere.
    package static func writeOutput(_ text: String) { write(text, to: STDOUT_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                // Safety: the system reads the remaining bytes of a buffer that outlives the call. The buffer is not
                // empty, so its address is not nil.
                unsafe systemWrite(descriptor, buffer.baseAddress! + written, buffer.count - written)
            }
            if count > 0 {
                written += count
            } else if errno != EINTR {
                return
            }
        }
    }
}
