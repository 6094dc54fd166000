import SheafBytes
import SheafGroups

/// A shard's groups over time in memory, and the lines that they have in snapshots.
///
///     states of each group by span ──SpanWalk──▶ lines of each group ──by instant──▶ lines of each snapshot
///
///     line     adds states of its interval to the group's state, which its next line continues, and is rendered
///              from it; while notifications are on screen that vanish later, from a merge with their states
///
/// A group's lines are rendered in their order. No state is copied, except where notifications vanish. A line takes 12
/// bytes, and up to six times as much while lines are sorted. Not copyable, since a copy would retain each part of the
/// store.
struct TimelineGroups: ~Copyable {
    private let clock: SnapshotClock
    private var store: GroupStore
    private var states: SegmentedArray<GroupState>
    /// What lines are made of, until there are lines.
    private var source: Source?
    /// The number of groups that are not empty at the last instant.
    private(set) var groupCount: UInt64 = 0

    /// In the order of the snapshots.
    private var lines: [Line] = []
    /// The states that lines refer to, if they are several: those that a line adds, and those that are merged with the
    /// group's state.
    private var parts: [UInt32] = []
    /// The intervals with lines in ascending order, and where the lines of each end.
    private var instants: [(interval: Int64, end: Int)] = []
    /// The line to render next, the index of its instant, and whether its states have been added.
    private var (position, instant) = (0, 0)
    private var isAdded = false

    /// A table's states in the order of their groups.
    private struct Source {
        /// Has the spans of the states.
        let table: GroupTable
        let states: [UInt32]
        /// The index of each group's first state, and the number of states.
        let starts: [UInt32]
        /// The first state of each group; nil once the groups are ranked.
        var heads: SortedShard?
    }

    private struct Line {
        /// The group's state; one of its states if all of them have spans.
        let state: UInt32
        /// The state that the line adds, or the index of its first part if it has several.
        let part: UInt32
        let added: UInt8
        var flags: Flags
        let open: UInt16

        /// Whether the line adds one state and merges nothing.
        var isSimple: Bool { added == 1 && open == 0 }
    }

    private struct Flags: OptionSet {
        let rawValue: UInt8
        /// The group has been emptied.
        static let isEmpty = Flags(rawValue: 1)
        /// The group has a state that grows.
        static let hasDeltas = Flags(rawValue: 2)
        /// It is the first line of its snapshot.
        static let isFirst = Flags(rawValue: 4)
        /// It is not among the lines that are written.
        static let isLeftOut = Flags(rawValue: 8)
    }

    /// The memory that a line takes while lines are sorted, in bytes.
    static var lineBytes: Int { 6 * MemoryLayout<Line>.stride }

    /// How many lines ahead memory is prefetched: a state first, because it locates its contents.
    fileprivate static var stateLookahead: Int { 16 }
    fileprivate static var contentsLookahead: Int { 8 }
    private static var argumentsLookahead: Int { 4 }

    /// Sorts a table's states by group.
    init(_ table: GroupTable, _ clock: SnapshotClock, byDevice: Bool) {
        self.clock = clock
        let sorted = SortedGroups(table, order: .key, byDevice: byDevice, ties: .byGroup)
        let starts = sorted.groupStarts()
        let heads = SortedGroups(sharing: sorted, at: Array(starts.dropLast()))
        source = Source(table: table, states: sorted.indices, starts: starts, heads: SortedShard(heads))
        (store, states) = (table.store, table.states)
    }

    /// The maximum number of distinct arguments that a group keeps.
    var maximumArguments: Int { store.maximumArguments }

    /// Removes and returns the first state of each group, before there are lines.
    mutating func takeHeads() -> SortedShard? { source?.heads.take() }
}

extension SortedGroups {
    /// Returns the index of each group's first state, and the number of states; nothing if there are none.
    fileprivate func groupStarts() -> [UInt32] {
        guard count > 0 else { return [0] }
        var starts: [UInt32] = [0]
        starts.reserveCapacity(count + 1)
        for index in 1..<count {
            if index + TimelineGroups.stateLookahead < count {
                prefetchState(at: index + TimelineGroups.stateLookahead)
            }
            if index + TimelineGroups.contentsLookahead < count {
                prefetchKey(at: index + TimelineGroups.contentsLookahead)
            }
            if !isSameGroup(index - 1, index) { starts.append(UInt32(index)) }
        }
        starts.append(UInt32(count))
        return starts
    }
}

// MARK: - Making lines

extension TimelineGroups {
    /// What is known of a group while its lines are made.
    private struct Current {
        var rank: UInt32 = 0
        /// The first of its states, and the one that grows.
        var first: UInt32 = 0
        var growing: UInt32?
        /// The newest notification of that state, and the number of its notifications.
        var newest: OrderKey?
        var count: UInt64 = 0
        /// The states that the next line adds.
        var added: [UInt32] = []
        /// The leading notification of the last line; nil if the group was empty.
        var leading: OrderKey?

        /// Begins the next group, and keeps the room for added states.
        mutating func begin(_ rank: UInt32, first: UInt32) {
            (self.rank, self.first) = (rank, first)
            (growing, newest, count, leading) = (nil, nil, 0, nil)
            added.removeAll(keepingCapacity: true)
        }
    }

    /// What orders lines among those of other shards.
    struct LineOrder {
        fileprivate(set) var instants: [(interval: Int64, end: Int)] = []
        /// By line: its group's place among those of all shards, if that is the order.
        fileprivate(set) var ranks: [UInt32] = []
        /// By line: its place in a snapshot with the newest group first, if that is the order.
        fileprivate(set) var recencies: [Recency] = []
        /// By line: the number of notifications, 0 for a group that has been emptied, if only the largest are written.
        fileprivate(set) var counts: [UInt64] = []

        /// Returns the interval of an instant; nil after the last one.
        func interval(_ instant: Int) -> Int64? {
            instant < instants.count ? instants[instant].interval : nil
        }
    }

    /// The newest comes first. A notification may have left the group that it was leading for another one, which then
    /// precedes the empty one.
    struct Recency: Comparable {
        let newest: OrderKey
        let isEmpty: Bool

        static func < (a: Recency, b: Recency) -> Bool {
            a.newest == b.newest ? !a.isEmpty && b.isEmpty : b.newest < a.newest
        }
    }

    /// Lines in the order of groups, and what orders them.
    private struct Draft {
        var lines: [Line] = []
        var order = LineOrder()
        /// By line: the number of its interval in the order in which intervals were found.
        var instants: [UInt32] = []
        var numbers: [Int64: UInt32] = [:]

        /// Makes room for the lines of as many states, which have a line each in most cases.
        mutating func reserve(_ count: Int, _ selection: GroupSelection) {
            lines.reserveCapacity(count)
            instants.reserveCapacity(count)
            if selection.order == .key { order.ranks.reserveCapacity(count) }
        }
    }

    /// Makes the lines of all groups, and puts them in the order of the snapshots.
    ///
    /// - Parameter ranks: the groups' places among those of all shards.
    mutating func makeLines(_ ranks: [UInt32], _ selection: GroupSelection) -> LineOrder {
        guard let source = source.take() else { return LineOrder() }
        let timeline = clock.timeline
        var walk = SpanWalk<UInt32>(clock, emitsAll: selection.emit == .all)
        var draft = Draft()
        draft.reserve(source.states.count, selection)
        var current = Current()
        var ordered: [(span: IntervalSpan, state: UInt32)] = []
        for group in ranks.indices {
            ordered.removeAll(keepingCapacity: true)
            for index in Int(source.starts[group])..<Int(source.starts[group + 1]) {
                if index + Self.stateLookahead < source.states.count {
                    states.prefetch(Int(source.states[index + Self.stateLookahead]))
                }
                let state = source.states[index]
                let span =
                    source.table.span(of: Int(state))
                    ?? IntervalSpan(from: timeline.interval(of: states[Int(state)].last))
                ordered.append((span, state))
            }
            if source.table.spans.count > 0, ordered.count > 1 {
                ordered.sort { $0.span.compare(to: $1.span) < 0 }
            }
            walk.begin()
            current.begin(ranks[group], first: ordered[0].state)
            for (span, state) in ordered {
                let start = walk.start(of: span)
                while let interval = walk.nextChange(before: start) {
                    addLine(at: interval, &current, walk, selection, to: &draft)
                }
                walk.add(span, at: start, state)
                if span.end == .max { add(state, to: &current, selection) }
            }
            while let interval = walk.nextChange(before: .max) {
                addLine(at: interval, &current, walk, selection, to: &draft)
            }
            if !walk.isEmpty { groupCount += 1 }
        }
        return sort(draft, selection)
    }

    /// Adds a state that has no end.
    private mutating func add(_ index: UInt32, to current: inout Current, _ selection: GroupSelection) {
        let state = states[Int(index)]
        if current.growing == nil { current.growing = index }
        current.added.append(index)
        current.newest = max(current.newest ?? state.leading.order, state.leading.order)
        if selection.top != nil { current.count += store.notificationCount(of: state) }
    }

    private mutating func addLine(
        at interval: Int64, _ current: inout Current, _ walk: SpanWalk<UInt32>, _ selection: GroupSelection,
        to draft: inout Draft
    ) {
        // A group that was not on screen before has not changed.
        if walk.isEmpty, current.leading == nil { return }
        var newest = current.newest
        var count = current.count
        for item in walk.open {
            let state = states[Int(item.state)]
            newest = max(newest ?? state.leading.order, state.leading.order)
            if selection.top != nil { count += store.notificationCount(of: state) }
        }
        let number = draft.numbers[interval] ?? UInt32(draft.numbers.count)
        if number == draft.numbers.count { draft.numbers[interval] = number }
        var flags = Flags()
        if walk.isEmpty { flags.insert(.isEmpty) }
        if walk.hasDeltas { flags.insert(.hasDeltas) }
        var part = UInt32(parts.count)
        if current.added.count == 1, walk.open.isEmpty {
            part = current.added[0]
        } else {
            parts.append(contentsOf: current.added)
            for item in walk.open { parts.append(item.state) }
        }
        draft.lines.append(
            Line(
                state: current.growing ?? walk.open.first?.state ?? current.first, part: part,
                added: UInt8(current.added.count), flags: flags, open: UInt16(walk.open.count)))
        draft.instants.append(number)
        switch selection.order {
        case .key: draft.order.ranks.append(current.rank)
        case .recent:
            guard let order = newest ?? current.leading else {
                preconditionFailure("a line of no notification")
            }
            draft.order.recencies.append(Recency(newest: order, isEmpty: walk.isEmpty))
        }
        if selection.top != nil { draft.order.counts.append(count) }
        current.added.removeAll(keepingCapacity: true)
        current.leading = newest
    }

    /// Sorts the lines by instant; those of an instant stay in the order of groups, or are sorted by recency.
    private mutating func sort(_ draft: consuming Draft, _ selection: GroupSelection) -> LineOrder {
        var draft = draft
        let intervals = draft.numbers.sorted { $0.key < $1.key }
        var places = [Int](repeating: 0, count: intervals.count)
        for (place, item) in intervals.enumerated() { places[Int(item.value)] = place }
        var ends = [Int](repeating: 0, count: intervals.count + 1)
        for number in draft.instants { ends[places[Int(number)] + 1] += 1 }
        for index in intervals.indices { ends[index + 1] += ends[index] }
        var order = [UInt32](repeating: 0, count: draft.lines.count)
        for (line, number) in draft.instants.enumerated() {
            let place = places[Int(number)]
            order[ends[place]] = UInt32(line)
            ends[place] += 1
        }
        draft.instants = []
        instants = zip(intervals, ends).map { ($0.key, $1) }
        if selection.order == .recent {
            var start = 0
            for (_, end) in instants {
                order[start..<end].sort {
                    draft.order.recencies[Int($0)] < draft.order.recencies[Int($1)]
                }
                start = end
            }
        }
        // One after the other, so that few of them exist twice at once.
        Self.put(&draft.order.ranks, in: order)
        Self.put(&draft.order.recencies, in: order)
        Self.put(&draft.order.counts, in: order)
        Self.put(&draft.lines, in: order)
        lines = draft.lines
        draft.order.instants = instants
        return draft.order
    }

    /// Puts elements in an order, unless there are none.
    private static func put<Element>(_ elements: inout [Element], in order: [UInt32]) {
        guard !elements.isEmpty else { return }
        elements = order.map { elements[Int($0)] }
    }
}

// MARK: - Rendering

extension TimelineGroups {
    /// The number of lines, including those that are left out.
    var lineCount: Int { lines.count }

    /// Returns whether a line is left out.
    func isLeftOut(_ line: Int) -> Bool { lines[line].flags.contains(.isLeftOut) }

    /// Renders lines, as many as one buffer holds; only one if large groups are allowed.
    ///
    /// - Parameters:
    ///   - range: the lines: nothing is rendered if others come before them.
    ///   - temporary: for what is on screen of one line's group, if some of it vanishes later. Only this renderer uses it.
    /// - Returns: the next line.
    mutating func render(
        _ range: Range<Int>, by renderer: inout GroupRenderer, _ temporary: inout GroupStore,
        allowsLarge: Bool, to output: inout OutputBuffer
    ) -> Int {
        guard position == range.lowerBound else { return range.lowerBound }
        while position < range.upperBound, output.position < Limits.pieceBytes {
            prefetch()
            guard renderNext(by: &renderer, &temporary, allowsLarge: allowsLarge, to: &output) else { break }
            position += 1
            isAdded = false
            if allowsLarge { break }
        }
        return position
    }

    private mutating func prefetch() {
        if position + Self.stateLookahead < lines.count {
            let line = lines[position + Self.stateLookahead]
            states.prefetch(Int(line.state))
            if line.isSimple { states.prefetch(Int(line.part)) }
        }
        if position + Self.contentsLookahead < lines.count {
            let line = lines[position + Self.contentsLookahead]
            store.prefetch(states[Int(line.state)])
            if line.isSimple, line.part != line.state { store.prefetch(states[Int(line.part)]) }
        }
        if position + Self.argumentsLookahead < lines.count {
            let line = lines[position + Self.argumentsLookahead]
            store.prefetchArguments(of: states[Int(line.state)])
            if line.isSimple, line.part != line.state {
                store.prefetchArguments(of: states[Int(line.part)])
            }
        }
    }

    /// - Returns: false if the group is large and that is not allowed.
    private mutating func renderNext(
        by renderer: inout GroupRenderer, _ temporary: inout GroupStore, allowsLarge: Bool,
        to output: inout OutputBuffer
    ) -> Bool {
        let line = lines[position]
        if !isAdded { addStates(of: line) }
        guard !line.flags.contains(.isLeftOut) else { return true }
        while position >= instants[instant].end { instant += 1 }
        let state = states[Int(line.state)]
        let time = SnapshotInstant(
            time: clock.instant(of: instants[instant].interval), isEmpty: line.flags.contains(.isEmpty),
            isAlone: state.isAlone)
        renderer.instant = (time, line.flags.contains(.isFirst))
        guard line.open > 0 else {
            guard allowsLarge || !store.isLarge(state) else { return false }
            renderer.append(state, of: store, shard: 0, to: &output)
            return true
        }
        let merged = merge(line, state, in: &temporary)
        let isRendered = allowsLarge || !temporary.isLarge(merged)
        if isRendered { renderer.append(merged, of: temporary, shard: 1, to: &output) }
        temporary.remove(merged)
        if temporary.heldBytes > Limits.temporaryStoreBytes {
            temporary = GroupStore(maximumArguments: store.maximumArguments)
            renderer.clearCaches(ofShard: 1)
        }
        return isRendered
    }

    /// Adds the states of a line's interval to the group's state.
    private mutating func addStates(of line: Line) {
        isAdded = true
        if line.isSimple { return addState(line.part, of: line) }
        for index in Int(line.part)..<Int(line.part) + Int(line.added) { addState(parts[index], of: line) }
    }

    private mutating func addState(_ part: UInt32, of line: Line) {
        guard part != line.state else { return }
        store.absorb(states[Int(part)], into: &states[Int(line.state)])
    }

    /// Merges the group's state and those whose notifications vanish later.
    private func merge(_ line: Line, _ state: GroupState, in temporary: inout GroupStore) -> GroupState {
        let first = Int(line.part) + Int(line.added)
        var others = parts[first..<first + Int(line.open)]
        let start = line.flags.contains(.hasDeltas) ? state : states[Int(others.removeFirst())]
        var merged = temporary.copy(start, of: store)
        for part in others { temporary.merge(states[Int(part)], of: store, into: &merged) }
        return merged
    }
}

extension TimelineGroups {
    /// Marks the first line of a snapshot.
    mutating func beginSnapshot(at line: Int) { lines[line].flags.insert(.isFirst) }

    /// Moves some lines of a snapshot before the others, which are left out.
    mutating func choose(_ chosen: [Int], of snapshot: Range<Int>) {
        let first = chosen.map { lines[$0] }
        for line in snapshot { lines[line].flags.insert(.isLeftOut) }
        let isChosen = Set(chosen)
        let others = snapshot.filter { !isChosen.contains($0) }.map { lines[$0] }
        lines.replaceSubrange(snapshot, with: first + others)
    }
}
