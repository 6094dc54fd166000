import SheafBytes

/// Tallies by category: adding to them, cutting them to the smallest names, reading them.
extension GroupStore {
    /// The number of tallies in memory at which a group is cut down to `maximumCategories`. Cutting sorts the
    /// tallies, so each one costs O(log n) comparisons.
    private static let talliesBeforeCut = UInt32(2 * maximumCategories)

    private static let indexedTallies: UInt32 = 8

    /// Replaces the contents of `list` with the rest's tallies, one per category, in no particular order.
    ///
    /// - Returns: the tally of all categories that are not among the `maximumCategories` with the smallest names; nil
    ///   if there are none. Its `category` has no meaning.
    @discardableResult
    package func collectTallies(of state: GroupState, into list: inout [CategoryTally]) -> CategoryTally? {
        if !list.isEmpty { list.removeAll(keepingCapacity: true) }
        var index = state.tallies
        while index != 0 {
            let tally = tallies[index]
            list.append(tally)
            index = tally.next
        }
        if state.others == 0, list.count <= Self.maximumCategories { return nil }
        return cut(&list, adding: state.others == 0 ? nil : tallies[state.others])
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
    mutating func tally(
        _ state: inout GroupState, category: UInt32, count: UInt64, weight: UInt64, withoutArgument: UInt64,
        newest: OrderKey
    ) {
        if let index = findTally(of: category, in: state) {
            tallies[index].add(count: count, weight: weight, withoutArgument: withoutArgument, newest: newest)
            return
        }
        let tally = CategoryTally(
            category: category, next: 0, count: count, weight: weight, withoutArgument: withoutArgument,
            newest: newest)
        if state.others != 0, isAmongOthers(category, in: state) {
            tallies[state.others].add(tally)
        } else {
            insert(tally, in: &state)
            if state.tallyCount >= Self.talliesBeforeCut { cutTallies(of: &state) }
        }
    }

    private mutating func insert(_ new: CategoryTally, in state: inout GroupState) {
        var tally = new
        tally.next = 0
        state.tallyCount += 1
        guard state.tallies != 0 else {
            state.tallies = tallies.insert(tally)
            return
        }
        // Inserted after the first one, which identifies the group in the index and so must remain the first.
        tally.next = tallies[state.tallies].next
        let index = tallies.insert(tally)
        tallies[state.tallies].next = index
        if state.tallyCount == Self.indexedTallies + 1 {
            var listed = state.tallies
            while listed != 0 {
                tallyIndex[Self.indexKey(state, tallies[listed].category)] = listed
                listed = tallies[listed].next
            }
        } else if state.tallyCount > Self.indexedTallies {
            tallyIndex[Self.indexKey(state, tally.category)] = index
        }
    }

    /// Returns whether the name of a category without a tally is greater than all names that had one when the tallies
    /// were last cut. The first tally has the largest of those names.
    private func isAmongOthers(_ category: UInt32, in state: GroupState) -> Bool {
        let last = categories.text(of: tallies[state.tallies].category)
        return last.compare(to: categories.text(of: category)) < 0
    }

    /// Adds the notifications of categories that have no tallies of their own in another state of the group. That
    /// state's tallies must have been added already, so there are at least `maximumCategories` of them.
    mutating func addOthers(_ others: CategoryTally, to state: inout GroupState) {
        if state.others == 0 {
            state.others = tallies.insert(others)
            cutTallies(of: &state)
        } else {
            tallies[state.others].add(others)
        }
    }

    /// Keeps the tallies with the smallest names. The first tally becomes the one with the largest of these names,
    /// but keeps its index, which identifies the group in `tallyIndex`. O(n log n).
    private mutating func cutTallies(of state: inout GroupState) {
        var list: [CategoryTally] = []
        var index = state.tallies
        while index != 0 {
            let tally = tallies[index]
            list.append(tally)
            tallyIndex[Self.indexKey(state, tally.category)] = nil
            if index != state.tallies { tallies.remove(index) }
            index = tally.next
        }
        let others = cut(&list, adding: state.others == 0 ? nil : tallies[state.others])
        if let others {
            if state.others == 0 {
                state.others = tallies.insert(others)
            } else {
                tallies[state.others] = others
            }
        }
        var largest = list.removeLast()
        largest.next = 0
        tallies[state.tallies] = largest
        state.tallyCount = 1
        for tally in list { insert(tally, in: &state) }
    }

    private func findTally(of category: UInt32, in state: GroupState) -> UInt32? {
        if state.tallyCount > Self.indexedTallies { return tallyIndex[Self.indexKey(state, category)] }
        var index = state.tallies
        while index != 0 {
            if tallies[index].category == category { return index }
            index = tallies[index].next
        }
        return nil
    }

    private static func indexKey(_ state: GroupState, _ category: UInt32) -> UInt64 {
        UInt64(state.tallies) << 32 | UInt64(category)
    }
}
