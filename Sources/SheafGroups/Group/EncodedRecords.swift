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
extension NotificationRecord {
    /// Appends a record whose texts are in `bytes`.
    package func encode(in bytes: Span<UInt8>, to output: inout OutputBuffer) {
        output.appendText(bytes[device])
        output.appendText(bytes[app])
        output.appendText(bytes[collapseIdentifier])
        output.appendNumber(grouping.number | traits.number << 2)
        output.append(order)
        output.appendNumber(UInt64(weight))
        output.appendText(bytes[thread])
        output.appendText(bytes[category])
        output.appendText(bytes[identifier])
        output.appendText(bytes[title])
        output.appendText(bytes[subtitle])
        output.appendText(bytes[body])
        output.appendText(bytes[argument])
    }

    /// Decodes a record, whose texts remain in `bytes`; nil if the encoding is invalid.
    ///
    /// - Parameters:
    ///   - start: the offset of the encoding, which extends to the end of the bytes.
    ///   - sourceOffset: the number added to the source ordinal.
    ///   - allowsAny: whether the notification may be one that no newer version replaces.
    ///   - hasTraits: whether traits are tracked.
    package init?(
        encoded bytes: Span<UInt8>, from start: Int = 0, sourceOffset: Int = 0, allowsAny: Bool = false,
        hasTraits: Bool = false
    ) {
        var reader = ByteReader(bytes, from: start)
        self.init()
        device = reader.text()
        app = reader.text()
        collapseIdentifier = reader.text()
        let number = reader.number()
        let (grouping, traits) = (Grouping(number: number & 3), NotificationTraits(number: number >> 2))
        order = reader.orderKey(sourceOffset: sourceOffset)
        weight = UInt32(reader.number(upTo: UInt64(UInt32.max)))
        thread = reader.text()
        category = reader.text()
        identifier = reader.text()
        title = reader.text()
        subtitle = reader.text()
        body = reader.text()
        argument = reader.text()
        guard let grouping, let traits, hasTraits || traits == .none, reader.isValid, reader.isAtEnd,
            !app.isEmpty,
            allowsAny || isReplaceable
        else {
            return nil
        }
        (self.grouping, self.traits) = (grouping, traits)
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
extension RemovalRecord {
    /// Appends a removal whose texts are in `bytes`.
    package func encode(in bytes: Span<UInt8>, to output: inout OutputBuffer) {
        output.appendNumber(UInt64(scope.rawValue))
        output.appendText(bytes[device])
        output.appendText(bytes[app])
        output.appendText(bytes[text])
        output.append(order)
    }

    /// Decodes a removal, whose texts remain in `bytes`; nil if the encoding is invalid.
    ///
    /// - Parameter sourceOffset: the number added to the source ordinal.
    package init?(
        encoded bytes: Span<UInt8>, sourceOffset: Int = 0
    ) {
        var reader = ByteReader(bytes)
        self.init()
        let scope = RemovalScope(
            rawValue: UInt8(reader.number(upTo: UInt64(RemovalScope.identifier.rawValue))))
        device = reader.text()
        app = reader.text()
        text = reader.text()
        order = reader.orderKey(sourceOffset: sourceOffset)
        guard let scope, reader.isValid, reader.isAtEnd, !app.isEmpty,
            scope == .thread || text.isEmpty == (scope == .app)
        else { return nil }
        self.scope = scope
    }
}

/// The encoding of a change of settings (specification §16):
///
///     device | app | settings | order | locale
///
/// Numbers, texts and orders are encoded as in `EncodedGroup`, the settings as `UserSettings.number`, which is not
/// 0 without a locale. The locale is that of the settings, as a tag, which is only written if there is one. The device
/// and the app may be absent.
extension SettingsRecord {
    /// Appends a change whose texts are in `bytes`.
    package func encode(in bytes: Span<UInt8>, to output: inout OutputBuffer) {
        output.appendText(bytes[device])
        output.appendText(bytes[app])
        output.appendNumber(settings.number)
        output.append(order)
        if let locale = settings.locale.locale { output.appendText(Array(locale.tag.utf8).span) }
    }

    /// Decodes a change, whose texts remain in `bytes`; nil if the encoding is invalid.
    ///
    /// - Parameters:
    ///   - start: the offset of the encoding, which extends to the end of the bytes.
    ///   - sourceOffset: the number added to the source ordinal.
    package init?(
        encoded bytes: Span<UInt8>, from start: Int = 0, sourceOffset: Int = 0
    ) {
        var reader = ByteReader(bytes, from: start)
        self.init()
        device = reader.text()
        app = reader.text()
        var settings = UserSettings(number: reader.number())
        order = reader.orderKey(sourceOffset: sourceOffset)
        if reader.isValid, !reader.isAtEnd { settings?.locale = reader.locale(in: bytes) }
        guard let settings, !settings.isEmpty, reader.isValid, reader.isAtEnd else { return nil }
        self.settings = settings
    }
}

/// The encoding of a badge (specification §16):
///
///     device | app | twice the badge, plus 1 for a critical alert | order
///
/// Numbers, texts and orders are encoded as in `EncodedGroup`. The device may be absent.
extension BadgeRecord {
    /// Appends a badge whose texts are in `bytes`.
    package func encode(in bytes: Span<UInt8>, to output: inout OutputBuffer) {
        output.appendText(bytes[device])
        output.appendText(bytes[app])
        output.appendNumber(content)
        output.append(order)
    }

    /// Decodes a badge, whose texts remain in `bytes`; nil if the encoding is invalid.
    ///
    /// - Parameters:
    ///   - start: the offset of the encoding, which extends to the end of the bytes.
    ///   - sourceOffset: the number added to the source ordinal.
    package init?(
        encoded bytes: Span<UInt8>, from start: Int = 0, sourceOffset: Int = 0
    ) {
        var reader = ByteReader(bytes, from: start)
        self.init()
        device = reader.text()
        app = reader.text()
        content = reader.number(upTo: BadgeRecord.maximumContent)
        order = reader.orderKey(sourceOffset: sourceOffset)
        guard reader.isValid, reader.isAtEnd, !app.isEmpty else { return nil }
    }
}

/// The encoding of an outcome of a push (specification §18):
///
///     answer, plus 4 × scope | device | app | text | reason | order
///
/// Numbers, texts and orders are encoded as in `EncodedGroup`, the answer and the scope as raw values. The device, the
/// app and the reason may be absent.
extension OutcomeRecord {
    /// Appends an outcome whose texts are in `bytes`.
    package func encode(in bytes: Span<UInt8>, to output: inout OutputBuffer) {
        output.appendNumber(UInt64(answer.rawValue | scope.rawValue << 2))
        output.appendText(bytes[device])
        output.appendText(bytes[app])
        output.appendText(bytes[text])
        output.appendText(bytes[reason])
        output.append(order)
    }

    /// Decodes an outcome, whose texts remain in `bytes`; nil if the encoding is invalid.
    ///
    /// - Parameters:
    ///   - start: the offset of the encoding, which extends to the end of the bytes.
    ///   - sourceOffset: the number added to the source ordinal.
    package init?(
        encoded bytes: Span<UInt8>, from start: Int = 0, sourceOffset: Int = 0
    ) {
        var reader = ByteReader(bytes, from: start)
        self.init()
        let number = UInt8(reader.number(upTo: 0xf))
        let (answer, scope) = (
            PushAnswer(rawValue: number & 3), OutcomeRecord.Scope(rawValue: number >> 2)
        )
        device = reader.text()
        app = reader.text()
        text = reader.text()
        reason = reader.text()
        order = reader.orderKey(sourceOffset: sourceOffset)
        guard let answer, let scope, answer != .none, reader.isValid, reader.isAtEnd,
            scope != .withoutDevice || device.isEmpty,
            answer == .refused || reason.isEmpty
        else { return nil }
        (self.answer, self.scope) = (answer, scope)
    }
}
