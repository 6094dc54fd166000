import SheafBytes
import SheafGroups

/// Encoded states that follow each other in a merge: what one thread makes groups of at once.
///
///     bytes     | state | state | state | state | …
///     entries     starts  joins   starts  starts         a state that joins is of the same group as the one before
///
/// Bounded by `Limits.groupsPerPiece` and `Limits.pieceBytes`. Only a group that is here alone may take more.
struct EncodedGroups: ~Copyable {
    private var bytes = OutputBuffer()
    private var entries: [Entry] = []
    private(set) var groupCount = 0
    private var startOfLast: Place = 0

    private struct Entry {
        let place: Range<Int>
        let sourceOffset: Int
        let isStart: Bool
        let isCanonical: Bool
        /// Of a state that starts a group: how many notifications that has.
        var notificationCount: UInt64
    }

    /// A place among the states, where a group starts or everything ends.
    typealias Place = Int

    /// Behind the last state.
    var end: Place { entries.count }

    /// Whether it holds a group that takes more than a piece has room for.
    var isLarge: Bool { bytes.count > Limits.pieceBytes + Limits.largeGroupBytes }

    /// Whether the group at `place` may take more than a piece has room for.
    func isLarge(groupAt place: Place) -> Bool {
        let end = end(ofGroupAt: place)
        return entries[end - 1].place.upperBound - entries[place].place.lowerBound >= Limits.largeGroupBytes
    }

    /// Whether a group that starts with a state of `stateBytes` bytes fits here, or is left for the next time.
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

    /// Adds a state that starts a group, or joins the group of the one before.
    mutating func add(_ state: Span<UInt8>, of entry: some StateRecord, sourceOffset: Int, isStart: Bool) {
        let start = bytes.count
        bytes.append(state)
        entries.append(
            Entry(
                place: start..<bytes.count, sourceOffset: sourceOffset, isStart: isStart,
                isCanonical: entry.isCanonical, notificationCount: entry.notificationCount))
        if isStart {
            groupCount += 1
            startOfLast = entries.count - 1
        } else {
            entries[startOfLast].notificationCount += entry.notificationCount
        }
    }

    /// Where the group that starts at `place` ends.
    func end(ofGroupAt place: Place) -> Place {
        var next = place + 1
        while next < entries.count, !entries[next].isStart { next += 1 }
        return next
    }

    /// How many notifications the group at `place` has.
    func notificationCount(ofGroupAt place: Place) -> UInt64 { entries[place].notificationCount }

    /// Makes the state of the group at `place` in `store`.
    ///
    /// - Returns: the state, and whether the group is alone.
    func group(at place: Place, in store: inout GroupStore) -> (state: GroupState, isAlone: Bool) {
        let first = encoded(place)
        var state = store.start(first, in: bytes(place), sourceOffset: entries[place].sourceOffset)
        for other in (place + 1)..<end(ofGroupAt: place) {
            store.merge(
                encoded(other), in: bytes(other), sourceOffset: entries[other].sourceOffset, into: &state)
        }
        return (state, first.isAlone)
    }

    /// Gives back the states' memory when there is one group, whose state was made. The group is still counted.
    mutating func forgetStates() {
        if isLarge, groupCount == 1 { bytes = OutputBuffer() }
    }

    /// The bytes of the group at `place` where they are its whole state as it is; nil where states are to be merged,
    /// sources to be renumbered, or categories to be summed up.
    @_lifetime(borrow self)
    func finished(_ place: Place) -> Span<UInt8>? {
        guard entries[place].sourceOffset == 0, entries[place].isCanonical,
            end(ofGroupAt: place) == place + 1
        else { return nil }
        return bytes(place)
    }

    @_lifetime(borrow self)
    private func bytes(_ place: Place) -> Span<UInt8> { bytes.bytes.extracting(entries[place].place) }

    private func encoded(_ place: Place) -> EncodedGroup {
        guard let group = EncodedGroup(bytes(place), sourceOffset: entries[place].sourceOffset) else {
            preconditionFailure("a state that was read before can be read again")
        }
        return group
    }
}

/// The groups of several sorted files of state, in the order of all.
struct MergedGroups<Entry: StateRecord> {
    private var merge: StateMerge<Entry>
    /// Where the next group starts; nil behind the last one.
    private var ahead: StateCursor<Entry>?
    /// How many groups are still wanted.
    private var left: Int

    /// - Parameter limit: how many groups are wanted; nil: all of them.
    init(_ files: [StateFile], storage: any Storage, limit: Int? = nil) throws(ReplayError) {
        left = limit ?? .max
        merge = try StateMerge(files, storage: storage)
        ahead = try merge.next()
    }

    /// Replaces the contents of `groups` by the next ones, of which there may be none.
    ///
    /// - Throws: `ReplayError.damaged` where a group would become larger than one may be: what is written of it could not be
    ///   read again.
    mutating func take(into groups: inout EncodedGroups) throws(ReplayError) {
        groups.removeAll()
        while let first = ahead, left > 0, groups.hasRoom(for: first.withBytes { $0.count }) {
            left -= 1
            let entry = first.entry
            first.withBytes {
                groups.add($0, of: entry, sourceOffset: first.sourceOffset, isStart: true)
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
