import SheafBytes
import SheafGroups

/// Some of the members of a group that has many: a list of entries, and their state. When one vanishes, only its block
/// is made again from its members, and the group from its blocks.
///
/// The first entry of a block has the block's number as its previous entry, so that a member finds its block in at most
/// `limit` steps.
struct MemberBlock {
    /// The first member, plus one; 0 if there is none.
    var first: UInt32 = 0
    var count = 0
    /// nil until it is needed.
    var state: GroupState?
    /// Whether the state lacks members, or has some that have vanished.
    var isStale = true

    /// The greatest number of members.
    static var limit: Int { 256 }

    private static var bit: UInt32 { 1 << 31 }

    /// Returns what the first member of a block has as its previous entry: 0 for block 0.
    static func mark(_ number: Int) -> UInt32 { number == 0 ? 0 : bit | UInt32(number) }
    static func isMark(_ previous: UInt32) -> Bool { previous & bit != 0 }
    static func number(_ mark: UInt32) -> Int { Int(mark & ~bit) }
}

extension ScreenTable {
    /// Adds an entry to the members of a group.
    mutating func link(_ index: Int, to group: Int) {
        let number = openBlock(of: group)
        let next = first(of: number, in: group)
        entries[index].group = UInt32(group)
        entries[index].previous = MemberBlock.mark(number)
        entries[index].next = next
        if next > 0 { entries[Int(next) - 1].previous = UInt32(index + 1) }
        setFirst(UInt32(index + 1), of: number, in: group)
        groups[group].memberCount += 1
        if number < groups[group].blocks.count { groups[group].blocks[number].count += 1 }
    }

    /// Removes a live entry from its group.
    mutating func unlink(_ index: Int) {
        let entry = entries[index]
        let group = Int(entry.group)
        var first = entry.previous
        while first > 0, !MemberBlock.isMark(first) { first = entries[Int(first) - 1].previous }
        let block = MemberBlock.number(first)
        if entry.next > 0 { entries[Int(entry.next) - 1].previous = entry.previous }
        if entry.previous > 0, !MemberBlock.isMark(entry.previous) {
            entries[Int(entry.previous) - 1].next = entry.next
        }
        if entry.previous == first { setFirst(entry.next, of: block, in: group) }
        groups[group].memberCount -= 1
        if block < groups[group].blocks.count {
            groups[group].blocks[block].count -= 1
            groups[group].blocks[block].isStale = true
            if groups[group].blocks[block].count == 0, let state = groups[group].blocks[block].state {
                blockStore.remove(state)
                groups[group].blocks[block].state = nil
            }
        }
        let number = UInt32(truncatingIfNeeded: entries.count(of: index))
        if entry.period == period {
            groups[group].added &-= number
        } else {
            groups[group].vanished &+= number
        }
        list(group)
        if groups[group].memberCount == 0, groups[group].base == nil {
            groups[group].isEmpty = true
            groups[group].isStale = false
            count -= 1
        } else {
            groups[group].isStale = true
        }
    }

    /// Returns the number of the block that new members of a group are added to.
    private mutating func openBlock(of group: Int) -> Int {
        let count = groups[group].memberCount
        if groups[group].blocks.isEmpty {
            guard count >= MemberBlock.limit else { return 0 }
            groups[group].blocks.append(MemberBlock(first: groups[group].first, count: count))
            groups[group].first = 0
            blockCount += 1
        }
        let last = groups[group].blocks.count - 1
        if groups[group].blocks[last].count < MemberBlock.limit {
            groups[group].blocks[last].isStale = true
            return last
        }
        groups[group].blocks.append(MemberBlock())
        blockCount += 1
        return last + 1
    }

    private func first(of block: Int, in group: Int) -> UInt32 {
        groups[group].blocks.isEmpty ? groups[group].first : groups[group].blocks[block].first
    }

    private mutating func setFirst(_ entry: UInt32, of block: Int, in group: Int) {
        if groups[group].blocks.isEmpty {
            groups[group].first = entry
        } else {
            groups[group].blocks[block].first = entry
        }
    }

    /// Returns the members of a group.
    func members(of group: Int) -> [Int] {
        var members: [Int] = []
        members.reserveCapacity(groups[group].memberCount)
        let blocks = groups[group].blocks
        for first in blocks.isEmpty ? [groups[group].first] : blocks.map(\.first) {
            var next = first
            while next > 0 {
                members.append(Int(next) - 1)
                next = entries[Int(next) - 1].next
            }
        }
        return members
    }
}

// MARK: - State

extension ScreenTable {
    /// Makes a group's state again if a member has vanished. O(the number of its blocks, and of the members of those
    /// that have changed) then.
    mutating func refresh(_ index: Int) {
        guard groups[index].isStale else { return }
        if groups[index].memberCount == 0, let base = groups[index].base {
            groups[index].base = nil
            return replaceState(of: index, by: base)
        }
        var state = groups[index].base.map { store.duplicate($0) }
        if groups[index].blocks.isEmpty {
            withStore(\.store) { table, store in
                table.addMembers(from: table.groups[index].first, to: &state, of: &store)
            }
        }
        for number in groups[index].blocks.indices where groups[index].blocks[number].count > 0 {
            let part = refreshedState(of: number, in: index)
            if var known = state {
                store.merge(part, of: blockStore, into: &known)
                state = known
            } else {
                state = store.copy(part, of: blockStore)
            }
        }
        guard let state else { preconditionFailure("a group without notifications is empty, not stale") }
        replaceState(of: index, by: state)
    }

    /// Returns the state of a block of members, and makes it again if a member has vanished or was added.
    private mutating func refreshedState(of number: Int, in group: Int) -> GroupState {
        let block = groups[group].blocks[number]
        if let state = block.state {
            guard block.isStale else { return state }
            blockStore.remove(state)
        }
        var state: GroupState?
        withStore(\.blockStore) { table, store in
            table.addMembers(from: block.first, to: &state, of: &store)
        }
        groups[group].blocks[number].state = state
        groups[group].blocks[number].isStale = false
        guard let state else { preconditionFailure("a block without members has no state") }
        return state
    }

    /// Calls `body` with one of the stores, which is taken out meanwhile.
    private mutating func withStore(
        _ path: WritableKeyPath<Self, GroupStore>, _ body: (inout Self, inout GroupStore) -> Void
    ) {
        var store = GroupStore(maximumArguments: options.maximumArguments)
        swap(&store, &self[keyPath: path])
        body(&self, &store)
        swap(&store, &self[keyPath: path])
    }

    /// Adds a list of members to a state of a store.
    private mutating func addMembers(
        from first: UInt32, to state: inout GroupState?, of store: inout GroupStore
    ) {
        var buffer: [UInt8] = []
        swap(&buffer, &expanded)
        defer { swap(&buffer, &expanded) }
        var next = first
        while next > 0 {
            let index = Int(next) - 1
            var record = shownRecord(at: index, into: &buffer)
            if !options.byDevice { record.device = .none }
            if case .shown(let effect) = entries[index].presence { record.apply(effect) }
            var known: GroupState
            if let state {
                known = state
                store.add(record, in: buffer.span, to: &known)
            } else {
                known = store.start(record, in: buffer.span)
            }
            if let others = entries.others(of: index) {
                store.add(others, to: record, in: buffer.span, to: &known)
            }
            state = known
            next = entries[index].next
        }
    }
}
