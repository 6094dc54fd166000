import SheafBytes

/// The texts that only responses have, as they are in the line: an action and a category.
struct ResponseMembers {
    /// nil if the record has none, as for `category`.
    private(set) var action: TextRange?
    private(set) var category: TextRange?

    /// The names in order of precedence. Those without a hyphen or an underscore are of `UNNotificationResponse` and
    /// `UNNotificationContent`.
    private static let actions: [StaticString] = [
        "action", "actionIdentifier", "action-identifier", "action_identifier",
    ]
    private static let categories: [StaticString] = [
        "category", "categoryIdentifier", "category-identifier", "category_identifier",
    ]
    /// The members of a `UNNotificationResponse` that lead to the content of its notification.
    private static let content: [StaticString] = ["notification", "request", "content"]

    /// Finds the texts.
    ///
    /// - Parameter record: a valid JSON object, in which nothing has been decoded in place.
    init(_ record: TextRange, of chunk: Chunk) {
        let start = chunk.bytes.endOfJSONSpace(from: Int(record.start))
        action = Self.text(Self.actions, at: start, of: chunk)
        category = Self.text(Self.categories, at: start, of: chunk)
        var object: Int? = start
        for name in Self.content {
            object = object.flatMap { chunk.lastMember(name, at: $0)?.lowerBound }
        }
        if category == nil, let object { category = Self.text(Self.categories, at: object, of: chunk) }
    }

    /// Returns the first non-empty text among members of an object in order of precedence; nil if there is none.
    private static func text(_ names: [StaticString], at start: Int, of chunk: Chunk) -> TextRange? {
        for name in names {
            guard let value = chunk.lastMember(name, at: start), value.count > 2,
                chunk.bytes[value.lowerBound] == UInt8(ascii: "\"")
            else { continue }
            return TextRange(value.lowerBound + 1..<value.upperBound - 1)
        }
        return nil
    }
}

extension RecordDraft {
    /// Reads a response into `response`.
    ///
    /// - Parameter payloadCategory: the category in the record's payload, which counts if the record has none of its
    ///   own.
    @inline(never)
    mutating func readResponse(
        _ members: ResponseMembers, payloadCategory: FieldScanner.Value, _ slots: EnvelopeSlots,
        of envelope: borrowing FieldScanner, _ chunk: Chunk, _ source: Int, _ line: UInt64, index: UInt32
    ) -> RecordDecoder.Outcome {
        if let reason = readEnvelope(slots, of: envelope, chunk, source, line, index) {
            return .rejected(reason)
        }
        guard let action = members.action else { return .rejected(.responseInvalid) }
        response = ResponseRecord()
        response.app = record.app
        response.action = decodedText(action, of: chunk)
        response.category =
            members.category.map { decodedText($0, of: chunk) } ?? decoded(payloadCategory, of: chunk)
        let texts = [response.app, response.category, response.action, record.device]
        return texts.allSatisfy { $0.count <= PushLimits.fieldBytes } ? .response : .rejected(.fieldTooLong)
    }
}
