import SheafBytes

/// The encoding of a notification that is kept on its own, because a newer version may replace it (specification §5) or
/// because it may be removed (§15):
///
///     device | app | collapse identifier | grouping and traits 1 | order | weight | thread | category | identifier
///            | title | subtitle | body | argument
///
/// Numbers, texts and orders are encoded as in `EncodedGroup`; the grouping is 0 for automatic, 1 for by app, 2 for
/// off, plus four times `NotificationTraits.number` if traits are tracked. All versions of a notification share the
/// first three texts.
package enum EncodedNotification {
    /// Appends a record whose texts are in `bytes`.
    package static func append(
        _ record: NotificationRecord, in bytes: Span<UInt8>, to output: inout OutputBuffer
    ) {
        output.appendText(bytes[record.device])
        output.appendText(bytes[record.app])
        output.appendText(bytes[record.collapseIdentifier])
        output.appendNumber(record.grouping.number | record.traits.number << 2)
        output.append(record.order)
        output.appendNumber(UInt64(record.weight))
        output.appendText(bytes[record.thread])
        output.appendText(bytes[record.category])
        output.appendText(bytes[record.identifier])
        output.appendText(bytes[record.title])
        output.appendText(bytes[record.subtitle])
        output.appendText(bytes[record.body])
        output.appendText(bytes[record.argument])
    }

    /// Decodes a record, whose texts remain in `bytes`; nil if the encoding is invalid.
    ///
    /// - Parameters:
    ///   - start: the offset of the encoding, which extends to the end of the bytes.
    ///   - sourceOffset: the number added to the source ordinal.
    ///   - allowsAny: whether the notification may be one that no newer version replaces.
    ///   - hasTraits: whether traits are tracked.
    package static func record(
        _ bytes: Span<UInt8>, from start: Int = 0, sourceOffset: Int = 0, allowsAny: Bool = false,
        hasTraits: Bool = false
    ) -> NotificationRecord? {
        var reader = ByteReader(bytes, from: start)
        var record = NotificationRecord()
        record.device = reader.text()
        record.app = reader.text()
        record.collapseIdentifier = reader.text()
        let number = reader.number()
        let (grouping, traits) = (Grouping(number: number & 3), NotificationTraits(number: number >> 2))
        record.order = reader.orderKey(sourceOffset: sourceOffset)
        record.weight = UInt32(reader.number(upTo: UInt64(UInt32.max)))
        record.thread = reader.text()
        record.category = reader.text()
        record.identifier = reader.text()
        record.title = reader.text()
        record.subtitle = reader.text()
        record.body = reader.text()
        record.argument = reader.text()
        guard let grouping, let traits, hasTraits || traits == .none, reader.isValid, reader.isAtEnd,
            !record.app.isEmpty,
            allowsAny || record.isReplaceable
        else {
            return nil
        }
        (record.grouping, record.traits) = (grouping, traits)
        return record
    }
}

extension Grouping {
    /// The number in encodings.
    package var number: UInt64 {
        switch self {
        case .automatic: 0
        case .byApp: 1
        case .off: 2
        }
    }

    /// Creates the grouping with this number in encodings; nil if the number is invalid.
    package init?(number: UInt64) {
        switch number {
        case 0: self = .automatic
        case 1: self = .byApp
        case 2: self = .off
        default: return nil
        }
    }
}

/// The encoding of a removal (specification §15):
///
///     scope | device | app | thread or identifier | order
///
/// Numbers, texts and orders are encoded as in `EncodedGroup`; the scope is 0 for an app, 1 for a thread, 2 for an
/// identifier.
package enum EncodedRemoval {
    /// Appends a removal whose texts are in `bytes`.
    package static func append(_ removal: RemovalRecord, in bytes: Span<UInt8>, to output: inout OutputBuffer)
    {
        output.appendNumber(UInt64(removal.scope.rawValue))
        output.appendText(bytes[removal.device])
        output.appendText(bytes[removal.app])
        output.appendText(bytes[removal.text])
        output.append(removal.order)
    }

    /// Decodes a removal, whose texts remain in `bytes`; nil if the encoding is invalid.
    ///
    /// - Parameter sourceOffset: the number added to the source ordinal.
    package static func removal(_ bytes: Span<UInt8>, sourceOffset: Int = 0) -> RemovalRecord? {
        var reader = ByteReader(bytes)
        var removal = RemovalRecord()
        let scope = RemovalScope(
            rawValue: UInt8(reader.number(upTo: UInt64(RemovalScope.identifier.rawValue))))
        removal.device = reader.text()
        removal.app = reader.text()
        removal.text = reader.text()
        removal.order = reader.orderKey(sourceOffset: sourceOffset)
        guard let scope, reader.isValid, reader.isAtEnd, !removal.app.isEmpty,
            scope == .thread || removal.text.isEmpty == (scope == .app)
        else { return nil }
        removal.scope = scope
        return removal
    }
}

/// The encoding of a change of settings (specification §16):
///
///     device | app | settings | order | locale
///
/// Numbers, texts and orders are encoded as in `EncodedGroup`, the settings as `UserSettings.number`, which is not
/// 0 without a locale. The locale is that of the settings, as a tag, which is only written if there is one. The device
/// and the app may be absent.
package enum EncodedSettings {
    /// Appends a change whose texts are in `bytes`.
    package static func append(_ change: SettingsRecord, in bytes: Span<UInt8>, to output: inout OutputBuffer)
    {
        output.appendText(bytes[change.device])
        output.appendText(bytes[change.app])
        output.appendNumber(change.settings.number)
        output.append(change.order)
        if let locale = change.settings.locale.locale { output.appendText(Array(locale.tag.utf8).span) }
    }

    /// Decodes a change, whose texts remain in `bytes`; nil if the encoding is invalid.
    ///
    /// - Parameters:
    ///   - start: the offset of the encoding, which extends to the end of the bytes.
    ///   - sourceOffset: the number added to the source ordinal.
    package static func change(
        _ bytes: Span<UInt8>, from start: Int = 0, sourceOffset: Int = 0
    ) -> SettingsRecord? {
        var reader = ByteReader(bytes, from: start)
        var change = SettingsRecord()
        change.device = reader.text()
        change.app = reader.text()
        var settings = UserSettings(number: reader.number())
        change.order = reader.orderKey(sourceOffset: sourceOffset)
        if reader.isValid, !reader.isAtEnd { settings?.locale = reader.locale(in: bytes) }
        guard let settings, !settings.isEmpty, reader.isValid, reader.isAtEnd else { return nil }
        change.settings = settings
        return change
    }
}

/// The encoding of a badge (specification §16):
///
///     device | app | twice the badge, plus 1 for a critical alert | order
///
/// Numbers, texts and orders are encoded as in `EncodedGroup`. The device may be absent.
package enum EncodedBadge {
    /// Appends a badge whose texts are in `bytes`.
    package static func append(_ badge: BadgeRecord, in bytes: Span<UInt8>, to output: inout OutputBuffer) {
        output.appendText(bytes[badge.device])
        output.appendText(bytes[badge.app])
        output.appendNumber(badge.content)
        output.append(badge.order)
    }

    /// Decodes a badge, whose texts remain in `bytes`; nil if the encoding is invalid.
    ///
    /// - Parameters:
    ///   - start: the offset of the encoding, which extends to the end of the bytes.
    ///   - sourceOffset: the number added to the source ordinal.
    package static func badge(
        _ bytes: Span<UInt8>, from start: Int = 0, sourceOffset: Int = 0
    ) -> BadgeRecord? {
        var reader = ByteReader(bytes, from: start)
        var badge = BadgeRecord()
        badge.device = reader.text()
        badge.app = reader.text()
        badge.content = reader.number(upTo: BadgeRecord.maximumContent)
        badge.order = reader.orderKey(sourceOffset: sourceOffset)
        guard reader.isValid, reader.isAtEnd, !badge.app.isEmpty else { return nil }
        return badge
    }
}

/// The encoding of an outcome of a push (specification §18):
///
///     answer, plus 4 × scope | device | app | text | reason | order
///
/// Numbers, texts and orders are encoded as in `EncodedGroup`, the answer and the scope as raw values. The device, the
/// app and the reason may be absent.
package enum EncodedOutcome {
    /// Appends an outcome whose texts are in `bytes`.
    package static func append(_ outcome: OutcomeRecord, in bytes: Span<UInt8>, to output: inout OutputBuffer)
    {
        output.appendNumber(UInt64(outcome.answer.rawValue | outcome.scope.rawValue << 2))
        output.appendText(bytes[outcome.device])
        output.appendText(bytes[outcome.app])
        output.appendText(bytes[outcome.text])
        output.appendText(bytes[outcome.reason])
        output.append(outcome.order)
    }

    /// Decodes an outcome, whose texts remain in `bytes`; nil if the encoding is invalid.
    ///
    /// - Parameters:
    ///   - start: the offset of the encoding, which extends to the end of the bytes.
    ///   - sourceOffset: the number added to the source ordinal.
    package static func outcome(
        _ bytes: Span<UInt8>, from start: Int = 0, sourceOffset: Int = 0
    ) -> OutcomeRecord? {
        var reader = ByteReader(bytes, from: start)
        var outcome = OutcomeRecord()
        let number = UInt8(reader.number(upTo: 0xf))
        let (answer, scope) = (
            PushAnswer(rawValue: number & 3), OutcomeRecord.Scope(rawValue: number >> 2)
        )
        outcome.device = reader.text()
        outcome.app = reader.text()
        outcome.text = reader.text()
        outcome.reason = reader.text()
        outcome.order = reader.orderKey(sourceOffset: sourceOffset)
        guard let answer, let scope, answer != .none, reader.isValid, reader.isAtEnd,
            scope != .withoutDevice || outcome.device.isEmpty,
            answer == .refused || outcome.reason.isEmpty
        else { return nil }
        (outcome.answer, outcome.scope) = (answer, scope)
        return outcome
    }
}
