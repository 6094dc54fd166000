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
        try check(clock)
        try reduce(to: 2)
        var all = StateFiles(spans: try foldLifetimes(clock), of: self)
        try all.reduce(to: 2)
        all.files = files + all.files
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

    /// Refuses to write more snapshots of all groups than anyone would read, because of a record with a wrong time.
    private func check(_ clock: SnapshotClock) throws(ReplayError) {
        guard selection.emit == .all else { return }
        let (count, overflows) = clock.last.subtractingReportingOverflow(clock.first)
        guard overflows || count >= Int64(Limits.snapshots), let times else { return }
        let number = overflows ? "" : "\(Numbers.grouped(UInt64(count))) "
        throw .usage(
            "there would be \(number)snapshots of all groups, from \(InstantText.text(times.oldest, offset: 0)) to "
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
    /// - Returns: files with the states of the spans.
    private mutating func foldLifetimes(_ clock: SnapshotClock) throws(ReplayError) -> [StateFile] {
        var lifetimes = try VersionLifetimes(files, clock, options, storage: storage)
        var table = SpanTable(maximumArguments: options.maximumArguments)
        var folded: [StateFile] = []
        var count = 0
        while let lifetime = try lifetimes.next() {
            count += 1
            if count % Limits.groupsPerPiece == 0 { try check() }
            var record = lifetime.record
            let device = record.device
            if !options.byDevice { record.device = .none }
            let bytes = lifetimes.bytes
            let hash = Routing.groupHash(record, in: bytes)
            devices?.recordGroup(device, of: record, in: bytes, groupHash: hash)
            if let end = lifetime.end {
                // A notification that is alone does not vanish when it is updated: its line is that of the update.
                let vanishes = record.grouping != .off || !lifetime.isUpdated
                IntervalSpan.forEach(in: lifetime.start..<end, origin: clock.first, vanishes: vanishes) {
                    table.add(record, in: bytes, hash: hash, during: $0, with: lifetime.others)
                }
            } else {
                table.add(
                    record, in: bytes, hash: hash, during: IntervalSpan(from: lifetime.start),
                    with: lifetime.others)
            }
            if isFull(table.heldBytes) { folded.append(try spill(&table)) }
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
