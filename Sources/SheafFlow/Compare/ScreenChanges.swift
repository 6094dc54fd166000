import SheafBytes

/// Finds where the screens of two designs differ: compares the groups of their snapshots, in the order of keys.
///
///     groups of each design ──by key──▶ other texts: counts by app, examples
///                           ──by device──▶ the people whose screens differ most
///
/// Memory: the counts and an example of each app, `maximumPeople` screens, and the newest groups of one person.
struct ScreenChanges {
    /// The apps, and what differs of each by its symbol.
    private var names = SymbolTable()
    private var changes = [TextChanges()]
    /// The app of the last group, and its symbol.
    private var last: (name: [UInt8], symbol: Int) = ([], 0)
    /// The people whose screens differ most, the first one most.
    private(set) var people: [PersonChange] = []
    /// What each design shows to people with a device, and how many of them have more or fewer groups.
    private var measures = Sides(now: ScreenMeasures(), new: ScreenMeasures())
    private(set) var counted = ComparisonReport.People()

    /// What differs between the screens of an app.
    struct TextChanges {
        var groups = Sides<UInt64>(now: 0, new: 0)
        var notifications = Sides<UInt64>(now: 0, new: 0)
        /// The groups on both screens that show another leading notification, and those with another summary.
        var leading: UInt64 = 0
        var summaries: UInt64 = 0
        /// The first of each, in the order of their keys.
        var examples: [TextExample] = []

        /// Adds what differs of the same app for other people.
        mutating func add(_ other: TextChanges) {
            groups += other.groups
            notifications += other.notifications
            leading += other.leading
            summaries += other.summaries
            // Both are in order: a stable sort, after which the first of each kind is kept.
            let all = (examples + other.examples).ordered { $0.groups.now.compare(to: $1.groups.now) < 0 }
            examples = all.indices.filter { index in
                !all[..<index].contains { $0.isSummary == all[index].isSummary }
            }.map { all[$0] }
        }
    }

    /// A group that both designs show with different texts.
    struct TextExample: Sendable {
        let groups: Sides<ComparedGroup>
        /// Whether the summary differs; if not, the leading notification.
        let isSummary: Bool
    }

    /// The screens of a person.
    struct PersonChange: Sendable {
        /// Empty for the screen of a log without devices.
        var device: [UInt8] = []
        var count = Sides<UInt64>(now: 0, new: 0)
        var changedTexts: UInt64 = 0
        /// The newest groups, the newest first.
        var groups = Sides<[ComparedGroup]>(now: [], new: [])

        var hasChanged: Bool { count.now != count.new || changedTexts > 0 }

        mutating func add(_ group: ComparedGroup, isNow: Bool) {
            count[isNow: isNow] += 1
            Self.add(group, to: &groups[isNow: isNow])
        }

        private static func add(_ group: ComparedGroup, to groups: inout [ComparedGroup]) {
            if groups.count == shownGroups, let last = groups.last, group.order < last.order { return }
            groups.insert(group, at: groups.firstIndex { $0.order < group.order } ?? groups.count)
            if groups.count > shownGroups { groups.removeLast() }
        }

        /// The number of groups that are kept.
        static let shownGroups = 8

        /// Whether the screens of a person differ more than those of another one.
        static func precedes(_ a: PersonChange, _ b: PersonChange) -> Bool {
            func difference(_ person: PersonChange) -> UInt64 {
                let (now, new) = (person.count.now, person.count.new)
                return now > new ? now - new : new - now
            }
            let (first, second) = (difference(a), difference(b))
            if first != second { return first > second }
            if a.changedTexts != b.changedTexts { return a.changedTexts > b.changedTexts }
            return a.device.lexicographicallyPrecedes(b.device)
        }
    }

    /// The number of people whose screens are kept.
    static let maximumPeople = 3

    /// Adds what was found for other people.
    mutating func add(_ other: ScreenChanges) {
        var places = [0]
        for index in other.changes.indices.dropFirst() {
            let place = Int(names.symbol(for: other.names.text(of: UInt32(index))))
            if place == changes.count { changes.append(TextChanges()) }
            changes[place].add(other.changes[index])
            places.append(place)
        }
        for person in other.people { keep(person) }
        measures.now.add(other.measures.now, places)
        measures.new.add(other.measures.new, places)
        counted.add(other.counted)
    }

    /// Compares two snapshots.
    ///
    /// - Parameter check: called periodically; throws to stop.
    mutating func compare(
        _ now: inout GroupReader, _ new: inout GroupReader, check: () throws(ReplayError) -> Void
    ) throws(ReplayError) {
        var person = PersonChange()
        var isFirst = true
        var count = 0
        while !now.isAtEnd || !new.isAtEnd {
            count += 1
            if count % Limits.groupsPerPiece == 0 { try check() }
            let order = now.isAtEnd ? 1 : new.isAtEnd ? -1 : now.group.compare(to: new.group)
            let isOfPerson =
                order <= 0 ? now.group.hasDevice(person.device) : new.group.hasDevice(person.device)
            if isFirst || !isOfPerson {
                end(person)
                let group = order <= 0 ? now.group : new.group
                person = PersonChange(device: group.text(group.device))
                isFirst = false
            }
            if order == 0 { compare(now.group, new.group, &person) }
            if order <= 0 {
                self.count(now.group, isNow: true, &person)
                try now.advance()
            }
            if order >= 0 {
                self.count(new.group, isNow: false, &person)
                try new.advance()
            }
        }
        end(person)
    }

    /// Counts a group that a design shows.
    private mutating func count(_ group: ComparedGroup, isNow: Bool, _ person: inout PersonChange) {
        let place = place(of: group)
        changes[place].groups[isNow: isNow] += 1
        changes[place].notifications[isNow: isNow] += group.count
        person.add(group, isNow: isNow)
        if !group.device.isEmpty {
            measures[isNow: isNow].add(app: place, count: group.count, order: group.order)
        }
    }

    /// Compares what both designs show of a group.
    private mutating func compare(_ now: ComparedGroup, _ new: ComparedGroup, _ person: inout PersonChange) {
        let hasLeading = now.hasLeading(of: new)
        let hasSummary = now.isEqual(now.summary, new, new.summary)
        if hasLeading, hasSummary { return }
        person.changedTexts += 1
        let app = place(of: now)
        func example(isSummary: Bool) -> TextExample {
            TextExample(groups: Sides(now: now, new: new), isSummary: isSummary)
        }
        if !hasLeading {
            if changes[app].leading == 0 { changes[app].examples.append(example(isSummary: false)) }
            changes[app].leading += 1
        }
        if !hasSummary {
            if changes[app].summaries == 0 { changes[app].examples.append(example(isSummary: true)) }
            changes[app].summaries += 1
        }
    }

    /// Returns the place of a group's app among the changes.
    private mutating func place(of group: ComparedGroup) -> Int {
        if group.hasApp(last.name) { return last.symbol }
        let symbol = Int(names.symbol(for: group.bytes.span.extracting(group.app)))
        if symbol == changes.count { changes.append(TextChanges()) }
        last = (group.text(group.app), symbol)
        return symbol
    }

    /// Returns the distributions of the screens' groups and notifications per person.
    func measures(_ quantiles: [Quantile]) -> Sides<[MeasureRow]> {
        let apps = (0...UInt32(names.count)).map { Array(copying: names.text(of: $0)) }
        return measures.map { $0.rows(names: apps, quantiles) }
    }

    /// What differs of each app, by name.
    var apps: [(app: [UInt8], changes: TextChanges)] {
        changes.indices.dropFirst().map { (Array(copying: names.text(of: UInt32($0))), changes[$0]) }
    }

    private mutating func end(_ person: PersonChange) {
        if !person.device.isEmpty {
            counted.count += 1
            counted.groups.count(person.count.now, person.count.new)
            measures.now.endPerson()
            measures.new.endPerson()
        }
        if person.hasChanged { keep(person) }
    }

    /// Adds a person whose screens differ, if they are among those that differ most.
    private mutating func keep(_ person: PersonChange) {
        // Groups without a device are on no screen, unless no group has a device.
        if let first = people.first, first.device.isEmpty != person.device.isEmpty {
            if person.device.isEmpty { return }
            people.removeAll()
        }
        if people.count == Self.maximumPeople, let last = people.last, !PersonChange.precedes(person, last) {
            return
        }
        let index = people.firstIndex { PersonChange.precedes(person, $0) } ?? people.count
        people.insert(person, at: index)
        if people.count > Self.maximumPeople { people.removeLast() }
    }
}

extension ComparedGroup {
    fileprivate func hasDevice(_ name: [UInt8]) -> Bool {
        bytes.span.extracting(device).isEqual(to: name.span)
    }

    fileprivate func hasApp(_ name: [UInt8]) -> Bool { bytes.span.extracting(app).isEqual(to: name.span) }
}
