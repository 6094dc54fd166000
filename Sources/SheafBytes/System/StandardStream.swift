/// The streams that a process is started with.
package enum StandardStream: Int32, CaseIterable, Sendable {
    case input, output, error

    /// Opens the null device in place of each standard stream that is closed. Otherwise the next file to be opened
    /// would get the stream's number, and output to the stream would go to that file.
    ///
    /// Opens input for writing and the others for reading, so that using such a stream fails as if it were
    /// closed. Call this before anything else opens a file.
    ///
    /// - Returns: false if the null device can't be opened.
    package static func openClosed() -> Bool {
        for stream in allCases where fcntl(stream.rawValue, F_GETFD) < 0 && errno == EBADF {
            // The system assigns the lowest free number, and all lower streams are open by now. Unlike other files,
            // the stream is inherited by programs that this one starts.
            //
            // Safety: the system only reads the path, a C string that outlives the call.
            let opened = unsafe open("/dev/null", stream == .input ? O_WRONLY : O_RDONLY)
            guard opened == stream.rawValue else { return false }
        }
        return true
    }

    /// Writes `text`. Failures are ignored: results are written elsewhere, and an error that can't be written can't be
    /// reported in any other way.
    package func write(_ text: String) { _ = systemWrite(rawValue, Array(text.utf8).span) }

    /// Whether the stream is a terminal.
    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// The number of columns of the stream's terminal; 80 if it is unknown.
    package var columns: Int { windowSize.map { Int($0.ws_col) }.flatMap { $0 > 0 ? $0 : nil } ?? 80 }

    /// The number of rows of the stream's terminal; 24 if it is unknown.
    package var rows: Int { windowSize.map { Int($0.ws_row) }.flatMap { $0 > 0 ? $0 : nil } ?? 24 }

    /// The size of the stream's terminal, or nil if the stream is not a terminal.
    private var windowSize: winsize? {
        var size = winsize()
        // Safety: the system fills in the structure, which outlives the call.
        return unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
    }
}

/// The terminal that the user may be watching.
package enum Terminal {
    /// Whether the terminal can move its cursor, erase a line and show colours: `TERM` is set, and not to `dumb`.
    package static var supportsControlSequences: Bool {
        let name = CurrentProcess.environment("TERM") ?? ""
        return !name.isEmpty && name != "dumb"
    }

    /// Returns whether output to a path may appear on the terminal, directly or through a process that reads it.
    ///
    /// - Parameter path: the path of an output; `-` is standard output.
    package static func mayShow(_ path: String) -> Bool {
        let status = path == "-" ? systemStatus(StandardStream.output.rawValue) : systemStatus(path)
        switch status?.type {
        case S_IFIFO, S_IFSOCK: return true
        case S_IFCHR: return systemStatus("/dev/null").map { $0.st_rdev != status?.st_rdev } ?? true
        default: return false
        }
    }
}
