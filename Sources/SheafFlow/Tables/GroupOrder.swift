import SheafBytes
import SheafGroups

/// The order of a snapshot's groups, told from the groups themselves.
struct GroupOrder: Sendable {
    let order: ReplayOptions.Order
    /// Without it no group has a device.
    let byDevice: Bool

    /// Whether a group of one store comes before one of another, or of the same.
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
        }
        return first.leading.order > second.leading.order
    }
}

/// A group as sorting and merging see it: what decides nearly every comparison, as numbers side by side.
///
///     by key                 rank of app, and whether there is a thread │ the thread's first 16 bytes, or the
///                                                                       │ order key where there is no thread
///     by key and device      0                                          │ the device's first 16 bytes
///     by recency             0                                          │ the order key
///
/// Entries that differ are in the groups' order. Equal ones say nothing: the groups are to be compared.
struct SortEntry: Sendable {
    var rank: UInt32
    /// The group's place among the shard's states.
    var index: UInt32
    var words: TextWords

    @inline(__always)
    func precedes(_ other: SortEntry) -> Bool {
        rank == other.rank ? words < other.words : rank < other.rank
    }

    @inline(__always)
    func isTied(with other: SortEntry) -> Bool { rank == other.rank && words == other.words }

    /// The rank of a group's app and of having a thread or none, from the rank of the app.
    static func rank(app: UInt32, hasThread: Bool) -> UInt32 { 2 * app + (hasThread ? 1 : 0) }
}
