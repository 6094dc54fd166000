import SheafBytes
import SheafGroups

/// A group as it is compared with that of another snapshot: its key, its place and what is shown.
///
///     length of the rest | lengths of device, app, thread, title, subtitle, body, summary | notifications
///     | timestamp | source, line | index, 1 << 32 if it is alone | the texts
///
/// All but the texts are words of eight bytes.
struct ComparedGroup {
    private(set) var bytes: [UInt8] = []
    private var lengths: (Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0)
    /// The number of notifications.
    private(set) var count: UInt64 = 0
    /// The order key of the leading notification.
    private(set) var order = OrderKey(timestamp: 0, source: 0, line: 0)
    /// Whether the notification is not grouped.
    private(set) var isAlone = false

    static let texts = 7
    /// The number of bytes before the texts, without the length of the record.
    static let headBytes = 8 * (texts + 4)

    /// Whether there is a group.
    var isEmpty: Bool { bytes.isEmpty }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Decodes a record without its length.
    ///
    /// - Parameter range: where the record is in a piece.
    mutating func decode(_ piece: [UInt8], _ range: Range<Int>) {
        let record = piece.span.extracting(range)
        bytes.removeAll(keepingCapacity: true)
        bytes.append(record)
        func word(_ index: Int) -> UInt64 { record.extracting(droppingFirst: 8 * index).firstWord }
        lengths = (
            Int(word(0)), Int(word(1)), Int(word(2)), Int(word(3)), Int(word(4)), Int(word(5)), Int(word(6))
        )
        count = word(7)
        let (position, last) = (word(9), word(10))
        order = OrderKey(
            timestamp: Int64(bitPattern: word(8)), source: Int(position >> 40),
            line: position & (1 << 40 - 1),
            index: UInt32(truncatingIfNeeded: last))
        isAlone = last >> 32 != 0
    }

    // MARK: Texts

    private func range(_ start: Int, _ count: Int) -> Range<Int> {
        Self.headBytes + start..<Self.headBytes + start + count
    }

    private var keyCount: Int { lengths.0 + lengths.1 + lengths.2 }
    var device: Range<Int> { range(0, lengths.0) }
    var app: Range<Int> { range(lengths.0, lengths.1) }
    var thread: Range<Int> { range(lengths.0 + lengths.1, lengths.2) }
    var title: Range<Int> { range(keyCount, lengths.3) }
    var subtitle: Range<Int> { range(keyCount + lengths.3, lengths.4) }
    var body: Range<Int> { range(keyCount + lengths.3 + lengths.4, lengths.5) }
    /// The title, subtitle and body.
    private var leading: Range<Int> { range(keyCount, lengths.3 + lengths.4 + lengths.5) }
    var summary: Range<Int> { range(keyCount + lengths.3 + lengths.4 + lengths.5, lengths.6) }

    func text(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }

    // MARK: Comparing

    func isEqual(_ part: Range<Int>, _ other: ComparedGroup, _ otherPart: Range<Int>) -> Bool {
        bytes.span.extracting(part).isEqual(to: other.bytes.span.extracting(otherPart))
    }

    /// Whether the leading notification shows the same.
    func hasLeading(of other: ComparedGroup) -> Bool {
        lengths.3 == other.lengths.3 && lengths.4 == other.lengths.4
            && isEqual(leading, other, other.leading)
    }

    /// Returns a negative number if this group precedes another one in the order of keys, 0 if it is the same group.
    func compare(to other: ComparedGroup) -> Int {
        if lengths.0 == other.lengths.0, lengths.1 == other.lengths.1, lengths.2 == other.lengths.2,
            isEqual(range(0, keyCount), other, range(0, keyCount))
        {
            guard isAlone || other.isAlone else { return 0 }
            // With grouping off, several groups have the same key, the newest one first: each is its notification.
            if order == other.order { return 0 }
            return order > other.order ? -1 : 1
        }
        for (mine, theirs) in [(device, other.device), (app, other.app), (thread, other.thread)] {
            let order = bytes.span.extracting(mine).compare(to: other.bytes.span.extracting(theirs))
            if order != 0 { return order }
        }
        return 0
    }
}

extension OutputBuffer {
    /// Appends a group as a record of `ComparedGroup`.
    mutating func appendCompared(
        count: UInt64, _ order: OrderKey, isAlone: Bool,
        _ device: Span<UInt8>, _ app: Span<UInt8>, _ thread: Span<UInt8>, _ title: Span<UInt8>,
        _ subtitle: Span<UInt8>, _ body: Span<UInt8>, _ summary: Span<UInt8>
    ) {
        let texts =
            device.count + app.count + thread.count + title.count + subtitle.count + body.count
            + summary.count
        append(word: UInt64(ComparedGroup.headBytes + texts))
        append(word: UInt64(device.count))
        append(word: UInt64(app.count))
        append(word: UInt64(thread.count))
        append(word: UInt64(title.count))
        append(word: UInt64(subtitle.count))
        append(word: UInt64(body.count))
        append(word: UInt64(summary.count))
        append(word: count)
        append(word: UInt64(bitPattern: order.timestamp))
        append(word: UInt64(order.source) << 40 | order.line)
        append(word: UInt64(order.index) | (isAlone ? 1 << 32 : 0))
        append(device)
        append(app)
        append(thread)
        append(title)
        append(subtitle)
        append(body)
        append(summary)
    }
}

extension GroupRenderer {
    /// Appends a group for a comparison.
    @inline(never)
    mutating func appendCompared(
        _ group: Group, _ bytes: Span<UInt8>, _ state: GroupState, _ store: borrowing GroupStore,
        to output: inout OutputBuffer
    ) {
        let (leading, hides) = (group.leading, group.hidesPreviews)
        let hasTitle = !hides || group.category.showsHiddenTitle
        let hasSubtitle = !hides || group.category.showsHiddenSubtitle
        func append(_ body: Span<UInt8>, _ summary: Span<UInt8>) {
            output.appendCompared(
                count: group.count, leading.order, isAlone: state.isAlone, store.device(of: state),
                store.app(of: state), store.thread(of: state), bytes[hasTitle ? leading.title : .none],
                bytes[hasSubtitle ? leading.subtitle : .none], body, summary)
        }
        if hides { append(hiddenBody.span, Span()) } else { append(bytes[leading.body], summary.span) }
    }
}
