import SheafBytes
import SheafGroups

/// A group's state among those with the most notifications: the one with the most comes first, and of equally many the one
/// that is first in the order of `Base`.
struct RankedEntry<Base: StateRecord>: StateRecord {
    static var section: StateSection { .groups }

    private let base: Base
    var newest: OrderKey { base.newest }
    var notificationCount: UInt64 { base.notificationCount }
    var keyBytes: Int { base.keyBytes }
    var isCanonical: Bool { base.isCanonical }

    init?(_ bytes: Span<UInt8>, sourceOffset: Int) {
        guard let base = Base(bytes, sourceOffset: sourceOffset) else { return nil }
        self.base = base
    }

    /// Only what this run wrote is in this order.
    func isGrouped(by rules: GroupingRules, in bytes: Span<UInt8>) -> Bool { true }

    func compare(_ bytes: Span<UInt8>, to other: Self, _ otherBytes: Span<UInt8>) -> Int {
        if notificationCount != other.notificationCount {
            return notificationCount > other.notificationCount ? -1 : 1
        }
        return base.compare(bytes, to: other.base, otherBytes)
    }
}

extension StateFiles {
    /// Leaves the groups with the most notifications, sorted by `RankedEntry`.
    ///
    ///     files ──merge──▶ the best so far, up to a table's memory ──▶ runs of them, ranked ──merge──▶ …
    ///
    /// - Parameters:
    ///   - entry: the order of the files.
    ///   - limit: how many groups are wanted.
    /// - Returns: files of at least the groups that are wanted, and how many groups there are in all.
    func ranked<Entry: StateRecord>(
        _ entry: Entry.Type, limit: Int
    ) throws(ReplayError) -> (files: [StateFile], groupCount: UInt64) {
        var merged = try MergedGroups<Entry>(files, storage: storage)
        var groups = EncodedGroups()
        var store = GroupStore(maximumArguments: options.maximumArguments)
        var encoder = GroupEncoder()
        var top = TopGroups<[UInt8]>(limit: limit)
        var (heldBytes, groupCount): (Int, UInt64) = (0, 0)
        var runs: [StateFile] = []
        while true {
            try check()
            try merged.take(into: &groups)
            if groups.groupCount == 0 { break }
            groupCount += UInt64(groups.groupCount)
            var place = 0
            while place < groups.end {
                let count = groups.notificationCount(ofGroupAt: place)
                if count >= top.least {
                    let state = groups.encoded(groupAt: place, in: &store, by: &encoder)
                    heldBytes += state.count + Limits.rankedGroupBytes
                    if let removed = top.add(count: count, state) {
                        heldBytes -= removed.count + Limits.rankedGroupBytes
                    }
                }
                place = groups.end(ofGroupAt: place)
            }
            if isFull(heldBytes) {
                runs.append(try spill(top.takeSorted()))
                heldBytes = 0
            }
        }
        let last = top.takeSorted()
        if !last.isEmpty { runs.append(try spill(last)) }
        return (runs, groupCount)
    }

    private func spill(_ states: [[UInt8]]) throws(ReplayError) -> StateFile {
        try folder.write { writer throws(ReplayError) in
            for state in states { try writer.add(state.span, to: .groups) }
        }
    }
}

extension EncodedGroups {
    /// The bytes of the group at `place` as one state.
    fileprivate mutating func encoded(
        groupAt place: Place, in store: inout GroupStore, by encoder: inout GroupEncoder
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        if let finished = finished(place) {
            bytes.append(finished)
            return bytes
        }
        if store.heldBytes > Limits.passingStoreBytes {
            store = GroupStore(maximumArguments: store.maximumArguments)
        }
        let (state, isAlone) = group(at: place, in: &store)
        forgetStates()
        var record = OutputBuffer()
        encoder.append(state, of: store, isAlone: isAlone, to: &record)
        bytes.append(record.bytes)
        return bytes
    }
}
