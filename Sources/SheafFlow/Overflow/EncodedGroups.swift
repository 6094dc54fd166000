import SheafBytes
import SheafGroups

/// Encoded states that follow each other in a merge: what one thread makes groups of at once.
///
///     bytes     | state | state | state | state | …
///     entries     starts  joins   starts  starts         a state that joins is of the same group as the one before
///
/// Bounded by `Limits.groupsPerPiece` and `Limits.pieceBytes`, and the one group that went beyond it.
struct EncodedGroups: ~Copyable {
    private var bytes = OutputBuffer()
    private var entries: [Entry] = []
    private(set) var groupCount = 0
    private var startOfLast: Place = 0

    private struct Entry {
        let place: Range<Int>
        let sourceOffset: Int
        let isStart: Bool
    }

    /// A place among the states, where a group starts or everything ends.
    typealias Place = Int

    /// Behind the last state.
    var end: Place { entries.count }

    var isFull: Bool { groupCount >= Limits.groupsPerPiece || bytes.count >= Limits.pieceBytes }

    /// The bytes of the state that started the last group.
    var lastStart: Span<UInt8> {
        @_lifetime(borrow self)
        get { bytes(startOfLast) }
    }

    mutating func removeAll() {
        bytes.removeAll()
        entries.removeAll(keepingCapacity: true)
        groupCount = 0
    }

    /// Adds a state that starts a group, or joins the group of the one before.
    mutating func add(_ state: Span<UInt8>, sourceOffset: Int, isStart: Bool) {
        let start = bytes.count
        bytes.append(state)
        entries.append(Entry(place: start..<bytes.count, sourceOffset: sourceOffset, isStart: isStart))
        if isStart {
            groupCount += 1
            startOfLast = entries.count - 1
        }
    }

    /// Where the group that starts at `place` ends.
    func end(ofGroupAt place: Place) -> Place {
        var next = place + 1
        while next < entries.count, !entries[next].isStart { next += 1 }
        return next
    }

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

    /// The bytes of the group at `place` where they are its whole state as it is; nil where states are to be merged or
    /// sources to be numbered anew.
    @_lifetime(borrow self)
    func finished(_ place: Place) -> Span<UInt8>? {
        guard entries[place].sourceOffset == 0, end(ofGroupAt: place) == place + 1 else { return nil }
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

    init(_ files: [StateFile], storage: any Storage) throws(ReplayError) {
        merge = try StateMerge(files, storage: storage)
        ahead = try merge.next()
    }

    /// Replaces the contents of `groups` by the next ones, of which there may be none.
    ///
    /// - Throws: `ReplayError.damaged` where a group would become larger than one may be: what is written of it could not be
    ///   read again.
    mutating func take(into groups: inout EncodedGroups) throws(ReplayError) {
        groups.removeAll()
        while !groups.isFull, let first = ahead {
            let entry = first.entry
            first.withBytes { groups.add($0, sourceOffset: first.sourceOffset, isStart: true) }
            var (notifications, weight) = (entry.notificationCount, entry.weight)
            ahead = try merge.next()
            while let other = ahead,
                other.withBytes({ other.entry.compare($0, to: entry, groups.lastStart) }) == 0
            {
                notifications += other.entry.notificationCount
                weight += other.entry.weight
                guard max(notifications, weight) <= EncodedGroup.maximumSum else { throw other.damage() }
                other.withBytes { groups.add($0, sourceOffset: other.sourceOffset, isStart: false) }
                ahead = try merge.next()
            }
        }
    }
}
