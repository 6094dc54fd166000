import SheafBytes
import SheafGroups

extension StateFiles {
    /// Replaces the files by those of the groups in each snapshot of a timeline.
    ///
    ///     notifications ──lifetimes──▶ spans ─┐
    ///     groups by interval ─────────────────┴─walk──▶ groups by instant ──sort──▶ files
    ///
    /// The files are then in the order of `InstantEntry`, and of `selection` inside each snapshot.
    mutating func fold(over timeline: Timeline) throws(ReplayError) {
        let clock = SnapshotClock(timeline, times)
        if selection.emit == .all { try check(clock, "snapshots of all groups") }
        try reduce(to: 2)
        var all = try withSpans(clock, nil)
        try all.walk(clock)
        groupCount = all.groupCount
        for file in files { folder.remove(file.path) }
        files = all.files
        isFolded = true
        switch selection.order {
        case .key: try select(InstantEntry<GroupEntry>.self, InstantEntry<RankedEntry<GroupEntry>>.self)
        case .recent: try select(InstantEntry<RecentEntry>.self, InstantEntry<RankedEntry<RecentEntry>>.self)
        }
    }

    /// Returns the files, and those of the spans of their notifications that are kept one by one.
    ///
    /// - Parameters:
    ///   - clock: the intervals of the versions.
    ///   - activity: what happens to people is added, and has the intervals of the spans; nil unless it is measured.
    ///   - judge: has the events; nil if the files have them.
    mutating func withSpans(
        _ clock: SnapshotClock, _ activity: Activity?, _ judge: Judge? = nil
    ) throws(ReplayError) -> StateFiles {
        var all = StateFiles(spans: try foldLifetimes(clock, activity, judge), of: self)
        try all.reduce(to: 2)
        all.files = files + all.files
        return all
    }

    /// Refuses to write more results than anyone would read, because of a record with a wrong time.
    ///
    /// - Parameter results: what there is one of for each interval.
    func check(_ clock: SnapshotClock, _ results: String) throws(ReplayError) {
        let (count, overflows) = clock.last.subtractingReportingOverflow(clock.first)
        guard overflows || count >= Int64(Limits.snapshots), let times else { return }
        let number = overflows ? "" : "\(Numbers.grouped(UInt64(count))) "
        throw .usage(
            "there would be \(number)\(results), from \(InstantText.text(times.oldest, offset: 0)) to "
                + "\(InstantText.text(times.newest, offset: 0)), but at most "
                + "\(Numbers.grouped(UInt64(Limits.snapshots))) are written: leave out records with a wrong time by "
                + "\(.since) or \(.until), or raise \(.every)")
    }

    /// Creates the files of spans, which have no notifications.
    private init(spans: [StateFile], of other: StateFiles) {
        self = other
        files = spans
        isFolded = true
    }

    /// Cuts the lifetimes of all notifications into spans.
    ///
    /// - Parameters:
    ///   - clock: the intervals of the versions.
    ///   - activity: as for `withSpans`, like `judge`.
    /// - Returns: files with the states of the spans.
    private mutating func foldLifetimes(
        _ clock: SnapshotClock, _ activity: Activity?, _ judge: Judge?
    ) throws(ReplayError) -> [StateFile] {
        var lifetimes = try VersionLifetimes(files, clock, options, activity, judge, storage: storage)
        let spans = activity?.clock ?? clock
        /// Returns the interval of spans that an interval of versions is in.
        func interval(_ number: Int64) -> Int64 {
            spans.timeline == clock.timeline ? number : spans.interval(of: number)
        }
        var table = SpanTable(maximumArguments: options.maximumArguments)
        var folded: [StateFile] = []
        var divided: [UInt8] = []
        var count = 0
        while let lifetime = try lifetimes.next() {
            count += 1
            if count % Limits.groupsPerPiece == 0 { try check() }
            let (start, end) = (interval(lifetime.start), lifetime.end.map(interval))
            if let end, end <= start { continue }
            var record = lifetime.record
            let device = record.device
            if !options.byDevice { record.device = .none }
            let bytes = lifetimes.bytes
            let hash = Routing.groupHash(record, in: bytes)
            devices?.recordGroup(device, of: record, in: bytes, groupHash: hash)
            func add(_ record: NotificationRecord, _ bytes: Span<UInt8>, _ span: IntervalSpan) {
                table.add(record, in: bytes, hash: hash, during: span, with: lifetime.others)
            }
            func addSpans(_ record: NotificationRecord, _ bytes: Span<UInt8>) {
                guard let end else { return add(record, bytes, IntervalSpan(from: start)) }
                // A notification that is alone does not vanish when it is updated: its line is that of the update.
                let vanishes = record.grouping != .off || !lifetime.isUpdated
                IntervalSpan.forEach(in: start..<end, origin: spans.first, vanishes: vanishes) {
                    add(record, bytes, $0)
                }
            }
            if let division = options.division, division.hasParts {
                let record = division.divided(record, in: bytes, into: &divided)
                addSpans(record, divided.span)
            } else {
                addSpans(record, bytes)
            }
            if isFull(table.heldBytes) { folded.append(try spill(&table)) }
            if let activity, isFull(activity.heldBytes) { try activity.spill(to: folder) }
        }
        if table.count > 0 { folded.append(try spill(&table)) }
        found.updated += lifetimes.replaced
        found.tally.badges.add(lifetimes.badges)
        hidden += lifetimes.hidden
        lifetimes.take(from: &files)
        return folded
    }

    private func spill(_ table: inout SpanTable) throws(ReplayError) -> StateFile {
        let full = table
        table = SpanTable(maximumArguments: options.maximumArguments)
        let options = options
        var file = try folder.write { writer throws(ReplayError) in try full.write(to: &writer, options) }
        file.suffix = .span
        return file
    }

    /// Replaces the files by those of the groups in each snapshot.
    private mutating func walk(_ clock: SnapshotClock) throws(ReplayError) {
        var walk = try GroupWalk(
            files, clock, emitsAll: selection.emit == .all, maximumArguments: options.maximumArguments,
            storage: storage)
        var sorter = InstantSorter(selection.order)
        var sorted: [StateFile] = []
        var count = 0
        let files = self
        func spill(_ sorter: inout InstantSorter) throws(ReplayError) {
            // A group may have very many instants.
            count += 1
            if count % Limits.groupsPerPiece == 0 { try files.check() }
            guard files.isFull(sorter.heldBytes) else { return }
            sorted.append(try files.spill(&sorter))
        }
        while try walk.next(into: &sorter, spill: spill) {}
        if !sorter.isEmpty { sorted.append(try self.spill(&sorter)) }
        groupCount = walk.groupCount
        // Only those of spans: the others are still needed if this fails.
        self.files = sorted
    }

    private func spill(_ sorter: inout InstantSorter) throws(ReplayError) -> StateFile {
        var full = InstantSorter(selection.order)
        swap(&full, &sorter)
        var file = try folder.write { writer throws(ReplayError) in try full.write(to: &writer) }
        file.suffix = .instant
        return file
    }

    /// Merges the files until they are few enough to be open at once, and selects the groups with the most
    /// notifications of each snapshot if there is a limit.
    private mutating func select<Entry: StateRecord, Ranked: StateRecord>(
        _ entry: Entry.Type, _ ranked: Ranked.Type
    ) throws(ReplayError) {
        try reduce(entry)
        guard let top = selection.top else { return }
        replaceFiles(by: try self.ranked(entry, limit: top).files)
        try reduce(ranked)
    }
}
