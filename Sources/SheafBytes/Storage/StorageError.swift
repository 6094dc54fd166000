/// A file operation that the system refused: the operation, the path, and the system's reason.
public struct StorageError: Error, Equatable, Sendable {
    public enum Operation: String, Sendable {
        case open, read, seek, write, create, rename, remove, list, sync, lock, close
    }

    public let operation: Operation
    public let path: String
    /// The system's error number (`errno`).
    public let code: Int32
    /// A reason that is clearer than the system's description of the code; nil to use that description.
    public let detail: String?

    package init(_ operation: Operation, path: String, code: Int32, detail: String? = nil) {
        self.operation = operation
        self.path = path
        self.code = code
        self.detail = detail
    }

    /// Whether the other end of a pipe was closed, so that it can no longer be written.
    public var isClosedPipe: Bool { code == EPIPE }

    /// The detail, or the system's description of the code ("No such file or directory"), with a remedy if a limit
    /// was exceeded.
    public var reason: String {
        if let detail { return detail }
        // Safety: `strerror` returns a C string, a constant for known codes, which is copied at once.
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text) + (remedy.map { "; \($0)" } ?? "")
    }

    /// The remedy for exceeding a limit that the process was started with; nil for other codes.
    private var remedy: String? {
        switch (code, operation) {
        case (EMFILE, _): "raise the limit on open files (ulimit -n)"
        case (EFBIG, .write): "raise the limit on file sizes (ulimit -f)"
        default: nil
        }
    }
}

extension StorageError: CustomStringConvertible {
    public var description: String {
        "\(SystemPath.shown(path)): cannot \(operation.rawValue): \(reason)"
    }
}
