import SheafBytes

/// One notification on its way from decoding to its group: numbers, and the ranges of its texts in the buffer that
/// accompanies it (a chunk or an arena block).
///
/// Plain memory without references, so that a batch of records is a single allocation that can be reused. The texts are
/// first, since their 80 bytes are then copied in a few whole vectors.
@usableFromInline package struct NotificationRecord: Sendable {
    package var app = TextRange.none
    package var device = TextRange.none
    package var thread = TextRange.none
    package var identifier = TextRange.none
    @usableFromInline package var collapseIdentifier = TextRange.none
    package var category = TextRange.none
    package var title = TextRange.none
    package var subtitle = TextRange.none
    package var body = TextRange.none
    @usableFromInline package var argument = TextRange.none

    @usableFromInline package var order = OrderKey(timestamp: 0, source: 0, line: 0)
    /// The notification's weight in sums: its `summary-arg-count`, or 1 if absent.
    @usableFromInline package var weight: UInt32 = 1
    /// The grouping in the lowest two bits; above them `traits`, or `effect` once that is known. One field, for which
    /// there is room after the weight: records are copied often, and each one more makes that slower.
    @usableFromInline var details: UInt64 = 0

    package init() {}

    @inlinable package var grouping: Grouping {
        get {
            switch details & 3 {
            case 1: .byApp
            case 2: .off
            default: .automatic
            }
        }
        set {
            let number: UInt64 =
                switch newValue {
                case .automatic: 0
                case .byApp: 1
                case .off: 2
                }
            details = details & ~3 | number
        }
    }

    /// What the notification asks for; `none` unless the run tracks it, and once `effect` is known.
    package var traits: NotificationTraits {
        get {
            effect.isTracked ? .none : NotificationTraits(bits: UInt16(truncatingIfNeeded: details >> 2))
        }
        set { details = details & 3 | UInt64(newValue.bits) << 2 }
    }

    /// The delivery of the notification, once its settings are known.
    package var effect: DeliveryEffect {
        get { DeliveryEffect(bits: details >> 2) }
        set { details = details & 3 | newValue.bits << 2 }
    }

    /// Gives the notification its delivery, if that is tracked, and the grouping and the key fields of the group that it
    /// is then in.
    package mutating func apply(_ effect: DeliveryEffect) {
        guard effect.isTracked else { return }
        self.effect = effect
        if let grouping = effect.grouping { self.grouping = grouping }
        if grouping == .byApp { thread = .none }
    }

    /// Whether a newer version may replace this notification (specification §5).
    @inlinable package var isReplaceable: Bool { !collapseIdentifier.isEmpty }

    /// Replaces the range of each text by the one that `move` returns.
    package mutating func moveTexts(_ move: (TextRange) -> TextRange) {
        app = move(app)
        device = move(device)
        thread = move(thread)
        identifier = move(identifier)
        collapseIdentifier = move(collapseIdentifier)
        category = move(category)
        title = move(title)
        subtitle = move(subtitle)
        body = move(body)
        argument = move(argument)
    }

    /// The end of the last text in the buffer.
    package var textEnd: Int {
        func end(_ text: TextRange, _ other: TextRange) -> Int {
            max(text.range.upperBound, other.range.upperBound)
        }
        let keys = max(end(app, device), end(thread, identifier), end(collapseIdentifier, category))
        return max(keys, end(title, subtitle), end(body, argument))
    }

    /// Replaces the content by that of a service extension's result, whose texts are in the same buffer (specification
    /// §16). The thread, the category, the sound and the level stay if the result has none.
    package mutating func replaceContent(by result: NotificationRecord) {
        (title, subtitle, body) = (result.title, result.subtitle, result.body)
        (argument, weight) = (result.argument, result.weight)
        if !result.thread.isEmpty { thread = result.thread }
        if !result.category.isEmpty { category = result.category }
        traits = result.traits.replacing(traits)
    }

    /// Returns the record of another event, which has an app, a device, a category and an order key.
    package func reduced(to occurrence: Occurrence) -> NotificationRecord {
        var record = NotificationRecord()
        (record.app, record.device, record.category, record.order) = (app, device, category, order)
        record.traits = traits.reduced(to: occurrence)
        return record
    }

    /// The notification without the texts that only a display needs.
    package var withoutContent: NotificationRecord {
        var record = self
        (record.title, record.subtitle, record.body, record.argument) = (.none, .none, .none, .none)
        record.weight = 1
        return record
    }

    /// Returns the notification as a version that a newer one replaced: only its identity and its arrival count, and its
    /// category if that is measured.
    package func replaced(keepsCategory: Bool) -> NotificationRecord {
        var version = NotificationRecord()
        if keepsCategory { version.category = category }
        (version.app, version.device) = (app, device)
        (version.collapseIdentifier, version.order) = (collapseIdentifier, order)
        version.grouping = grouping
        version.traits = traits.replaced
        return version
    }

    /// Whether a text of the notification, its app and its device are those of another notification.
    package func hasSame(
        _ text: (NotificationRecord) -> TextRange, in bytes: Span<UInt8>, as other: NotificationRecord,
        in otherBytes: Span<UInt8>
    ) -> Bool {
        bytes[text(self)].isEqual(to: otherBytes[text(other)])
            && bytes[app].isEqual(to: otherBytes[other.app])
            && bytes[device].isEqual(to: otherBytes[other.device])
    }

    /// The identifier by which the notification can be removed (specification §15); empty if it has none.
    package var removalIdentifier: TextRange { isReplaceable ? collapseIdentifier : identifier }
}

/// How an app's notifications are grouped (specification §6).
public enum Grouping: String, Sendable, CaseIterable, BitwiseCopyable {
    /// By app and thread identifier.
    case automatic
    /// By app alone.
    case byApp
    /// Each notification on its own.
    case off
}
