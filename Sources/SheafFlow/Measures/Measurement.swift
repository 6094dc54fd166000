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
    private let receivePerson: (@Sendable ([UInt8], [UInt64]) -> Void)?
    var distributions: DistributionFiles
    var clock = SnapshotClock(Timeline(step: 1), nil)
    /// The number of pushes without a device, which belong to no person.
    var withoutDevice: UInt64 = 0

    // The cells of all people: what they are about, and the number of people who had a notification of it.

    var apps = SymbolTable()
    var parts = SymbolTable()
    /// The first one is that of all apps together.
    var cells: [(app: UInt32, part: UInt32, people: UInt64)] = [(0, 0, 0)]
    private var cellIndex: [UInt64: Int] = [:]

    // The current person:

    private var device: [UInt8] = []
    private var screen: PersonScreen
    /// By the person's cell: the cell among all.
    private var own: [Int] = []
    /// By cell: the person's cell, if `owner` is the current person.
    private var ownIndex: [(person: UInt64, index: Int)] = [(0, 0)]
    private var person: UInt64 = 0
    /// What happened, in any order. Joined, those of an interval and a cell are one for each measure, in order.
    private var events: [Event] = []
    /// The counts of the last interval and cell, which are not among the events yet.
    private var counts = [UInt64](repeating: 0, count: Measure.firstOfScreen)
    private var counted: (interval: UInt64, cell: Int)?
    /// By the person's cell: whether there was a notification.
    private var isNotified: [Bool] = []
    /// The group of the last state, and its key.
    private var group: (index: Int, app: UInt32, alone: OrderKey?)?
    private var thread: [UInt8] = []
    /// Whether states of a group need not follow each other.
    private var namesGroups = false
    /// The person's groups by app and thread, if states of a group need not follow each other.
    private var groups: [[UInt8]: Int] = [:]

    private struct Event {
        /// The interval's number after the first one, the cell, and the measure.
        let place: UInt64
        let count: UInt64

        init(_ interval: UInt64, _ cell: Int, _ measure: Int, _ count: UInt64) {
            place = interval << 32 | UInt64(cell) << 4 | UInt64(measure)
            self.count = count
        }

        var interval: UInt64 { place >> 32 }
        var cell: Int { Int(place >> 4 & (1 << 28 - 1)) }
        var measure: Int { Int(place & 15) }
    }

    init(_ options: MeasureOptions, _ distributions: DistributionFiles) {
        division = options.division
        receivePerson = options.receivePerson
        screen = PersonScreen(fold: options.fold)
        self.distributions = distributions
    }

    /// Measures everyone in some files.
    ///
    /// - Parameters:
    ///   - state: the states of groups, those of spans among them.
    ///   - activity: its files have all rows.
    ///   - clock: the intervals.
    ///   - direct: the groups that are in memory, and in no file.
    ///   - writeCell: receives each person's values of each interval in which one is not 0, by device, interval, app and
    ///     part; nil to find distributions.
    mutating func measure(
        _ state: StateFiles, _ activity: Activity, _ clock: SnapshotClock, direct: SortedShard?,
        writeCell: ((PersonCell) throws(ReplayError) -> Void)?
    ) throws(ReplayError) {
        self.clock = clock
        withoutDevice += activity.withoutDevice
        var merge = try StateMerge<GroupEntry>(state.files, storage: state.storage)
        var rows = try ActivityReader(activity.files, storage: state.storage)
        var cursor = try merge.next()
        var index = 0
        var count = 0
        let directCount = direct?.groups.count ?? 0
        let symbols = direct.map { ownSymbols(of: $0.groups.store) } ?? []
        while index < directCount || cursor != nil || rows.row != nil {
            begin()
            if let direct, index < directCount { direct.withDevice(at: index) { device.append($0) } }
            cursor?.withBytes {
                take($0[cursor?.entry.group.leading.device ?? .none], isFirst: index == directCount)
            }
            if let row = rows.row {
                take(rows.bytes.span[row.device], isFirst: index == directCount && cursor == nil)
            }
            let name = device
            func isOwn(_ other: Span<UInt8>) -> Bool { name.span.isEqual(to: other) }
            /// Whether a state of a file is the person's.
            func hasOwn(_ cursor: StateCursor<GroupEntry>?) -> Bool {
                cursor?.withBytes { isOwn($0[cursor?.entry.group.leading.device ?? .none]) } ?? false
            }
            namesGroups = division.hasParts || index < directCount && hasOwn(cursor)
            while let direct, index < directCount, direct.withDevice(at: index, isOwn) {
                direct.withGroup(at: index) { add($0, of: $1, symbols) }
                index += 1
                count += 1
                if count % Limits.groupsPerPiece == 0 { try state.check() }
            }
            while let current = cursor, hasOwn(current) {
                current.withBytes { add(current.entry, $0) }
                cursor = try merge.next()
                count += 1
                if count % Limits.groupsPerPiece == 0 { try state.check() }
            }
            while let row = rows.row, isOwn(rows.bytes.span[row.device]) {
                add(row, in: rows.bytes.span)
                try rows.advance()
            }
            if !name.isEmpty { try end(writeCell) }
            if state.isFull(distributions.heldBytes) { try distributions.spill(to: state.folder) }
        }
    }

    /// Adds the people of another measurement, which are others.
    mutating func add(_ other: consuming Measurement) throws(ReplayError) {
        clock = other.clock
        withoutDevice += other.withoutDevice
        var indices = [0]
        cells[0].people += other.cells[0].people
        for (app, part, people) in other.cells.dropFirst() {
            let index = place(
                of: apps.symbol(for: other.apps.text(of: app)), parts.symbol(for: other.parts.text(of: part)))
            cells[index].people += people
            indices.append(index)
        }
        var entries = try other.distributions.takeAll()
        while let entry = try entries.next() { distributions.add(entry.inCell(indices[entry.cell])) }
    }

    /// The people who were measured.
    var people: MeasuredPeople { MeasuredPeople(count: cells[0].people, withoutDevice: withoutDevice) }

    // MARK: A person

    /// Returns the symbols of a store's apps, by their symbols there.
    private mutating func ownSymbols(of store: borrowing GroupStore) -> [UInt32] {
        (0...UInt32(store.apps.count)).map { apps.symbol(for: store.apps.text(of: $0)) }
    }

    /// Takes a device if it precedes that of the person in byte order.
    private mutating func take(_ other: Span<UInt8>, isFirst: Bool) {
        guard isFirst || other.compare(to: device.span) < 0 else { return }
        device.removeAll(keepingCapacity: true)
        device.append(other)
    }

    /// Begins a person.
    private mutating func begin() {
        device.removeAll(keepingCapacity: true)
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
        add(
            state.notificationCount, newest: state.leading.order, isAlone: state.isAlone,
            app: apps.symbol(for: bytes[state.leading.app]), thread: bytes[state.leading.thread],
            during: entry.span ?? IntervalSpan(from: clock.first),
            // Those of spans were kept one by one, and are in the rows of activity.
            isDirect: entry.suffixBytes == 0, state.delivery(in: bytes))
    }

    /// Adds a state of a group in memory, none of whose notifications are kept one by one.
    ///
    /// - Parameter symbols: the symbols of the store's apps.
    private mutating func add(_ state: GroupState, of store: borrowing GroupStore, _ symbols: [UInt32]) {
        let interval = clock.timeline.interval(of: state.last)
        add(
            store.notificationCount(of: state), newest: state.leading.order, isAlone: state.isAlone,
            app: symbols[Int(store.appSymbol(of: state))], thread: store.thread(of: state),
            during: IntervalSpan(from: interval), isDirect: true, store.delivery(of: state))
    }

    private mutating func add(
        _ count: UInt64, newest: OrderKey, isAlone: Bool, app: UInt32, thread: Span<UInt8>,
        during span: IntervalSpan, isDirect: Bool, _ sums: DeliverySums?
    ) {
        guard !device.isEmpty else {
            if isDirect { withoutDevice += count }
            return
        }
        let start = max(clock.first, span.start)
        var (base, part) = (thread.count, 0..<0)
        if division.hasParts, let found = MeasureOptions.Division.parts(of: thread) {
            (base, part) = (found.base, found.part)
        }
        let cell = cell(app, parts.symbol(for: thread.extracting(part)))
        let group = group(app, thread.extracting(first: base), alone: isAlone ? newest : nil)
        screen.add(count, of: group, in: cell, during: start..<max(start, span.end), newest: newest)
        // A result of a service extension may give a notification a category that no push had.
        isNotified[cell] = true
        guard isDirect else { return }
        add(.pushes, count, cell, start)
        guard let sums else { return }
        if sums.banners > 0 { add(.banners, sums.banners, cell, start) }
        if sums.sounds > 0 { add(.sounds, sums.sounds, cell, start) }
    }

    private mutating func add(_ row: ActivityRow, in bytes: Span<UInt8>) {
        guard !device.isEmpty else { return }
        let cell = cell(apps.symbol(for: bytes[row.app]), parts.symbol(for: bytes[row.part]))
        add(Measure.allCases[row.measure], row.count, cell, row.interval)
    }

    private mutating func add(_ measure: Measure, _ count: UInt64, _ cell: Int, _ interval: Int64) {
        let number = UInt64(interval &- clock.first)
        if let counted, counted.interval != number || counted.cell != cell { flushCounts() }
        counted = (number, cell)
        if measure == .pushes { isNotified[cell] = true }
        counts[measure.index] += count
    }

    private mutating func flushCounts() {
        guard let (interval, cell) = counted else { return }
        for index in counts.indices where counts[index] > 0 {
            events.append(Event(interval, cell, index, counts[index]))
            counts[index] = 0
        }
        counted = nil
    }

    /// Returns the person's cell of an app and a part of it.
    private mutating func cell(_ app: UInt32, _ part: UInt32) -> Int {
        let index = place(of: app, part)
        if ownIndex[index].person == person { return ownIndex[index].index }
        let cell = screen.addCell()
        ownIndex[index] = (person, cell)
        own.append(index)
        isNotified.append(false)
        return cell
    }

    /// Returns the cell of an app and a part of it among all.
    mutating func place(of app: UInt32, _ part: UInt32) -> Int {
        let key = UInt64(app) << 32 | UInt64(part)
        if let found = cellIndex[key] { return found }
        precondition(cells.count < Distributions.maximumCells, "too many apps or parts of them")
        cellIndex[key] = cells.count
        cells.append((app, part, 0))
        ownIndex.append((0, 0))
        return cells.count - 1
    }

    /// Returns the person's group with a key.
    private mutating func group(_ app: UInt32, _ thread: Span<UInt8>, alone: OrderKey?) -> Int {
        if let group, group.app == app, group.alone == alone, self.thread.span.isEqual(to: thread) {
            return group.index
        }
        self.thread.removeAll(keepingCapacity: true)
        self.thread.append(thread)
        let index: Int
        if namesGroups {
            // The parts of a group need not follow each other.
            let name = Self.name(app, self.thread, alone)
            index = groups[name] ?? screen.addGroup()
            groups[name] = index
        } else {
            index = screen.addGroup()
        }
        group = (index, app, alone)
        return index
    }

    /// Returns a name of a group of a person.
    private static func name(_ app: UInt32, _ thread: [UInt8], _ alone: OrderKey?) -> [UInt8] {
        var name = thread
        // A fixed number of bytes, so that no two groups have the same name.
        let order =
            alone.map { [UInt64(bitPattern: $0.timestamp), UInt64($0.source), $0.lineAndIndex] } ?? []
        for word in order + [UInt64(order.count) << 32 | UInt64(app)] {
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                name.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return name
    }

    private mutating func end(_ writeCell: ((PersonCell) throws(ReplayError) -> Void)?) throws(ReplayError) {
        joinEvents()
        isNotified[0] = isNotified.contains(true)
        guard isNotified[0] else { return }
        for (cell, index) in own.enumerated() where isNotified[cell] { cells[index].people += 1 }
        let steps = screen.steps()
        if let receivePerson { receivePerson(device, totals(steps)) }
        if let writeCell { return try writeCells(steps, writeCell) }
        for event in events where isNotified[event.cell] {
            distributions.add(
                Distributions.Entry(
                    interval: event.interval, cell: own[event.cell], measure: event.measure,
                    value: event.count,
                    people: 1))
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

    /// Returns the sums of the person's events of all intervals, and the last step of the screen.
    private func totals(_ steps: [PersonScreen.Step]) -> [UInt64] {
        var totals = [UInt64](repeating: 0, count: Measure.allCases.count)
        for event in events where event.cell == 0 { totals[event.measure] += event.count }
        if let last = steps.last(where: { $0.cell == 0 }) {
            for (index, value) in last.values.all.enumerated() {
                totals[Measure.firstOfScreen + index] = value
            }
        }
        return totals
    }

    /// Joins the events of an interval and a cell, and adds those of all apps together.
    private mutating func joinEvents() {
        flushCounts()
        var found: [Event] = []
        swap(&found, &events)
        if !zip(found, found.dropFirst()).allSatisfy({ $0.place <= $1.place }) {
            found.sort { $0.place < $1.place }
        }
        var start = 0
        while start < found.count {
            let interval = found[start].interval
            var end = start
            while end < found.count, found[end].interval == interval {
                counts[found[end].measure] += found[end].count
                end += 1
            }
            counted = (interval, 0)
            flushCounts()
            while start < end {
                let place = found[start].place
                var count: UInt64 = 0
                while start < end, found[start].place == place {
                    count += found[start].count
                    start += 1
                }
                events.append(Event(interval, Int(place >> 4 & (1 << 28 - 1)), Int(place & 15), count))
            }
        }
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
        func time(of event: Event?) -> Int64? { event.map { clock.first &+ Int64($0.interval) } }
        guard var interval = [steps.first?.interval, time(of: events.first)].compactMap({ $0 }).min() else {
            return
        }
        while interval <= clock.last {
            for cell in values.indices {
                for index in 0..<Measure.firstOfScreen { values[cell][index] = 0 }
            }
            while event < events.count, time(of: events[event]) == interval {
                values[events[event].cell][events[event].measure] = events[event].count
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
                        event < events.count ? time(of: events[event]) : nil,
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
    func precedes(_ a: Int, _ b: Int) -> Bool {
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
