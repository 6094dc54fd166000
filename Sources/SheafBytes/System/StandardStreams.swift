#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The standard streams of the process.
package enum StandardStreams {
    /// Opens the null device in place of each standard stream that is closed. Otherwise the next file to be opened
    /// would get the stream's number, and output to the stream would go to that file.
    ///
    /// Opens input for writing and the others for reading, so that using such a stream fails as it does for a closed
    /// one. Call this before anything else opens a file.
    ///
    /// - Returns: false if the null device can't be opened.
    package static func openClosed() -> Bool {
        for stream in StandardStream.allCases where fcntl(stream.rawValue, F_GETFD) < 0 && errno == EBADF {
            // The system assigns the lowest free number, and all lower streams are open by now.
            //
            // Safety: the system only reads the path, a C string that outlives the call.
            let opened = unsafe open("/dev/null", stream == .input ? O_WRONLY : O_RDONLY)
            guard opened == stream.rawValue else { return false }
        }
        return true
    }
}
