import SheafBytes
import SheafGroups

/// The lifetimes of the versions of notifications: from the interval in which a version
/// arrives to that in which it is replaced or removed (specification §14, §15). One that settings suppressed (§16) has
/// none.
struct VersionLifetimes<Records: NotificationSequence> {
    private var versions: NewestVersions<Records>
    private let clock: SnapshotClock
    private var judge: Judge
    /// The buffer for the keys of scopes.
    private var key: [UInt8] = []
    /// The version that was read last, whose lifetime may end with the next one.
    private var pending: NotificationEntry?
    private var pendingTexts: [UInt8] = []
    /// The notifications that were read last, if they share results.
    private var siblings: Siblings?
    /// The lifetimes that `next` returns before it reads on, and the texts of each.
    private var ready: [(lifetime: Lifetime, texts: [UInt8])] = []
    /// A buffer that is no longer needed.
    private var spare: [UInt8] = []
    /// The texts of the version that `next` returned last.
    private var texts: [UInt8] = []
    /// The number of versions that were the newest of their interval, but not of the last one.
    private var superseded: UInt64 = 0
    /// What the verdicts on the notifications add up to.
    private(set) var hidden = VerdictCounts()
    /// The newest of the badges that settings let count.
    private(set) var badges = NewestBadges()
    private let byDevice: Bool
    /// What happens to people; nil unless it is measured.
    private let activity: Activity?
    /// The version that was read last, and its texts, if it is measured whether the next one is an update.
    private var last: (entry: NotificationEntry, texts: [UInt8])?
    private var pendingIsUpdate = false

    /// - Parameter judge: has the events; nil if they are among the records.
    init(
        _ versions: NewestVersions<Records>, _ clock: SnapshotClock, _ options: StateOptions,
        _ activity: Activity? = nil, _ judge: Judge? = nil
    ) {
        self.judge = judge ?? Judge(options.delivery, clock.timeline)
        byDevice = options.byDevice
        self.activity = activity
        self.versions = versions
        self.clock = clock
    }

    /// The number of versions that were not the newest.
    var replaced: UInt64 { versions.replaced + superseded }

    /// The buffer of the texts of the version that `next` returned last.
    var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get { texts.span }
    }

    /// Returns the next version that is on screen at the end of an interval; nil after the last one.
    mutating func next() throws(ReplayError) -> Lifetime? {
        if let lifetime = takeReady() { return lifetime }
        while let entry = try versions.next() {
            let isUpdate =
                pending.map { entry.isVersion(versions.bytes, of: $0, pendingTexts.span) } ?? false
            let isSibling =
                siblings.map { entry.isSibling(versions.bytes, of: $0.first, $0.texts.span) } ?? false
            // Before the events for the next app replace those for this one, and before what happens in the next app.
            if !isUpdate { endPending(replacedAt: nil, byAlone: false) }
            if !isSibling { endSiblings() }
            if let occurrence = entry.record.traits.occurrence {
                let texts = versions.texts
                activity?.count(occurrence, of: entry.record, in: texts.span, judge.rules)
                continue
            }
            let isNewer = activity != nil && isNewerVersion(entry)
            if entry.isReplaced {
                let texts = versions.texts
                let arrival = judge.arrival(of: entry.record, in: texts.span, key: &key)
                hidden.count(arrival: arrival)
                activity?.count(push: entry.record, arrival, isUpdate: isNewer, in: texts.span, judge.rules)
                continue
            }
            var texts = takeSpare()
            texts.append(versions.bytes)
            if judge.add(next: entry, in: texts.span, &badges, byDevice: byDevice) {
                spare = texts
            } else {
                add(entry, texts, isUpdate: isUpdate)
                pendingIsUpdate = isNewer
            }
            if let lifetime = takeReady() { return lifetime }
        }
        endPending(replacedAt: nil, byAlone: false)
        endSiblings()
        return takeReady()
    }

    /// Returns whether the version that was read before is an older one of the same notification.
    private mutating func isNewerVersion(_ entry: NotificationEntry) -> Bool {
        let isNewer = last.map { entry.isVersion(versions.bytes, of: $0.entry, $0.texts.span) } ?? false
        if entry.event == nil { last = (entry, versions.texts) }
        return isNewer
    }

    private mutating func takeReady() -> Lifetime? {
        guard var next = ready.popLast() else { return nil }
        swap(&texts, &next.texts)
        spare = next.texts
        return next.lifetime
    }

    /// Returns an empty buffer.
    private mutating func takeSpare() -> [UInt8] {
        var buffer: [UInt8] = []
        swap(&buffer, &spare)
        buffer.removeAll(keepingCapacity: true)
        return buffer
    }

    private mutating func add(_ entry: NotificationEntry, _ texts: [UInt8], isUpdate: Bool) {
        if isUpdate {
            let start = clock.interval(of: entry.newest.timestamp)
            endPending(replacedAt: start, byAlone: isShownAlone(entry, texts, at: start))
        }
        let mayJoin = entry.mayHaveSiblings && !isAlone(entry, texts)
        if siblings == nil, mayJoin { siblings = makeSiblings(entry, texts) }
        if siblings != nil, mayJoin {
            addSibling(entry, texts)
        } else {
            (pending, pendingTexts) = (entry, texts)
        }
    }
}

extension VersionLifetimes<StateMerge<NotificationEntry>> {
    /// Subtracts the number of versions in each file from its notifications, once `next` has returned nil.
    func take(from files: inout [StateFile]) { versions.take(from: &files) }
}

/// A version with one of its contents, and the intervals at whose ends it is on screen.
struct Lifetime {
    let record: NotificationRecord
    var start: Int64
    /// The first interval after them; nil if it is on screen at the end.
    var end: Int64?
    /// Whether it ends because a newer version or content that is alone is on screen. Not determined if there are
    /// others.
    let isUpdated: Bool
    /// Siblings with the same content.
    var others: EqualNotifications?
}

extension Judge {
    /// Returns the lifetime of a notification with one version and one content, and counts the verdict on it; nil if it is
    /// not on screen at the end of any interval. Needs all events; no event may replace contents or groupings. O(log n).
    ///
    /// - Parameter key: a buffer for the keys of scopes.
    func lifetime(
        of notification: NotificationRecord, in bytes: Span<UInt8>, _ clock: SnapshotClock,
        key: inout [UInt8], counting hidden: inout VerdictCounts
    ) -> Lifetime? {
        var record = notification
        guard let verdict = apply(to: &record, in: bytes, key: &key, counting: &hidden) else { return nil }
        let start = clock.interval(of: record.order.timestamp)
        let end = verdict.removal.map { clock.interval(of: $0.timestamp) }
        if let end, end <= start { return nil }
        return Lifetime(record: record, start: start, end: end, isUpdated: false)
    }
}

// MARK: - Siblings

extension VersionLifetimes {
    /// Whether a notification is alone: those are never equal.
    private mutating func isAlone(_ entry: NotificationEntry, _ texts: [UInt8]) -> Bool {
        guard judge.changesGroupings else { return entry.record.grouping == .off }
        let chosen = judge.settings(for: entry.record, in: texts.span, key: &key).grouping
        return (chosen ?? entry.record.grouping) == .off
    }

    /// Returns the siblings that begin with a notification; nil if no results are for them.
    private mutating func makeSiblings(_ first: NotificationEntry, _ texts: [UInt8]) -> Siblings? {
        let oldest = OrderKey(timestamp: .min, source: 0, line: 0)
        var results: [Judge.Result] = []
        for result in judge.results(
            for: first.record, in: texts.span, after: oldest, key: &key, while: { _ in true })
        {
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
    private mutating func addSibling(_ entry: NotificationEntry, _ texts: [UInt8]) {
        let result = siblings?.firstResult(after: entry.newest)
        let logged = logged(entry, in: texts.span)
        activity?.count(
            push: entry.record, logged.verdict.arrival, isUpdate: false, in: texts.span, judge.rules)
        if result == nil {
            _ = hidden.count(logged.verdict)
        } else {
            hidden.count(arrival: logged.verdict.arrival)
        }
        let settings = judge.settings(for: entry.record, in: texts.span, key: &key)
        siblings?.add(entry.record, in: texts.span, settings)
        let end = result.map { clock.interval(of: $0.order.timestamp) }
        countRemoval(of: logged, in: texts.span, until: end)
        if let lifetime = lifetime(of: logged, until: (end, false)) { ready.append((lifetime, texts)) }
    }

    /// Adds the lifetimes of the siblings with the contents of results.
    private mutating func endSiblings() {
        guard let siblings = siblings.take() else { return }
        for kind in siblings.kinds {
            var count = 0
            for (index, result) in siblings.results.enumerated() {
                while count < kind.orders.count, kind.orders[count] < result.order { count += 1 }
                guard count > 0 else { continue }
                let next = index + 1 < siblings.results.count ? siblings.results[index + 1].order : nil
                add(kind, count, with: result, until: next)
            }
        }
    }

    /// Adds the lifetime of the oldest notifications of a kind with the content of a result.
    ///
    /// - Parameter next: the order key of the next result; nil after the last one.
    private mutating func add(
        _ kind: Siblings.Kind, _ count: Int, with result: Judge.Result, until next: OrderKey?
    ) {
        let content = content(of: kind.record(at: count - 1), in: kind.texts.span, result)
        guard let texts = content.texts else { preconditionFailure("a result replaces the content") }
        /// Returns the number of notifications that are removed until an interval: the older ones.
        func removed(until last: Int64) -> Int {
            kind.firstIndex(of: count) { order in
                var record = content.record
                record.order = order
                if let effect = content.verdict.effect { record.apply(effect) }
                let removal = judge.firstRemoval(of: record, in: texts.span, key: &key)
                return removal.map { clock.interval(of: $0.timestamp) > last } ?? true
            }
        }
        if activity != nil, let effect = content.verdict.effect {
            let start = start(of: content)
            let removed = removed(until: start) - removed(until: start - 1)
            if removed > 0 {
                activity?.count(
                    .removed, UInt64(removed), of: content.record, effect.level, in: texts.span,
                    at: result.order.timestamp)
            }
        }
        if next == nil {
            if content.verdict.effect == nil {
                hidden.countHidden(content.verdict, UInt64(count))
            } else {
                let removed = removed(until: .max)
                hidden.removed += UInt64(removed)
            }
        }
        // All that are on screen at the start are removed by the same removal, since it is newer than the result.
        guard
            var lifetime = lifetime(
                of: content, until: (next.map { clock.interval(of: $0.timestamp) }, false))
        else { return }
        let first = removed(until: lifetime.start)
        let others = count - 1 - first
        countRemoval(
            of: content, in: texts.span, until: next.map { clock.interval(of: $0.timestamp) },
            UInt64(others + 1))
        if others > 0 {
            lifetime.others = EqualNotifications(
                count: others, newest: kind.orders[count - 2], oldest: kind.orders[first].timestamp)
        }
        ready.append((lifetime, texts))
    }
}

// MARK: - Contents

extension VersionLifetimes {
    /// A notification with one of its contents.
    private struct Content {
        /// Its texts are in the buffer of the content; nil for the content that was logged.
        let record: NotificationRecord
        let texts: [UInt8]?
        /// When it replaced the content before it, or when the notification arrived.
        let order: OrderKey
        let verdict: Verdict
    }

    /// Returns a notification as it was logged.
    private mutating func logged(_ entry: NotificationEntry, in bytes: Span<UInt8>) -> Content {
        Content(
            record: entry.record, texts: nil, order: entry.record.order,
            verdict: judge.verdict(on: entry.record, in: bytes, key: &key))
    }

    /// Returns a notification with the content of a result.
    private mutating func content(
        of record: NotificationRecord, in bytes: Span<UInt8>, _ result: Judge.Result
    ) -> Content {
        var record = record
        var texts: [UInt8] = []
        judge.replaceContent(of: &record, in: bytes, by: result, into: &texts)
        return Content(
            record: record, texts: texts, order: result.order,
            verdict: judge.verdict(on: record, in: texts.span, key: &key))
    }

    /// Returns a notification with each content that replaced the logged one, in ascending order.
    ///
    /// - Parameter isIncluded: whether to include a result; those after one that is not are not included either.
    private mutating func replacements(
        of entry: NotificationEntry, in bytes: Span<UInt8>, while isIncluded: (OrderKey) -> Bool
    ) -> [Content] {
        let record = entry.record
        let results = judge.results(for: record, in: bytes, after: record.order, key: &key, while: isIncluded)
        return results.map { content(of: record, in: bytes, $0) }
    }

    /// Removes the pending version, and adds its lifetimes.
    ///
    /// - Parameters:
    ///   - replacement: the interval of the next version; nil if there is none.
    ///   - isAlone: whether the next version is on screen, and alone, at the end of that interval.
    private mutating func endPending(replacedAt replacement: Int64?, byAlone isAlone: Bool) {
        guard let version = pending.take() else { return }
        var own: [UInt8] = []
        swap(&own, &pendingTexts)
        let logged = logged(version, in: own.span)
        activity?.count(
            push: version.record, logged.verdict.arrival, isUpdate: pendingIsUpdate, in: own.span, judge.rules
        )
        let clock = clock
        // Those that come with the next version, or after it, are for that one.
        let replacements = replacements(of: version, in: own.span) { order in
            replacement.map { clock.interval(of: order.timestamp) < $0 } ?? true
        }
        if replacement != nil {
            superseded += 1
            hidden.count(arrival: logged.verdict.arrival)
        } else {
            _ = hidden.count((replacements.last ?? logged).verdict)
        }
        var next = (start: replacement, isAlone: isAlone)
        for content in replacements.reversed() {
            let start = start(of: content)
            if let texts = content.texts { countRemoval(of: content, in: texts.span, until: next.start) }
            if let lifetime = lifetime(of: content, until: next), let texts = content.texts {
                ready.append((lifetime, texts))
            }
            // Of several contents of an interval the newest counts.
            if next.start.map({ start < $0 }) ?? true {
                next = (start, isShownAlone(content, at: start))
            }
        }
        countRemoval(of: logged, in: own.span, until: next.start)
        if let lifetime = lifetime(of: logged, until: next) {
            ready.append((lifetime, own))
        } else {
            spare = own
        }
    }

    /// Returns the lifetime of a version with one content; nil if it is not on screen at the end of any interval.
    ///
    /// - Parameter next: the interval of the next content or version, and whether that is on screen, and alone, then.
    private func lifetime(of content: Content, until next: (start: Int64?, isAlone: Bool)) -> Lifetime? {
        guard let effect = content.verdict.effect else { return nil }
        let start = start(of: content)
        let end = [next.start, removal(of: content)].compactMap { $0 }.min()
        if let end, end <= start { return nil }
        var record = content.record
        record.apply(effect)
        return Lifetime(
            record: record, start: start, end: end,
            isUpdated: next.isAlone && next.start != nil && end == next.start)
    }

    /// Counts notifications with a content that are removed before the next content or version.
    ///
    /// - Parameter next: the interval of that one; nil if there is none.
    private mutating func countRemoval(
        of content: Content, in bytes: Span<UInt8>, until next: Int64?, _ count: UInt64 = 1
    ) {
        guard let activity, let effect = content.verdict.effect, let removal = content.verdict.removal else {
            return
        }
        // What was removed before has the new content off the screen.
        let interval = clock.interval(of: removal.timestamp)
        guard interval >= start(of: content), next.map({ interval < $0 }) ?? true else { return }
        activity.count(.removed, count, of: content.record, effect.level, in: bytes, at: removal.timestamp)
    }

    /// The interval from which on a notification has a content.
    private func start(of content: Content) -> Int64 { clock.interval(of: content.order.timestamp) }

    private func removal(of content: Content) -> Int64? {
        content.verdict.removal.map { clock.interval(of: $0.timestamp) }
    }

    /// Whether a version is on screen, and alone, at the end of its first interval, with the content that it has then.
    private mutating func isShownAlone(
        _ version: NotificationEntry, _ texts: [UInt8], at interval: Int64
    ) -> Bool {
        let clock = clock
        let replacements = replacements(of: version, in: texts.span) { order in
            clock.interval(of: order.timestamp) <= interval
        }
        return isShownAlone(replacements.last ?? logged(version, in: texts.span), at: interval)
    }

    private func isShownAlone(_ content: Content, at interval: Int64) -> Bool {
        guard let effect = content.verdict.effect, (effect.grouping ?? content.record.grouping) == .off else {
            return false
        }
        return removal(of: content).map { $0 > interval } ?? true
    }
}
