import SheafBytes

/// How the threads of a mapping's records follow from native records that differ in nothing else, as when another design
/// of thread identifiers is tried on an existing log: a record that was decoded needs only another thread.
package struct ThreadRule: Sendable {
    private enum Source {
        case thread, category
        case constant(String)
    }

    private let source: Source
    private let part: TextPart?

    /// - Returns: nil unless a decoded record has all that the candidate needs.
    init?(_ candidate: InputMapping.Candidate) {
        guard candidate.unless.isEmpty, candidate.when.isEmpty else { return nil }
        switch candidate.source {
        case .location(let pointer) where pointer == Self.pointer(to: .thread): source = .thread
        case .location(let pointer) where pointer == Self.pointer(to: .category): source = .category
        case .constant(let text): source = .constant(text)
        case .location, .native: return nil
        }
        part = candidate.part
    }

    private static func pointer(to field: PayloadSlots.Field) -> JSONPointer {
        JSONPointer(keys: [EnvelopeNames.payload] + field.keys)
    }

    /// Returns the thread of the mapping's record, which may be empty; nil if the chunk has no room for it.
    ///
    /// - Parameter record: the native record, which must be ordinary (`RecordDecoder.isOrdinary`).
    package func thread(of record: NotificationRecord, in chunk: Chunk) -> TextRange? {
        let text: TextRange
        switch source {
        case .thread: text = record.thread
        case .category: text = record.category
        case .constant(let constant):
            guard let range = chunk.constant(constant) else { return nil }
            text = range
        }
        let found = part.map { text.isEmpty ? .none : $0.range(in: text, of: chunk) ?? .none } ?? text
        // A field whose candidates have no text has that of the payload.
        return found.isEmpty ? record.thread : found
    }
}

extension TextPart {
    /// Returns the part's range in a text of a chunk; nil if the text has fewer parts.
    func range(in text: TextRange, of chunk: Chunk) -> TextRange? {
        let bytes = chunk.bytes
        var start = text.range.lowerBound
        let end = text.range.upperBound
        var index = 0
        while let offset = bytes.firstOffset(of: separator, in: start..<end) {
            if index == self.index { return TextRange(start..<offset) }
            index += 1
            start = offset + 1
        }
        return index == self.index ? TextRange(start..<end) : nil
    }
}
