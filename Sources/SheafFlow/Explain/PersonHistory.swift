import SheafBytes
import SheafGroups

/// All records of a person, and the fate of each.
///
///     notifications ──decided──▶ newest versions ──judged──▶ on screen ─▶ groups
///                       │               │              └▶ removed, suppressed, quiet
///                       └▶ repeated,    └▶ replaced
///                          refused
///
/// The rules are those of a replay: `OutcomeSet`, `Judge` and `GroupTable` decide. Here each decision keeps its cause.
///
/// Memory: the person's records.
struct PersonHistory {
    private let options: StateOptions
    private var pushes: [KeptPush] = []
    private var judge: Judge
    private var outcomes = OutcomeSet()
    /// The changes of settings, which may be causes.
    private var settings: [(change: SettingsRecord, texts: [UInt8])] = []
    private(set) var traces: [RecordTrace] = []
    private(set) var heldBytes = 0

    fileprivate struct KeptPush {
        var record: NotificationRecord
        var texts: [UInt8]
    }

    /// The fate of a notification.
    struct Fate {
        let cause: Explanation.Cause
        /// The record that is the cause; nil if none is.
        var by: OrderKey?
        var reason: [UInt8] = []
    }

    init(_ options: StateOptions) {
        self.options = options
        judge = Judge(options.delivery, nil)
    }

    // MARK: Adding

    /// Adds the records of a work unit, in any order of units.
    mutating func add(_ unit: WorkUnit, onlyTraces: Bool) {
        for trace in unit.decoded.traces { heldBytes += trace.heldBytes }
        traces += unit.decoded.traces
        if onlyTraces { return }
        let chunk = unit.chunk
        let bytes = chunk.bytes
        for item in unit.decoded.batches[0] {
            var push = KeptPush(record: item.record, texts: [])
            push.record.moveTexts { push.texts.appendText(bytes[$0]) }
            heldBytes += 256 + push.texts.count
            pushes.append(push)
        }
        for event in unit.decoded.events[0] { add(event, in: bytes) }
    }

    private mutating func add(_ event: ScreenEvent, in bytes: Span<UInt8>) {
        heldBytes += 256
        switch event {
        case .outcome(let outcome): outcomes.add(outcome, in: bytes)
        case .settings(let change):
            var kept = (change: change, texts: [UInt8]())
            kept.change.app = kept.texts.appendText(bytes[change.app])
            kept.change.device = kept.texts.appendText(bytes[change.device])
            settings.append(kept)
            judge.add(event, in: bytes)
        case .removal, .badge, .result, .nothing: judge.add(event, in: bytes)
        }
    }

    // MARK: Deciding

    /// A notification on screen with its content.
    struct ShownPush {
        let record: NotificationRecord
        let texts: [UInt8]
        /// When a service extension's result replaced the content; nil for that of the push.
        let modified: OrderKey?
    }

    /// Decides the fate of each notification.
    ///
    /// - Parameters:
    ///   - found: what was found of the notifications, as for a replay.
    ///   - hidden: what the verdicts on them add up to.
    /// - Returns: the fates by position in the log, and the notifications on screen.
    func decide(
        _ found: inout RunCounts, _ hidden: inout VerdictCounts
    ) -> (fates: [RecordPosition: Fate], shown: [ShownPush]) {
        var fates: [RecordPosition: Fate] = [:]
        var shown: [ShownPush] = []
        let decided = decidePushes(&fates, &found)
        for versions in versions(of: decided) {
            for (version, next) in zip(versions, versions.dropFirst()) {
                fates[version.record.place] = Fate(cause: .replaced, by: next.record.order)
                found.updated += 1
                var key: [UInt8] = []
                hidden.count(arrival: judge.arrival(of: version.record, in: version.texts.span, key: &key))
            }
            guard let newest = versions.last else { continue }
            let (fate, push) = judged(newest, &hidden)
            fates[newest.record.place] = fate
            if let push { shown.append(push) }
        }
        return (fates, shown)
    }

    /// Returns the pushes that were not refused, and are not records of other pushes.
    private func decidePushes(
        _ fates: inout [RecordPosition: Fate], _ found: inout RunCounts
    ) -> [KeptPush] {
        guard options.hasWaiting else { return pushes }
        var firsts: [[UInt8]: Int] = [:]
        if options.isUnique {
            for (index, push) in pushes.enumerated() where !push.record.identifier.isEmpty {
                let key = push.key(push.record.identifier)
                if let first = firsts[key], pushes[first].record.order < push.record.order { continue }
                firsts[key] = index
            }
        }
        var decided: [KeptPush] = []
        for (index, push) in pushes.enumerated() {
            guard options.mayBeDecided(push.record) else {
                decided.append(push)
                continue
            }
            if let first = firsts[push.key(push.record.identifier)], first != index {
                fates[push.record.place] = Fate(cause: .repeated, by: pushes[first].record.order)
                found.repeated += 1
                continue
            }
            let (order, refusal) = outcomes.decision(on: push.record, PushNote(), in: push.texts.span)
            if let refusal {
                let isOwn = order?.place == push.record.place
                fates[push.record.place] = Fate(cause: .refused, by: isOwn ? nil : order, reason: refusal)
                found.tally.refusals.count(refusal.span)
            } else {
                decided.append(push)
            }
        }
        return decided
    }

    /// Returns the versions of each notification, the oldest first.
    private func versions(of pushes: [KeptPush]) -> [[KeptPush]] {
        var versions: [[KeptPush]] = []
        var places: [[UInt8]: Int] = [:]
        for push in pushes {
            guard push.record.isReplaceable else {
                versions.append([push])
                continue
            }
            let key = push.key(push.record.collapseIdentifier)
            if let place = places[key] {
                versions[place].append(push)
            } else {
                places[key] = versions.count
                versions.append([push])
            }
        }
        return versions.map { $0.count > 1 ? $0.sorted { $0.record.order < $1.record.order } : $0 }
    }

    /// Judges the newest version of a notification, with its newest content.
    private func judged(_ push: KeptPush, _ hidden: inout VerdictCounts) -> (fate: Fate, push: ShownPush?) {
        var key: [UInt8] = []
        var (record, texts) = (push.record, push.texts)
        if judge.changesGroupings,
            let grouping = judge.settings(for: record, in: texts.span, key: &key).grouping
        {
            record.grouping = grouping
        }
        var modified: OrderKey?
        if let result = judge.newestResult(for: record, in: texts.span, key: &key) {
            var replaced: [UInt8] = []
            judge.replaceContent(of: &record, in: texts.span, by: result, into: &replaced)
            (texts, modified) = (replaced, result.order)
        }
        let verdict = judge.verdict(on: record, in: texts.span, key: &key)
        guard let effect = hidden.count(verdict) else {
            if verdict.effect != nil { return (Fate(cause: .removed, by: verdict.removal), nil) }
            let cause = verdict.isQuiet ? Explanation.Cause.quiet : .suppressed
            return (Fate(cause: cause, by: decisiveChange(for: record, texts)), nil)
        }
        record.apply(effect)
        return (Fate(cause: .shown), ShownPush(record: record, texts: texts, modified: modified))
    }

    /// Returns the change of settings without which a notification would be on screen: the newest one, or the newest that
    /// applies to it if it takes several; nil if the configuration alone keeps it off.
    private func decisiveChange(for record: NotificationRecord, _ texts: [UInt8]) -> OrderKey? {
        let candidates = settings.filter { kept in
            let (app, device) = (kept.texts.span[kept.change.app], kept.texts.span[kept.change.device])
            return kept.change.order < record.order
                && (app.isEmpty || app.isEqual(to: texts.span[record.app]))
                && (device.isEmpty || device.isEqual(to: texts.span[record.device]))
        }.sorted { $1.change.order < $0.change.order }
        func isHidden(without leftOut: OrderKey?) -> Bool {
            var judge = Judge(options.delivery, nil)
            for kept in candidates where leftOut.map({ $0 != kept.change.order }) ?? false {
                judge.add(.settings(kept.change), in: kept.texts.span)
            }
            var key: [UInt8] = []
            return judge.verdict(on: record, in: texts.span, key: &key).effect == nil
        }
        for kept in candidates where !isHidden(without: kept.change.order) { return kept.change.order }
        return isHidden(without: nil) ? nil : candidates.first?.change.order
    }
}

extension PersonHistory.KeptPush {
    /// Returns what is equal for all pushes of a device and an app with a text.
    fileprivate func key(_ text: TextRange) -> [UInt8] {
        var key = Array("\(record.app.count) \(record.device.count) ".utf8)
        for range in [record.app.range, record.device.range, text.range] { key += texts[range] }
        return key
    }
}

extension NotificationRecord {
    /// Where the record is in the log.
    var place: RecordPosition { order.place }
}

extension OrderKey {
    /// Where the record is in the log.
    var place: RecordPosition { RecordPosition(source: source, line: line, index: index) }
}
