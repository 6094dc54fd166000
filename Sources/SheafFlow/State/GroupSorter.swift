import SheafBytes
import SheafGroups

/// Sorts a shard's groups by contiguous compact entries. The groups themselves, which are scattered in memory, are
/// accessed once to create the entries, and again only for ties.
///
///     groups ──by app──▶ | entries of app 1 | of app 2 | …      counted first
///                               │ sort
///                               ▼
///                        | a | b | c c c | d | …                most differ in rank or words
///                                    └─▶ sorted again by the next part of their keys
struct GroupSorter {
    private let store: GroupStore
    private let states: SegmentedArray<GroupState>
    private let order: GroupOrder
    /// The apps' ranks, by symbol.
    private let ranks: [UInt32]

    /// The part of the key in an entry's words.
    private enum Part: Equatable {
        /// The device's bytes from an offset.
        case device(Int)
        /// The app's rank and the thread's bytes from an offset.
        case thread(Int)
        case newest
    }

    /// The maximum number of ties that are sorted by comparing groups directly.
    private static let fewTies = 16
    /// The offset from which texts are compared as a whole, since more passes would not pay off.
    private static let maximumOffset = 64
    /// The distance of prefetching, in groups.
    private static let lookahead = 16

    init(
        _ store: GroupStore, _ states: SegmentedArray<GroupState>, order: GroupOrder, rankedApps: [UInt32]
    ) {
        self.store = store
        self.states = states
        self.order = order
        var ranks = [UInt32](repeating: 0, count: rankedApps.count)
        for (rank, symbol) in rankedApps.enumerated() { ranks[Int(symbol)] = UInt32(rank) }
        self.ranks = ranks
    }

    /// Returns the entries of all groups, in order. O(n log n), where n is the number of groups of an app if the app is
    /// the first part of the key.
    func sorted() -> [SortEntry] {
        let part: Part = order.order == .recent ? .newest : order.byDevice ? .device(0) : .thread(0)
        // While entries are added, the end of each range so far; the ranges' ends afterwards.
        var ends = rangeStarts(part)
        var entries = [SortEntry](
            repeating: SortEntry(rank: 0, index: 0, words: TextWords(high: 0, low: 0)), count: states.count)
        for index in 0..<states.count {
            if index + Self.lookahead < states.count {
                store.prefetchKey(of: states[index + Self.lookahead])
            }
            let range = rangeIndex(of: states[index], part)
            entries[ends[range]] = entry(of: UInt32(index), part)
            ends[range] += 1
        }
        var start = 0
        for end in ends {
            sort(&entries, start..<end, by: part)
            start = end
        }
        return entries
    }

    /// Returns the start of each range of entries that can be sorted separately: one per app, or a single one.
    private func rangeStarts(_ part: Part) -> [Int] {
        guard part == .thread(0) else { return [0] }
        var starts = [Int](repeating: 0, count: ranks.count + 1)
        for index in 0..<states.count { starts[rangeIndex(of: states[index], part) + 1] += 1 }
        for range in ranks.indices { starts[range + 1] += starts[range] }
        return Array(starts.dropLast())
    }

    private func rangeIndex(of state: GroupState, _ part: Part) -> Int {
        part == .thread(0) ? Int(ranks[Int(store.appSymbol(of: state))]) : 0
    }

    private func entry(of index: UInt32, _ part: Part) -> SortEntry {
        let state = states[Int(index)]
        switch part {
        case .newest:
            // Groups with the same key precede the notifications that are alone.
            let rank: UInt32 = order.order == .key && state.isAlone ? 1 : 0
            return SortEntry(rank: rank, index: index, words: words(state))
        case .device(let offset):
            return SortEntry(
                rank: 0, index: index, words: TextWords(part: store.device(of: state), from: offset))
        case .thread(let offset):
            let thread = store.thread(of: state)
            let rank = SortEntry.rank(
                app: ranks[Int(store.appSymbol(of: state))], hasThread: !thread.isEmpty,
                isAlone: state.isAlone)
            let words =
                thread.isEmpty ? words(state) : TextWords(part: thread, from: offset)
            return SortEntry(rank: rank, index: index, words: words)
        }
    }

    private func words(_ state: GroupState) -> TextWords {
        order.isOldestFirst(state) ? state.leading.order.oldestFirst : state.leading.order.newestFirst
    }

    private func sort(_ entries: inout [SortEntry], _ range: Range<Int>, by part: Part) {
        guard range.count > 1 else { return }
        precondition(
            range.lowerBound >= 0 && range.upperBound <= entries.count, "a range outside the entries")
        unsafe entries.withUnsafeMutableBufferPointer { entries in
            // In place: sorting a slice of an array would copy it.
            //
            // Safety: the range is inside the array, by the precondition, and the buffer does not outlive the closure.
            var range = unsafe UnsafeMutableBufferPointer(rebasing: entries[range])
            unsafe range.sort { $0.precedes($1) }
        }
        var start = range.lowerBound
        while start < range.upperBound {
            if order.ties == .byGroup, start + Self.lookahead < range.upperBound {
                states.prefetch(Int(entries[start + Self.lookahead].index))
                store.prefetchKey(of: states[Int(entries[start + Self.lookahead / 2].index)])
            }
            var end = start + 1
            while end < range.upperBound, entries[end].isTied(with: entries[start]) { end += 1 }
            if end - start > 1 { sortTies(start..<end, of: &entries, by: part) }
            start = end
        }
    }

    /// Sorts entries that are equal in a part of their keys.
    private func sortTies(_ range: Range<Int>, of entries: inout [SortEntry], by part: Part) {
        // The states of a timeline that are tied have the same key in most cases.
        guard range.count > Self.fewTies || order.ties == .byGroup,
            let next = nextPart(after: part, of: entries[range])
        else {
            sortByGroups(range, of: &entries)
            return
        }
        var ties = entries[range].map { entry(of: $0.index, next) }
        sort(&ties, ties.indices, by: next)
        // Only the indices move. The words stay, since merging compares them with other shards' entries.
        for (index, tie) in zip(range, ties) { entries[index].index = tie.index }
    }

    /// Returns the next part of the key in which these entries can differ; nil if the groups must be compared.
    private func nextPart(after part: Part, of ties: ArraySlice<SortEntry>) -> Part? {
        guard let first = ties.first else { return nil }
        let firstState = states[Int(first.index)]
        switch part {
        case .newest: return nil
        case .device(let offset):
            if first.words.isWholePart { return .thread(0) }
            let device = store.device(of: firstState)
            for tie in ties where !store.device(of: states[Int(tie.index)]).isEqual(to: device) {
                let next = offset + TextWords.partBytes
                return next < Self.maximumOffset ? .device(next) : nil
            }
            return .thread(0)
        case .thread(let offset):
            if first.hasThread, first.words.isWholePart { return .newest }
            let thread = store.thread(of: firstState)
            for tie in ties where !store.thread(of: states[Int(tie.index)]).isEqual(to: thread) {
                let next = offset + TextWords.partBytes
                return next < Self.maximumOffset ? .thread(next) : nil
            }
            return .newest
        }
    }

    private func sortByGroups(_ range: Range<Int>, of entries: inout [SortEntry]) {
        let sorted = entries[range].sorted {
            order.precedes(states[Int($0.index)], of: store, states[Int($1.index)], of: store)
        }
        for (index, entry) in zip(range, sorted) { entries[index] = entry }
    }
}
