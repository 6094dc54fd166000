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
        var table = GroupTable(maximumArguments: options.maximumArguments)
        var folded: [StateFile] = []
        let files = self
        try forEachSpan(clock, activity, judge) { part, bytes throws(ReplayError) in
            table.add(part.record, in: bytes, hash: part.hash, during: part.span, with: part.others)
            if files.isFull(table.heldBytes) { folded.append(try files.spill(&table)) }
        }
        if table.count > 0 { folded.append(try spill(&table)) }
        return folded
    }

    /// A part of a lifetime.
    struct LifetimePart {
        /// The notification with its group's key.
        let record: NotificationRecord
        /// The hash of that key.
        let hash: UInt64
        let span: IntervalSpan
        /// Notifications that have the same lifetime.
        let others: EqualNotifications?
        /// Whether it is the whole lifetime of a single notification, from its own interval on: then the group's state for
        /// that interval has it.
        let isOfInterval: Bool
    }

    /// Calls `body` with each span that the lifetime of a notification in the files is cut into, and the buffer of its
    /// texts.
    ///
    /// - Parameters:
    ///   - clock: the intervals of the versions.
    ///   - activity: as for `withSpans`, like `judge`.
    private mutating func forEachSpan(
        _ clock: SnapshotClock, _ activity: Activity?, _ judge: Judge?,
        _ body: (LifetimePart, Span<UInt8>) throws(ReplayError) -> Void
    ) throws(ReplayError) {
        let versions = try NewestVersions(files, clock.timeline, storage: storage)
        var lifetimes = VersionLifetimes(versions, clock, options, activity, judge)
        try forEachSpan(&lifetimes, clock, activity, body)
        lifetimes.take(from: &files)
    }

    /// Calls `body` with each span that the lifetime of a notification in a table is cut into, and the buffer of its texts.
    mutating func forEachSpan(
        of table: consuming ReplaceableTable, _ clock: SnapshotClock, _ judge: Judge,
        _ body: (LifetimePart, Span<UInt8>) throws(ReplayError) -> Void
    ) throws(ReplayError) {
        if !judge.replacesContents {
            // Most notifications have one version and one content, so their order does not matter.
            var count = 0
            var (divided, key): ([UInt8], [UInt8]) = ([], [])
            try table.removeSingle { window throws(ReplayError) in
                try window.forEach { item, bytes throws(ReplayError) in
                    count += 1
                    if count % Limits.groupsPerPiece == 0 { try check() }
                    guard
                        let lifetime = judge.lifetime(
                            of: item.record, in: bytes, clock, key: &key, counting: &hidden)
                    else { return }
                    try divide(lifetime, bytes, clock, &divided, body)
                }
            }
        }
        let versions = try NewestVersions(KeptNotifications(table, options), options)
        var lifetimes = VersionLifetimes(versions, clock, options, nil, judge)
        try forEachSpan(&lifetimes, clock, nil, body)
    }

    private mutating func forEachSpan<Records>(
        _ lifetimes: inout VersionLifetimes<Records>, _ clock: SnapshotClock, _ activity: Activity?,
        _ body: (LifetimePart, Span<UInt8>) throws(ReplayError) -> Void
    ) throws(ReplayError) {
        let spans = activity?.clock ?? clock
        var count = 0
        var divided: [UInt8] = []
        while var lifetime = try lifetimes.next() {
            count += 1
            if count % Limits.groupsPerPiece == 0 { try check() }
            if spans.timeline != clock.timeline {
                lifetime.start = spans.interval(of: lifetime.start)
                lifetime.end = lifetime.end.map(spans.interval)
            }
            try divide(lifetime, lifetimes.bytes, spans, &divided, body)
            if let activity, isFull(activity.heldBytes) { try activity.spill(to: folder) }
        }
        found.updated += lifetimes.replaced
        found.tally.badges.add(lifetimes.badges)
        hidden += lifetimes.hidden
    }

    /// Cuts a lifetime into spans.
    ///
    /// - Parameter divided: a buffer for the texts of a notification with its part of the division.
    private mutating func divide(
        _ lifetime: Lifetime, _ bytes: Span<UInt8>, _ clock: SnapshotClock, _ divided: inout [UInt8],
        _ body: (LifetimePart, Span<UInt8>) throws(ReplayError) -> Void
    ) throws(ReplayError) {
        let start = lifetime.start
        if let end = lifetime.end, end <= start { return }
        var record = lifetime.record
        let device = record.device
        if !options.byDevice { record.device = .none }
        let hash = Routing.groupHash(record, in: bytes)
        devices?.recordGroup(device, of: record, in: bytes, groupHash: hash)
        func add(_ record: NotificationRecord, _ bytes: Span<UInt8>) throws(ReplayError) {
            func addPart(_ span: IntervalSpan, isOfInterval: Bool = false) throws(ReplayError) {
                let part = LifetimePart(
                    record: record, hash: hash, span: span, others: lifetime.others,
                    isOfInterval: isOfInterval)
                try body(part, bytes)
            }
            guard let end = lifetime.end else {
                let isOwn = start == clock.interval(of: record.order.timestamp)
                return try addPart(
                    IntervalSpan(from: start), isOfInterval: isOwn && lifetime.others == nil)
            }
            // A notification that is alone does not vanish when it is updated: its line is that of the update.
            let vanishes = record.grouping != .off || !lifetime.isUpdated
            try IntervalSpan.forEach(in: start..<end, origin: clock.first, vanishes: vanishes) {
                span throws(ReplayError) in try addPart(span)
            }
        }
        if let division = options.division, division.hasParts {
            let record = division.divided(record, in: bytes, into: &divided)
            try add(record, divided.span)
        } else {
            try add(record, bytes)
        }
    }

    /// Writes a table of spans, and empties it.
    private func spill(_ table: inout GroupTable) throws(ReplayError) -> StateFile {
        var full = GroupTable(maximumArguments: options.maximumArguments)
        swap(&full, &table)
        let options = options
        var file = try folder.write { writer throws(ReplayError) in try full.writeSpans(to: &writer, options)
        }
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
