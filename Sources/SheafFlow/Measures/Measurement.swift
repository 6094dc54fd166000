import SheafBytes
import SheafGroups

/// Measures what people get, one person after the other.
///
///     states of groups, by device ─┐
///                                  ├─ of a person ─▶ PersonScreen, events ─▶ Distributions ─▶ rows
///     rows of activity, by device ─┘                                     └─▶ cells
///
/// Memory: one person's states, the distributions that are not in a file yet, and the names of apps and their parts.
struct Measurement {
    let division: MeasureOptions.Division
    private(set) var distributions: DistributionFiles
    private(set) var clock = SnapshotClock(Timeline(step: 1), nil)
    /// The number of pushes without a device, which are of nobody.
    private var withoutDevice: UInt64 = 0

    // The cells of all people: what they are about, and the number of people who had a notification of it.

    private var apps = SymbolTable()
    private var parts = SymbolTable()
    /// The first one is that of all apps together.
    private var cells: [(app: UInt32, part: UInt32, people: UInt64)] = [(0, 0, 0)]
    private var cellIndex: [UInt64: Int] = [:]

    // The current person:

    private var device: [UInt8] = []
    private var screen: PersonScreen
    /// By the person's cell: the cell among all.
    private var own: [Int] = []
    /// By cell: the person's cell, if `owner` is the current person.
    private var ownIndex: [(person: UInt64, index: Int)] = [(0, 0)]
    private var person: UInt64 = 0
    private var events: [Event] = []
    /// By the person's cell: whether there was a notification.
    private var isNotified: [Bool] = []
    /// The group of the last state, and its key.
    private var group: (index: Int, app: UInt32, alone: OrderKey?)?
    private var thread: [UInt8] = []
    /// The person's groups by app and thread, if groups are divided.
    private var groups: [GroupName: Int] = [:]

    private struct GroupName: Hashable {
        let app: UInt32
        let thread: [UInt8]
        let alone: OrderKey?
    }

    private struct Event {
        let interval: Int64
        let cell: Int32
        let measure: Int32
        var count: UInt64

        func isSame(as other: Event) -> Bool {
            interval == other.interval && cell == other.cell && measure == other.measure
        }

        static func precedes(_ a: Event, _ b: Event) -> Bool {
            if a.interval != b.interval { return a.interval < b.interval }
            if a.cell != b.cell { return a.cell < b.cell }
            return a.measure < b.measure
        }
    }

    init(_ options: MeasureOptions, _ distributions: DistributionFiles) {
        division = options.division
        screen = PersonScreen(fold: options.fold)
        self.distributions = distributions
    }

    /// Measures everyone in some files.
    ///
    /// - Parameters:
    ///   - state: the states of groups, those of spans among them.
    ///   - activity: its files have all rows.
    ///   - clock: the intervals.
    ///   - writeCell: receives each person's values of each interval in which one is not 0, by device, interval, app and
    ///     part; nil to find distributions.
    mutating func measure(
        _ state: StateFiles, _ activity: Activity, _ clock: SnapshotClock,
        writeCell: ((PersonCell) throws(ReplayError) -> Void)?
    ) throws(ReplayError) {
        self.clock = clock
        withoutDevice += activity.withoutDevice
        var merge = try StateMerge<GroupEntry>(state.files, storage: state.storage)
        var rows = try ActivityReader(activity.files, storage: state.storage)
        var cursor = try merge.next()
        var count = 0
        while cursor != nil || rows.row != nil {
            begin(cursor, rows)
            while let current = cursor, current.withBytes({ isOwn($0[current.entry.group.leading.device]) }) {
                current.withBytes { add(current.entry, $0) }
                cursor = try merge.next()
                count += 1
                if count % Limits.groupsPerPiece == 0 { try state.check() }
            }
            while let row = rows.row, isOwn(rows.bytes.span[row.device]) {
                add(row, in: rows.bytes.span)
                try rows.advance()
            }
            if !device.isEmpty { try end(writeCell) }
            if distributions.heldBytes > state.budget.table { try distributions.spill(to: state.folder) }
        }
    }

    /// The people who were measured.
    var people: MeasuredPeople { MeasuredPeople(count: cells[0].people, withoutDevice: withoutDevice) }

    private func isOwn(_ device: Span<UInt8>) -> Bool { self.device.span.isEqual(to: device) }

    // MARK: A person

    /// Begins the next person in byte order.
    private mutating func begin(_ cursor: StateCursor<GroupEntry>?, _ rows: borrowing ActivityReader) {
        device.removeAll(keepingCapacity: true)
        cursor?.withBytes { device.append($0[cursor?.entry.group.leading.device ?? .none]) }
        if let row = rows.row {
            let other = rows.bytes.span[row.device]
            if cursor == nil || other.compare(to: device.span) < 0 {
                device.removeAll(keepingCapacity: true)
                device.append(other)
            }
        }
        person += 1
        screen.removeAll()
        own.removeAll(keepingCapacity: true)
        own.append(0)
        events.removeAll(keepingCapacity: true)
        isNotified.removeAll(keepingCapacity: true)
        isNotified.append(false)
        group = nil
        groups.removeAll(keepingCapacity: true)
    }

    /// Adds a state of a group.
    private mutating func add(_ entry: GroupEntry, _ bytes: Span<UInt8>) {
        let state = entry.group
        // Those of spans were kept one by one, and are in the rows of activity.
        let isDirect = entry.suffixBytes == 0
        guard !device.isEmpty else {
            if isDirect { withoutDevice += state.notificationCount }
            return
        }
        let span = entry.span ?? IntervalSpan(from: clock.first)
        let start = max(clock.first, span.start)
        var thread = bytes[state.leading.thread]
        var part: Span<UInt8> = Span()
        if division.hasParts, let found = MeasureOptions.Division.parts(of: thread) {
            part = thread.extracting(found.part)
            thread = thread.extracting(first: found.base)
        }
        let app = apps.symbol(for: bytes[state.leading.app])
        let cell = cell(app, parts.symbol(for: part))
        let group = group(app, thread, alone: state.isAlone ? state.leading.order : nil)
        screen.add(
            state.notificationCount, of: group, in: cell, during: start..<max(start, span.end),
            newest: state.leading.order)
        // A result of a service extension may give a notification a category that no push had.
        isNotified[cell] = true
        guard isDirect else { return }
        add(.pushes, state.notificationCount, cell, start)
        guard let sums = state.delivery(in: bytes) else { return }
        if sums.banners > 0 { add(.banners, sums.banners, cell, start) }
        if sums.sounds > 0 { add(.sounds, sums.sounds, cell, start) }
    }

    private mutating func add(_ row: ActivityRow, in bytes: Span<UInt8>) {
        guard !device.isEmpty else { return }
        let cell = cell(apps.symbol(for: bytes[row.app]), parts.symbol(for: bytes[row.part]))
        add(Measure.allCases[row.measure], row.count, cell, row.interval)
    }

    private mutating func add(_ measure: Measure, _ count: UInt64, _ cell: Int, _ interval: Int64) {
        if measure == .pushes { (isNotified[0], isNotified[cell]) = (true, true) }
        let index = Int32(measure.index)
        events.append(Event(interval: interval, cell: Int32(cell), measure: index, count: count))
        events.append(Event(interval: interval, cell: 0, measure: index, count: count))
    }

    /// Returns the person's cell of an app and a part of it.
    private mutating func cell(_ app: UInt32, _ part: UInt32) -> Int {
        let key = UInt64(app) << 32 | UInt64(part)
        let index: Int
        if let found = cellIndex[key] {
            index = found
        } else {
            index = cells.count
            precondition(index < Distributions.maximumCells, "too many apps or parts of them")
            cellIndex[key] = index
            cells.append((app, part, 0))
            ownIndex.append((0, 0))
        }
        if ownIndex[index].person == person { return ownIndex[index].index }
        let cell = screen.addCell()
        ownIndex[index] = (person, cell)
        own.append(index)
        isNotified.append(false)
        return cell
    }

    /// Returns the person's group with a key.
    private mutating func group(_ app: UInt32, _ thread: Span<UInt8>, alone: OrderKey?) -> Int {
        if let group, group.app == app, group.alone == alone, self.thread.span.isEqual(to: thread) {
            return group.index
        }
        self.thread.removeAll(keepingCapacity: true)
        self.thread.append(thread)
        let index: Int
        if division.hasParts {
            // The parts of a group need not follow each other.
            let name = GroupName(app: app, thread: self.thread, alone: alone)
            index = groups[name] ?? screen.addGroup()
            groups[name] = index
        } else {
            index = screen.addGroup()
        }
        group = (index, app, alone)
        return index
    }

    private mutating func end(_ writeCell: ((PersonCell) throws(ReplayError) -> Void)?) throws(ReplayError) {
        guard isNotified[0] else { return }
        for (cell, index) in own.enumerated() where isNotified[cell] { cells[index].people += 1 }
        joinEvents()
        let steps = screen.steps()
        if let writeCell { return try writeCells(steps, writeCell) }
        for event in events where isNotified[Int(event.cell)] {
            distributions.add(entry(event.interval, Int(event.cell), Int(event.measure), event.count, 1))
        }
        var last = [PersonScreen.Values](repeating: PersonScreen.Values(), count: own.count)
        for step in steps {
            for (index, (old, new)) in zip(last[step.cell].all, step.values.all).enumerated() where old != new
            {
                let measure = Measure.firstOfScreen + index
                if old > 0 { distributions.add(entry(step.interval, step.cell, measure, old, -1)) }
                if new > 0 { distributions.add(entry(step.interval, step.cell, measure, new, 1)) }
            }
            last[step.cell] = step.values
        }
    }

    /// Joins the events of an interval and a cell.
    private mutating func joinEvents() {
        events.sort(by: Event.precedes)
        var count = 0
        for event in events {
            if count > 0, events[count - 1].isSame(as: event) {
                events[count - 1].count += event.count
            } else {
                events[count] = event
                count += 1
            }
        }
        events.removeLast(events.count - count)
    }

    private func entry(
        _ interval: Int64, _ cell: Int, _ measure: Int, _ value: UInt64, _ people: Int64
    ) -> Distributions.Entry {
        Distributions.Entry(
            interval: UInt64(interval &- clock.first), cell: own[cell], measure: measure, value: value,
            people: people)
    }

    // MARK: Cells

    /// Passes on the person's values of each interval in which one is not 0.
    private mutating func writeCells(
        _ steps: [PersonScreen.Step], _ writeCell: (PersonCell) throws(ReplayError) -> Void
    ) throws(ReplayError) {
        let order = orderedCells
        var values = [[UInt64]](
            repeating: [UInt64](repeating: 0, count: Measure.allCases.count), count: own.count)
        var (step, event) = (0, 0)
        guard var interval = [steps.first?.interval, events.first?.interval].compactMap({ $0 }).min() else {
            return
        }
        while interval <= clock.last {
            for cell in values.indices {
                for index in 0..<Measure.firstOfScreen { values[cell][index] = 0 }
            }
            while event < events.count, events[event].interval == interval {
                values[Int(events[event].cell)][Int(events[event].measure)] = events[event].count
                event += 1
            }
            while step < steps.count, steps[step].interval == interval {
                let found = steps[step]
                for (index, value) in found.values.all.enumerated() {
                    values[found.cell][Measure.firstOfScreen + index] = value
                }
                step += 1
            }
            var isEmpty = true
            for cell in order where isNotified[cell] && values[cell].contains(where: { $0 > 0 }) {
                isEmpty = false
                try writeCell(
                    PersonCell(
                        at: clock.instant(of: interval), device: device, app: app(of: cell),
                        part: part(of: cell),
                        values: values[cell]))
            }
            if !isEmpty {
                interval += 1
            } else {
                guard
                    let next = [
                        step < steps.count ? steps[step].interval : nil,
                        event < events.count ? events[event].interval : nil,
                    ].compactMap({ $0 }).min()
                else { return }
                interval = max(interval + 1, next)
            }
        }
    }

    /// The person's cells in the order of results.
    private var orderedCells: [Int] {
        guard division != .none else { return [0] }
        return (1..<max(1, own.count)).sorted { precedes(own[$0], own[$1]) }
    }

    private func app(of cell: Int) -> [UInt8]? {
        own[cell] == 0 ? nil : Array(copying: apps.text(of: cells[own[cell]].app))
    }

    private func part(of cell: Int) -> [UInt8] { Array(copying: parts.text(of: cells[own[cell]].part)) }

    /// Whether a cell precedes another one in results: by app and part, in byte order.
    private func precedes(_ a: Int, _ b: Int) -> Bool {
        let (first, second) = (cells[a], cells[b])
        if first.app != second.app {
            return apps.text(of: first.app).compare(to: apps.text(of: second.app)) < 0
        }
        return parts.text(of: first.part).compare(to: parts.text(of: second.part)) < 0
    }
}

/// A person's values of an interval.
struct PersonCell {
    let at: Int64
    let device: [UInt8]
    /// nil for all apps together.
    let app: [UInt8]?
    /// Empty for none.
    let part: [UInt8]
    /// In the order of `Measure`.
    let values: [UInt64]
}

// MARK: - Rows

extension Measurement {
    /// Passes on the distribution of each measure of each cell in each interval, in the order of intervals, apps and
    /// parts, all apps together first. Removes the distributions.
    mutating func forEachRow(
        _ quantiles: [Quantile], check: () throws(ReplayError) -> Void,
        _ body: (MeasureRow) throws(ReplayError) -> Void
    ) throws(ReplayError) {
        var order = [0]
        if division != .none { order += (1..<max(1, cells.count)).sorted { precedes($0, $1) } }
        order.removeAll { cells[$0].people == 0 }
        var entries = try distributions.takeAll()
        var entry = try entries.next()
        let count = Measure.allCases.count
        // Of what is on screen, the people with each value; of what happened, those of the current interval.
        var people = [[UInt64: Int64]](repeating: [:], count: cells.count * count)
        var interval = clock.first
        while true {
            try check()
            var changed: [Int] = []
            while let found = entry, found.interval == UInt64(interval &- clock.first) {
                let place = found.cell * count + found.measure
                if found.measure < Measure.firstOfScreen { changed.append(place) }
                people[place][found.value, default: 0] += found.people
                if people[place][found.value] == 0 { people[place][found.value] = nil }
                entry = try entries.next()
            }
            for cell in order {
                let names = cells[cell]
                for (index, measure) in Measure.allCases.enumerated() {
                    let values = people[cell * count + index].orderedByKey()
                    try body(
                        MeasureRow(
                            at: clock.instant(of: interval),
                            app: cell == 0 ? nil : Array(copying: apps.text(of: names.app)),
                            part: Array(copying: parts.text(of: names.part)), measure: measure,
                            people: names.people, values, quantiles))
                }
            }
            for place in changed { people[place].removeAll(keepingCapacity: true) }
            if interval >= clock.last { break }
            interval += 1
        }
    }
}

/// The distribution of a measure among people, in an interval.
public struct MeasureRow: Sendable, Equatable {
    /// The end of the interval, in milliseconds since 1970.
    public let at: Int64
    /// nil for a person's apps together.
    let appBytes: [UInt8]?
    /// The category or level; empty for none.
    let partBytes: [UInt8]
    public let measure: Measure
    /// The number of people who had a notification of the app anywhere in the window.
    public let people: UInt64
    /// The number of them whose value is 0.
    public let zero: UInt64
    /// The sum of their values.
    public let sum: UInt64
    /// By quantile, in the order of the options.
    public let quantiles: [UInt64]
    /// The largest value.
    public let max: UInt64

    /// The mean in thousandths, rounded; halves are rounded up.
    var meanThousandths: UInt64 {
        guard people > 0 else { return 0 }
        let (high, low) = sum.multipliedFullWidth(by: 1_000)
        let (all, overflows) = low.addingReportingOverflow(people / 2)
        return people.dividingFullWidth((high + (overflows ? 1 : 0), all)).quotient
    }

    /// - Parameter values: the values that are not 0 with the people who have each, in ascending order.
    init(
        at: Int64, app: [UInt8]?, part: [UInt8], measure: Measure, people: UInt64,
        _ values: [(key: UInt64, value: Int64)], _ quantiles: [Quantile]
    ) {
        (self.at, self.measure, self.people) = (at, measure, people)
        (appBytes, partBytes) = (app, part)
        let counted = values.reduce(UInt64(0)) { $0 + UInt64($1.value) }
        zero = people - counted
        sum = values.reduce(UInt64(0)) { $0 &+ $1.key &* UInt64($1.value) }
        max = values.last?.key ?? 0
        self.quantiles = quantiles.map { [zero] quantile in
            let rank = quantile.rank(among: people)
            var reached = zero
            if rank <= reached { return 0 }
            for (value, count) in values {
                reached += UInt64(count)
                if rank <= reached { return value }
            }
            return 0
        }
    }

    /// The app; nil for a person's apps together.
    public var app: String? { appBytes.map { String(decoding: $0, as: UTF8.self) } }
    /// The category or level; nil for none.
    public var part: String? { partBytes.isEmpty ? nil : String(decoding: partBytes, as: UTF8.self) }
}
