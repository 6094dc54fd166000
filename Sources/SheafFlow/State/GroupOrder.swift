import SheafBytes
import SheafGroups

/// The order of groups in a snapshot, as a comparison of complete group states.
struct GroupOrder: Sendable {
    let order: ReplayOptions.Order
    /// Whether groups have devices.
    let byDevice: Bool
    /// The order of states with the same key, by their leading notifications.
    var ties = Ties.newestFirst

    enum Ties {
        case newestFirst
        /// The order of state files with a timeline.
        case oldestFirst
        /// The states of a group, which follow each other, from the oldest to the newest; the newest notification that is
        /// alone before the others.
        case byGroup
    }

    /// Whether the older of a state and others with the same key comes first.
    func isOldestFirst(_ state: GroupState) -> Bool {
        switch ties {
        case .newestFirst: false
        case .oldestFirst: true
        case .byGroup: !state.isAlone
        }
    }

    /// Whether a group of one store precedes a group of the same store or another one.
    func precedes(
        _ first: GroupState, of firstStore: GroupStore, _ second: GroupState, of secondStore: GroupStore
    ) -> Bool {
        if order == .key {
            if byDevice {
                let devices = firstStore.device(of: first).compare(to: secondStore.device(of: second))
                if devices != 0 { return devices < 0 }
            }
            let apps = firstStore.app(of: first).compare(to: secondStore.app(of: second))
            if apps != 0 { return apps < 0 }
            let threads = firstStore.thread(of: first).compare(to: secondStore.thread(of: second))
            if threads != 0 { return threads < 0 }
            if first.isAlone != second.isAlone { return second.isAlone }
        }
        let isOlder = first.leading.order < second.leading.order
        return isOldestFirst(first) ? isOlder : second.leading.order < first.leading.order
    }
}

/// A compact sort key of a group, which decides almost every comparison in sorting and merging.
///
///     order                  rank                                       │ words
///     by key                 rank of app, and whether there is a thread │ the thread's first part, or the
///                            or else the group is alone                 │ order key if there is no thread
///     by key and device      0                                          │ the device's first part
///     by recency             0                                          │ the order key
///
/// Entries that differ are in the order of their groups. If entries are equal, the groups themselves must be compared.
struct SortEntry: Sendable {
    var rank: UInt32
    /// The group's index in the shard's states.
    var index: UInt32
    var words: TextWords

    @inline(__always)
    func precedes(_ other: SortEntry) -> Bool {
        rank == other.rank ? words < other.words : rank < other.rank
    }

    @inline(__always)
    func isTied(with other: SortEntry) -> Bool { rank == other.rank && words == other.words }

    /// Returns the rank of a group from the rank of its app. Groups without a thread come first, those that are alone
    /// last among them.
    static func rank(app: UInt32, hasThread: Bool, isAlone: Bool) -> UInt32 {
        ranksPerApp * app + (hasThread ? 2 : isAlone ? 1 : 0)
    }

    private static var ranksPerApp: UInt32 { 3 }

    /// Whether a group of the order by key has a thread.
    @inline(__always)
    var hasThread: Bool { rank % Self.ranksPerApp == Self.rank(app: 0, hasThread: true, isAlone: false) }

    /// Whether two groups, in the order of keys, have the same device, app and thread; nil if their texts must be compared.
    @inline(__always)
    func hasKey(of other: SortEntry, byDevice: Bool) -> Bool? {
        // The words are those of the device or the thread, unless there is neither.
        if rank != other.rank { return false }
        guard byDevice || hasThread else { return true }
        if words != other.words { return false }
        return !byDevice && words.isWholePart ? true : nil
    }

    /// Replaces the rank of the group's app.
    mutating func replaceApp(_ newRank: (UInt32) -> UInt32) {
        rank = Self.ranksPerApp * newRank(rank / Self.ranksPerApp) + rank % Self.ranksPerApp
    }
}
