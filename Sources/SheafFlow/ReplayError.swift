import SheafBytes

/// Why a replay ended without its result.
public enum ReplayError: Error, Sendable, Equatable {
    /// A source can't be opened: it is missing, unreadable, or a folder without logs.
    case source(path: String, reason: String)
    /// An output can't be created.
    case output(StorageError)
    /// Reading failed in the middle of a source.
    case reading(path: String, offset: UInt64, StorageError)
    /// A file of state is not what was written.
    case damaged(path: String, FrameError.Damage, offset: UInt64)
    /// Writing failed in the middle of an output.
    case writing(StorageError)
    /// State can't be put on the disk to make room in memory.
    case spilling(StorageError)
    /// The options contradict each other.
    case usage(String)
    /// A signal ended it.
    case interrupted(signal: Int32)
}

extension ReplayError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .source(let path, let reason): "\(path): \(reason)"
        case .output(let error): "\(error.path): the output cannot be created: \(error.reason)"
        case .reading(let path, let offset, let error):
            "\(path): reading failed at byte \(offset): \(error.reason)"
        case .damaged(let path, let damage, let offset): "\(path): damaged at byte \(offset): \(damage)"
        case .writing(let error): "\(error.path): writing failed: \(error.reason)"
        case .spilling(let error):
            "\(error.path): state that does not fit the memory cannot be put there: \(error.reason); "
                + "--spill-dir names another folder, --memory gives more"
        case .usage(let message): message
        case .interrupted: "interrupted; no file was written"
        }
    }
}
