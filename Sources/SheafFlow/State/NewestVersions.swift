import SheafBytes
import SheafGroups

/// Notifications and events of sorted files, or notifications of a table. Versions of a notification follow each other from
/// the oldest to the newest, and so do notifications of one device, app and id.
protocol NotificationSequence {
    /// The record that `advance` has reached; nil before the first and after the last one.
    var entry: NotificationEntry? { get }

    /// Advances to the next record; returns false after the last one.
    mutating func advance() throws(ReplayError) -> Bool

    /// Calls `body` with the buffer of the record's texts, which is valid until the sequence advances.
    func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result
}

extension StateMerge: NotificationSequence where Entry == NotificationEntry {
    var entry: NotificationEntry? { current?.entry }

    mutating func advance() throws(ReplayError) -> Bool { try next() != nil }

    func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        guard let current else { return body(Span()) }
        return current.withBytes(body)
    }
}

/// Finds the newest version of each
/// notification (specification §5), and the newest removal of each scope (§15): with a timeline, those of each
/// interval. If delivery is tracked, the arrival of each other version is kept, too (§16).
struct NewestVersions<Records: NotificationSequence> {
    /// At the record after the one that `next` returned last.
    private var records: Records
    /// The texts of the record that `next` returned last.
    private(set) var texts: [UInt8] = []
    /// The number of versions that were not the newest.
    private(set) var replaced: UInt64 = 0
    /// The number of records of pushes besides the first ones.
    private(set) var repeated: UInt64 = 0
    private let timeline: Timeline?
    private let isUnique: Bool
    /// Whether `next` returns the versions that newer ones replace, too.
    private let keepsReplaced: Bool
    private let keepsCategories: Bool

    private init(
        _ records: Records, _ timeline: Timeline?, isUnique: Bool, keepsReplaced: Bool, keepsCategories: Bool
    ) throws(ReplayError) {
        (self.records, self.timeline, self.isUnique) = (records, timeline, isUnique)
        (self.keepsReplaced, self.keepsCategories) = (keepsReplaced, keepsCategories)
        _ = try self.records.advance()
    }

    /// The buffer of the texts of the record that `next` returned last.
    var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get { texts.span }
    }

    /// Returns the next notification in its newest version, the arrival of a version that was replaced, or the next event;
    /// nil after the last one.
    mutating func next() throws(ReplayError) -> NotificationEntry? {
        guard let first = records.entry else { return nil }
        var newest = take(first)
        while true {
            _ = try records.advance()
            if newest.isWaiting {
                guard let other = records.entry,
                    records.withBytes({ other.isRepeated($0, of: newest, texts.span) }),
                    newest.note == nil || isUnique
                else { return newest }
                // Of outcomes the newest counts, of the records of a push the oldest.
                if newest.note == nil { newest = take(other) } else { repeated += 1 }
                continue
            }
            // Versions follow each other from the oldest to the newest.
            guard let other = records.entry,
                records.withBytes({ other.isVersion($0, of: newest, texts.span) }),
                timeline?.areTogether(other.newest.timestamp, newest.newest.timestamp) ?? true
            else { return newest }
            replaced += newest.notificationCount
            if keepsReplaced, newest.isNotification {
                return newest.replaced(keepsCategory: keepsCategories)
            }
            newest = take(other)
        }
    }

    private mutating func take(_ entry: NotificationEntry) -> NotificationEntry {
        texts.removeAll(keepingCapacity: true)
        records.withBytes { texts.append($0) }
        return entry
    }
}

extension NewestVersions<StateMerge<NotificationEntry>> {
    init(_ files: [StateFile], _ timeline: Timeline?, storage: any Storage) throws(ReplayError) {
        try self.init(
            StateMerge(files, storage: storage), timeline, isUnique: files.contains(where: \.isUnique),
            keepsReplaced: files.contains(where: \.tracksDelivery),
            keepsCategories: files.contains { $0.division == .category })
    }

    /// Subtracts the number of versions in each file from its notifications, once `next` has returned nil.
    func take(from files: inout [StateFile]) {
        for (index, count) in records.counts.enumerated() { files[index].take(count) }
    }
}

extension NewestVersions<KeptNotifications> {
    init(_ notifications: KeptNotifications, _ options: StateOptions) throws(ReplayError) {
        try self.init(
            notifications, options.timeline, isUnique: options.isUnique,
            keepsReplaced: options.delivery != nil, keepsCategories: options.division == .category)
    }
}

/// The notifications of several sorted state files that are on screen at the end: the newest version of each, unless a
/// removal is newer, or settings suppressed it.
///
/// Holds the events that `Judge` keeps of sorted files.
struct ShownVersions {
    private var versions: NewestVersions<StateMerge<NotificationEntry>>
    private var judge: Judge
    private var key: [UInt8] = []
    /// The texts of the notification that `next` returned last, if a service extension replaced its content.
    private var texts: [UInt8] = []
    private var isReplaced = false
    /// What the verdicts on the notifications add up to.
    private(set) var hidden = VerdictCounts()
    /// The newest of the badges that settings let count.
    private(set) var badges = NewestBadges()
    private let byDevice: Bool

    init(_ files: [StateFile], _ options: StateOptions, storage: any Storage) throws(ReplayError) {
        judge = Judge(options.delivery, nil)
        byDevice = options.byDevice
        versions = try NewestVersions(files, nil, storage: storage)
    }

    /// The number of versions that were not the newest.
    var updated: UInt64 { versions.replaced }

    /// Subtracts the number of versions in each file from its notifications, once `next` has returned nil.
    func take(from files: inout [StateFile]) { versions.take(from: &files) }

    /// The buffer of the texts of the notification that `next` returned last.
    var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get {
            if isReplaced { return texts.span }
            return versions.bytes
        }
    }

    /// Returns the next notification; nil after the last one.
    mutating func next() throws(ReplayError) -> NotificationRecord? {
        while let entry = try versions.next() {
            let logged = versions.texts
            if judge.add(next: entry, in: logged.span, &badges, byDevice: byDevice) { continue }
            var record = entry.record
            if entry.isReplaced {
                hidden.count(arrival: judge.arrival(of: record, in: logged.span, key: &key))
                continue
            }
            let result = judge.newestResult(for: record, in: logged.span, key: &key)
            isReplaced = result != nil
            if let result {
                judge.replaceContent(of: &record, in: logged.span, by: result, into: &texts)
            }
            let shown = isReplaced ? texts : logged
            guard let effect = hidden.count(judge.verdict(on: record, in: shown.span, key: &key)) else {
                continue
            }
            record.apply(effect)
            return record
        }
        return nil
    }
}

extension Judge {
    /// Judges a notification with its newest content, counts the verdict, and gives the notification its effect.
    ///
    /// - Parameter key: a buffer for the keys of scopes.
    /// - Returns: nil if settings keep it off the screen, or if a newer version replaced it, so that only its arrival counts.
    func apply(
        to record: inout NotificationRecord, in bytes: Span<UInt8>, key: inout [UInt8],
        counting hidden: inout VerdictCounts
    ) -> Verdict? {
        if record.traits.isReplaced {
            hidden.count(arrival: arrival(of: record, in: bytes, key: &key))
            return nil
        }
        let verdict = verdict(on: record, in: bytes, key: &key)
        _ = hidden.count(verdict)
        guard let effect = verdict.effect else { return nil }
        record.apply(effect)
        return verdict
    }

    /// Judges a notification like `apply`, and returns whether it is on screen at the end.
    func shows(
        _ record: inout NotificationRecord, in bytes: Span<UInt8>, key: inout [UInt8],
        counting hidden: inout VerdictCounts
    ) -> Bool {
        guard let verdict = apply(to: &record, in: bytes, key: &key, counting: &hidden) else { return false }
        return verdict.removal == nil
    }

    /// Adds the next record of sorted files, unless it is a notification.
    ///
    /// - Parameters:
    ///   - badges: the newest badges, to which one is added that settings let count.
    ///   - byDevice: whether badges are separated by device.
    /// - Returns: whether it was an event.
    mutating func add(
        next entry: NotificationEntry, in bytes: Span<UInt8>, _ badges: inout NewestBadges, byDevice: Bool
    ) -> Bool {
        guard let event = entry.event else { return false }
        if case .badge(let badge) = event {
            // The settings for it come before it.
            var key: [UInt8] = []
            if allows(badge, in: bytes, key: &key) { badges.record(badge, byDevice: byDevice, in: bytes) }
            return true
        }
        add(next: event, device: bytes[entry.record.device], app: bytes[entry.record.app], in: bytes)
        return true
    }
}
