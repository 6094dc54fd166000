import SheafBytes
import SheafGroups

/// Writes the snapshots of a timeline while records arrive: each as soon as all of its records are expected to be
/// there (specification §14).
///
///     record ──▶ OpenIntervals ──watermark passes the instant──▶ ScreenTable ──▶ changed groups ──▶ lines
///     late record ─────────────────────────────────────────────────┘ part of the next snapshot
///
/// The watermark is the smallest, over the sources being read, of their newest timestamp minus the lateness. A
/// timestamp that is ahead, because of a wrong clock, does not move it (`SnapshotBounds`).
///
/// Memory: the groups on screen, and the records of the open intervals.
final class SnapshotStream {
    let timeline: Timeline
    private let lateness: Int64
    let options: StateOptions
    private let selection: GroupSelection
    private let format: GroupFormat
    private let header: [UInt8]
    var table: ScreenTable
    private var renderer: GroupRenderer
    private var lines = OutputBuffer()
    var open: OpenIntervals
    /// The newest timestamp of each source that is being read, except for those that are ahead; nil before its first
    /// one.
    var newest: [Int: Int64?] = [:]
    /// The times of the records that are in a snapshot as of their time; nil before the first one.
    var times: TimeRange?
    /// The newest of the times that no outcome can change; nil before the first one.
    var newestCertain: Int64?
    /// The interval of the last snapshot, whether or not a group had changed.
    var written: Int64?
    /// The number of snapshots that were written since the run began or resumed.
    private(set) var writtenCount: UInt64 = 0
    var hasWritten = false
    /// The number of records that arrived after the snapshot that they belong to.
    var late: UInt64 = 0
    /// What wrong clocks would have done.
    var bounds = SnapshotBounds()
    /// The present, in milliseconds since 1970.
    private let now: () -> Int64

    init(
        _ timeline: Timeline, lateness: Int64, _ options: StateOptions, _ selection: GroupSelection,
        _ style: SnapshotStyle, names: SourceNames, now: @escaping () -> Int64
    ) {
        self.timeline = timeline
        self.lateness = lateness
        self.now = now
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
    var heldBytes: Int { table.heldBytes + open.heldBytes }

    var updated: UInt64 { table.updated }
    var hidden: HiddenCounts { table.hidden }
    var repeated: UInt64 { table.pushes.repeated }
    /// The refused pushes by reason, except for those that only their own record has refused. O(pushes that are kept).
    var refusals: KeyedCounts { table.pushes.refusals }
    /// The number of pushes that later records no longer decide.
    var forgottenPushes: UInt64 { table.pushes.forgottenCount }
    /// The number of groups on screen.
    var groupCount: Int { table.count }

    /// Records that a source is being read: no snapshot is due until its records are as new.
    func begin(_ source: Int) { newest[source] = .some(nil) }

    /// Records that a source has been read.
    func end(_ source: Int) { newest[source] = nil }

    /// Adds a notification.
    func add(_ item: RoutedRecord, in bytes: Span<UInt8>) {
        if let interval = openInterval(of: item.record.order) {
            let isTracked = table.isTracked(item.record)
            open.add(item, in: bytes, to: interval, isTracked: isTracked)
        } else {
            table.add(item, in: bytes)
        }
    }

    /// Adds an event. Of one that changes nothing only the time matters.
    func add(_ event: ScreenEvent, in bytes: Span<UInt8>) {
        // Whenever an outcome was logged, it decides a push as of that push's time.
        if case .outcome(let outcome) = event {
            for time in table.decide(by: outcome, in: bytes)
            where written.map({ timeline.interval(of: time) <= $0 }) ?? false {
                late += 1
            }
            return
        }
        let interval = openInterval(of: event.order)
        switch event {
        case .nothing: break
        // Settings apply to no older notifications, so they need not wait for their snapshot.
        case .settings, .outcome: table.apply(event, in: bytes)
        case .removal, .result:
            if let interval {
                open.add(event, in: bytes, to: interval)
            } else {
                table.apply(event, in: bytes)
            }
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

    /// Records the timestamp of a source's record that was added, unless it is 0 because the record has none, and
    /// writes the snapshots that are due.
    ///
    /// - Parameter isCertain: whether no later outcome can decide that the record is not on screen.
    func advance(
        _ source: Int, to timestamp: Int64, isCertain: Bool = true, _ output: Output
    ) throws(ReplayError) {
        guard timestamp != 0 else { return }
        if isCertain { newestCertain = max(newestCertain ?? timestamp, timestamp) }
        times = times?.union(TimeRange(timestamp)) ?? TimeRange(timestamp)
        if let known = newest[source] ?? nil {
            if bounds.isAhead(max(known, timestamp), of: min(known, timestamp), now) {
                // The watermark follows the other records.
                newest[source] = .some(min(known, timestamp))
                return bounds.recordAhead(max(known, timestamp))
            }
            if known >= timestamp { return }
        }
        newest[source] = .some(timestamp)
        try writeDue(output)
    }

    /// Writes the snapshots that are due.
    func writeDue(_ output: Output) throws(ReplayError) {
        var watermark = Int64.max
        guard !newest.isEmpty else { return }
        for time in newest.values {
            guard let time else { return }
            watermark = min(watermark, time)
        }
        let (limit, overflows) = watermark.subtractingReportingOverflow(lateness)
        guard !overflows else { return }
        while let next = nextInterval, timeline.instant(of: next) < limit {
            try write(next, at: timeline.instant(of: next), output)
        }
    }

    /// The interval of the next snapshot; nil if it is not known yet.
    private var nextInterval: Int64? {
        guard let times else { return nil }
        guard let written else {
            // A removal that names nothing may have this time, so that the interval has no records.
            let first = timeline.interval(of: times.oldest)
            return first > .min ? first : nil
        }
        guard selection.emit == .all else { return open.first }
        return bounds.interval(after: written, before: open.first ?? timeline.interval(of: times.newest))
    }

    /// Writes all snapshots that are left, and what follows the last one.
    func finish(_ output: Output) throws(ReplayError) {
        if options.hasWaiting, let all = times {
            let newest = [newestCertain, newestPush].compactMap(\.self).max()
            times = newest.map { TimeRange(oldest: min(all.oldest, $0), newest: $0) }
        }
        // Without a time there is nothing on screen: what waits is decided nevertheless.
        while times == nil, let interval = open.first { open.move(interval, to: &table) }
        if let times {
            let clock = SnapshotClock(timeline, times)
            while let next = nextInterval, next < clock.last {
                try write(next, at: clock.instant(of: next), output)
            }
            if written.map({ $0 < clock.last }) ?? true {
                try write(clock.last, at: clock.instant(of: clock.last), output)
            }
        } else if !open.isEmpty {
            try write(.min, at: 0, output)
        }
        try writeFooter(output)
    }

    /// The newest time of a push that a later record could have decided, and did not. O(their number).
    private var newestPush: Int64? {
        var pushes = table.pushes
        open.forEachTracked { record, bytes in
            if options.mayBeDecided(record) { _ = pushes.take(record, in: bytes, isUnique: options.isUnique) }
        }
        return pushes.newestTime
    }

    /// Writes what follows the last snapshot.
    func writeFooter(_ output: Output) throws(ReplayError) {
        let footer = format.footer
        if !footer.isEmpty { try output(footer.span) }
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
