import SheafBytes
import SheafGroups

/// States that have the notifications that are on screen during all of a span.
extension GroupTable {
    /// Returns the span of a state; nil for a state of an interval.
    func span(of index: Int) -> IntervalSpan? {
        guard index < spanNumbers.count, spanNumbers[index] > 0 else { return nil }
        return spans[Int(spanNumbers[index]) - 1]
    }

    /// Prefetches the memory that `add` will access, as for notifications without a span.
    mutating func prefetch(_ step: PrefetchStep, hash: UInt64, during span: IntervalSpan) {
        prefetch(step, Self.hash(hash, during: span))
    }

    private static func hash(_ hash: UInt64, during span: IntervalSpan) -> UInt64 { hash ^ span.hash }

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
        store.add(others, to: record, in: bytes, to: &states[index])
    }

    /// - Returns: the index of the state.
    private mutating func add(
        _ record: NotificationRecord, in bytes: Span<UInt8>, hash: UInt64, during span: IntervalSpan
    ) -> Int {
        let hash = Self.hash(hash, during: span)
        let found = index.find(hash) {
            let state = states[$0]
            return self.span(of: $0) == span && store.matches(state, record, in: bytes)
                && state.isAlone == (record.grouping == .off)
                && (!state.isAlone || state.leading.order == record.order)
        }
        if let found {
            store.add(record, in: bytes, to: &states[found])
            return found
        }
        index.insert(count, hash: hash)
        while spanNumbers.count < count { spanNumbers.append(0) }
        spans.append(span)
        spanNumbers.append(UInt32(spans.count))
        states.append(store.start(record, in: bytes))
        return count - 1
    }

    /// Writes the states, which all have spans, in the order of `GroupEntry`.
    mutating func writeSpans(to writer: inout StateWriter, _ options: StateOptions) throws(ReplayError) {
        releaseIndex()
        let sorted = SortedGroups(self, order: .key, byDevice: options.byDevice, ties: .oldestFirst)
        var encoder = GroupEncoder()
        var record = OutputBuffer()
        var start = 0
        while start < sorted.count {
            var end = start + 1
            while end < sorted.count, sorted.isSameGroup(start, end) { end += 1 }
            let indices = (start..<end).map { Int(sorted.entry(at: $0).index) }
            for index in end - start > 1 ? indices.sorted(by: precedes) : indices {
                guard let span = span(of: index) else { preconditionFailure("a state without a span") }
                record.removeAll()
                encoder.append(states[index], of: sorted.store, to: &record)
                span.append(to: &record)
                try writer.add(record.bytes, to: .groups)
            }
            start = end
        }
    }

    private func precedes(_ a: Int, _ b: Int) -> Bool {
        guard let first = span(of: a), let second = span(of: b) else { return false }
        return first.compare(to: second) < 0
    }
}

extension IntervalSpan {
    fileprivate var hash: UInt64 {
        let bounds = UInt64(bitPattern: start) &* UInt64.goldenRatio ^ UInt64(bitPattern: end)
        return (bounds &* UInt64.goldenRatio) ^ (appears ? 1 << 40 : 0) ^ (vanishes ? 1 << 41 : 0)
    }
}
