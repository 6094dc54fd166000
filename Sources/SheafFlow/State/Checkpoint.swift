import SheafBytes
import SheafGroups

/// The progress of a replay as stored on disk: the data that a run of the same command needs to resume.
///
/// The state itself, groups and notifications, is in the files that the checkpoint names.
struct Checkpoint: Equatable, Sendable {
    /// The options and sources that the state depends on. A checkpoint of a run with other ones is refused.
    var header: PartialHeader
    var maximumLine: Int
    var keepsRejects: Bool
    /// The profile whose rules the records were read by; nil in a checkpoint of version 2.
    var profile: Profile?
    /// The identities of the sources' bytes, by ordinal.
    var identities: [SourceIdentity]
    /// The progress of each source, by ordinal.
    var progress: [SourceProgress]
    /// The rejected lines that are kept, by source. Sources without any are absent.
    var rejects: [Int: SpoolContents]
    /// The counts up to this checkpoint.
    var counts: RunCounts
    /// The names of the spilled runs, sorted state in the checkpoint's folder.
    var runs: [String]
    /// The names of the files with the state that was in memory, whose records are in any order.
    var dumps: [String]
    /// The progress of live snapshots; nil if they are written at the end.
    var live: StreamProgress?
    /// The number of the next state file.
    var nextNumber: Int
}

/// The progress of reading a source.
enum SourceProgress: Equatable, Sendable {
    /// Read up to this position, which is the start if the source has not been opened yet.
    case position(SourcePosition)
    /// Read completely, or up to where the source is damaged.
    case ended
}

/// Properties of a source that reveal whether it has changed.
struct SourceIdentity: Equatable, Sendable {
    var size: UInt64
    /// The modification time, in nanoseconds since 1970.
    var modified: Int64
    /// The CRC-32 of the first `headBytes` bytes.
    var head: UInt32

    /// The number of bytes that `head` covers; fewer for a shorter source.
    static let headBytes = 4096

    /// Determines the current identity of a source.
    init(_ source: Source, storage: any Storage) throws(ReplayError) {
        do throws(StorageError) {
            let status = try storage.status(of: source.path)
            size = status?.size ?? 0
            modified = status?.modified ?? 0
            let file = try storage.openForReading(source.path)
            defer { file.close() }
            head = try Self.checksum(of: file)
        } catch {
            throw .source(path: source.path, reason: "cannot be opened: \(error.reason)")
        }
    }

    init(size: UInt64, modified: Int64, head: UInt32) {
        self.size = size
        self.modified = modified
        self.head = head
    }

    private static func checksum(of file: any ReadableFile) throws(StorageError) -> UInt32 {
        var file: any ByteInput = file
        var bytes = [UInt8](repeating: 0, count: headBytes)
        var count = 0
        try file.fill(&bytes, count: &count)
        var checksum = Checksum()
        checksum.update(bytes.span.extracting(first: count))
        return checksum.value
    }

    /// Describes what has changed; nil if nothing has.
    func difference(to now: SourceIdentity) -> String? {
        if size != now.size { return "it had \(size) bytes and now has \(now.size)" }
        if modified != now.modified { return "its modification time differs" }
        return head == now.head ? nil : "its first bytes differ"
    }
}
