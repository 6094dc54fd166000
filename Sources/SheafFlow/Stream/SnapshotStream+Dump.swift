import SheafBytes
import SheafGroups

/// The state of live snapshots in two or three files, and the numbers that go with them.
///
///     table    what is on screen as of the last snapshot, and what came after it for that snapshot (`ScreenTable.dump`)
///     open     the records of the open intervals, like those of a replay that has not folded its notifications
///     ahead    the records that are ahead, if there are any: a table of their own
extension SnapshotStream {
    /// Whether there is a file of records that are ahead.
    var hasAhead: Bool { ahead != nil }

    func dumpTable(to writer: inout StateWriter) throws(ReplayError) { try table.dump(to: &writer) }

    func dumpOpen(to writer: inout StateWriter) throws(ReplayError) {
        try open.dump(to: &writer, isTagged: options.isTagged)
    }

    func dumpAhead(to writer: inout StateWriter) throws(ReplayError) {
        // A table that is restored has no changes that are yet to be reviewed.
        ahead?.reviewSettings()
        try ahead?.dump(to: &writer)
    }

    /// Adds the numbers to the progress of a run.
    func addNumbers(to progress: inout StreamProgress) {
        progress.hasWritten = hasWritten
        progress.written = written
        progress.late = late
        progress.bounds = bounds
        progress.hidden = hidden
        progress.times = times
        (progress.newestAdded, progress.oldestChange) = (table.newestAdded, table.oldestChange)
        progress.sources = sources
    }

    /// Continues from a checkpoint.
    ///
    /// - Parameters:
    ///   - state: the file of the table.
    ///   - open: the file of the open intervals.
    ///   - ahead: the file of the records that are ahead; nil if there are none.
    ///   - records: the number of records that were read.
    /// - Throws: `ReplayError.damaged` if the numbers do not fit the files.
    func restore(
        _ progress: StreamProgress, _ state: StateFile, _ open: StateFile, ahead: StateFile?, records: UInt64,
        storage: any Storage
    ) throws(ReplayError) {
        var state = state
        // The table has no intervals.
        state.timeline = nil
        hasWritten = progress.hasWritten
        written = progress.written
        times = progress.times
        sources = progress.sources
        bounds = progress.bounds
        try table.restore(state, storage: storage)
        if var file = ahead {
            file.timeline = nil
            var restored = ScreenTable(options)
            try restored.restore(file, storage: storage)
            self.ahead = restored
        }
        guard fits(progress, records) else { throw .damaged(path: state.path, .content, offset: 0) }
        // What is no longer kept counts as that of the table.
        table.hidden = progress.hidden
        table.hidden -= self.ahead?.hidden ?? VerdictCounts()
        table.newestAdded = progress.newestAdded
        table.lateChanges = progress.oldestChange.map { [LateChange(order: $0)] } ?? []
        try restoreOpen(open, storage: storage)
        late = progress.late
    }

    /// Whether numbers are possible after as many records, with the notifications in the table.
    private func fits(_ progress: StreamProgress, _ records: UInt64) -> Bool {
        let (hidden, least) = (progress.hidden, self.hidden)
        guard progress.late <= records, progress.bounds.ahead <= records, hidden.removed >= least.removed,
            hidden.removed <= records,
            hidden.suppressed >= least.suppressed, hidden.suppressed <= records,
            hidden.quiet >= least.quiet, hidden.quiet <= records, hidden.banners <= records,
            hidden.sounds <= records
        else { return false }
        guard let written = progress.written else { return true }
        guard let times = allTimes, times.oldest <= times.newest else { return false }
        let clock = SnapshotClock(timeline, times)
        return written >= clock.first && written <= clock.last
    }

    private func restoreOpen(_ file: StateFile, storage: any Storage) throws(ReplayError) {
        var reader = try StateReader(file, section: .notifications, storage: storage)
        while try reader.advance() {
            let bytes = reader.bytes
            // Versions are replaced only in the table.
            guard let entry = NotificationEntry(bytes, of: file), file.canHold(entry, 0, in: bytes),
                !entry.isReplaced
            else { throw reader.damage() }
            switch entry.event {
            case nil: place(RoutedRecord(entry.record, byDevice: options.byDevice, in: bytes), in: bytes)
            // Settings and badges are never among the records of open intervals.
            case .settings, .badge, .nothing: throw reader.damage()
            case let event?: place(event, in: bytes)
            }
        }
        // Only the sum of all groups guarantees that they can be merged.
        var notifications: UInt64 = 0
        var groups = try StateReader(file, section: .groups, storage: storage)
        while try groups.advance() {
            let bytes = groups.bytes
            guard let entry = GroupEntry(bytes, of: file) else { throw groups.damage() }
            notifications += entry.notificationCount
            guard notifications <= EncodedGroup.maximumCount,
                file.canHold(entry, notifications, in: bytes)
            else { throw groups.damage() }
            let interval = timeline.interval(of: entry.newest.timestamp)
            guard written.map({ $0 < interval }) ?? true else { throw groups.damage() }
            self.open.add(entry.group, in: bytes, to: interval)
        }
    }
}
