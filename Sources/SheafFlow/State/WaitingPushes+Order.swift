import SheafBytes
import SheafGroups

// MARK: - Order

extension WaitingPushes {
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
        record.encode(in: bytes, to: &self)
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
