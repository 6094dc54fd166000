import SheafBytes

// MARK: - Responses

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

    /// Returns the first non-empty text among members of an object in order of precedence.
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
        of envelope: borrowing FieldScanner, _ chunk: Chunk
    ) -> RecordDecoder.Outcome {
        if let reason = readEnvelope(slots, of: envelope, chunk) {
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

// MARK: - Results of service extensions

/// The members that only a service extension's result has, as they are in the line.
struct ResultMembers {
    /// The time that the extension took.
    fileprivate let elapsed: FieldScanner.Value
    /// The `UNNotificationContent`, if there is one.
    fileprivate var content: ResultContent?
    /// The identifier of the `UNNotificationRequest`.
    fileprivate var identifier = FieldScanner.Value.absent

    /// The objects around a content and an identifier: a `UNNotification` and a `UNNotificationRequest`.
    private static let wrappers: [[StaticString]] = [[], ["request"], ["notification", "request"]]

    /// Finds the members.
    ///
    /// - Parameter record: a valid JSON object, in which nothing has been decoded in place.
    init(_ record: TextRange, of chunk: Chunk) {
        let start = chunk.bytes.endOfJSONSpace(from: Int(record.start))
        elapsed = chunk.value(of: "elapsed", at: start)
        for path in Self.wrappers {
            var object: Int? = start
            for name in path { object = object.flatMap { chunk.lastMember(name, at: $0)?.lowerBound } }
            guard let object else { continue }
            // Serializers write null for members that are not there.
            if identifier.kind != .string || identifier.text.isEmpty {
                identifier = chunk.value(of: "identifier", at: object)
            }
            if content == nil, let found = chunk.lastMember("content", at: object),
                chunk.bytes[found.lowerBound] == UInt8(ascii: "{")
            {
                content = ResultContent(at: found.lowerBound, of: chunk)
            }
        }
    }

    /// Whether the record has the time that an extension took: a push whose event has the same name does not.
    var namesResult: Bool { elapsed.kind != .absent }
}

/// The members of a `UNNotificationContent`, as they are in the line.
private struct ResultContent {
    let title, subtitle, body, argument, argumentCount, thread, category: FieldScanner.Value
    let sound, badge, level: FieldScanner.Value

    /// - Parameter start: the offset of the content.
    init(at start: Int, of chunk: Chunk) {
        title = chunk.value(of: "title", at: start)
        subtitle = chunk.value(of: "subtitle", at: start)
        body = chunk.value(of: "body", at: start)
        argument = chunk.value(of: "summaryArgument", at: start)
        argumentCount = chunk.value(of: "summaryArgumentCount", at: start)
        thread = chunk.value(of: "threadIdentifier", at: start)
        category = chunk.value(of: "categoryIdentifier", at: start)
        sound = chunk.value(of: "sound", at: start)
        badge = chunk.value(of: "badge", at: start)
        level = chunk.value(of: "interruptionLevel", at: start)
    }
}

extension Chunk {
    /// Returns the value of an object's member, which may be absent.
    fileprivate func value(of name: StaticString, at start: Int) -> FieldScanner.Value {
        lastMember(name, at: start).map { FieldScanner.Value($0, in: bytes) } ?? .absent
    }
}

extension RecordDraft {
    /// Reads a service extension's result into `record` and `result`.
    ///
    /// - Parameter payload: the outcome of reading its payload into `record`; nil if it has none.
    @inline(never)
    mutating func readResult(
        _ members: ResultMembers, payload: RecordDecoder.Outcome?, _ slots: EnvelopeSlots,
        of envelope: borrowing FieldScanner, _ chunk: Chunk
    ) -> RecordDecoder.Outcome {
        result = ExtensionResult()
        switch payload {
        case nil:
            badge = nil
            if let reason = readEnvelope(slots, of: envelope, chunk) {
                return .rejected(reason)
            }
            record.collapseIdentifier = ownIdentifier(slots, of: envelope, chunk)
            if let content = members.content { read(content, of: chunk) }
            result.hasContent =
                !record.title.isEmpty || !record.subtitle.isEmpty || !record.body.isEmpty
        case .notification:
            result.hasContent = true
            if !record.isReplaceable { record.collapseIdentifier = record.identifier }
        case .silent:
            if !record.isReplaceable { record.collapseIdentifier = ownIdentifier(slots, of: envelope, chunk) }
        case .some(let outcome): return outcome
        }
        if !record.isReplaceable { record.collapseIdentifier = decoded(members.identifier, of: chunk) }
        record.identifier = .none
        // Without its device, a result would be that of any device.
        guard record.isReplaceable, Self.hasValidDevices(slots, of: envelope),
            readElapsed(members.elapsed, of: chunk)
        else { return .rejected(.resultInvalid) }
        return Self.keyFieldsFit(of: record, line: self.line) ? .result : .rejected(.fieldTooLong)
    }

    private mutating func readElapsed(_ value: FieldScanner.Value, of chunk: Chunk) -> Bool {
        switch value.kind {
        case .absent, .null: return true
        case .number:
            guard let seconds = Double(chunk.bytes(of: value.text).string), seconds >= 0 else { return false }
            result.elapsed = seconds
            return true
        case .bool, .string, .object, .array: return false
        }
    }

    private mutating func read(_ content: ResultContent, of chunk: Chunk) {
        record.title = decoded(content.title, of: chunk)
        record.subtitle = decoded(content.subtitle, of: chunk)
        record.body = decoded(content.body, of: chunk)
        record.argument = decoded(content.argument, of: chunk)
        record.thread = decoded(content.thread, of: chunk)
        record.category = decoded(content.category, of: chunk)
        if content.argumentCount.kind == .number,
            let weight = Self.summaryCount(chunk.bytes(of: content.argumentCount.text))
        {
            record.weight = weight
        }
        readBadge(content.badge, chunk)
        let sound = sound(content.sound, in: chunk)
        let level = sound.isCritical ? .critical : level(content.level, of: chunk)
        record.traits = NotificationTraits(
            level: level ?? .active, hasSound: sound.isPresent, givesLevel: level != nil)
    }

    /// Returns a level by its name or number in `UNNotificationInterruptionLevel`.
    private mutating func level(_ value: FieldScanner.Value, of chunk: Chunk) -> InterruptionLevel? {
        let levels: [(number: Double, names: [StaticString], level: InterruptionLevel)] = [
            (0, ["passive"], .passive), (1, ["active"], .active),
            (2, ["timeSensitive", "time-sensitive"], .timeSensitive), (3, ["critical"], .critical),
        ]
        if value.kind == .number {
            let number = Double(chunk.bytes(of: value.text).string)
            return levels.first { $0.number == number }?.level
        }
        let name = chunk.bytes(of: decoded(value, of: chunk))
        return levels.first { $0.names.contains { name.isEqual(to: $0) } }?.level
    }
}
