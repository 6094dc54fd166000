import SheafBytes

/// The reason why a run ended without a result.
///
/// ```swift
/// do {
///     _ = try Replay(ReplayOptions(sources: ["log.ndjson"])).run()
/// } catch .source(let path, let reason) {
///     print("cannot read \(path): \(reason)")
/// } catch {
///     print(error)
/// }
/// ```
public enum ReplayError: Error, Sendable, Equatable {
    /// A source can't be opened: it is missing, unreadable, or a folder without logs.
    case source(path: String, reason: String)
    /// An output can't be created.
    case output(StorageError)
    /// Reading failed in the middle of a source.
    case reading(path: String, offset: UInt64, StorageError)
    /// A state file is corrupt.
    case damaged(path: String, FrameError.Damage, offset: UInt64)
    /// An input of a merge is not a partial result.
    case notPartial(path: String, holds: String)
    /// Writing an output failed, or an operation on one of the run's own files failed.
    case writing(StorageError)
    /// The options are invalid or contradict each other.
    case usage(OptionMessage)
    /// Another run is using the checkpoint folder. The same run may succeed later.
    case inUse(folder: String)
    /// A signal interrupted the run.
    case interrupted(signal: Int32)
    /// A signal interrupted a run that writes snapshots while it reads: those that were complete are in the file.
    case stopped(signal: Int32, kept: String)
    /// `run()` was called a second time.
    case alreadyRun
}

extension ReplayError: CustomStringConvertible {
    /// The message. Bytes in file names that are not UTF-8 are escaped as in `SystemPath.shown`.
    public var description: String { description(naming: \.quotedName) }

    /// Returns the message with the option names that `name` returns.
    public func description(naming name: (RunOption) -> String) -> String {
        SystemPath.shown(message(naming: name))
    }

    private func message(naming name: (RunOption) -> String) -> String {
        switch self {
        case .source(let path, let reason): "\(path): \(reason)"
        case .output(let error): "\(error.path): the output cannot be created: \(error.reason)"
        case .reading(let path, let offset, let error):
            "\(path): reading failed at byte \(offset): \(error.reason)"
        case .damaged(let path, let damage, let offset): "\(path): damaged at byte \(offset): \(damage)"
        case .notPartial(let path, let contents): "\(path): not a partial result: it holds \(contents)"
        case .writing(let error): "\(error.path): \(Self.name(of: error.operation)) failed: \(error.reason)"
        case .usage(let message): message.text(naming: name)
        case .inUse(let folder):
            "\(folder): another run is using this checkpoint folder; try again when it has ended, or use another folder"
        case .interrupted(signal: SIGXCPU):
            "the limit on processor time was reached (ulimit -t); no file was written"
        case .interrupted: "interrupted; no file was written"
        case .stopped(_, let file): "interrupted; \(file) has the snapshots that were complete"
        case .alreadyRun: "a run can be run only once: create another one"
        }
    }

    private static func name(of operation: StorageError.Operation) -> String {
        switch operation {
        case .open, .read, .seek: "reading back"
        case .create: "creating"
        case .lock: "locking"
        case .write, .rename, .remove, .list, .sync, .close: "writing"
        }
    }
}
