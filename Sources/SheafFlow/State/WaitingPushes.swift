import SheafBytes
import SheafGroups

/// Pushes that are decided once all records are read, because a later record may be an outcome of them (specification
/// §18.2) or another record of the same push (§18.3), and these outcomes: encoded records of the section of notifications,
/// in any order.
///
///     decoding ──encoded──▶ WaitingPushes ──sorted by id──▶ state files ──decided──▶ notifications
///
/// Memory: the encoded records, 8 bytes for each, and 24 bytes for each while they are sorted.
struct WaitingPushes: ~Copyable {
    private var records = OutputBuffer()
    private var starts: [Int] = []

    var count: Int { starts.count }
    var isEmpty: Bool { starts.isEmpty }

    /// The memory in use, in bytes, and that for sorting.
    var heldBytes: Int {
        records.heldBytes + starts.capacity * MemoryLayout<Int>.stride + count * MemoryLayout<SortKey>.stride
    }

    mutating func removeAll() {
        records.removeAll()
        starts.removeAll(keepingCapacity: true)
    }

    /// Adds a record that `body` appends.
    mutating func add(_ body: (inout OutputBuffer) -> Void) {
        starts.append(records.count)
        body(&records)
    }

    /// Adds all records of another list.
    mutating func add(_ other: borrowing WaitingPushes) {
        let offset = records.count
        records.append(other.records.bytes)
        for start in other.starts { starts.append(start + offset) }
    }

    /// Returns a record.
    @_lifetime(borrow self)
    borrowing func record(at index: Int) -> Span<UInt8> {
        let end = index + 1 < count ? starts[index + 1] : records.count
        return records.bytes.extracting(starts[index]..<end)
    }

    // MARK: Order

    private struct SortKey {
        let words: TextWords
        let index: UInt32
        let rank: UInt8
    }

    /// Returns the records' indices in the order of `NotificationEntry`. O(n log n).
    ///
    /// - Parameter file: a file that would hold them.
    borrowing func sortedIndices(as file: StateFile) -> [Int] {
        func entry(at index: UInt32) -> NotificationEntry {
            guard let entry = NotificationEntry(record(at: Int(index)), of: file) else {
                preconditionFailure("a record that was encoded before can't be decoded")
            }
            return entry
        }
        var keys: [SortKey] = []
        keys.reserveCapacity(count)
        for index in 0..<UInt32(count) {
            let entry = entry(at: index)
            let words = TextWords(record(at: Int(index))[entry.record.identifier])
            keys.append(SortKey(words: words, index: index, rank: entry.waitingRank.rawValue))
        }
        // Equal words may be the first bytes of longer texts.
        func precedes(_ a: SortKey, _ b: SortKey) -> Bool {
            if a.rank != b.rank { return a.rank < b.rank }
            if a.words != b.words { return a.words < b.words }
            return entry(at: a.index).compare(
                record(at: Int(a.index)), to: entry(at: b.index), record(at: Int(b.index))) < 0
        }
        return keys.ordered(by: precedes).map { Int($0.index) }
    }
}

// MARK: - Encoding

extension OutputBuffer {
    /// Appends a push that waits for its decision as a record of the section:
    ///
    ///     tag | answer, plus 4 × (badge + 1) | with an answer: its order | the reason | the notification
    ///
    /// - Parameter note: its reason is in `reasonBytes`.
    mutating func append(
        _ note: PushNote, reasonIn reasonBytes: Span<UInt8>, _ record: NotificationRecord,
        in bytes: Span<UInt8>
    ) {
        appendNumber(NotificationEntry.pushTag)
        appendNumber(UInt64(note.answer.rawValue) | (note.badge.map { ($0 + 1) << 2 } ?? 0))
        if note.answer != .none {
            append(note.answered)
            appendText(reasonBytes[note.reason])
        }
        EncodedNotification.append(record, in: bytes, to: &self)
    }
}

extension PushNote {
    /// Decodes what precedes a notification; nil if it is invalid. The reader is at the notification then.
    init?(_ reader: inout ByteReader, sourceOffset: Int) {
        let number = reader.number(upTo: (RecordDecoder.maximumBadge + 1) << 2 | 3)
        guard let answer = PushAnswer(rawValue: UInt8(number & 3)) else { return nil }
        self.init(answer: answer)
        badge = number >> 2 > 0 ? number >> 2 - 1 : nil
        if answer != .none {
            answered = reader.orderKey(sourceOffset: sourceOffset)
            reason = reader.text()
        }
        guard reader.isValid, answer == .refused || reason.isEmpty else { return nil }
    }
}
