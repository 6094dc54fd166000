import SheafBytes
import SheafGroups

/// How far a replay is, as it is kept on disk: what a run of the same command needs to go on from here.
///
/// The state itself, groups and notifications, is in the files that it names.
struct Checkpoint: Equatable, Sendable {
    /// What the state depends on; another run's is refused.
    var header: PartialHeader
    var maximumLine: Int
    var keepsRejects: Bool
    /// Whose rules the records were read by; nil in a checkpoint of version 2.
    var profile: Profile?
    /// By source: which bytes they were read from.
    var identities: [SourceIdentity]
    /// By source.
    var progress: [SourceProgress]
    /// How many bytes of rejected lines are kept, by source; of the others none are.
    var rejects: [Int: UInt64]
    /// Up to here.
    var counts: RunCounts
    /// Files of sorted state, spilled before; names in the checkpoint's folder.
    var runs: [String]
    /// Files of what was in memory, in any order.
    var dumps: [String]
    /// The number of the next file of state.
    var nextNumber: Int
}

/// How far a source was read.
enum SourceProgress: Equatable, Sendable {
    /// Up to here; the start, where it was not opened yet.
    case position(SourcePosition)
    /// To its end, or to where it is damaged.
    case ended
}

/// What tells whether a source is what it was.
struct SourceIdentity: Equatable, Sendable {
    var size: UInt64
    /// When it was last changed, in nanoseconds since 1970.
    var modified: Int64
    /// The CRC-32 of its first bytes.
    var head: UInt32

    /// How many first bytes are summed up.
    static let headBytes = 4096

    /// Of a source as it is now.
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
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: headBytes)
        while bytes.count < headBytes {
            var target = buffer.mutableSpan
            let count = try file.read(into: &target)
            if count == 0 { break }
            bytes += buffer[..<count].prefix(headBytes - bytes.count)
        }
        var checksum = Checksum()
        checksum.update(bytes.span)
        return checksum.value
    }

    /// What is different now; nil when nothing is.
    func difference(to now: SourceIdentity) -> String? {
        if size != now.size { return "it had \(size) bytes then, and has \(now.size) now" }
        if modified != now.modified { return "it was written to since" }
        return head == now.head ? nil : "it begins with other bytes"
    }
}
