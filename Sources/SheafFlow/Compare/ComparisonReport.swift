import SheafBytes
import SheafGroups

/// What two designs show of the same log, and where they differ (specification §20).
///
/// ```swift
/// let now = ReplayOptions(sources: ["logs"])
/// var new = now
/// new.settings.apps["com.example.news", default: AppSettings()].grouping = .byApp
/// let report = try Comparison(now, new).run()
/// print(report.all.groups, report.all.kept ?? 0, report.apps.map(\.name))
/// ```
public struct ComparisonReport: Sendable {
    /// The statistics of the replay with each design.
    public internal(set) var statistics: Sides<Statistics>
    /// All apps together.
    public let all: App
    /// The apps whose notifications are shown in another way, in byte order of their names.
    public var apps: [App] { allApps.filter(\.isChanged) }
    /// All apps.
    let allApps: [App]
    /// The people with a device, and how many of them have more and fewer groups and banners with the new design; nil if
    /// people were not measured.
    public let people: People?
    /// The conditions that are true (`ComparisonOptions.failures`).
    public internal(set) var failures: [Failure] = []
    /// What the compared files do not hold, in sentences.
    public internal(set) var missing: [String] = []
    /// Whether the reader of the output closed it before the whole report was written.
    public internal(set) var outputWasClosed = false
    /// The groups of apps whose texts differ: the first one of each, of the apps with the most differences.
    let examples: [ScreenChanges.TextExample]
    /// The people whose screens differ most.
    let screens: [ScreenChanges.PersonChange]
    /// The names of the sources of both snapshots.
    let sources: Sides<SourceNames>
    /// Whether the same happens to people with both designs, so that it was not measured.
    var hasSameEvents = false

    /// What differs in one app, or in all of them.
    public struct App: Sendable {
        /// nil for all apps together.
        public let name: String?
        /// The groups at the end of the log, and the notifications in them.
        public internal(set) var groups = Sides<UInt64>(now: 0, new: 0)
        public internal(set) var notifications = Sides<UInt64>(now: 0, new: 0)
        /// The groups now whose notifications the new design shows as one group, without others; nil if the notifications of
        /// groups are not known, as in files of snapshots.
        public internal(set) var kept: UInt64?
        /// The groups now whose notifications are in several groups of the new design.
        public internal(set) var split: UInt64?
        /// The groups of the new design with notifications of several groups now.
        public internal(set) var merged: UInt64?
        /// The notifications that only one design shows.
        public internal(set) var only: Sides<UInt64>?
        /// The groups with the same key whose leading notification shows other texts, and those whose summary does.
        public internal(set) var leading: UInt64 = 0
        public internal(set) var summaries: UInt64 = 0
        /// The distribution of each measure, in the order of `Measure`; empty if people were not measured.
        public internal(set) var measures: [Sides<MeasureRow>] = []

        /// Whether the designs differ.
        public var isChanged: Bool {
            groups.now != groups.new || notifications.now != notifications.new || leading + summaries > 0
                || only.map { $0.now + $0.new > 0 } ?? false || kept.map { $0 != groups.now } ?? false
                || measures.contains { $0.now.differs(from: $0.new) }
        }
    }

    /// The people, and how many of them have more or fewer of something with the new design.
    public struct People: Sendable, Equatable {
        public internal(set) var count: UInt64 = 0
        public internal(set) var groups = Change()
        public internal(set) var banners = Change()

        public struct Change: Sendable, Equatable {
            public internal(set) var more: UInt64 = 0
            public internal(set) var fewer: UInt64 = 0

            mutating func count(_ now: UInt64, _ new: UInt64) {
                if new > now { more += 1 }
                if new < now { fewer += 1 }
            }

            fileprivate mutating func add(_ other: Change) {
                more += other.more
                fewer += other.fewer
            }
        }

        mutating func add(_ other: People) {
            count += other.count
            groups.add(other.groups)
            banners.add(other.banners)
        }
    }

    /// A condition that is true.
    public struct Failure: Sendable {
        public let condition: ComparisonCondition
        /// The values that it is about, as text.
        public let values: String
    }

    /// Whether both designs show the same.
    public var isEqual: Bool { !all.isChanged && !allApps.contains(where: \.isChanged) }
}

extension MeasureRow {
    func differs(from other: MeasureRow) -> Bool {
        (people, zero, sum, max) != (other.people, other.zero, other.sum, other.max)
            || quantiles != other.quantiles
    }
}

// MARK: - Making a report

extension ComparisonReport {
    /// The number of apps whose texts are shown as examples.
    static let maximumExamples = 10

    /// - Parameters:
    ///   - pairs: the fate of the groups by number of the app, for the apps that the designs do not group alike; nil if that
    ///     is not known.
    ///   - isAlike: returns whether both designs have the same groups of an app, with the same notifications.
    ///   - names: the apps by number.
    ///   - measures: the distributions of both designs; empty if people were not measured.
    init(
        statistics: Sides<Statistics>, _ screens: ScreenChanges, pairs: [GroupChanges]?,
        isAlike: (Span<UInt8>) -> Bool,
        names: [[UInt8]], sources: Sides<SourceNames>, measures: Sides<[MeasureRow]>, people: People?
    ) {
        (self.statistics, self.sources) = (statistics, sources)
        self.people = people
        var all = App(name: nil)
        var apps: [[UInt8]: App] = [:]
        func update(_ name: [UInt8], _ change: (inout App) -> Void) {
            change(&apps[name, default: App(name: String(decoding: name, as: UTF8.self))])
            change(&all)
        }
        for (name, changes) in screens.apps {
            update(name) { app in
                app.groups += changes.groups
                app.notifications += changes.notifications
                app.leading += changes.leading
                app.summaries += changes.summaries
                if pairs != nil {
                    app.add(GroupChanges(unchanged: isAlike(name.span) ? changes.groups.now : 0))
                }
            }
        }
        if let pairs {
            all.add(GroupChanges())
            for (name, changes) in zip(names, pairs) where changes != GroupChanges() {
                update(name) { $0.add(changes) }
            }
        }
        for (now, new) in Self.joined(measures) {
            let rows = Sides(now: now ?? MeasureRow(noneOf: new), new: new ?? MeasureRow(noneOf: now))
            guard let name = rows.now.appBytes else {
                all.measures.append(rows)
                continue
            }
            apps[name, default: App(name: String(decoding: name, as: UTF8.self))].measures.append(rows)
        }
        self.all = all
        allApps = apps.ordered { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
        self.screens = screens.people
        let changed = screens.apps.filter { !$0.changes.examples.isEmpty }.ordered { a, b in
            let (first, second) = (
                a.changes.leading + a.changes.summaries, b.changes.leading + b.changes.summaries
            )
            return first == second ? a.app.lexicographicallyPrecedes(b.app) : first > second
        }
        examples = changed.prefix(Self.maximumExamples).flatMap(\.changes.examples)
    }

    /// The report of a run that writes a partial comparison: only statistics.
    init(partial statistics: Sides<Statistics>) {
        self.init(
            statistics: statistics, ScreenChanges(), pairs: nil, isAlike: { _ in false }, names: [],
            sources: statistics.map { _ in SourceNames([]) }, measures: Sides(now: [], new: []), people: nil)
    }

    /// Notes whether the same happens to people with both designs, if it was not measured.
    mutating func noteEvents(measuresPeople: Bool) {
        guard !measuresPeople else { return }
        hasSameEvents = statistics.now.hasSameRecords(as: statistics.new)
        guard !hasSameEvents else { return }
        missing.append(
            "The inputs read different records: banners and other events are compared only with --measures.")
    }

    /// Returns the rows of both designs for each app and measure; nil for a design without the app.
    private static func joined(_ rows: Sides<[MeasureRow]>) -> [(now: MeasureRow?, new: MeasureRow?)] {
        var joined: [(now: MeasureRow?, new: MeasureRow?)] = []
        var (now, new) = (rows.now[...], rows.new[...])
        // Both are in the order of apps, all apps together first, and of measures.
        while now.first != nil || new.first != nil {
            switch (now.first, new.first) {
            case (let a?, let b?) where a.appBytes == b.appBytes:
                joined.append((a, b))
                now.removeFirst()
                new.removeFirst()
            case (let a?, let b) where b.map { a.precedes($0) } ?? true:
                joined.append((a, nil))
                now.removeFirst()
            default:
                joined.append((nil, new.popFirst()))
            }
        }
        return joined
    }

    /// Finds the conditions that are true.
    ///
    /// - Throws: `ReplayError.usage` if one is about something that is not known.
    mutating func evaluate(_ conditions: [ComparisonCondition]) throws(ReplayError) {
        for condition in conditions {
            if let failure = try condition.failure(in: self) { failures.append(failure) }
        }
    }
}

extension MeasureRow {
    /// Whether the row is of an app before that of another row, all apps together first.
    fileprivate func precedes(_ other: MeasureRow) -> Bool {
        guard let app = appBytes else { return other.appBytes != nil }
        return other.appBytes.map { app.lexicographicallyPrecedes($0) } ?? false
    }

    /// Creates the row of a design that has no notification of the app of another row.
    fileprivate init(noneOf other: MeasureRow?) {
        self.init(
            at: other?.at ?? 0, app: other?.appBytes, part: [], measure: other?.measure ?? .pushes, people: 0,
            [], ComparisonCondition.quantiles)
    }
}

extension ComparisonReport.App {
    /// An app that does not occur: nothing of it is kept, split or merged, if that is known of others.
    init(absent name: String?, from all: Self) {
        self.init(name: name)
        if all.kept != nil { add(GroupChanges()) }
    }

    fileprivate mutating func add(_ changes: GroupChanges) {
        kept = (kept ?? 0) + changes.kept
        split = (split ?? 0) + changes.split
        merged = (merged ?? 0) + changes.merged
        var only = only ?? Sides(now: 0, new: 0)
        only += changes.only
        self.only = only
    }
}

extension Sides<UInt64> {
    static func += (a: inout Sides<UInt64>, b: Sides<UInt64>) {
        a.now += b.now
        a.new += b.new
    }
}
