import SheafBytes
import SheafGroups

/// Groups' states by key and span: each has the notifications that are on screen during all of the span.
struct SpanTable {
    private var groups: GroupTable
    /// By the state's index.
    private var spans = SegmentedArray<IntervalSpan>()

    init(maximumArguments: Int) { groups = GroupTable(maximumArguments: maximumArguments) }

    var count: Int { groups.count }

    /// The memory in use, in bytes, and the memory for sorting the states.
    var heldBytes: Int { groups.heldBytes + spans.heldBytes }

    /// Adds a notification to its group's state for a span.
    ///
    /// - Parameters:
    ///   - hash: the hash of the group's key.
    ///   - others: notifications that are added, too; nil for none.
    mutating func add(
        _ record: NotificationRecord, in bytes: Span<UInt8>, hash: UInt64, during span: IntervalSpan,
        with others: EqualNotifications?
    ) {
        let index = add(record, in: bytes, hash: hash, during: span)
        guard let others else { return }
        groups.store.add(others, to: record, in: bytes, to: &groups.states[index])
    }

    /// - Returns: the index of the state.
    private mutating func add(
        _ record: NotificationRecord, in bytes: Span<UInt8>, hash: UInt64, during span: IntervalSpan
    ) -> Int {
        let hash = hash ^ span.hash
        let found = groups.index.find(hash) {
            let state = groups.states[$0]
            return spans[$0] == span && groups.store.matches(state, record, in: bytes)
                && state.isAlone == (record.grouping == .off)
                && (!state.isAlone || state.leading.order == record.order)
        }
        if let found {
            groups.store.add(record, in: bytes, to: &groups.states[found])
            return found
        }
        groups.index.insert(groups.count, hash: hash)
        groups.states.append(groups.store.start(record, in: bytes))
        spans.append(span)
        return groups.count - 1
    }

    /// Writes the states in the order of `GroupEntry`.
    consuming func write(to writer: inout StateWriter, _ options: StateOptions) throws(ReplayError) {
        groups.releaseIndex()
        let sorted = SortedGroups(groups, order: .key, byDevice: options.byDevice, isAscending: true)
        var encoder = GroupEncoder()
        var record = OutputBuffer()
        var start = 0
        while start < sorted.count {
            var end = start + 1
            while end < sorted.count, sorted.isSameGroup(start, end) { end += 1 }
            let indices = (start..<end).map { sorted.entry(at: $0).index }
            for index in end - start > 1 ? indices.sorted(by: precedes) : indices {
                record.removeAll()
                encoder.append(groups.states[Int(index)], of: sorted.store, to: &record)
                spans[Int(index)].append(to: &record)
                try writer.add(record.bytes, to: .groups)
            }
            start = end
        }
    }

    private func precedes(_ a: UInt32, _ b: UInt32) -> Bool {
        spans[Int(a)].compare(to: spans[Int(b)]) < 0
    }
}

extension SortedGroups {
    /// Whether two states are of the same group.
    fileprivate func isSameGroup(_ index: Int, _ otherIndex: Int) -> Bool {
        let (state, other) = (state(at: index), state(at: otherIndex))
        if state.isAlone != other.isAlone { return false }
        if state.isAlone, state.leading.order != other.leading.order { return false }
        return store.appSymbol(of: state) == store.appSymbol(of: other)
            && store.thread(of: state).isEqual(to: store.thread(of: other))
            && store.device(of: state).isEqual(to: store.device(of: other))
    }
}

extension IntervalSpan {
    fileprivate var hash: UInt64 {
        let bounds = UInt64(bitPattern: start) &* UInt64.goldenRatio ^ UInt64(bitPattern: end)
        return (bounds &* UInt64.goldenRatio) ^ (appears ? 1 << 40 : 0) ^ (vanishes ? 1 << 41 : 0)
    }
}
