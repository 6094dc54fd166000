import SheafBytes
import SheafGroups

/// A group's state, ranked by its number of notifications, largest first. Groups with equal counts are in the order of
/// `Base`.
struct RankedEntry<Base: StateRecord>: StateRecord {
    static var section: StateSection { .groups }

    private let base: Base
    var newest: OrderKey { base.newest }
    var notificationCount: UInt64 { base.notificationCount }
    var keyBytes: Int { base.keyBytes }
    var isCanonical: Bool { base.isCanonical }
    var suffixBytes: Int { base.suffixBytes }

    init?(_ bytes: Span<UInt8>, of file: StateFile) {
        guard let base = Base(bytes, of: file) else { return nil }
        self.base = base
    }

    /// Always true: only this run's own files are in this order.
    func isGrouped(by rules: GroupingRules, in bytes: Span<UInt8>) -> Bool { true }

    func compare(_ bytes: Span<UInt8>, to other: Self, _ otherBytes: Span<UInt8>) -> Int {
        if notificationCount != other.notificationCount {
            return notificationCount > other.notificationCount ? -1 : 1
        }
        return base.compare(bytes, to: other.base, otherBytes)
    }
}

extension StateFiles {
    /// Selects the groups with the most notifications, and writes them to runs in the order of `RankedEntry`.
    ///
    ///     files ──merge──▶ largest groups so far, up to a table's memory ──▶ ranked runs ──merge──▶ …
    ///
    /// - Parameters:
    ///   - entry: the order of the files.
    ///   - limit: the number of groups to select of each snapshot.
    /// - Returns: runs with at least the selected groups, and the total number of groups.
    func ranked<Entry: StateRecord>(
        _ entry: Entry.Type, limit: Int
    ) throws(ReplayError) -> (files: [StateFile], groupCount: UInt64) {
        let suffix = files.first?.suffix ?? .none
        var merged = try MergedGroups<Entry>(files, storage: storage)
        var groups = EncodedGroups()
        var store = GroupStore(maximumArguments: options.maximumArguments)
        var encoder = GroupEncoder()
        var top = TopGroups<[UInt8]>(limit: limit)
        // The selected groups of earlier snapshots.
        var selected: [[UInt8]] = []
        var (heldBytes, groupCount): (Int, UInt64) = (0, 0)
        var runs: [StateFile] = []
        while true {
            try check()
            try merged.take(into: &groups)
            if groups.groupCount == 0 { break }
            groupCount += UInt64(groups.groupCount)
            var index = 0
            while index < groups.end {
                let count = groups.notificationCount(ofGroupAt: index)
                let instant = groups.instant(ofGroupAt: index)
                if instant?.isFirst == true {
                    selected += top.takeSorted()
                    top = TopGroups(limit: limit)
                }
                if count >= top.minimumCount, instant?.instant.isEmpty != true {
                    let state = groups.encoded(groupAt: index, in: &store, by: &encoder)
                    heldBytes += state.count + Limits.rankedGroupBytes
                    if let removed = top.add(count: count, state) {
                        heldBytes -= removed.count + Limits.rankedGroupBytes
                    }
                }
                index = groups.end(ofGroupAt: index)
            }
            if isFull(heldBytes) {
                runs.append(try spill(selected + top.takeSorted(), suffix))
                selected = []
                heldBytes = 0
            }
        }
        let last = selected + top.takeSorted()
        if !last.isEmpty { runs.append(try spill(last, suffix)) }
        return (runs, groupCount)
    }

    private func spill(_ states: [[UInt8]], _ suffix: StateSuffix) throws(ReplayError) -> StateFile {
        var file = try folder.write { writer throws(ReplayError) in
            for state in states { try writer.add(state.span, to: .groups) }
        }
        file.suffix = suffix
        return file
    }
}

extension EncodedGroups {
    /// Returns the group at `index`, encoded as one state.
    fileprivate mutating func encoded(
        groupAt index: Index, in store: inout GroupStore, by encoder: inout GroupEncoder
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        if let finished = finished(index) {
            bytes.append(finished)
        } else {
            var record = OutputBuffer()
            encode(groupAt: index, in: &store, by: &encoder, to: &record)
            bytes.append(record.bytes)
        }
        return bytes
    }
}
