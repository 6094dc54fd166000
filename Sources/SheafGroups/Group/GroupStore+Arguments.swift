import SheafBytes

/// The distinct summary arguments of a group's rest; the most recently used ones are kept.
extension GroupStore {
    /// An argument of a group's rest; `text(of:)` returns its text.
    package struct Argument: Sendable {
        package let newest: OrderKey
        fileprivate let block: ByteArena.Block
        fileprivate let count: Int
    }

    /// Replaces the contents of `list` with the rest's distinct arguments, the most recently used first.
    package func collectArguments(of state: GroupState, into list: inout [Argument]) {
        if !list.isEmpty { list.removeAll(keepingCapacity: true) }
        let uses = arguments(of: state)
        for index in uses.indices {
            let use = uses[index]
            list.append(Argument(newest: use.newest, block: use.text, count: Int(use.count)))
        }
        if list.count > 1 { list.sort { $0.newest > $1.newest } }
    }

    /// Prefetches the texts of the state's arguments, which the contents that `prefetch` loads refer to.
    package func prefetchArguments(of state: GroupState) {
        let uses = arguments(of: state)
        for index in uses.indices { arena.prefetch(uses[index].text, lines: 1) }
    }

    @_lifetime(borrow self)
    package func text(of argument: Argument) -> Span<UInt8> {
        arena.bytes(of: argument.block).extracting(first: argument.count)
    }
}

// MARK: - Changing

extension GroupStore {
    /// Records that a notification of the rest has this argument.
    mutating func use(_ argument: Span<UInt8>, at order: OrderKey, in state: inout GroupState) {
        let hash = Self.argumentHash(argument)
        if let index = findArgument(argument, hash: hash, in: state) {
            recordUse(of: index, in: state, at: order)
        } else if let room = makeRoom(in: &state, for: order) {
            let block = arena.allocate(copyOf: argument)
            keepArgument(
                block, count: UInt32(argument.count), hash: hash, order: order, at: room, in: &state)
        }
    }

    /// Records the uses of an argument of another state, whose text the state takes.
    mutating func move(_ argument: ArgumentUse, to state: inout GroupState) {
        let found = findArgument(
            arena.bytes(of: argument.text).extracting(first: Int(argument.count)), hash: argument.hash,
            in: state)
        if let index = found {
            recordUse(of: index, in: state, at: argument.newest)
        } else if let room = makeRoom(in: &state, for: argument.newest) {
            return keepArgument(
                argument.text, count: argument.count, hash: argument.hash, order: argument.newest, at: room,
                in: &state)
        }
        arena.free(argument.text, allocatedFor: Int(argument.count))
    }

    private static func argumentHash(_ text: Span<UInt8>) -> UInt32 {
        UInt32(truncatingIfNeeded: text.hash(seed: 0))
    }

    func findArgument(
        at range: TextRange, of block: ByteArena.Block, in state: GroupState
    ) -> (hash: UInt32, index: Int?) {
        let text = arena.bytes(of: block)[range]
        let hash = Self.argumentHash(text)
        return (hash, findArgument(text, hash: hash, in: state))
    }

    @_lifetime(borrow self)
    func arguments(of state: GroupState) -> Span<ArgumentUse> {
        arguments.elements(of: state.arguments, count: Int(state.argumentCount))
    }

    /// Returns the argument's index among those of the group.
    private func findArgument(_ text: Span<UInt8>, hash: UInt32, in state: GroupState) -> Int? {
        let uses = arguments(of: state)
        for index in uses.indices where uses[index].hash == hash {
            let use = uses[index]
            if arena.bytes(of: use.text).extracting(first: Int(use.count)).isEqual(to: text) { return index }
        }
        return nil
    }

    mutating func recordUse(of index: Int, in state: GroupState, at order: OrderKey) {
        arguments.edit(index, of: state.arguments, count: Int(state.argumentCount)) {
            $0.newest = max($0.newest, order)
        }
    }

    /// Returns the index for one more argument: the end of the list while there is room, else the index of the least
    /// recently used one, which is freed; nil if the new argument itself would be the least recently used.
    mutating func makeRoom(in state: inout GroupState, for order: OrderKey) -> Int? {
        if Int(state.argumentCount) < maximumArguments { return Int(state.argumentCount) }
        state.argumentsTruncated = true
        let oldest = leastRecentlyUsed(of: state)
        let use = arguments(of: state)[oldest]
        guard use.newest < order else { return nil }
        arena.free(use.text, allocatedFor: Int(use.count))
        return oldest
    }

    private func leastRecentlyUsed(of state: GroupState) -> Int {
        let uses = arguments(of: state)
        var oldest = 0
        for index in uses.indices where uses[index].newest < uses[oldest].newest { oldest = index }
        return oldest
    }

    mutating func keepArgument(
        _ block: ByteArena.Block, count: UInt32, hash: UInt32, order: OrderKey, at index: Int,
        in state: inout GroupState
    ) {
        let use = ArgumentUse(newest: order, text: block, count: count, hash: hash)
        if index < Int(state.argumentCount) {
            arguments.edit(index, of: state.arguments, count: Int(state.argumentCount)) { $0 = use }
        } else {
            arguments.append(use, to: &state.arguments, count: Int(state.argumentCount))
            state.argumentCount += 1
        }
    }
}
