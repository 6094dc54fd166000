import SheafBytes

/// Reads copies of entries by one mapping alone, to learn whether it fits what they wrap.
///
/// That is known only after a wrapped entry was read, and then its text is not that of the entry any more.
final class EntryTrial {
    private let input: LogInput
    private let reader: EntryReader
    private var decoder = RecordDecoder(keepsRejectedText: false)

    /// Whether an entry fits if conditions hold. If there are none, it does if it has a payload and an app.
    private let hasConditions: Bool

    /// - Parameter input: the mapping alone.
    init(_ mapping: InputMapping, _ input: LogInput) {
        hasConditions = !mapping.alternatives.isEmpty
        self.input = input
        reader = EntryReader(input)
    }

    /// Returns the reason why an entry does not fit; nil if any record is read, or is rejected for another reason. O(length).
    func misfit(_ entry: Span<UInt8>, defaultApp: String) -> RejectReason? {
        var first: RejectReason?
        var bytes: [UInt8] = []
        bytes.append(entry)
        let copy = Chunk(
            bytes, maximumLine: bytes.count, annex: bytes.count + input.constantBytes + defaultApp.utf8.count)
        decoder.setDefaultApp(defaultApp.isEmpty ? .none : copy.constant(defaultApp) ?? .none)
        reader.begin(TextRange(0..<bytes.count), of: copy, reason: nil, &decoder)
        while let record = reader.next(in: copy, &decoder, at: RecordPosition(source: 0, line: 1)) {
            guard case .rejected(let reason) = record.outcome else { return nil }
            switch reason {
            case .inputUnmatched, .jsonNotObject, .jsonInvalid: break
            case .payloadMissing, .payloadInvalid, .apsMissing, .appMissing: if hasConditions { return nil }
            default: return nil
            }
            first = first ?? reason
        }
        return first ?? .payloadMissing
    }
}
