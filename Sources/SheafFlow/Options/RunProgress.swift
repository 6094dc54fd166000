import Synchronization

/// The progress of a run, readable from any thread. Updated once per chunk, never once per record.
///
/// ```swift
/// let replay = try Replay(ReplayOptions(sources: ["logs"]))
/// let progress = replay.progress
/// let timer = DispatchSource.makeTimerSource()
/// timer.schedule(deadline: .now(), repeating: 1)
/// timer.setEventHandler { print("\(progress.bytesRead) of \(progress.totalBytes) bytes") }
/// timer.resume()
/// let statistics = try replay.run()
/// timer.cancel()
/// ```
public final class RunProgress: Sendable {
    private let read = Atomic<UInt64>(0)
    private let decoded = Atomic<UInt64>(0)
    private let groupCount = Atomic<UInt64>(0)
    private let written = Atomic<UInt64>(0)
    private let leftOut = Atomic<UInt64>(0)
    private let known = Atomic<UInt64>(0)
    private let snapshots = Atomic<UInt64>(0)

    package init() {}

    /// The number of input bytes processed, as stored.
    public var bytesRead: UInt64 { read.load(ordering: .relaxed) }
    /// The number of records decoded, including rejected ones.
    public var records: UInt64 { decoded.load(ordering: .relaxed) }
    /// The number of groups so far. Notifications that may still be replaced are not in a group yet, and a group that
    /// was spilled in part counts again when it receives more notifications.
    public var groups: UInt64 { groupCount.load(ordering: .relaxed) }
    /// The number of groups written so far; 0 until all input is read.
    public var groupsWritten: UInt64 { written.load(ordering: .relaxed) }
    /// The number of groups that did not fit into the requested number of lines; `groupsWritten` includes them.
    public var groupsLeftOut: UInt64 { leftOut.load(ordering: .relaxed) }
    /// The number of snapshots that were written while sources were still being read.
    public var liveSnapshots: UInt64 { snapshots.load(ordering: .relaxed) }
    /// The total size of all sources in bytes, as stored; 0 when the size of a source is unknown.
    public var totalBytes: UInt64 { known.load(ordering: .relaxed) }

    func setTotal(_ bytes: UInt64) { known.store(bytes, ordering: .relaxed) }
    func addBytes(_ count: UInt64) { read.wrappingAdd(count, ordering: .relaxed) }
    func addRecords(_ count: UInt64) { decoded.wrappingAdd(count, ordering: .relaxed) }
    func addWritten(_ count: UInt64) { written.wrappingAdd(count, ordering: .relaxed) }
    func addLeftOut(_ count: UInt64) { leftOut.wrappingAdd(count, ordering: .relaxed) }
    /// Sets the final number of groups, once parts of the same group no longer count separately.
    func setGroups(_ count: UInt64) { groupCount.store(count, ordering: .relaxed) }
    func setSnapshots(_ count: UInt64) { snapshots.store(count, ordering: .relaxed) }
    func addGroups(_ count: UInt64) { groupCount.wrappingAdd(count, ordering: .relaxed) }
}
