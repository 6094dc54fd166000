import SheafBytes
import SheafGroups

/// The lives of the versions of notifications in several sorted state files: from the interval in which a version
/// arrives to that in which it is replaced or removed (specification §14, §15). One that settings suppressed (§16) has
/// none.
struct Lives {
    private var versions: NewestVersions
    private let clock: SnapshotClock
    private let rules: DeliveryRules?
    /// nil only while `next` runs.
    private var reports: HeldReports?
    /// The version that was read last, whose life may end with the next one.
    private var pending: Pending?
    private var pendingTexts: [UInt8] = []
    /// The lives that `next` returns before it reads on, the last one first, and the texts of each.
    private var ready: [(life: Life, texts: [UInt8])] = []
    /// The texts of the version that `next` returned last.
    private var texts: [UInt8] = []
    /// The number of versions that were the newest of their interval, but not of the last one.
    private var superseded: UInt64 = 0
    /// The newest versions that are not on screen at the end.
    private(set) var hidden = HiddenCounts()

    private struct Pending {
        let entry: NotificationEntry
        let logged: HeldReports.Content
        /// What service extensions replaced the logged content by, in ascending order.
        let replacements: [HeldReports.Content]
    }

    /// A version with one of its contents, and the intervals at whose ends it is on screen.
    struct Life {
        let record: NotificationRecord
        let start: Int64
        /// The first interval after them; nil if it is on screen at the end.
        let end: Int64?
        /// Whether it ends because a newer version or content is on screen.
        let isUpdated: Bool
    }

    init(
        _ files: [StateFile], _ clock: SnapshotClock, _ rules: DeliveryRules?, storage: any Storage
    ) throws(ReplayError) {
        self.rules = rules
        reports = HeldReports(clock.timeline, rules)
        versions = try NewestVersions(files, clock.timeline, storage: storage)
        self.clock = clock
    }

    /// Subtracts the number of versions in each file from its notifications, once `next` has returned nil.
    func take(from files: inout [StateFile]) { versions.take(from: &files) }

    /// The number of versions that were not the newest.
    var replaced: UInt64 { versions.replaced + superseded }

    /// The buffer of the texts of the version that `next` returned last.
    var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get { texts.span }
    }

    /// Returns the next version that is on screen at the end of an interval; nil after the last one.
    mutating func next() throws(ReplayError) -> Life? {
        if let life = takeReady() { return life }
        guard var held = reports.take() else { preconditionFailure("entered twice") }
        defer { reports = held }
        while let entry = try versions.next() {
            if held.add(entry, in: versions.bytes) { continue }
            let isUpdate =
                pending.map { entry.isVersion(versions.bytes, of: $0.entry, pendingTexts.span) } ?? false
            let version = Pending(
                entry: entry, logged: held.logged(entry, in: versions.bytes),
                replacements: held.replacements(of: entry, in: versions.bytes))
            let start = clock.interval(of: entry.newest.timestamp)
            let life = end(replacedAt: isUpdate ? start : nil, byShown: isShown(version, at: start))
            pending = version
            // Taken out, since a span of `versions` borrows all of `self`.
            var texts: [UInt8] = []
            swap(&texts, &pendingTexts)
            texts.removeAll(keepingCapacity: true)
            texts.append(versions.bytes)
            swap(&texts, &pendingTexts)
            if let life { return life }
        }
        return end(replacedAt: nil, byShown: false)
    }

    private mutating func takeReady() -> Life? {
        guard let next = ready.popLast() else { return nil }
        texts = next.texts
        return next.life
    }
}

// MARK: - Contents

extension Lives {
    /// Removes the pending version.
    ///
    /// - Parameters:
    ///   - replacement: the interval of the next version; nil if there is none.
    ///   - isShown: whether the next version is on screen at the end of that interval.
    /// - Returns: its first life, whose texts are in `texts`; the others are in `ready`. nil if it is not on screen at
    ///   the end of any interval.
    private mutating func end(replacedAt replacement: Int64?, byShown isShown: Bool) -> Life? {
        guard let version = pending else { return nil }
        pending = nil
        let newest = version.replacements.last ?? version.logged
        if replacement != nil {
            superseded += 1
        } else if newest.effect == nil {
            hidden.suppressed += 1
        } else if newest.removal != nil {
            hidden.removed += 1
        }
        var next = (start: replacement, isShown: isShown)
        for content in version.replacements.reversed() {
            let start = start(of: content)
            if let life = life(of: content, until: next), let texts = content.texts {
                ready.append((life, texts))
            }
            // Of several contents of an interval the newest counts.
            if next.start.map({ start < $0 }) ?? true {
                next = (start, isOnScreen(content, at: start))
            }
        }
        guard let first = life(of: version.logged, until: next) else { return takeReady() }
        swap(&texts, &pendingTexts)
        return first
    }

    /// Returns the life of a version with one content; nil if it is not on screen at the end of any interval.
    ///
    /// - Parameter next: the interval of the next content or version, and whether that is on screen then.
    private func life(
        of content: HeldReports.Content, until next: (start: Int64?, isShown: Bool)
    ) -> Life? {
        guard let effect = content.effect else { return nil }
        let start = start(of: content)
        let end = [next.start, removal(of: content)].compactMap { $0 }.min()
        if let end, end <= start { return nil }
        var record = content.record
        if rules != nil { record.effect = effect }
        return Life(
            record: record, start: start, end: end,
            isUpdated: next.isShown && next.start != nil && end == next.start)
    }

    /// The interval from which on a notification has a content.
    private func start(of content: HeldReports.Content) -> Int64 {
        clock.interval(of: content.order.timestamp)
    }

    private func removal(of content: HeldReports.Content) -> Int64? {
        content.removal.map { clock.interval(of: $0.timestamp) }
    }

    /// Whether a version is on screen at the end of an interval with the content that it has then.
    private func isShown(_ version: Pending, at interval: Int64) -> Bool {
        let content = version.replacements.last { start(of: $0) <= interval } ?? version.logged
        return isOnScreen(content, at: interval)
    }

    private func isOnScreen(_ content: HeldReports.Content, at interval: Int64) -> Bool {
        content.effect != nil && (removal(of: content).map { $0 > interval } ?? true)
    }
}
