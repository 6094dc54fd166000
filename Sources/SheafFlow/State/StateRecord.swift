import SheafBytes
import SheafGroups

/// A record of a state file's section, comparable in the section's order.
protocol StateRecord {
    static var section: StateSection { get }

    /// The order key of the notification, or of the group's newest notification.
    var newest: OrderKey { get }

    /// The number of notifications in the record.
    var notificationCount: UInt64 { get }
    /// The number of first bytes that contain everything `compare` needs.
    var keyBytes: Int { get }
    /// Whether the bytes can be written again unchanged.
    var isCanonical: Bool { get }
    /// The number of bytes after a group's state.
    var suffixBytes: Int { get }
    /// The instant of the snapshot that a group is a part of; nil if there is only one.
    var instant: SnapshotInstant? { get }
    /// Whether the record waits for a decision, before all that do not.
    var isWaiting: Bool { get }

    /// Decodes a record of a file; nil if the bytes are invalid.
    init?(_ bytes: Span<UInt8>, of file: StateFile)

    /// Whether the record is grouped according to `rules`.
    func isGrouped(by rules: GroupingRules, in bytes: Span<UInt8>) -> Bool

    /// Returns a negative number if this record precedes `other`, 0 if their keys are equal.
    func compare(
        _ bytes: Span<UInt8>, to other: Self, _ otherBytes: Span<UInt8>
    ) -> Int
}

extension StateRecord {
    var suffixBytes: Int { 0 }
    var instant: SnapshotInstant? { nil }
    var isWaiting: Bool { false }
}

/// A notification that is kept on its own, a removal, a change of settings, a badge, or the result of a service
/// extension, in the order in which they are applied: by device and app; then the changes and the badges, the oldest
/// first, the removals of the app, those of its threads, the results by identifier, and for each identifier its
/// removals and the notifications that have it, the oldest first.
struct NotificationEntry: StateRecord {
    static var section: StateSection { .notifications }

    /// The notification. Of a removal it has the device, the app, and the thread or identifier; of a change of settings
    /// and a badge the device and the app, if it has them.
    private(set) var record: NotificationRecord
    private let kind: Kind
    /// Whether the file's notifications may be grouped otherwise than their apps.
    private let tracksDelivery: Bool
    var newest: OrderKey { record.order }
    var notificationCount: UInt64 {
        (kind == .notification && !isReplaced && record.traits.occurrence == nil) || note != nil ? 1 : 0
    }
    var isCanonical: Bool { true }
    var keyBytes: Int {
        let identifier = isWaiting ? record.identifier : record.removalIdentifier
        return max(
            record.device.range.upperBound, record.app.range.upperBound, identifier.range.upperBound)
    }

    private enum Kind: Equatable {
        /// A push that waits for its decision.
        case push(PushNote)
        /// What the push service answered; the reason is the title.
        case outcome(PushAnswer, OutcomeRecord.Scope)
        case notification
        case removal(RemovalScope)
        case settings(UserSettings)
        case badge(UInt64, isCritical: Bool)
        case result

        /// The place among the records of a device and app. Removals of identifiers are among the notifications.
        var rank: EventScope.Kind {
            switch self {
            case .settings: .settings
            case .badge: .badge
            case .removal(let scope): EventScope.Kind(scope)
            case .result: .result
            case .push, .outcome, .notification: .identifier
            }
        }

        /// The place among the records that wait and have the same id.
        var waitingOrder: UInt8 {
            if case .outcome(_, let scope) = self { return scope.rawValue }
            return .max
        }
    }

    /// The part of the section that a record is in.
    enum WaitingRank: UInt8 {
        /// Outcomes of pushes with a collapse identifier, by that.
        case collapses
        /// Pushes that wait for their decision, and outcomes, by id.
        case pushes
        /// Everything else.
        case decided
    }

    var waitingRank: WaitingRank {
        switch kind {
        case .outcome(_, .collapse): .collapses
        case .outcome, .push: .pushes
        case .notification, .removal, .settings, .badge, .result: .decided
        }
    }

    /// Whether the record is a push that waits for its decision, or an outcome.
    var isWaiting: Bool { waitingRank != .decided }

    /// What is known of a push that waits for its decision; nil for any other record.
    var note: PushNote? {
        guard case .push(let note) = kind else { return nil }
        return note
    }

    /// The numbers before other records than removals in files with all notifications. Removals begin with their scope.
    fileprivate static let notificationTag: UInt64 = 3
    fileprivate static let settingsTag: UInt64 = 4
    fileprivate static let resultTag: UInt64 = 5
    /// The numbers before records that wait, in files that have some. Other records of such files begin with a number
    /// even if they have no other kinds.
    static let pushTag: UInt64 = 6
    fileprivate static let outcomeTag: UInt64 = 7
    fileprivate static let badgeTag: UInt64 = 8
    /// The number before a version that a newer one replaced, in files that track delivery.
    fileprivate static let replacedTag: UInt64 = 9
    /// The number before the number of an occurrence, in files for measures.
    fileprivate static let occurrenceTag: UInt64 = 10

    init?(_ bytes: Span<UInt8>, of file: StateFile) {
        tracksDelivery = file.tracksDelivery
        if file.hasWaiting, !bytes.isEmpty, bytes[0] == Self.pushTag || bytes[0] == Self.outcomeTag {
            guard let found = Self.waiting(bytes, of: file) else { return nil }
            (record, kind) = found
            return
        }
        guard file.tracksAll || file.hasWaiting else {
            guard let record = NotificationRecord(encoded: bytes, sourceOffset: file.sourceOffset) else {
                return nil
            }
            self.record = record
            kind = .notification
            return
        }
        switch bytes.isEmpty ? 0 : UInt64(bytes[0]) {
        case Self.notificationTag:
            guard
                let record = NotificationRecord(
                    encoded: bytes, from: 1, sourceOffset: file.sourceOffset,
                    allowsAny: file.tracksAll || file.magic == .dump,
                    hasTraits: file.tracksDelivery)
            else { return nil }
            self.record = record
            kind = .notification
        case Self.replacedTag:
            guard file.tracksDelivery,
                let version = NotificationRecord(
                    encoded: bytes, from: 1, sourceOffset: file.sourceOffset, hasTraits: true)
            else { return nil }
            record = version.replaced(keepsCategory: file.division == .category)
            kind = .notification
        case Self.occurrenceTag:
            guard file.division != nil, bytes.count > 1, let occurrence = Occurrence(rawValue: bytes[1]),
                let record = NotificationRecord(
                    encoded: bytes, from: 2, sourceOffset: file.sourceOffset, allowsAny: true, hasTraits: true
                )
            else { return nil }
            self.record = record.reduced(to: occurrence)
            kind = .notification
        case Self.settingsTag:
            guard file.tracksDelivery,
                let change = SettingsRecord(encoded: bytes, from: 1, sourceOffset: file.sourceOffset)
            else { return nil }
            record = NotificationRecord()
            (record.app, record.device, record.order) = (change.app, change.device, change.order)
            kind = .settings(change.settings)
        case Self.badgeTag:
            guard file.tracksDelivery,
                let badge = BadgeRecord(encoded: bytes, from: 1, sourceOffset: file.sourceOffset)
            else { return nil }
            record = NotificationRecord()
            (record.app, record.device, record.order) = (badge.app, badge.device, badge.order)
            kind = .badge(badge.number, isCritical: badge.isCritical)
        case Self.resultTag:
            guard file.tracksDelivery,
                let record = NotificationRecord(
                    encoded: bytes, from: 1, sourceOffset: file.sourceOffset, hasTraits: true),
                record.identifier.isEmpty
            else { return nil }
            self.record = record
            kind = .result
        default:
            guard file.appliesRemovals,
                let removal = RemovalRecord(encoded: bytes, sourceOffset: file.sourceOffset)
            else { return nil }
            record = NotificationRecord()
            (record.app, record.device, record.order) = (removal.app, removal.device, removal.order)
            record.identifier = removal.text
            kind = .removal(removal.scope)
        }
    }

    /// Creates the entry of a notification.
    init(_ notification: NotificationRecord, tracksDelivery: Bool) {
        (record, kind, self.tracksDelivery) = (notification, .notification, tracksDelivery)
    }

    /// Decodes a record that waits; nil if the bytes are invalid.
    private static func waiting(_ bytes: Span<UInt8>, of file: StateFile) -> (NotificationRecord, Kind)? {
        if bytes[0] == outcomeTag {
            guard
                let outcome = OutcomeRecord(encoded: bytes, from: 1, sourceOffset: file.sourceOffset)
            else { return nil }
            var record = NotificationRecord()
            (record.app, record.device, record.order) = (outcome.app, outcome.device, outcome.order)
            (record.identifier, record.title) = (outcome.text, outcome.reason)
            return (record, .outcome(outcome.answer, outcome.scope))
        }
        var reader = ByteReader(bytes, from: 1)
        guard let note = PushNote(&reader, sourceOffset: file.sourceOffset),
            let record = NotificationRecord(
                encoded: bytes, from: reader.offset, sourceOffset: file.sourceOffset, allowsAny: true,
                hasTraits: file.tracksDelivery),
            !record.identifier.isEmpty || record.isReplaceable
        else { return nil }
        return (record, .push(note))
    }

    var isNotification: Bool { kind == .notification }

    /// Whether a newer version replaced the notification, so that only its arrival counts.
    var isReplaced: Bool { kind == .notification && record.traits.isReplaced }

    /// Returns the notification as a version that a newer one replaced.
    func replaced(keepsCategory: Bool) -> NotificationEntry {
        var entry = self
        entry.record = record.replaced(keepsCategory: keepsCategory)
        return entry
    }

    var isBadge: Bool {
        if case .badge = kind { return true }
        return false
    }

    /// The event; nil for a notification.
    var event: ScreenEvent? {
        switch kind {
        case .notification, .push: return nil
        case .outcome(let answer, let scope):
            var outcome = OutcomeRecord()
            (outcome.app, outcome.device, outcome.order) = (record.app, record.device, record.order)
            (outcome.text, outcome.reason) = (record.identifier, record.title)
            (outcome.answer, outcome.scope) = (answer, scope)
            return .outcome(outcome)
        case .settings(let settings):
            var change = SettingsRecord()
            (change.app, change.device, change.order) = (record.app, record.device, record.order)
            change.settings = settings
            return .settings(change)
        case .badge(let number, let isCritical):
            var badge = BadgeRecord()
            (badge.app, badge.device, badge.order) = (record.app, record.device, record.order)
            (badge.number, badge.isCritical) = (number, isCritical)
            return .badge(badge)
        case .result: return .result(record)
        case .removal(let scope):
            var removal = RemovalRecord()
            (removal.scope, removal.app, removal.device) = (scope, record.app, record.device)
            (removal.text, removal.order) = (record.identifier, record.order)
            return .removal(removal)
        }
    }

    /// Whether the record is a notification, or applies only to those with one identifier of a device. False for results
    /// of service extensions: they are sorted before all notifications of their app.
    var hasIdentifier: Bool { kind.rank == .identifier }

    func isGrouped(by rules: GroupingRules, in bytes: Span<UInt8>) -> Bool {
        let grouping = rules.grouping(of: bytes[record.app])
        if record.traits.occurrence != nil { return true }
        switch kind {
        case .notification, .push:
            return record.grouping == grouping && (!dropsThread(grouping) || record.thread.isEmpty)
        case .result: return record.grouping == grouping
        case .removal(.thread): return !dropsThread(grouping) || record.identifier.isEmpty
        case .removal, .settings, .badge, .outcome: return true
        }
    }

    /// Whether a grouping leaves no thread: if delivery is tracked, a person may choose another one.
    private func dropsThread(_ grouping: Grouping) -> Bool { grouping == .byApp && !tracksDelivery }

    /// Compares devices and apps.
    func compareApp(_ bytes: Span<UInt8>, to other: Self, _ otherBytes: Span<UInt8>) -> Int {
        let devices = bytes[record.device].compare(to: otherBytes[other.record.device])
        if devices != 0 { return devices }
        return bytes[record.app].compare(to: otherBytes[other.record.app])
    }

    /// Compares what is removed, or the identities of notifications.
    private func compareIdentity(_ bytes: Span<UInt8>, to other: Self, _ otherBytes: Span<UInt8>) -> Int {
        let apps = compareApp(bytes, to: other, otherBytes)
        if apps != 0 { return apps }
        if kind.rank != other.kind.rank { return kind.rank.rawValue < other.kind.rank.rawValue ? -1 : 1 }
        let texts = bytes[record.removalIdentifier].compare(to: otherBytes[other.record.removalIdentifier])
        if texts != 0 { return texts }
        let (isNotification, otherIsNotification) = (kind == .notification, other.kind == .notification)
        if isNotification != otherIsNotification { return otherIsNotification ? -1 : 1 }
        if record.isReplaceable != other.record.isReplaceable { return record.isReplaceable ? 1 : -1 }
        return 0
    }

    /// Compares records that wait: by id, and of one id the outcomes before the pushes.
    private func compareWaiting(_ bytes: Span<UInt8>, to other: Self, _ otherBytes: Span<UInt8>) -> Int {
        let texts = bytes[record.identifier].compare(to: otherBytes[other.record.identifier])
        if texts != 0 { return texts }
        if kind.waitingOrder != other.kind.waitingOrder {
            return kind.waitingOrder < other.kind.waitingOrder ? -1 : 1
        }
        return compareApp(bytes, to: other, otherBytes)
    }

    func compare(_ bytes: Span<UInt8>, to other: Self, _ otherBytes: Span<UInt8>) -> Int {
        if waitingRank != other.waitingRank {
            return waitingRank.rawValue < other.waitingRank.rawValue ? -1 : 1
        }
        let identities =
            isWaiting
            ? compareWaiting(bytes, to: other, otherBytes) : compareIdentity(bytes, to: other, otherBytes)
        if identities != 0 { return identities }
        if record.order == other.record.order { return 0 }
        return record.order < other.record.order ? -1 : 1
    }

    /// Whether two records are notifications of the same device, app and id that do not replace each other.
    func isSibling(_ bytes: Span<UInt8>, of other: Self, _ otherBytes: Span<UInt8>) -> Bool {
        mayHaveSiblings && compareIdentity(bytes, to: other, otherBytes) == 0
    }

    /// Whether there may be notifications of the same device, app and id that do not replace each other.
    var mayHaveSiblings: Bool {
        kind == .notification && !record.isReplaceable && !record.identifier.isEmpty
    }

    /// Whether two records are versions of one notification, removals of the same scope, or results for the same
    /// identifier. All changes of settings and all badges are kept.
    func isVersion(_ bytes: Span<UInt8>, of other: Self, _ otherBytes: Span<UInt8>) -> Bool {
        guard !isWaiting, !other.isWaiting else { return false }
        let mayBe =
            switch kind {
            case .notification: record.isReplaceable
            case .removal, .result: true
            case .settings, .badge, .push, .outcome: false
            }
        return mayBe && compareIdentity(bytes, to: other, otherBytes) == 0
    }

    /// Whether two records that wait are outcomes of the same pushes, or records of one push.
    func isRepeated(_ bytes: Span<UInt8>, of other: Self, _ otherBytes: Span<UInt8>) -> Bool {
        isWaiting && waitingRank == other.waitingRank && (note == nil || !record.identifier.isEmpty)
            && compareWaiting(bytes, to: other, otherBytes) == 0
    }
}

extension OutputBuffer {
    /// Appends a notification as a record of the section.
    ///
    /// - Parameter isTagged: whether the file has records of other kinds.
    mutating func append(_ notification: NotificationRecord, in bytes: Span<UInt8>, isTagged: Bool) {
        if let occurrence = notification.traits.occurrence {
            appendNumber(NotificationEntry.occurrenceTag)
            appendNumber(UInt64(occurrence.rawValue))
        } else if isTagged {
            appendNumber(
                notification.traits.isReplaced
                    ? NotificationEntry.replacedTag : NotificationEntry.notificationTag)
        }
        notification.encode(in: bytes, to: &self)
    }

    /// Appends any record of the section.
    mutating func append(_ entry: NotificationEntry, in bytes: Span<UInt8>, isTagged: Bool) {
        if let note = entry.note {
            append(note, reasonIn: bytes, entry.record, in: bytes)
        } else if let event = entry.event {
            append(event, in: bytes)
        } else {
            append(entry.record, in: bytes, isTagged: isTagged)
        }
    }

    /// Appends an event as a record of the section; nothing for one that changes nothing.
    mutating func append(_ event: ScreenEvent, in bytes: Span<UInt8>) {
        switch event {
        case .removal(let removal): removal.encode(in: bytes, to: &self)
        case .settings(let change):
            appendNumber(NotificationEntry.settingsTag)
            change.encode(in: bytes, to: &self)
        case .badge(let badge):
            appendNumber(NotificationEntry.badgeTag)
            badge.encode(in: bytes, to: &self)
        case .result(let result):
            appendNumber(NotificationEntry.resultTag)
            result.encode(in: bytes, to: &self)
        case .outcome(let outcome):
            appendNumber(NotificationEntry.outcomeTag)
            outcome.encode(in: bytes, to: &self)
        case .nothing: break
        }
    }
}

extension EventSequence {
    /// Replaces the contents of `record` with the next event; returns false after the last one.
    mutating func encodeNext(to record: inout OutputBuffer) -> Bool {
        record.removeAll()
        return next { record.append($0, in: $1) } != nil
    }
}

/// A group's state, in the order of the group's key; the states of a timeline then in the order of their spans.
struct GroupEntry: StateRecord {
    static var section: StateSection { .groups }

    let group: EncodedGroup
    /// The intervals in which the notifications are on screen; nil without a timeline.
    let span: IntervalSpan?
    let suffixBytes: Int
    var newest: OrderKey { group.leading.order }
    var notificationCount: UInt64 { group.notificationCount }
    var isCanonical: Bool { group.isCanonical }
    var keyBytes: Int { group.leading.thread.range.upperBound }

    init?(_ bytes: Span<UInt8>, of file: StateFile) {
        let count = bytes.count - file.suffix.byteCount
        guard count >= 0,
            let group = EncodedGroup(bytes.extracting(first: count), sourceOffset: file.sourceOffset)
        else { return nil }
        // Only this run itself folds notifications whose delivery is tracked into groups, or a run that wrote slices.
        // Measures have the delivery of groups from the beginning.
        if file.rules != nil, file.division == nil,
            (file.tracksDelivery || group.hasDelivery) && !file.isFolded
        {
            return nil
        }
        if file.isFolded, group.hasDelivery != file.tracksDelivery { return nil }
        self.group = group
        suffixBytes = file.suffix.byteCount
        switch (file.suffix, file.timeline) {
        case (.span, _):
            guard let span = IntervalSpan(endOf: bytes) else { return nil }
            self.span = span
        case (.none, let timeline?):
            // A state is of one interval, that of all its notifications.
            guard timeline.areTogether(group.first, group.leading.order.timestamp) else { return nil }
            span = IntervalSpan(from: timeline.interval(of: group.leading.order.timestamp))
        case (.none, nil), (.instant, _): span = nil
        }
    }

    func isGrouped(by rules: GroupingRules, in bytes: Span<UInt8>) -> Bool {
        // If delivery is tracked, a person may have chosen another grouping.
        if group.hasDelivery { return true }
        let grouping = rules.grouping(of: bytes[group.leading.app])
        return group.isAlone == (grouping == .off) && (grouping != .byApp || group.leading.thread.isEmpty)
    }

    func compare(_ bytes: Span<UInt8>, to other: Self, _ otherBytes: Span<UInt8>) -> Int {
        let (mine, theirs) = (group.leading, other.group.leading)
        let devices = bytes[mine.device].compare(to: otherBytes[theirs.device])
        if devices != 0 { return devices }
        let apps = bytes[mine.app].compare(to: otherBytes[theirs.app])
        if apps != 0 { return apps }
        let threads = bytes[mine.thread].compare(to: otherBytes[theirs.thread])
        if threads != 0 { return threads }
        // With grouping `off`, groups share their key with others: the newest comes first, or the oldest with a
        // timeline.
        if group.isAlone != other.group.isAlone { return group.isAlone ? 1 : -1 }
        if group.isAlone, mine.order != theirs.order {
            return (mine.order > theirs.order) == (span == nil) ? -1 : 1
        }
        guard let span, let otherSpan = other.span else { return 0 }
        return span.compare(to: otherSpan)
    }

    /// Whether both states' groups have the same device, app and thread.
    func hasKey(_ bytes: Span<UInt8>, of other: Self, _ otherBytes: Span<UInt8>) -> Bool {
        let (mine, theirs) = (group.leading, other.group.leading)
        return bytes[mine.thread].isEqual(to: otherBytes[theirs.thread])
            && bytes[mine.app].isEqual(to: otherBytes[theirs.app])
            && bytes[mine.device].isEqual(to: otherBytes[theirs.device])
    }

    /// Whether both states are of the same group.
    func isSameGroup(_ bytes: Span<UInt8>, as other: Self, _ otherBytes: Span<UInt8>) -> Bool {
        let (mine, theirs) = (group.leading, other.group.leading)
        return group.isAlone == other.group.isAlone && (!group.isAlone || mine.order == theirs.order)
            && hasKey(bytes, of: other, otherBytes)
    }
}

/// A complete group's state, in the order of recency: the newest leading notification first.
struct RecentEntry: StateRecord {
    static var section: StateSection { .groups }

    let newest: OrderKey
    let notificationCount: UInt64
    let isCanonical: Bool
    let suffixBytes: Int
    var keyBytes: Int { 0 }

    init?(_ bytes: Span<UInt8>, of file: StateFile) {
        suffixBytes = file.suffix.byteCount
        let count = bytes.count - suffixBytes
        guard count >= 0,
            let group = EncodedGroup(bytes.extracting(first: count), sourceOffset: file.sourceOffset)
        else { return nil }
        newest = group.leading.order
        notificationCount = group.notificationCount
        isCanonical = group.isCanonical
    }

    /// Always true: only this run's own files are in this order.
    func isGrouped(by rules: GroupingRules, in bytes: Span<UInt8>) -> Bool { true }

    func compare(_ bytes: Span<UInt8>, to other: Self, _ otherBytes: Span<UInt8>) -> Int {
        newest == other.newest ? 0 : newest > other.newest ? -1 : 1
    }
}

extension StateFile {
    /// Whether a record is consistent with the file's sources, counts and grouping.
    ///
    /// - Parameter count: the number of notifications in this record and the preceding ones.
    func canHold(_ entry: some StateRecord, _ count: UInt64, in bytes: Span<UInt8>) -> Bool {
        guard sources.contains(entry.newest.source - sourceOffset), count <= notificationCount else {
            return false
        }
        return rules.map { entry.isGrouped(by: $0, in: bytes) } ?? true
    }
}
