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

    /// Returns whether any record of an entry is read, or is rejected for another reason than that it does not fit.
    /// O(length).
    func reads(_ entry: Span<UInt8>, defaultApp: String) -> Bool {
        var bytes: [UInt8] = []
        bytes.append(entry)
        let copy = Chunk(
            bytes, maximumLine: bytes.count, annex: bytes.count + input.constantBytes + defaultApp.utf8.count)
        decoder.setDefaultApp(defaultApp.isEmpty ? .none : copy.constant(defaultApp) ?? .none)
        reader.begin(TextRange(0..<bytes.count), of: copy, reason: nil, &decoder)
        while let record = reader.next(in: copy, &decoder, at: RecordPosition(source: 0, line: 1)) {
            switch record.outcome {
            case .rejected(.inputUnmatched), .rejected(.jsonNotObject), .rejected(.jsonInvalid): continue
            case .rejected(.payloadMissing), .rejected(.payloadInvalid), .rejected(.apsMissing),
                .rejected(.appMissing):
                if hasConditions { return true }
            default: return true
            }
        }
        return false
    }
}
