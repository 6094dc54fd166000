import SheafBytes
import SheafGroups

/// Consecutive encoded states of a merge, which one thread turns into groups.
///
///     bytes     | state | state | state | state | …
///     entries     starts  joins   starts  starts         a state joins the group of the preceding state
///
/// Bounded by `Limits.groupsPerPiece` and `Limits.pieceBytes`. Only a single group may exceed these bounds.
struct EncodedGroups: ~Copyable {
    private var bytes = OutputBuffer()
    private var entries: [Entry] = []
    private(set) var groupCount = 0
    private var startOfLast: Index = 0

    private struct Entry {
        let range: Range<Int>
        /// The number of bytes that follow the state.
        let suffixBytes: Int
        let sourceOffset: Int
        let isStart: Bool
        let isCanonical: Bool
        /// The instant of the snapshot that the group is a part of, and whether the group is the first one of it.
        let instant: (instant: SnapshotInstant, isFirst: Bool)?
        /// For a state that starts a group: the number of the group's notifications.
        var notificationCount: UInt64
    }

    /// The index of a state that starts a group, or the end index.
    typealias Index = Int

    /// The index after the last state.
    var end: Index { entries.count }

    /// Whether there is a group that exceeds the size of a piece.
    var isLarge: Bool { bytes.count > Limits.pieceBytes + Limits.largeGroupBytes }

    /// Whether the group at `index` may exceed the size of a piece.
    func isLarge(groupAt index: Index) -> Bool {
        let end = end(ofGroupAt: index)
        return entries[end - 1].range.upperBound - entries[index].range.lowerBound >= Limits.largeGroupBytes
    }

    /// Whether a group that starts with a state of `stateBytes` bytes fits here.
    func hasRoom(for stateBytes: Int) -> Bool {
        groupCount == 0 || stateBytes < Limits.largeGroupBytes && !isFull
    }

    var isFull: Bool { groupCount >= Limits.groupsPerPiece || bytes.count >= Limits.pieceBytes }

    /// The bytes of the state that started the last group.
    var lastStart: Span<UInt8> {
        @_lifetime(borrow self)
        get { bytes(startOfLast) }
    }

    mutating func removeAll() {
        bytes.removePiece()
        entries.removeAll(keepingCapacity: true)
        groupCount = 0
    }

    /// Adds a state that starts a group, or joins the group of the preceding state.
    ///
    /// - Parameter beginsSnapshot: whether the group is the first one of its snapshot.
    mutating func add(
        _ state: Span<UInt8>, of entry: some StateRecord, sourceOffset: Int, isStart: Bool,
        beginsSnapshot: Bool = false
    ) {
        let start = bytes.count
        bytes.append(state)
        entries.append(
            Entry(
                range: start..<bytes.count - entry.suffixBytes, suffixBytes: entry.suffixBytes,
                sourceOffset: sourceOffset, isStart: isStart, isCanonical: entry.isCanonical,
                instant: entry.instant.map { ($0, beginsSnapshot) },
                notificationCount: entry.notificationCount))
        if isStart {
            groupCount += 1
            startOfLast = entries.count - 1
        } else {
            entries[startOfLast].notificationCount += entry.notificationCount
        }
    }

    /// Returns the index after the group that starts at `index`.
    func end(ofGroupAt index: Index) -> Index {
        var next = index + 1
        while next < entries.count, !entries[next].isStart { next += 1 }
        return next
    }

    /// Returns the number of notifications of the group at `index`.
    func notificationCount(ofGroupAt index: Index) -> UInt64 { entries[index].notificationCount }

    /// Returns the instant of the snapshot that the group at `index` is a part of, and whether it is the first one of
    /// it; nil if there is only one snapshot.
    func instant(ofGroupAt index: Index) -> (instant: SnapshotInstant, isFirst: Bool)? {
        entries[index].instant
    }

    /// Returns the device of the group at `index`; empty if it has none.
    @_lifetime(borrow self)
    func device(ofGroupAt index: Index) -> Span<UInt8> {
        let bytes = bytes(index)
        return bytes[GroupKey(bytes).device]
    }

    /// Merges the states of the group at `index` into one state in `store`.
    func group(at index: Index, in store: inout GroupStore) -> GroupState {
        let first = encoded(index)
        var state = store.start(first, in: bytes(index), sourceOffset: entries[index].sourceOffset)
        for other in (index + 1)..<end(ofGroupAt: index) {
            store.merge(
                encoded(other), in: bytes(other), sourceOffset: entries[other].sourceOffset, into: &state)
        }
        return state
    }

    /// Frees the states' memory if there is a single large group, whose state was merged before. The group still
    /// counts.
    mutating func releaseStates() {
        if isLarge, groupCount == 1 { bytes = OutputBuffer() }
    }

    /// Replaces the contents of `record` with the merged state of the group at `index`, which is made in `store`, and
    /// what follows the state.
    mutating func encode(
        groupAt index: Index, in store: inout GroupStore, by encoder: inout GroupEncoder,
        to record: inout OutputBuffer
    ) {
        if store.heldBytes > Limits.temporaryStoreBytes {
            store = GroupStore(maximumArguments: store.maximumArguments)
        }
        let state = group(at: index, in: &store)
        var suffix: [UInt8] = []
        let end = entries[index].range.upperBound
        suffix.append(bytes.bytes.extracting(end..<end + entries[index].suffixBytes))
        releaseStates()
        record.removeAll()
        encoder.append(state, of: store, to: &record)
        record.append(suffix.span)
    }

    /// Returns the encoded state of the group at `index`, and what follows it, if it can be used unchanged; nil if
    /// states must be merged, sources renumbered, or categories combined.
    @_lifetime(borrow self)
    func finished(_ index: Index) -> Span<UInt8>? {
        guard entries[index].sourceOffset == 0, entries[index].isCanonical,
            end(ofGroupAt: index) == index + 1
        else { return nil }
        let range = entries[index].range
        return bytes.bytes.extracting(range.lowerBound..<range.upperBound + entries[index].suffixBytes)
    }

    @_lifetime(borrow self)
    private func bytes(_ index: Index) -> Span<UInt8> { bytes.bytes.extracting(entries[index].range) }

    private func encoded(_ index: Index) -> EncodedGroup {
        guard let group = EncodedGroup(bytes(index), sourceOffset: entries[index].sourceOffset) else {
            preconditionFailure("a state that was decoded before can't be decoded")
        }
        return group
    }
}

/// Merges the groups of several sorted state files into one sequence.
struct MergedGroups<Entry: StateRecord> {
    private var merge: StateMerge<Entry>
    /// The cursor at the first state of the next group; nil after the last group.
    private var ahead: StateCursor<Entry>?
    /// The number of groups of the snapshot that are still requested.
    private var left: Int
    private let limit: Int
    /// The instant of the last group.
    private var instant: SnapshotInstant?

    /// - Parameter limit: the maximum number of groups in a snapshot; nil for all groups.
    init(_ files: [StateFile], storage: any Storage, limit: Int? = nil) throws(ReplayError) {
        self.limit = limit ?? .max
        left = self.limit
        merge = try StateMerge(files, storage: storage)
        ahead = try merge.next()
    }

    /// Replaces the contents of `groups` with the next groups, or with none after the last group.
    ///
    /// - Throws: `ReplayError.damaged` if a merged group would have too many notifications to be read back.
    mutating func take(into groups: inout EncodedGroups) throws(ReplayError) {
        groups.removeAll()
        while let first = ahead, groups.hasRoom(for: first.withBytes { $0.count }) {
            let entry = first.entry
            let beginsSnapshot = entry.instant.map { $0.time != instant?.time } ?? false
            instant = entry.instant
            if beginsSnapshot { left = limit }
            guard left > 0 else {
                if instant == nil { return }
                ahead = try merge.next()
                continue
            }
            left -= 1
            first.withBytes {
                groups.add(
                    $0, of: entry, sourceOffset: first.sourceOffset, isStart: true,
                    beginsSnapshot: beginsSnapshot)
            }
            var notifications = entry.notificationCount
            ahead = try merge.next()
            while let other = ahead,
                other.withBytes({ other.entry.compare($0, to: entry, groups.lastStart) }) == 0
            {
                notifications += other.entry.notificationCount
                guard notifications <= EncodedGroup.maximumCount else { throw other.damage() }
                other.withBytes {
                    groups.add($0, of: other.entry, sourceOffset: other.sourceOffset, isStart: false)
                }
                ahead = try merge.next()
            }
        }
    }
}
