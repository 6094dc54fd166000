import SheafBytes
import SheafGroups
import SheafText

/// Counts of an app's notifications and results of service extensions, from which problems follow that no single record
/// shows. A person is a device.
///
///     notification ─┬─▶ threads       (app, thread)        how many, in one entry or more, formats
///                   ├─▶ collapses     (app, collapse id)   in one entry or more
///                   ├─▶ days          (app, device, day)   a `PersonDay`: how many, in which threads, how urgent
///                   ├─▶ pushes        (app, identifier)    with mutable-content or without
///                   └─▶ repeats       (app, device, id)    how many
///     result ─────────▶ pushes        (app, identifier)    the newest result
///
/// Each is a `HashSample`, so memory is bounded, and the problems are a function of the set of records. Up to
/// `maximumKeys` keys of a kind, nothing is left out; of more keys, a sample is examined, in which apps with few keys
/// may be missing. The sample of days has all days of a person, or none.
package struct GroupingCensus: Sendable {
    /// The number of keys of each kind that are kept.
    package static let maximumKeys = 1 << 15
    /// The length of an app's name in an explanation, in bytes; the rest is left out.
    private static let nameBytes = 128

    /// A problem of one app.
    package struct AppProblem: Equatable, Sendable {
        package let problem: CheckProblem
        package let app: String
        /// The numbers that the problem follows from, as a text.
        package let numbers: String
        /// The first record that the problem is about.
        package let first: RecordPosition
    }

    private let known: KnownCategories
    private let profile: Profile
    /// The limits of rules that differ from the usual ones.
    private let limits: [CheckFinding: Int]
    /// The number of threads that a person's day keeps.
    private let threadCapacity: Int
    private var threads: HashSample<KeyUse>
    private var collapses: HashSample<KeyUse>
    private var days: HashSample<PersonDay>
    private var pushes: HashSample<PushUse>
    private var repeats: HashSample<KeyUse>
    /// The names of the apps of all kept keys, by their hash, and of others, up to `maximumNames`.
    private var names: [UInt64: [UInt8]] = [:]
    /// Twice the number of names that kept keys needed when others were last removed, and at least `fewNames`.
    private var maximumNames = GroupingCensus.fewNames
    private static let fewNames = 64

    /// The number of threads that a person's day keeps at least, in which urgent notifications are looked for.
    private static let minimumThreads = 8

    /// - Parameters:
    ///   - profile: the profile that decides which notifications are urgent.
    ///   - limits: the limits of rules that differ from the usual ones; within `CheckFinding.limitRange`.
    ///   - keys: the number of keys of each kind that are kept.
    package init(
        _ known: KnownCategories, profile: Profile = .ios12, limits: [CheckFinding: Int] = [:],
        keys: Int = GroupingCensus.maximumKeys
    ) {
        self.known = known
        self.profile = profile
        self.limits = limits
        // One more than the limit, so that it is known to be exceeded.
        let threadLimit = limits[.problem(.manyThreads)] ?? CheckFinding.problem(.manyThreads).limit ?? 0
        threadCapacity = max(Self.minimumThreads, threadLimit + 1)
        threads = HashSample(capacity: keys)
        collapses = HashSample(capacity: keys)
        days = HashSample(capacity: keys)
        pushes = HashSample(capacity: keys)
        repeats = HashSample(capacity: keys)
    }

    /// Adds the notification of a record.
    ///
    /// - Parameters:
    ///   - record: the record, with its texts in `chunk`.
    ///   - isUntimed: whether the record has no timestamp.
    ///   - position: the position of the record's entry.
    package mutating func add(
        _ record: NotificationRecord, of chunk: Chunk, isUntimed: Bool, at position: RecordPosition
    ) {
        let name = chunk.bytes(of: record.app)
        let app = name.stableHash(seed: 0)
        let use = PushUse(app: app, isMutable: record.traits.isMutable, at: record.order, position)
        var isNew = self.record(use, record.collapseIdentifier, of: chunk)
        if self.record(use, record.identifier, of: chunk) { isNew = true }
        if !record.identifier.isEmpty {
            let device = chunk.bytes(of: record.device).stableHash(seed: Self.mixed(app, 4))
            let push = chunk.bytes(of: record.identifier).stableHash(seed: device)
            if repeats.record(KeyUse(app: app, at: position), for: push) { isNew = true }
        }
        let grouping = known.grouping(of: name)
        // Groups by app have no threads.
        let thread = grouping == .byApp ? TextRange.none : record.thread
        let hash =
            grouping == .off ? nil : chunk.bytes(of: thread).stableHash(seed: Self.mixed(app, 1))
        if let hash, add(record, of: chunk, app, hash, isNamed: !thread.isEmpty, at: position) {
            isNew = true
        }
        if !isUntimed, addDay(record, of: chunk, app, thread: hash, at: position) { isNew = true }
        if isNew { keepName(name, app) }
    }

    /// Adds the result of a service extension.
    ///
    /// - Parameter result: its app, its order, and as its collapse identifier that of the notification.
    package mutating func add(result: NotificationRecord, of chunk: Chunk) {
        let name = chunk.bytes(of: result.app)
        let app = name.stableHash(seed: 0)
        let isNew = record(PushUse(app: app, resultAt: result.order), result.collapseIdentifier, of: chunk)
        if isNew { keepName(name, app) }
    }

    /// - Returns: whether a key is new.
    private mutating func add(
        _ record: NotificationRecord, of chunk: Chunk, _ app: UInt64, _ thread: UInt64, isNamed: Bool,
        at position: RecordPosition
    ) -> Bool {
        let format = format(of: record, chunk)
        var use = KeyUse(app: app, value: UInt64(format.number), at: position)
        use.isNamed = isNamed
        use.takesArguments = format.takesArguments
        var isNew = threads.record(use, for: thread)
        if !record.collapseIdentifier.isEmpty {
            let hash = chunk.bytes(of: record.collapseIdentifier).stableHash(seed: Self.mixed(app, 2))
            if collapses.record(KeyUse(app: app, at: position), for: hash) { isNew = true }
        }
        return isNew
    }

    /// - Returns: whether the key is new.
    private mutating func addDay(
        _ record: NotificationRecord, of chunk: Chunk, _ app: UInt64, thread: UInt64?,
        at position: RecordPosition
    ) -> Bool {
        guard !record.device.isEmpty else { return false }
        let level = record.traits.level(profile)
        let notification = PersonDay.Notification(
            app: app, thread: thread, interrupts: record.traits.level(.ios15) != .passive,
            isUrgent: level == .critical || level == .timeSensitive, position: position)
        let person = chunk.bytes(of: record.device).stableHash(seed: Self.mixed(app, 3))
        let capacity = threadCapacity
        return days.record(for: PersonDay.hash(person, at: record.order.timestamp)) {
            PersonDay(notification, capacity: capacity)
        } _: {
            $0.add(notification)
        }
    }

    /// - Returns: whether the key is new.
    private mutating func record(_ use: PushUse, _ identifier: TextRange, of chunk: Chunk) -> Bool {
        guard !identifier.isEmpty else { return false }
        return pushes.record(use, for: chunk.bytes(of: identifier).stableHash(seed: Self.mixed(use.app, 0)))
    }

    /// Keeps the name of a new key's app. O(1) on average.
    private mutating func keepName(_ name: Span<UInt8>, _ app: UInt64) {
        guard names[app] == nil else { return }
        var bytes: [UInt8] = []
        bytes.append(name.extracting(first: min(name.count, Self.nameBytes)))
        names[app] = bytes
        if names.count > maximumNames { removeNames() }
    }

    /// Adds the counts of other records.
    package mutating func add(_ other: GroupingCensus) {
        threads.add(other.threads)
        collapses.add(other.collapses)
        days.add(other.days)
        pushes.add(other.pushes)
        repeats.add(other.repeats)
        names.merge(other.names) { mine, _ in mine }
        removeNames()
    }

    private func format(of record: NotificationRecord, _ chunk: Chunk) -> KnownCategories.Format {
        guard known.haveFormats, !record.category.isEmpty, let app = known.app(chunk.bytes(of: record.app))
        else { return (0, false) }
        return known.format(of: chunk.bytes(of: record.category), of: app)
    }

    /// Returns a seed for the hash of a key's last part, after its app.
    private static func mixed(_ app: UInt64, _ part: UInt64) -> UInt64 {
        (app ^ part &* UInt64.goldenRatio) &* 0xff51_afd7_ed55_8ccd
    }

    /// The number of names that are kept, for tests.
    var nameCount: Int { names.count }

    /// Removes the names of apps that no kept key needs.
    private mutating func removeNames() {
        var used: Set<UInt64> = []
        for sample in [threads, collapses, repeats] {
            for value in sample.values.values { used.insert(value.app) }
        }
        for value in days.values.values { used.insert(value.app) }
        for value in pushes.values.values { used.insert(value.app) }
        names = names.filter { used.contains($0.key) }
        maximumNames = max(Self.fewNames, 2 * names.count)
    }
}

// MARK: - Problems

extension GroupingCensus {
    private typealias Threshold = CheckFinding.Threshold

    /// The problems, in the order of `CheckProblem`, and for each in byte order of the apps' names.
    package var problems: [AppProblem] {
        let all =
            singleThreads + manyThreads + crowdedThreads + manyInterruptions + buriedUrgent + mixedFormats
            + singleCollapseIdentifiers + unexpectedResults + repeatedPushes
        return all.ordered { a, b in
            if a.problem != b.problem { return a.problem.rawValue < b.problem.rawValue }
            let (name, other) = (Array(a.app.utf8), Array(b.app.utf8))
            // Names whose ends were left out may be equal.
            return name == other ? a.first < b.first : name.lexicographicallyPrecedes(other)
        }
    }

    /// The number of an app's keys with a property, and the first record of those.
    private struct Portion {
        var all: UInt64 = 0
        var some: UInt64 = 0
        var first: RecordPosition?

        mutating func add(_ count: UInt64, if isSome: Bool, _ position: RecordPosition) {
            all += count
            guard isSome else { return }
            some += count
            first = first.map { min($0, position) } ?? position
        }
    }

    private func portions<Value>(
        of sample: HashSample<Value>, _ add: (Value, inout [UInt64: Portion]) -> Void
    ) -> [UInt64: Portion] {
        var portions: [UInt64: Portion] = [:]
        for value in sample.values.values { add(value, &portions) }
        return portions
    }

    private func problems(
        _ problem: CheckProblem, _ portions: [UInt64: Portion], _ numbers: (Portion) -> String?
    ) -> [AppProblem] {
        portions.compactMap { app, portion in
            guard let first = portion.first, let numbers = numbers(portion), let name = names[app] else {
                return nil
            }
            return AppProblem(
                problem: problem, app: String(decoding: name, as: UTF8.self), numbers: numbers, first: first)
        }
    }

    private var singleThreads: [AppProblem] {
        let portions = portions(of: threads) { thread, portions in
            if thread.isNamed {
                portions[thread.app, default: Portion()].add(1, if: thread.isSingle, thread.first)
            }
        }
        return problems(.singleThreads, portions) { portion in
            guard portion.all >= Threshold.threads,
                portion.some * 100 > portion.all * UInt64(Threshold.singleThreadPercent)
            else { return nil }
            return "\(Numbers.grouped(portion.some)) of \(Numbers.count(portion.all, "thread"))"
        }
    }

    private var crowdedThreads: [AppProblem] {
        let limit = limit(of: .crowdedThread)
        let portions = portions(of: days) { day, portions in
            guard day.notifications > limit, day.threads.count == 1 else { return }
            // Only the largest number is of interest.
            let earlier = portions[day.app]
            let count = max(UInt64(day.notifications), earlier?.all ?? 0)
            portions[day.app] = Portion(
                all: count, some: count, first: min(day.first, earlier?.first ?? day.first))
        }
        return problems(.crowdedThread, portions) { "\(Numbers.grouped($0.all)) on one device in one day" }
    }

    private var manyThreads: [AppProblem] {
        let limit = limit(of: .manyThreads)
        return personProblems(.manyThreads) { $0.threads.count > limit }
    }

    private var manyInterruptions: [AppProblem] {
        let limit = limit(of: .manyInterruptions)
        return personProblems(.manyInterruptions) { $0.interruptions > limit }
    }

    private var buriedUrgent: [AppProblem] {
        let limit = limit(of: .buriedUrgent)
        let portions = portions(of: days) { day, portions in
            for thread in day.threads where thread.urgent > 0 {
                portions[day.app, default: Portion()].add(1, if: thread.others > limit, day.first)
            }
        }
        return problems(.buriedUrgent, portions) { portion in
            guard Self.areMany(portion) else { return nil }
            return
                "\(Numbers.grouped(portion.some)) of \(Numbers.grouped(portion.all)) threads with urgent ones"
        }
    }

    private func limit(of problem: CheckProblem) -> Int {
        limits[.problem(problem)] ?? CheckFinding.problem(problem).limit ?? .max
    }

    /// Whether more people of a sample, or more of their threads, exceed a limit than a few exceptions.
    private static func areMany(_ portion: Portion) -> Bool {
        portion.all >= Threshold.people
            && portion.some * 100 > portion.all * UInt64(Threshold.personPercent)
    }

    /// Returns the apps with many people who had such a day.
    private func personProblems(
        _ problem: CheckProblem, _ isExcessive: (PersonDay) -> Bool
    ) -> [AppProblem] {
        var people: [UInt64: (app: UInt64, first: RecordPosition?)] = [:]
        for (hash, day) in days.values {
            var (app, first) = people[PersonDay.person(hash)] ?? (day.app, nil)
            if isExcessive(day) { first = first.map { min($0, day.first) } ?? day.first }
            app = min(app, day.app)
            people[PersonDay.person(hash)] = (app, first)
        }
        var portions: [UInt64: Portion] = [:]
        for (app, first) in people.values {
            // The position of a person without such a day does not count.
            let position = first ?? RecordPosition(source: 0, line: 0)
            portions[app, default: Portion()].add(1, if: first != nil, position)
        }
        return problems(problem, portions) { portion in
            guard Self.areMany(portion) else { return nil }
            return "\(Numbers.grouped(portion.some)) of \(Numbers.grouped(portion.all)) people"
        }
    }

    private var mixedFormats: [AppProblem] {
        guard known.haveFormats else { return [] }
        let portions = portions(of: threads) { thread, portions in
            portions[thread.app, default: Portion()].add(
                thread.count, if: thread.hasDefaultFormat, thread.first)
        }
        return problems(.mixedFormats, portions) { portion in
            guard portion.some >= Threshold.mixedNotifications else { return nil }
            return "\(Numbers.grouped(portion.some)) of \(Numbers.count(portion.all, "notification"))"
        }
    }

    private var singleCollapseIdentifiers: [AppProblem] {
        let portions = portions(of: collapses) { identifier, portions in
            portions[identifier.app, default: Portion()].add(
                1, if: identifier.isSingle, identifier.first)
        }
        return problems(.singleCollapseIdentifiers, portions) { portion in
            guard portion.all >= Threshold.collapseIdentifiers, portion.some == portion.all else {
                return nil
            }
            return Numbers.count(portion.all, "collapse identifier")
        }
    }

    private var unexpectedResults: [AppProblem] {
        let portions = portions(of: pushes) { push, portions in
            guard push.hasResult, let first = push.first else { return }
            portions[push.app, default: Portion()].add(1, if: push.startsNone, first)
        }
        return problems(.mutableContentMissing, portions) { portion in
            "\(Numbers.grouped(portion.some)) of \(Numbers.count(portion.all, "identifier")) with a result"
        }
    }

    private var repeatedPushes: [AppProblem] {
        let portions = portions(of: repeats) { push, portions in
            var portion = portions[push.app] ?? Portion()
            portion.add(push.count, if: push.count > 1, push.first)
            // The first record of a push is not repeated.
            if push.count > 1 { portion.some -= 1 }
            portions[push.app] = portion
        }
        return problems(.repeatedPushes, portions) { portion in
            guard Double(portion.some) > Double(portion.all) * RepeatCensus.notableShare else { return nil }
            return "\(Numbers.grouped(portion.some)) of \(Numbers.grouped(portion.all)) pushes with an id"
        }
    }
}
