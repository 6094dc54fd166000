import SheafBytes

/// Tallies by category: adding to them, cutting them to the smallest names, reading them.
extension GroupStore {
    /// The number of tallies in memory at which a group is cut down to `maximumCategories`. Cutting sorts the
    /// tallies, so each one costs O(log n) comparisons.
    private static let talliesBeforeCut = UInt32(2 * maximumCategories)

    /// The number of tallies above which a group's tallies are indexed. A power of two: a list of that length moves
    /// when it grows, and then all of its tallies are indexed.
    private static let indexedTallies: UInt32 = 8

    /// Replaces the contents of `list` with the rest's tallies, one per category, in no particular order.
    ///
    /// - Returns: the tally of all categories that are not among the `maximumCategories` with the smallest names; nil
    ///   if there are none. Its `category` has no meaning.
    @discardableResult
    package func collectTallies(of state: GroupState, into list: inout [CategoryTally]) -> CategoryTally? {
        if !list.isEmpty { list.removeAll(keepingCapacity: true) }
        appendTallies(of: state, to: &list)
        let others = others(of: state)
        if others == nil, list.count <= Self.maximumCategories { return nil }
        return cut(&list, adding: others)
    }

    private func appendTallies(of state: GroupState, to list: inout [CategoryTally]) {
        let tallies = tallies(of: state)
        for index in tallies.indices { list.append(tallies[index]) }
    }

    @_lifetime(borrow self)
    func tallies(of state: GroupState) -> Span<CategoryTally> {
        tallies.elements(of: state.tallies, count: Int(state.tallyCount))
    }

    /// Returns the tally of the categories without one of their own.
    func others(of state: GroupState) -> CategoryTally? {
        state.others == .empty ? nil : tallies.elements(of: state.others, count: 1)[0]
    }

    /// Keeps the `maximumCategories` tallies with the smallest names in `list`, sorted, and sums up the others.
    ///
    /// - Parameter others: the sum so far.
    package func cut(_ list: inout [CategoryTally], adding others: CategoryTally?) -> CategoryTally? {
        sortByName(&list)
        var others = others
        for tally in list.dropFirst(Self.maximumCategories) {
            if others == nil { others = tally } else { others?.add(tally) }
        }
        list.removeLast(max(0, list.count - Self.maximumCategories))
        return others
    }

    /// Sorts tallies by their categories' names in byte order; the tally without a category comes first.
    package func sortByName(_ list: inout [CategoryTally]) {
        guard list.count > 1 else { return }
        if list.count <= Self.fewTallies { return sortFewByName(&list) }
        // A local table, because the closure would copy a borrowed store each time it reads it.
        let names = categories
        list.sort { names.text(of: $0.category).compare(to: names.text(of: $1.category)) < 0 }
    }

    /// Sorts by insertion, without a closure that would retain and release the names for each group.
    private func sortFewByName(_ list: inout [CategoryTally]) {
        for end in 1..<list.count {
            let tally = list[end]
            var index = end
            while index > 0,
                category(tally.category).compare(to: category(list[index - 1].category)) < 0
            {
                list[index] = list[index - 1]
                index -= 1
            }
            if index < end { list[index] = tally }
        }
    }

    /// The maximum number of tallies that are sorted by insertion.
    private static let fewTallies = 8
}

// MARK: - Changing

extension GroupStore {
    /// Adds notifications of one category to the rest. O(categories) up to `indexedTallies`, amortized O(1) above.
    mutating func add(_ new: CategoryTally, to state: inout GroupState) {
        if let index = findTally(of: new.category, in: state) {
            tallies.edit(index, of: state.tallies, count: Int(state.tallyCount)) { $0.add(new) }
        } else if state.others != .empty, isAmongOthers(new.category, in: state) {
            add(new, toOthersOf: &state)
        } else {
            insert(new, in: &state)
            if state.tallyCount >= Self.talliesBeforeCut { cutTallies(of: &state) }
        }
    }

    private mutating func insert(_ tally: CategoryTally, in state: inout GroupState) {
        let list = state.tallies
        tallies.append(tally, to: &state.tallies, count: Int(state.tallyCount))
        state.tallyCount += 1
        guard state.tallyCount > Self.indexedTallies else { return }
        if state.tallies != list {
            reindexTallies(of: state, movedFrom: list)
        } else {
            tallyIndex[Self.indexKey(list, tally.category)] = state.tallyCount - 1
        }
    }

    /// Indexes the tallies of a group whose list has moved, whether or not they were indexed before. O(tallies).
    private mutating func reindexTallies(
        of state: GroupState, movedFrom list: ListPool<CategoryTally>.List
    ) {
        for index in 0..<Int(state.tallyCount) {
            let category = tallies(of: state)[index].category
            tallyIndex[Self.indexKey(list, category)] = nil
            tallyIndex[Self.indexKey(state.tallies, category)] = UInt32(index)
        }
    }

    /// Returns whether the name of a category without a tally is greater than all names that had one when the tallies
    /// were last cut. The first tally has the largest of those names.
    private func isAmongOthers(_ category: UInt32, in state: GroupState) -> Bool {
        let last = categories.text(of: tallies(of: state)[0].category)
        return last.compare(to: categories.text(of: category)) < 0
    }

    /// Adds the notifications of categories that have no tallies of their own in another state of the group. That
    /// state's tallies must have been added already, so there are at least `maximumCategories` of them.
    mutating func addOthers(_ others: CategoryTally, to state: inout GroupState) {
        let isFirst = state.others == .empty
        add(others, toOthersOf: &state)
        if isFirst { cutTallies(of: &state) }
    }

    private mutating func add(_ tally: CategoryTally, toOthersOf state: inout GroupState) {
        if state.others == .empty {
            tallies.append(tally, to: &state.others, count: 0)
        } else {
            tallies.edit(0, of: state.others, count: 1) { $0.add(tally) }
        }
    }

    /// Keeps the tallies with the smallest names. The first tally becomes the one with the largest of these names.
    /// O(n log n).
    private mutating func cutTallies(of state: inout GroupState) {
        var list: [CategoryTally] = []
        appendTallies(of: state, to: &list)
        for tally in list { tallyIndex[Self.indexKey(state.tallies, tally.category)] = nil }
        if let others = cut(&list, adding: nil) { add(others, toOthersOf: &state) }
        list.swapAt(0, list.count - 1)
        tallies.remove(state.tallies, count: Int(state.tallyCount))
        state.tallies = .empty
        state.tallyCount = 0
        for tally in list { insert(tally, in: &state) }
    }

    /// Frees the tallies of a state.
    mutating func removeTallies(of state: GroupState) {
        if state.tallyCount > Self.indexedTallies {
            for index in 0..<Int(state.tallyCount) {
                tallyIndex[Self.indexKey(state.tallies, tallies(of: state)[index].category)] = nil
            }
        }
        tallies.remove(state.tallies, count: Int(state.tallyCount))
        if state.others != .empty { tallies.remove(state.others, count: 1) }
    }

    /// Returns the index of the category's tally among those of the group.
    private func findTally(of category: UInt32, in state: GroupState) -> Int? {
        if state.tallyCount > Self.indexedTallies {
            return tallyIndex[Self.indexKey(state.tallies, category)].map(Int.init)
        }
        let tallies = tallies(of: state)
        for index in tallies.indices where tallies[index].category == category { return index }
        return nil
    }

    private static func indexKey(_ list: ListPool<CategoryTally>.List, _ category: UInt32) -> UInt64 {
        UInt64(list.number) << 32 | UInt64(category)
    }
}
