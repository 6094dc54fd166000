import Synchronization

/// How far a replay is, for whoever looks from another thread. Updated once a chunk, never once a record.
public final class Progress: Sendable {
    private let read = Atomic<UInt64>(0)
    private let lines = Atomic<UInt64>(0)
    private let groupCount = Atomic<UInt64>(0)
    private let written = Atomic<UInt64>(0)
    private let leftOut = Atomic<UInt64>(0)
    private let known = Atomic<UInt64>(0)

    public init() {}

    /// Bytes of input done, as stored.
    public var bytesRead: UInt64 { read.load(ordering: .relaxed) }
    /// Lines decoded.
    public var records: UInt64 { lines.load(ordering: .relaxed) }
    /// Groups so far; notifications that may still be replaced are in none yet, and one of which a part was put on disk
    /// counts again when there is more of it.
    public var groups: UInt64 { groupCount.load(ordering: .relaxed) }
    /// Groups written so far; 0 until the input is at its end.
    public var groupsWritten: UInt64 { written.load(ordering: .relaxed) }
    /// Groups that came after the lines that were asked for; counted among those written.
    public var groupsLeftOut: UInt64 { leftOut.load(ordering: .relaxed) }
    /// Bytes of all sources, as stored; 0 when one of them has no known size.
    public var totalBytes: UInt64 { known.load(ordering: .relaxed) }

    func setTotal(_ bytes: UInt64) { known.store(bytes, ordering: .relaxed) }
    func addBytes(_ count: UInt64) { read.wrappingAdd(count, ordering: .relaxed) }
    func addRecords(_ count: UInt64) { lines.wrappingAdd(count, ordering: .relaxed) }
    func addWritten(_ count: UInt64) { written.wrappingAdd(count, ordering: .relaxed) }
    func addLeftOut(_ count: UInt64) { leftOut.wrappingAdd(count, ordering: .relaxed) }
    /// Says how many groups there are in the end, where parts of one were counted more than once.
    func setGroups(_ count: UInt64) { groupCount.store(count, ordering: .relaxed) }
    func addGroups(_ count: UInt64) { groupCount.wrappingAdd(count, ordering: .relaxed) }
}
