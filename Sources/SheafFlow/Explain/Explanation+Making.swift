import SheafBytes
import SheafGroups

extension Explanation {
    /// - Parameters:
    ///   - hidden: what the verdicts on the notifications add up to, like `found`.
    ///   - names: the names of the sources.
    init(
        _ history: PersonHistory, _ question: Question, _ options: ReplayOptions, names: SourceNames,
        _ found: inout RunCounts, _ hidden: inout VerdictCounts
    ) {
        func place(_ position: RecordPosition) -> Place {
            Place(
                source: names.path(position.source).span.string, line: position.line,
                index: Int(position.index))
        }
        let (fates, shown) = history.decide(&found, &hidden)
        var counts: [Cause: UInt64] = [:]
        var records: [(order: OrderKey, record: Record)] = []
        var affected: [RecordPosition: Int] = [:]
        // The causes of the records that are asked for.
        let causes = Set(
            history.traces.filter { $0.isAsked(by: question) }.compactMap { $0.fate(in: fates).by?.place })
        for trace in history.traces {
            let fate = trace.fate(in: fates)
            counts[fate.cause, default: 0] += 1
            if let by = fate.by { affected[by.place, default: 0] += 1 }
            guard trace.isAsked(by: question) || causes.contains(trace.order.place) else { continue }
            let text = { (bytes: [UInt8]) in bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
            let at = place(trace.order.place)
            records.append(
                (
                    trace.order,
                    Record(
                        source: at.source, line: at.line, index: at.index,
                        timestamp: trace.order.timestamp == 0 ? nil : trace.order.timestamp, kind: trace.kind,
                        app: text(trace.app), thread: text(trace.thread),
                        id: text(trace.identifier.isEmpty ? trace.collapse : trace.identifier),
                        title: text(trace.title), body: text(trace.body), cause: fate.cause,
                        detail: trace.detail ?? text(fate.reason), by: fate.by.map { place($0.place) })
                ))
        }
        device = question.device
        self.records = records.ordered { $0.order < $1.order }.map { order, record in
            var record = record
            record.affected = affected[order.place] ?? 0
            return record
        }
        self.counts = Cause.allCases.compactMap { cause in counts[cause].map { (cause, $0) } }
        groups = Self.groups(shown, question, options, names: names, place)
    }

    // MARK: The screen

    /// A group's key: its app and thread, and the order key of a notification that is alone.
    private struct Key: Hashable {
        let app: [UInt8]
        let thread: [UInt8]
        let alone: OrderKey?
    }

    private static func groups(
        _ shown: [PersonHistory.ShownPush], _ question: Question, _ options: ReplayOptions,
        names: SourceNames, _ place: (RecordPosition) -> Place
    ) -> [Group] {
        var table = GroupTable(maximumArguments: options.maximumArguments)
        var members: [Key: [PersonHistory.ShownPush]] = [:]
        for push in shown {
            let bytes = push.texts.span
            table.add(push.record, in: bytes, hash: Routing.groupHash(push.record, in: bytes))
            let key = Key(
                app: Array(copying: bytes[push.record.app]),
                thread: Array(copying: bytes[push.record.thread]),
                alone: push.record.grouping == .off ? push.record.order : nil)
            members[key, default: []].append(push)
        }
        table.releaseIndex()
        let sorted = SortedGroups(table, order: .recent, byDevice: true)
        var style = options.style
        style.format = .ndjson
        var renderer = GroupRenderer(style, names: names, shards: 1)
        var groups: [Group] = []
        for index in 0..<sorted.count {
            let state = sorted.state(at: index)
            let key = Key(
                app: Array(copying: sorted.store.app(of: state)),
                thread: Array(copying: sorted.store.thread(of: state)),
                alone: state.isAlone ? state.leading.order : nil)
            let pushes = (members[key] ?? []).sorted { $1.record.order < $0.record.order }
            guard question.asks(for: key.app, key.thread, pushes.map { ($0.record, $0.texts) }) else {
                continue
            }
            let snapshot = renderer.snapshot(state, of: sorted.store, shard: 0)
            let summary = renderer.summary(of: snapshot, pushes, options, place)
            let notifications = pushes.map { push in
                Member(
                    shown: renderer.notification(push.record, in: push.texts.span),
                    index: Int(push.record.order.index), modifiedBy: push.modified.map { place($0.place) },
                    argument: push.argument(options), weight: push.weight(options))
            }
            var line = OutputBuffer()
            renderer.append(state, of: sorted.store, shard: 0, to: &line)
            groups.append(
                Group(
                    snapshot: snapshot, notifications: notifications, summary: summary,
                    line: Array(copying: line.bytes)))
        }
        return groups
    }
}

extension PersonHistory.ShownPush {
    /// The summary argument; nil if it has none, or if the profile ignores it.
    fileprivate func argument(_ options: ReplayOptions) -> String? {
        guard options.profile == .ios12, !record.argument.isEmpty else { return nil }
        return String(decoding: texts[record.argument.range], as: UTF8.self)
    }

    fileprivate func weight(_ options: ReplayOptions) -> UInt64 {
        options.profile == .ios12 ? UInt64(record.weight) : 1
    }

    fileprivate var category: String? {
        record.category.isEmpty ? nil : String(decoding: texts[record.category.range], as: UTF8.self)
    }
}

extension GroupRenderer {
    /// Returns how the summary of the group that was composed last was made; nil for a single notification.
    ///
    /// - Parameter pushes: the group's notifications, the newest first.
    fileprivate func summary(
        of snapshot: GroupSnapshot, _ pushes: [PersonHistory.ShownPush], _ options: ReplayOptions,
        _ place: (RecordPosition) -> Explanation.Place
    ) -> Explanation.Summary? {
        guard let summary = snapshot.summary else { return nil }
        let (presentation, rest) = (shown.presentation, pushes.dropFirst())
        let settings = options.settings.apps[snapshot.app]
        let app = presentation.app(Array(snapshot.app.utf8).span)
        var phrases: [Explanation.Summary.Phrase] = []
        for category in Set(rest.map(\.category)).ordered(by: { ($0 ?? "") < ($1 ?? "") }) {
            let number = rest.reduce(UInt64(0)) {
                $1.category == category ? WeightSum.adding($0, $1.weight(options)) : $0
            }
            let known = category.flatMap { settings?.categories[$0] }
            let shownCategory =
                category.map { presentation.category(Array($0.utf8).span, of: app) } ?? .unknown
            phrases.append(
                Explanation.Summary.Phrase(
                    category: category,
                    format: shownCategory.format == 0
                        ? nil : known?.summaryFormat?.source ?? known?.summaryFormatKey,
                    number: number,
                    plural: presentation.formats.pluralCategory(of: number, shownCategory.format).rawValue))
        }
        let arguments = snapshot.arguments.compactMap { text in
            rest.first { $0.argument(options) == text }.map {
                Explanation.Summary.Argument(text: text, place: place($0.record.place))
            }
        }
        return Explanation.Summary(
            text: summary.text, more: summary.more, notifications: snapshot.count - 1,
            rule: presentation.formats.rule(of: formatShares.shares).sentence, phrases: phrases,
            arguments: arguments)
    }
}

extension SummaryRule {
    /// The rule as a sentence.
    fileprivate var sentence: String {
        switch self {
        case .arguments:
            "No category has a format, and all notifications have an argument: Sheaf's own phrase lists them, the "
                + "newest first."
        case .withoutArguments:
            "No category has a format, and some notifications have no argument: Sheaf's own phrase has the number alone."
        case .format: "All notifications have the same format."
        case .missingArguments:
            "The format takes arguments, but some notifications have none: Sheaf's own phrase has the number alone."
        case .phrases:
            "The notifications have several formats: their phrases are listed, that of the newest first."
        case .mixedArguments:
            "The notifications have several formats, and one takes arguments: Sheaf's own phrase has the number "
                + "alone."
        case .mixedLanguages:
            "The formats are in several languages, which are not joined: Sheaf's own phrase has the number alone."
        }
    }
}

// MARK: - Records

extension RecordTrace {
    /// Returns the fate of the record.
    ///
    /// - Parameter fates: those of notifications.
    fileprivate func fate(in fates: [RecordPosition: PersonHistory.Fate]) -> PersonHistory.Fate {
        switch outcome {
        case .rejected: return PersonHistory.Fate(cause: .rejected)
        case .otherPlatform: return PersonHistory.Fate(cause: .otherPlatform)
        case .notification, .silent, .refused, .removal, .settings, .response, .result, .outcome: break
        }
        guard position == .inside else { return PersonHistory.Fate(cause: .outside) }
        switch outcome {
        case .silent: return PersonHistory.Fate(cause: .silent)
        case .refused: return fates[order.place] ?? PersonHistory.Fate(cause: .refused, reason: reason)
        case .notification: return fates[order.place] ?? PersonHistory.Fate(cause: .shown)
        default: return PersonHistory.Fate(cause: .event)
        }
    }

    fileprivate var kind: String {
        switch outcome {
        case .notification, .silent, .refused: "push"
        case .removal: "removal"
        case .settings: "settings"
        case .response: "response"
        case .result: "modified"
        case .outcome: "outcome"
        case .otherPlatform, .rejected: "line"
        }
    }

    /// Why the line was rejected.
    fileprivate var detail: String? {
        if case .rejected(let reason) = outcome { return "\(reason.name)" }
        return nil
    }

    /// Whether the record is among those that are asked for. One that was not read always is.
    fileprivate func isAsked(by question: Question) -> Bool {
        func isAsked(_ name: String?, _ text: [UInt8]) -> Bool {
            name.map { text.isEmpty || text.elementsEqual($0.utf8) } ?? true
        }
        switch outcome {
        case .rejected, .otherPlatform: return true
        case .removal, .settings, .response, .result, .outcome:
            return question.thread == nil && question.id == nil && isAsked(question.app, app)
        case .notification, .silent, .refused:
            return (question.app.map { app.elementsEqual($0.utf8) } ?? true)
                && (question.thread.map { thread.elementsEqual($0.utf8) } ?? true)
                && (question.id.map { identifier.elementsEqual($0.utf8) || collapse.elementsEqual($0.utf8) }
                    ?? true)
        }
    }
}

extension Question {
    /// Whether a group is among those that are asked for.
    fileprivate func asks(
        for app: [UInt8], _ thread: [UInt8], _ pushes: [(record: NotificationRecord, texts: [UInt8])]
    ) -> Bool {
        if let name = self.app, !app.elementsEqual(name.utf8) { return false }
        if let name = self.thread, !thread.elementsEqual(name.utf8) { return false }
        guard let id else { return true }
        return pushes.contains { push in
            [push.record.identifier, push.record.collapseIdentifier].contains {
                push.texts[$0.range].elementsEqual(id.utf8)
            }
        }
    }
}
