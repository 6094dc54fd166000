import SheafBytes

/// Counts of an app's notifications and results of service extensions, from which problems follow that no single record
/// shows.
///
///     notification ─┬─▶ threads       (app, thread)        how many, in one entry or more, formats
///                   ├─▶ collapses     (app, collapse id)   in one entry or more
///                   ├─▶ days          (app, device, day)   how many, in how many threads
///                   └─▶ pushes        (app, identifier)    with mutable-content or without
///     result ─────────▶ pushes        (app, identifier)    the newest result
///
/// Each is a `KeySample`, so memory is bounded, and the problems are a function of the set of records. Up to
/// `Limits.keys` keys of a kind, nothing is left out; of more keys, a sample is examined, in which apps with few keys
/// may be missing.
package struct GroupingCensus: Sendable {
    /// The thresholds, which the page on checking states.
    package enum Limits {
        /// The number of threads from which an app is examined for threads with a single notification.
        package static let threads = 20
        /// The percentage of an app's threads that may have a single notification.
        package static let singleThreadPercent = 90
        /// The number of notifications that one thread may have on one device on one day, if it is the only one.
        package static let dailyNotifications = 10_000
        /// The number of notifications in threads with mixed formats from which an app is reported.
        package static let mixedNotifications = 20
        /// The number of collapse identifiers from which an app is examined for those that are used once.
        package static let collapseIdentifiers = 100
        /// The number of keys of each kind that are kept.
        package static let keys = 1 << 15
        /// The length of an app's name in an explanation, in bytes; the rest is left out.
        static let nameBytes = 128
    }

    /// A problem of one app.
    package struct Problem: Equatable, Sendable {
        package let problem: GroupingProblem
        package let app: String
        /// The numbers that the problem follows from, as a text.
        package let numbers: String
        /// The first record that the problem is about.
        package let first: Position
    }

    /// The position of a record: its source's ordinal, its line, and the index of its entry's first record in the line.
    package struct Position: Comparable, Sendable {
        package let source: Int
        package let line: UInt64
        let entry: UInt32

        package init(source: Int, line: UInt64, entry: UInt32 = 0) {
            self.source = source
            self.line = line
            self.entry = entry
        }

        package static func < (a: Position, b: Position) -> Bool {
            (a.source, a.line, a.entry) < (b.source, b.line, b.entry)
        }
    }

    private let known: KnownCategories
    private var threads: KeySample<ThreadUse>
    private var collapses: KeySample<IdentifierUse>
    private var days: KeySample<DeviceDay>
    private var pushes: KeySample<PushUse>
    /// The names of the apps of all kept keys, by their hash, and of few others.
    private var names: [UInt64: [UInt8]] = [:]

    /// - Parameter keys: the number of keys of each kind that are kept.
    package init(_ known: KnownCategories, keys: Int = Limits.keys) {
        self.known = known
        threads = KeySample(capacity: keys)
        collapses = KeySample(capacity: keys)
        days = KeySample(capacity: keys)
        pushes = KeySample(capacity: keys)
    }

    /// Adds the notification of a record.
    ///
    /// - Parameters:
    ///   - record: the record, with its texts in `chunk`.
    ///   - isUntimed: whether the record has no timestamp.
    package mutating func add(
        _ record: NotificationRecord, of chunk: Chunk, isUntimed: Bool, at position: Position
    ) {
        let name = chunk.bytes(of: record.app)
        let app = name.stableHash(seed: 0)
        let lowerings = lowerings
        let use = PushUse(app: app, isMutable: record.traits.isMutable, at: record.order, position)
        var isNew = note(use, record.collapseIdentifier, of: chunk)
        if note(use, record.identifier, of: chunk) { isNew = true }
        let grouping = known.grouping(of: name)
        if grouping != .off, add(record, of: chunk, app, grouping, isUntimed: isUntimed, at: position) {
            isNew = true
        }
        keepName(name, app, isNew: isNew, after: lowerings)
    }

    /// Adds the result of a service extension.
    ///
    /// - Parameter result: its app, its order, and as its collapse identifier that of the notification.
    package mutating func add(result: NotificationRecord, of chunk: Chunk) {
        let name = chunk.bytes(of: result.app)
        let app = name.stableHash(seed: 0)
        let lowerings = lowerings
        let isNew = note(PushUse(app: app, resultAt: result.order), result.collapseIdentifier, of: chunk)
        keepName(name, app, isNew: isNew, after: lowerings)
    }

    /// - Returns: whether a key is new.
    private mutating func add(
        _ record: NotificationRecord, of chunk: Chunk, _ app: UInt64, _ grouping: Grouping, isUntimed: Bool,
        at position: Position
    ) -> Bool {
        // Groups by app have no threads.
        let threadText = grouping == .byApp ? TextRange.none : record.thread
        let thread = chunk.bytes(of: threadText).stableHash(seed: Self.mixed(app, 1))
        var isNew = threads.note(
            ThreadUse(
                app: app, count: 1, isNamed: !threadText.isEmpty,
                formats: FormatUse(format(of: record, chunk)), entries: EntryRange(position)), for: thread)
        if !record.collapseIdentifier.isEmpty {
            let hash = chunk.bytes(of: record.collapseIdentifier).stableHash(seed: Self.mixed(app, 2))
            if collapses.note(IdentifierUse(app: app, entries: EntryRange(position)), for: hash) {
                isNew = true
            }
        }
        if !record.device.isEmpty, !isUntimed {
            // Days are those of UTC; division rounds towards 0, which joins two days around 1970.
            let day = UInt64(bitPattern: record.order.timestamp / 86_400_000)
            let hash = chunk.bytes(of: record.device).stableHash(seed: Self.mixed(app, 3 &+ day))
            if days.note(DeviceDay(app: app, count: 1, thread: thread, first: position), for: hash) {
                isNew = true
            }
        }
        return isNew
    }

    /// - Returns: whether the key is new.
    private mutating func note(_ use: PushUse, _ identifier: TextRange, of chunk: Chunk) -> Bool {
        guard !identifier.isEmpty else { return false }
        return pushes.note(use, for: chunk.bytes(of: identifier).stableHash(seed: Self.mixed(use.app, 0)))
    }

    /// Keeps the name of the app of a new key, and forgets those of apps that no longer have keys.
    private mutating func keepName(_ name: Span<UInt8>, _ app: UInt64, isNew: Bool, after lowerings: Int) {
        if isNew, names[app] == nil {
            var bytes: [UInt8] = []
            bytes.append(name.extracting(first: min(name.count, Limits.nameBytes)))
            names[app] = bytes
        }
        if self.lowerings != lowerings { forgetNames() }
    }

    /// How often keys of any kind were dropped.
    private var lowerings: Int { threads.lowerings + collapses.lowerings + days.lowerings + pushes.lowerings }

    /// Adds the counts of other records.
    package mutating func add(_ other: GroupingCensus) {
        threads.add(other.threads)
        collapses.add(other.collapses)
        days.add(other.days)
        pushes.add(other.pushes)
        names.merge(other.names) { mine, _ in mine }
        forgetNames()
    }

    private func format(of record: NotificationRecord, _ chunk: Chunk) -> KnownCategories.Format {
        guard known.haveFormats, !record.category.isEmpty, let app = known.app(chunk.bytes(of: record.app))
        else { return .none }
        return known.format(of: chunk.bytes(of: record.category), of: app)
    }

    /// Returns a seed for the hash of a key's last part, after its app.
    private static func mixed(_ app: UInt64, _ part: UInt64) -> UInt64 {
        (app ^ part &* UInt64.goldenRatio) &* 0xff51_afd7_ed55_8ccd
    }

    /// The number of names that are kept, for tests.
    var nameCount: Int { names.count }

    /// Forgets the names of apps that no kept key needs.
    private mutating func forgetNames() {
        var used: Set<UInt64> = []
        for value in threads.values.values { used.insert(value.app) }
        for value in collapses.values.values { used.insert(value.app) }
        for value in days.values.values { used.insert(value.app) }
        for value in pushes.values.values { used.insert(value.app) }
        names = names.filter { used.contains($0.key) }
    }
}

// MARK: - What is noted about a key

/// The formats of a thread's notifications.
private struct FormatUse: Sendable {
    var format: Int
    var areSeveral = false
    var takesArguments: Bool

    init(_ format: KnownCategories.Format) {
        self.format = format.number
        takesArguments = format.takesArguments
    }

    mutating func merge(_ other: FormatUse) {
        if other.areSeveral || other.format != format { areSeveral = true }
        // The same in any order.
        format = min(format, other.format)
        if other.takesArguments { takesArguments = true }
    }

    /// Whether the summary has the default format (specification §7).
    var fallsBack: Bool { areSeveral && takesArguments }
}

/// The entries with a key: an entry with several device tokens is one push, although each token has a record.
private struct EntryRange: Sendable {
    private(set) var first: GroupingCensus.Position
    private var last: GroupingCensus.Position

    init(_ position: GroupingCensus.Position) { (first, last) = (position, position) }

    mutating func merge(_ other: EntryRange) {
        first = min(first, other.first)
        last = max(last, other.last)
    }

    /// Whether there is only one entry.
    var isSingle: Bool { first == last }
}

private struct ThreadUse: SampledValue {
    let app: UInt64
    var count: UInt64
    /// Whether it has an identifier, as opposed to the thread of all notifications without one.
    let isNamed: Bool
    var formats: FormatUse
    var entries: EntryRange

    mutating func merge(_ other: ThreadUse) {
        count += other.count
        formats.merge(other.formats)
        entries.merge(other.entries)
    }
}

private struct IdentifierUse: SampledValue {
    let app: UInt64
    var entries: EntryRange

    mutating func merge(_ other: IdentifierUse) { entries.merge(other.entries) }
}

/// The pushes with an identifier, and the results of service extensions for them.
private struct PushUse: SampledValue {
    let app: UInt64
    /// Whether any of the pushes has `mutable-content`.
    private var isMutable = false
    /// The oldest push, and the first one in the log; nil for results alone.
    private var oldest: OrderKey?
    private(set) var first: GroupingCensus.Position?
    private var newestResult: OrderKey?

    init(app: UInt64, isMutable: Bool, at order: OrderKey, _ position: GroupingCensus.Position) {
        self.app = app
        self.isMutable = isMutable
        (oldest, first) = (order, position)
    }

    init(app: UInt64, resultAt order: OrderKey) {
        self.app = app
        newestResult = order
    }

    mutating func merge(_ other: PushUse) {
        if other.isMutable { isMutable = true }
        oldest = Self.merged(oldest, other.oldest, min)
        first = Self.merged(first, other.first, min)
        newestResult = Self.merged(newestResult, other.newestResult, max)
    }

    private static func merged<Value>(_ a: Value?, _ b: Value?, _ choose: (Value, Value) -> Value) -> Value? {
        guard let a, let b else { return a ?? b }
        return choose(a, b)
    }

    /// Whether a service extension returned something for one of the pushes.
    var hasResult: Bool {
        guard let newestResult, let oldest else { return false }
        return oldest < newestResult
    }

    /// Whether no device starts a service extension for any of the pushes.
    var startsNone: Bool { oldest != nil && !isMutable }
}

/// The notifications of an app on one device on one day.
private struct DeviceDay: SampledValue {
    let app: UInt64
    var count: UInt64
    /// The hash of a thread.
    var thread: UInt64
    var areSeveralThreads = false
    var first: GroupingCensus.Position

    init(app: UInt64, count: UInt64, thread: UInt64, first: GroupingCensus.Position) {
        self.app = app
        self.count = count
        self.thread = thread
        self.first = first
    }

    mutating func merge(_ other: DeviceDay) {
        count += other.count
        if other.areSeveralThreads || other.thread != thread { areSeveralThreads = true }
        thread = min(thread, other.thread)
        first = min(first, other.first)
    }
}

// MARK: - Problems

extension GroupingCensus {
    /// The problems, in the order of `GroupingProblem`, and for each in byte order of the apps' names.
    package var problems: [Problem] {
        let all =
            singleThreads + crowdedThreads + mixedFormats + singleCollapseIdentifiers + unexpectedResults
        return all.sorted { a, b in
            if a.problem != b.problem { return a.problem.rawValue < b.problem.rawValue }
            let (name, other) = (Array(a.app.utf8), Array(b.app.utf8))
            // Names whose ends were left out may be equal.
            return name == other ? a.first < b.first : name.lexicographicallyPrecedes(other)
        }
    }

    /// How many of an app's keys have a property, and the first record of those.
    private struct Share {
        var all: UInt64 = 0
        var some: UInt64 = 0
        var first: Position?

        mutating func add(_ count: UInt64, if isSome: Bool, _ position: Position) {
            all += count
            guard isSome else { return }
            some += count
            first = first.map { min($0, position) } ?? position
        }
    }

    private func shares<Value>(
        of sample: KeySample<Value>, _ add: (Value, inout [UInt64: Share]) -> Void
    ) -> [UInt64: Share] {
        var shares: [UInt64: Share] = [:]
        for value in sample.values.values { add(value, &shares) }
        return shares
    }

    private func problems(
        _ problem: GroupingProblem, _ shares: [UInt64: Share], _ numbers: (Share) -> String?
    ) -> [Problem] {
        shares.compactMap { app, share in
            guard let first = share.first, let numbers = numbers(share), let name = names[app] else {
                return nil
            }
            return Problem(
                problem: problem, app: String(decoding: name, as: UTF8.self), numbers: numbers, first: first)
        }
    }

    private var singleThreads: [Problem] {
        let shares = shares(of: threads) { thread, shares in
            if thread.isNamed {
                shares[thread.app, default: Share()].add(1, if: thread.entries.isSingle, thread.entries.first)
            }
        }
        return problems(.singleThreads, shares) { share in
            guard share.all >= Limits.threads,
                share.some * 100 > share.all * UInt64(Limits.singleThreadPercent)
            else { return nil }
            return "\(Numbers.grouped(share.some)) of \(Numbers.count(share.all, "thread"))"
        }
    }

    private var crowdedThreads: [Problem] {
        let shares = shares(of: days) { day, shares in
            guard day.count > Limits.dailyNotifications, !day.areSeveralThreads else { return }
            // Only the largest number is of interest.
            let earlier = shares[day.app]
            let count = max(day.count, earlier?.all ?? 0)
            shares[day.app] = Share(
                all: count, some: count, first: min(day.first, earlier?.first ?? day.first))
        }
        return problems(.crowdedThread, shares) { "\(Numbers.grouped($0.all)) on one device in one day" }
    }

    private var mixedFormats: [Problem] {
        guard known.haveFormats else { return [] }
        let shares = shares(of: threads) { thread, shares in
            shares[thread.app, default: Share()].add(
                thread.count, if: thread.formats.fallsBack, thread.entries.first)
        }
        return problems(.mixedFormats, shares) { share in
            guard share.some >= Limits.mixedNotifications else { return nil }
            return "\(Numbers.grouped(share.some)) of \(Numbers.count(share.all, "notification"))"
        }
    }

    private var singleCollapseIdentifiers: [Problem] {
        let shares = shares(of: collapses) { identifier, shares in
            shares[identifier.app, default: Share()].add(
                1, if: identifier.entries.isSingle, identifier.entries.first)
        }
        return problems(.singleCollapseIdentifiers, shares) { share in
            guard share.all >= Limits.collapseIdentifiers, share.some == share.all else { return nil }
            return Numbers.count(share.all, "collapse identifier")
        }
    }

    private var unexpectedResults: [Problem] {
        let shares = shares(of: pushes) { push, shares in
            guard push.hasResult, let first = push.first else { return }
            shares[push.app, default: Share()].add(1, if: push.startsNone, first)
        }
        return problems(.mutableContentMissing, shares) { share in
            "\(Numbers.grouped(share.some)) of \(Numbers.count(share.all, "identifier")) with a result"
        }
    }
}
