import SheafBytes
import SheafGroups

/// Writes the snapshots of a timeline while records arrive: each as soon as all of its records are expected to be
/// there (specification §14).
///
///     record ──▶ OpenIntervals ──watermark passes the instant──▶ ScreenTable ──▶ changed groups ──▶ lines
///     late record ─────────────────────────────────────────────────┘ part of the next snapshot
///     record that is ahead ──▶ ScreenTable of its own ──end──▶ part of the last snapshot
///
/// The watermark is the smallest, over the sources being read, of their newest timestamp minus the lateness. A
/// timestamp that is ahead, because of a wrong clock, does not move it (`SourceTime`). While a live source is silent,
/// its time passes.
///
/// Memory: the groups on screen, the records of the open intervals, and what would be on screen of those that are
/// ahead.
final class SnapshotStream {
    let timeline: Timeline
    private let lateness: Int64
    private let idle: Int64
    /// What tells that a timestamp is ahead.
    let limit: SourceTime.Limit
    let options: StateOptions
    private let selection: GroupSelection
    private let format: GroupFormat
    private let header: [UInt8]
    var table: ScreenTable
    private var renderer: GroupRenderer
    private var lines = OutputBuffer()
    var open: OpenIntervals
    /// The records that are ahead, and all settings; nil if there are none.
    var ahead: ScreenTable?
    /// The times of the sources that are being read.
    var sources: [Int: SourceTime] = [:]
    /// The times of the records that are in a snapshot as of their time, without those of sources that have only
    /// records from the future so far; nil before the first one.
    var times: TimeRange?
    /// The interval of the last snapshot, whether or not a group had changed.
    var written: Int64?
    /// The number of snapshots that were written since the run began or resumed.
    private(set) var writtenCount: UInt64 = 0
    var hasWritten = false
    /// The number of records that arrived after the snapshot that they belong to.
    var late: UInt64 = 0
    /// What wrong clocks would have done.
    var bounds = SnapshotBounds()
    let clock: RunClock

    init(
        _ timeline: Timeline, _ rules: WatermarkRules, _ options: StateOptions, _ selection: GroupSelection,
        _ style: SnapshotStyle, names: SourceNames, clock: RunClock
    ) {
        self.timeline = timeline
        lateness = rules.lateness
        idle = rules.idle
        limit = SourceTime.Limit(milliseconds: rules.maximumAhead, present: clock.present)
        self.clock = clock
        open = OpenIntervals(timeline, maximumArguments: options.maximumArguments)
        // Open intervals are kept apart, so that the table has only one.
        var options = options
        options.timeline = nil
        self.options = options
        self.selection = selection
        format = style.format.groupFormat
        header = format.header(style)
        table = ScreenTable(options)
        renderer = GroupRenderer(style, names: names, shards: 1)
    }

    /// The memory in use, in bytes. O(1).
    var heldBytes: Int { table.heldBytes + open.heldBytes + (ahead?.heldBytes ?? 0) }

    var updated: UInt64 { table.updated &+ (ahead?.updated ?? 0) }
    var hidden: VerdictCounts {
        var hidden = table.hidden
        if let ahead { hidden += ahead.hidden }
        return hidden
    }
    var repeated: UInt64 { table.pushes.repeated + (ahead?.pushes.repeated ?? 0) }
    /// The refused pushes by reason. O(pushes that are kept).
    var refusals: KeyedCounts { table.pushes.refusals }
    /// The newest badges that settings let count, if delivery is tracked. O(badges).
    var badges: NewestBadges {
        var badges = NewestBadges()
        badges.record(from: table.judge, byDevice: options.byDevice)
        return badges
    }
    /// The number of pushes that later records no longer decide.
    var forgottenPushes: UInt64 { table.pushes.forgottenCount }
    /// The number of groups on screen.
    var groupCount: Int { table.count }

    /// The times of all records that are in a snapshot as of their time, and that of the last snapshot.
    var allTimes: TimeRange? {
        var all = times
        for source in sources.values { all = source.future?.times.union(all) ?? all }
        if let newest = bounds.newestAhead { all = TimeRange(newest).union(all) }
        return all
    }

    /// Records that a source is being read: no snapshot is due until its records are as new.
    ///
    /// - Parameter isLive: whether its records arrive as they happen, so that its silence tells that there are none.
    func begin(_ source: Int, isLive: Bool) {
        sources[source] = SourceTime(arrival: isLive ? clock.uptime() : nil)
    }

    /// Records that records of a source have arrived.
    func recordArrival(of source: Int) {
        if sources[source]?.arrival != nil { sources[source]?.arrival = clock.uptime() }
    }

    /// Records that a source has been read.
    func end(_ source: Int) {
        if let future = sources.removeValue(forKey: source)?.future { times = future.times.union(times) }
    }
}

// MARK: - Adding

extension SnapshotStream {
    /// Adds the next record of a source, and writes the snapshots that are due then.
    func add(
        _ record: WorkUnit.Item, of source: Int, in bytes: Span<UInt8>, _ output: Output
    ) throws(ReplayError) {
        // Settings apply to no older notifications, and badges are in no snapshot, so they need not wait for theirs, and
        // the times of snapshots do not follow from them.
        switch record {
        case .event(.badge(let badge)):
            table.apply(.badge(badge), in: bytes)
            return
        case .event(.settings(let change)):
            table.apply(.settings(change), in: bytes)
            ahead?.apply(.settings(change), in: bytes)
            return
        case .event(.outcome(let outcome)):
            decide(by: outcome, in: bytes)
            return
        case .notification, .event: break
        }
        let timestamp = record.order.timestamp
        var isNewest = false
        if timestamp != 0 {
            let (known, count) = (sources[source] ?? SourceTime(), bounds.ahead)
            var time = known
            let isAhead = time.add(record.order, limit, &bounds)
            if time != known { sources[source] = time }
            if isAhead { return addAhead(record, in: bytes) }
            if time.future == nil {
                times = TimeRange(timestamp).union(times)
                if let future = known.future, bounds.ahead == count { times = future.times.union(times) }
            }
            isNewest = time.newest != known.newest
        }
        switch record {
        case .notification(let item): place(item, in: bytes)
        case .event(let event): place(event, in: bytes)
        }
        if isNewest { try writeDue(output) }
    }

    /// Whether the time of the next record of a source is ahead, as far as the records before it tell.
    func isAhead(_ order: OrderKey, of source: Int) -> Bool {
        var (time, bounds) = (sources[source] ?? SourceTime(), bounds)
        return time.add(order, limit, &bounds)
    }

    /// Applies an outcome, which decides a push as of that push's time, whenever it was logged.
    private func decide(by outcome: OutcomeRecord, in bytes: Span<UInt8>) {
        for time in table.decide(by: outcome, in: bytes)
        where written.map({ timeline.interval(of: time) <= $0 }) ?? false {
            late += 1
        }
    }

    private func addAhead(_ record: WorkUnit.Item, in bytes: Span<UInt8>) {
        var table = ahead.take() ?? self.table.withSettingsAlone()
        switch record {
        case .notification(let item): table.add(item, in: bytes)
        case .event(let event): table.apply(event, in: bytes)
        }
        if table.isSparse {
            _ = table.takeChanges()
            table.compact()
        }
        ahead = table
    }

    /// Adds a notification to its open interval, or to the next snapshot if it is late.
    func place(_ item: RoutedRecord, in bytes: Span<UInt8>) {
        if let interval = openInterval(of: item.record.order) {
            let isTracked = table.isTracked(item.record)
            open.add(item, in: bytes, to: interval, isTracked: isTracked)
        } else {
            table.add(item, in: bytes)
        }
    }

    /// Adds an event that is neither a change of settings nor a badge. Of one that changes nothing only the time matters.
    func place(_ event: ScreenEvent, in bytes: Span<UInt8>) {
        let interval = openInterval(of: event.order)
        if case .nothing = event { return }
        if let interval {
            open.add(event, in: bytes, to: interval)
        } else {
            table.apply(event, in: bytes)
        }
    }

    /// Returns the interval of a record; nil if its snapshot has been written, so that it is late.
    private func openInterval(of order: OrderKey) -> Int64? {
        let interval = timeline.interval(of: order.timestamp)
        guard let written, interval <= written else { return interval }
        late += 1
        return nil
    }
}

// MARK: - Writing

extension SnapshotStream {
    /// Where the lines are written: all of them at once, before the next records are added.
    typealias Output = (Span<UInt8>) throws(ReplayError) -> Void

    /// Writes what precedes the first snapshot.
    func writeHeader(to output: Output) throws(ReplayError) {
        let header = header
        if !header.isEmpty { try output(header.span) }
    }

    /// Writes the snapshots that are due.
    ///
    /// - Parameter uptime: the present of the clock for arrivals, for those that are due because sources are silent; nil
    ///   if only records count.
    func writeDue(at uptime: Int64? = nil, _ output: Output) throws(ReplayError) {
        var watermark = Int64.max
        guard !sources.isEmpty else { return }
        let others = uptime == nil ? nil : knownTimes?.newest
        for source in sources.values {
            guard let time = source.reached(at: uptime, idle: idle, others: others) else { return }
            watermark = min(watermark, time)
        }
        let (limit, overflows) = watermark.subtractingReportingOverflow(lateness)
        guard !overflows else { return }
        while let next = nextInterval, timeline.instant(of: next) < limit {
            try write(next, at: timeline.instant(of: next), output)
        }
    }

    /// The interval of the next snapshot, without the last one of records that are ahead; nil if it is not known yet.
    private var nextInterval: Int64? {
        guard let written else {
            guard let times = knownTimes else { return nil }
            // A removal that names nothing may have this time, so that the interval has no records.
            let first = timeline.interval(of: times.oldest)
            return first > .min ? first : nil
        }
        if selection.emit == .all, let times = knownTimes {
            // There may be records after the newest one whose times turned out to be wrong.
            let last = timeline.interval(of: times.newest)
            if written < last {
                return bounds.interval(after: written, before: min(open.first ?? last, last))
            }
        }
        // Late records may be all that has come since the last snapshot, if that was written because of silence.
        return open.first ?? (table.hasChanges && written < .max ? written + 1 : nil)
    }

    /// The times of the records that are in a snapshot as of their time, as far as they are not known to be wrong.
    private var knownTimes: TimeRange? {
        sources.values.reduce(times) { times, source in source.future?.times.union(times) ?? times }
    }

    /// Writes all snapshots that are left.
    func finish(_ output: Output) throws(ReplayError) {
        if let times = allTimes {
            let clock = SnapshotClock(timeline, times)
            while let next = nextInterval, next < clock.last {
                try write(next, at: clock.instant(of: next), output)
            }
            if let ahead = ahead.take() { table.add(ahead) }
            if written.map({ $0 < clock.last }) ?? true {
                try write(clock.last, at: clock.instant(of: clock.last), output)
            } else if let next = nextInterval {
                try write(next, at: timeline.instant(of: next), output)
            }
        } else if !open.isEmpty {
            try write(.min, at: 0, output)
        }
    }

    /// Writes what follows the last snapshot.
    ///
    /// - Parameter note: the note in text; empty for none.
    func writeEnding(noting note: String, _ output: Output) throws(ReplayError) {
        let ending = format.ending(noting: note, isEmpty: !hasWritten)
        if !ending.isEmpty { try output(ending.span) }
    }

    /// Writes the snapshot of an interval.
    private func write(_ interval: Int64, at time: Int64, _ output: Output) throws(ReplayError) {
        for number in [.min, interval] { open.move(number, to: &table) }
        if selection.emit == .all, let written { bounds.recordWritten(interval, after: written) }
        written = interval
        writtenCount += 1
        try write(at: time, output)
        if table.isSparse {
            table.compact()
            renderer.clearCaches(ofShard: 0)
        }
    }

    private func write(at time: Int64, _ output: Output) throws(ReplayError) {
        var isFirst = true
        for index in chosen(of: table.takeChanges()) {
            let group = table.groups[index]
            let instant = SnapshotInstant(time: time, isEmpty: group.isEmpty, isAlone: group.isAlone)
            renderer.instant = (instant, isFirst)
            renderer.append(group.state, of: table.store, shard: 0, to: &lines)
            table.recordShown(index)
            isFirst = false
            if lines.count >= Limits.pieceBytes { try flush(output) }
        }
        try flush(output)
    }

    /// Returns the groups of a snapshot in order, each with its current state.
    private func chosen(of changes: [Int]) -> [Int] {
        var indices = changes
        if selection.emit == .all {
            // Those that have been emptied are among the changes.
            indices = changes.filter { table.groups[$0].isEmpty }
            indices += table.groups.indices.filter { !table.groups[$0].isEmpty }
        }
        for index in indices { table.refresh(index) }
        let order = GroupOrder(order: selection.order, byDevice: options.byDevice)
        if let top = selection.top {
            indices = indices.filter { !table.groups[$0].isEmpty }
            var largest = TopGroups<Int>(limit: top)
            for index in table.sorted(indices, order) {
                let count = table.store.notificationCount(of: table.groups[index].state)
                if count >= largest.minimumCount { _ = largest.add(count: count, index) }
            }
            return largest.takeSorted()
        }
        return table.sorted(indices, order)
    }

    private func flush(_ output: Output) throws(ReplayError) {
        guard lines.count > 0 else { return }
        var piece = OutputBuffer()
        swap(&piece, &lines)
        defer { swap(&piece, &lines) }
        // The first group has no separator.
        try output(piece.bytes.extracting(droppingFirst: hasWritten ? 0 : format.firstDropped))
        hasWritten = true
        piece.removePiece()
    }
}
