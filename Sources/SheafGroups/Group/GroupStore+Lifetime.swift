import SheafBytes

/// Copies and frees single states, for stores whose groups come and go.
extension GroupStore {
    /// Returns a copy of a state that changes independently. O(its size).
    package mutating func duplicate(_ state: GroupState) -> GroupState {
        var texts = ByteArena.Block.none
        // A copy, because the store changes while the texts are read.
        var bytes: [UInt8] = []
        bytes.append(arena.bytes(of: state.leading.texts))
        PackedTexts.group.pack(PackedTexts.group.unpack(bytes.span), in: bytes.span, to: &texts, of: &arena)
        var copy = GroupState(app: state.app, leading: state.leading, first: state.first)
        copy.leading.texts = texts
        for index in 0..<Int(state.tallyCount) { add(tallies(of: state)[index], to: &copy) }
        if let others = others(of: state) { addOthers(others, to: &copy) }
        for index in 0..<Int(state.argumentCount) {
            let argument = arguments(of: state)[index]
            let text = arena.allocate(
                copyOf: TextRange(start: 0, count: argument.count).range, of: argument.text)
            keepArgument(
                text, count: argument.count, hash: argument.hash, order: argument.newest,
                at: Int(copy.argumentCount), in: &copy)
        }
        copy.argumentsTruncated = state.argumentsTruncated
        return copy
    }

    /// Frees the memory of a state, which must not be used afterwards. O(its size).
    package mutating func remove(_ state: GroupState) {
        arena.free(state.leading.texts)
        forgetTallies(of: state)
        for index in 0..<Int(state.argumentCount) {
            let argument = arguments(of: state)[index]
            arena.free(argument.text, allocatedFor: Int(argument.count))
        }
        arguments.remove(state.arguments, count: Int(state.argumentCount))
    }
}
