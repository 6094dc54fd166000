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
    private var pending: NotificationEntry?
    private var pendingTexts: [UInt8] = []
    /// The notifications that were read last, if they share results.
    private var siblings: Siblings?
    /// The lives that `next` returns before it reads on, and the texts of each.
    private var ready: [(life: Life, texts: [UInt8])] = []
    /// A buffer that is no longer needed.
    private var spare: [UInt8] = []
    /// The texts of the version that `next` returned last.
    private var texts: [UInt8] = []
    /// The number of versions that were the newest of their interval, but not of the last one.
    private var superseded: UInt64 = 0
    /// The newest versions that are not on screen at the end.
    private(set) var hidden = HiddenCounts()

    /// A version with one of its contents, and the intervals at whose ends it is on screen.
    struct Life {
        let record: NotificationRecord
        let start: Int64
        /// The first interval after them; nil if it is on screen at the end.
        let end: Int64?
        /// Whether it ends because a newer version or content is on screen. Not determined if there are others.
        let isUpdated: Bool
        /// Siblings with the same content.
        var others: EqualNotifications?
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
            let isUpdate =
                pending.map { entry.isVersion(versions.bytes, of: $0, pendingTexts.span) } ?? false
            let isSibling =
                siblings.map { entry.isSibling(versions.bytes, of: $0.first, $0.texts.span) } ?? false
            // Before the reports for the next app replace those for this one.
            if !isUpdate { endPending(replacedAt: nil, byShown: false, &held) }
            if !isSibling { endSiblings(&held) }
            if !held.add(entry, in: versions.bytes) {
                var texts = takeSpare()
                texts.append(versions.bytes)
                add(entry, texts, isUpdate: isUpdate, &held)
            }
            if let life = takeReady() { return life }
        }
        endPending(replacedAt: nil, byShown: false, &held)
        endSiblings(&held)
        return takeReady()
    }

    private mutating func takeReady() -> Life? {
        guard var next = ready.popLast() else { return nil }
        swap(&texts, &next.texts)
        spare = next.texts
        return next.life
    }

    /// Returns an empty buffer.
    private mutating func takeSpare() -> [UInt8] {
        var buffer: [UInt8] = []
        swap(&buffer, &spare)
        buffer.removeAll(keepingCapacity: true)
        return buffer
    }

    private mutating func add(
        _ entry: NotificationEntry, _ texts: [UInt8], isUpdate: Bool, _ held: inout HeldReports
    ) {
        if isUpdate {
            let start = clock.interval(of: entry.newest.timestamp)
            endPending(replacedAt: start, byShown: isShown(entry, texts, at: start, &held), &held)
        }
        if siblings == nil, entry.mayHaveSiblings, entry.record.grouping != .off {
            siblings = makeSiblings(entry, texts, &held)
        }
        if siblings != nil {
            addSibling(entry, texts, &held)
        } else {
            (pending, pendingTexts) = (entry, texts)
        }
    }
}

// MARK: - Siblings

extension Lives {
    /// Returns the siblings that begin with a notification; nil if no results are for them.
    private func makeSiblings(
        _ first: NotificationEntry, _ texts: [UInt8], _ held: inout HeldReports
    ) -> Siblings? {
        let oldest = OrderKey(timestamp: .min, source: 0, line: 0)
        var results: [HeldReports.Result] = []
        for result in held.results(for: first, in: texts.span, after: oldest, while: { _ in true }) {
            // Of several results of an interval the newest counts.
            if let last = results.last,
                clock.interval(of: last.order.timestamp) == clock.interval(of: result.order.timestamp)
            {
                results.removeLast()
            }
            results.append(result)
        }
        return results.isEmpty ? nil : Siblings(first, texts, results)
    }

    /// Adds a notification to the siblings. It has the content that was logged until the first result after it.
    private mutating func addSibling(
        _ entry: NotificationEntry, _ texts: [UInt8], _ held: inout HeldReports
    ) {
        let result = siblings?.firstResult(after: entry.newest)
        let logged = held.logged(entry, in: texts.span)
        if result == nil { noteHidden(logged) }
        siblings?.add(entry.record, in: texts.span, held.changes(for: entry.record, in: texts.span))
        let end = result.map { clock.interval(of: $0.order.timestamp) }
        if let life = life(of: logged, until: (end, false)) { ready.append((life, texts)) }
    }

    /// Adds the lives of the siblings with the contents of results.
    private mutating func endSiblings(_ held: inout HeldReports) {
        guard let siblings = siblings.take() else { return }
        let isOwned = held.isOwned(siblings.first, siblings.texts.span)
        for kind in siblings.kinds {
            var count = 0
            for (index, result) in siblings.results.enumerated() {
                while count < kind.orders.count, kind.orders[count] < result.order { count += 1 }
                guard count > 0 else { continue }
                let next = index + 1 < siblings.results.count ? siblings.results[index + 1].order : nil
                add(kind, count, with: result, until: next, isOwned, &held)
            }
        }
    }

    /// Adds the life of the oldest notifications of a kind with the content of a result.
    ///
    /// - Parameter next: the order key of the next result; nil after the last one.
    private mutating func add(
        _ kind: Siblings.Kind, _ count: Int, with result: HeldReports.Result, until next: OrderKey?,
        _ isOwned: Bool, _ held: inout HeldReports
    ) {
        let content = held.content(of: kind.record(at: count - 1), in: kind.texts.span, result, isOwned)
        guard let texts = content.texts else { preconditionFailure("a result replaces the content") }
        /// Returns the number of notifications that are removed until an interval: the older ones.
        func removed(until last: Int64) -> Int {
            kind.firstIndex(of: count) { order in
                var record = content.record
                record.order = order
                let removal = held.firstRemoval(of: record, in: texts.span, isOwned)
                return removal.map { clock.interval(of: $0.timestamp) > last } ?? true
            }
        }
        if next == nil {
            if content.effect == nil {
                hidden.suppressed += UInt64(count)
            } else {
                hidden.removed += UInt64(removed(until: .max))
            }
        }
        // All that are on screen at the start are removed by the same removal, since it is newer than the result.
        guard
            var life = life(of: content, until: (next.map { clock.interval(of: $0.timestamp) }, false))
        else { return }
        let first = removed(until: life.start)
        let others = count - 1 - first
        if others > 0 {
            life.others = EqualNotifications(
                count: others, newest: kind.orders[count - 2], oldest: kind.orders[first].timestamp)
        }
        ready.append((life, texts))
    }
}

// MARK: - Contents

extension Lives {
    private mutating func noteHidden(_ newest: HeldReports.Content) {
        if newest.effect == nil {
            hidden.suppressed += 1
        } else if newest.removal != nil {
            hidden.removed += 1
        }
    }

    /// Removes the pending version, and adds its lives.
    ///
    /// - Parameters:
    ///   - replacement: the interval of the next version; nil if there is none.
    ///   - isShown: whether the next version is on screen at the end of that interval.
    private mutating func endPending(
        replacedAt replacement: Int64?, byShown isShown: Bool, _ held: inout HeldReports
    ) {
        guard let version = pending.take() else { return }
        var own: [UInt8] = []
        swap(&own, &pendingTexts)
        let logged = held.logged(version, in: own.span)
        // Those that come with the next version, or after it, are for that one.
        let replacements = held.replacements(of: version, in: own.span) { order in
            replacement.map { clock.interval(of: order.timestamp) < $0 } ?? true
        }
        if replacement != nil { superseded += 1 } else { noteHidden(replacements.last ?? logged) }
        var next = (start: replacement, isShown: isShown)
        for content in replacements.reversed() {
            let start = start(of: content)
            if let life = life(of: content, until: next), let texts = content.texts {
                ready.append((life, texts))
            }
            // Of several contents of an interval the newest counts.
            if next.start.map({ start < $0 }) ?? true {
                next = (start, isOnScreen(content, at: start))
            }
        }
        if let life = life(of: logged, until: next) { ready.append((life, own)) } else { spare = own }
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

    /// Whether a version is on screen at the end of its first interval, with the content that it has then.
    private func isShown(
        _ version: NotificationEntry, _ texts: [UInt8], at interval: Int64, _ held: inout HeldReports
    ) -> Bool {
        let replacements = held.replacements(of: version, in: texts.span) { order in
            clock.interval(of: order.timestamp) <= interval
        }
        return isOnScreen(replacements.last ?? held.logged(version, in: texts.span), at: interval)
    }

    private func isOnScreen(_ content: HeldReports.Content, at interval: Int64) -> Bool {
        content.effect != nil && (removal(of: content).map { $0 > interval } ?? true)
    }
}
