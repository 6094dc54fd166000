import SheafBytes
import SheafGroups
import Synchronization

/// A shard: the groups, the notifications that are kept one by one, and the events for one range of hashes.
final class Shard: @unchecked Sendable {
    // Unchecked because one thread at a time uses it, which `access` checks: the job queue runs a shard's jobs one by
    // one, and the later stages begin when all jobs are done.
    let access = AccessCheck()
    let index: Int
    private let shardCount: Int
    private let options: StateOptions
    private var tables: Tables
    /// The runs with spilled state.
    private(set) var files: [StateFile] = []
    /// Held while a thread changes the tables in a stage in which several threads may.
    private let adding = Mutex(())
    /// The number of notifications that were replaced by newer versions in tables that the shard no longer holds.
    private var updatedBefore: UInt64 = 0

    init(index: Int, count: Int, options: StateOptions) {
        self.index = index
        shardCount = count
        self.options = options
        tables = Tables(options)
    }

    /// The shard's state. A structure, so that exclusive access to the shard's storage is checked once per batch, not
    /// once per record.
    private struct Tables: ~Copyable {
        var groups: GroupTable
        var replaceable: ReplaceableTable
        var events: ScreenEvents
        var waiting = WaitingPushes()
        /// The census of groups that kept notifications were added to; nil if groups are separated by device.
        private(set) var devices: DeviceCensus?
        /// Whether all notifications are kept one by one.
        private let tracksAll: Bool
        /// How what people get is divided; nil for snapshots.
        private let division: MeasureOptions.Division?
        /// The buffer for the texts of a notification with its part of the division.
        private var divided: [UInt8] = []
        /// The rules by which delivery is decided when a notification is added; nil if it is decided later, or not at all.
        private let rules: DeliveryRules?

        init(_ options: StateOptions) {
            groups = GroupTable(
                maximumArguments: options.maximumArguments, timeline: options.timeline, shown: options.shown)
            replaceable = ReplaceableTable(options)
            events = ScreenEvents(options.versions, tracksDelivery: options.delivery != nil)
            devices = options.byDevice ? nil : DeviceCensus()
            tracksAll = options.tracksAll
            division = options.division
            rules = options.tracksAll ? nil : options.delivery
        }

        var heldBytes: Int {
            groups.heldBytes + replaceable.heldBytes + events.heldBytes + waiting.heldBytes
        }

        mutating func add(_ batch: ContiguousArray<RoutedRecord>, in bytes: Span<UInt8>) {
            if let division {
                for item in batch { addMeasured(item, in: bytes, division) }
                return
            }
            // Each record's memory is prefetched in steps, a few records apart, so that no step waits for another.
            let distance = Limits.prefetchedRecords / PrefetchStep.allCases.count
            for index in 0..<(batch.count + PrefetchStep.allCases.count * distance) {
                if index < batch.count { prefetch(.bucket, for: batch[index]) }
                var behind = index - distance
                if behind >= 0, behind < batch.count { prefetch(.entry, for: batch[behind]) }
                behind -= distance
                if behind >= 0, behind < batch.count { prefetch(.texts, for: batch[behind]) }
                behind -= distance
                if behind >= 0 { add(batch[behind], in: bytes) }
            }
        }

        @inline(__always)
        mutating func add(_ item: RoutedRecord, in bytes: Span<UInt8>) {
            if tracksAll || item.record.isReplaceable {
                replaceable.add(item, in: bytes)
            } else {
                groups.add(item.record, in: bytes, hash: item.groupHash)
            }
        }

        /// Adds a notification that was decided.
        mutating func addDecided(_ item: RoutedRecord, in bytes: Span<UInt8>) {
            if let division { addMeasured(item, in: bytes, division) } else { add(item, in: bytes) }
        }

        /// `add` for measures, which need no texts but those of keys.
        private mutating func addMeasured(
            _ item: RoutedRecord, in bytes: Span<UInt8>, _ division: MeasureOptions.Division
        ) {
            var item = item
            item.record = item.record.withoutContent
            if tracksAll || item.record.isReplaceable || item.record.traits.occurrence != nil {
                replaceable.add(item, in: bytes)
                return
            }
            if let rules, let effect = rules.effect(on: item.record, in: bytes, after: UserSettings()) {
                item.record.apply(effect)
            }
            guard division.hasParts else {
                groups.add(item.record, in: bytes, hash: item.groupHash)
                return
            }
            var texts: [UInt8] = []
            swap(&texts, &divided)
            let record = division.divided(item.record, in: bytes, into: &texts)
            groups.add(record, in: texts.span, hash: Routing.groupHash(record, in: texts.span))
            swap(&texts, &divided)
        }

        /// Adds notifications that are kept and on screen to their groups.
        mutating func add(_ window: inout ReplaceableTable.Window) {
            for step in PrefetchStep.allCases {
                window.forEachItem {
                    groups.prefetch(step, hash: $0.groupHash, at: $0.record.order.timestamp)
                }
            }
            window.forEach { item, bytes in
                var record = item.record
                if devices != nil {
                    devices?.recordGroup(record.device, of: record, in: bytes, groupHash: item.groupHash)
                    record.device = .none
                }
                groups.add(record, in: bytes, hash: item.groupHash)
            }
        }

        /// Adds notifications to their groups in the intervals in which they are on screen.
        mutating func add(_ window: inout NotificationWindow<StateFiles.LifetimePart>) {
            for step in PrefetchStep.allCases {
                window.forEachItem { part in
                    if part.isOfInterval {
                        groups.prefetch(step, hash: part.hash, at: part.record.order.timestamp)
                    } else {
                        groups.prefetch(step, hash: part.hash, during: part.span)
                    }
                }
            }
            window.forEach { part, bytes in
                if part.isOfInterval {
                    groups.add(part.record, in: bytes, hash: part.hash)
                } else {
                    groups.add(part.record, in: bytes, hash: part.hash, during: part.span, with: part.others)
                }
            }
        }

        @inline(__always)
        private mutating func prefetch(_ step: PrefetchStep, for item: RoutedRecord) {
            if item.record.isReplaceable {
                replaceable.prefetch(step, hash: item.identityHash, at: item.record.order.timestamp)
            } else if !tracksAll {
                groups.prefetch(step, hash: item.groupHash, at: item.record.order.timestamp)
            }
        }
    }

    /// The number of notifications that were replaced by newer versions.
    var updated: UInt64 { updatedBefore + tables.replaceable.updated }

    /// The census of groups that kept notifications were added to; nil if groups are separated by device.
    var devices: DeviceCensus? { tables.devices }

    /// The memory in use, in bytes.
    var heldBytes: Int { tables.heldBytes }

    /// The estimated memory after the replaceable notifications are folded into groups, in bytes.
    var foldedBytes: Int { tables.heldBytes + 2 * tables.replaceable.heldBytes }

    /// The most memory that the groups of a timeline take once all notifications are in groups, in bytes.
    ///
    /// - Parameters:
    ///   - intervals: the number of intervals.
    ///   - lineBytes: the memory for each state of a group, in addition to the state.
    func timelineBytes(_ intervals: UInt64, lineBytes: Int) -> Int {
        // A lifetime is cut into two spans of each length, each with a copy of the texts.
        let parts = 2 * (UInt64.bitWidth - intervals.leadingZeroBitCount) + 1
        return tables.heldBytes + parts * tables.replaceable.heldBytes + tables.groups.count * lineBytes
    }

    /// Writes all state to disk as a sorted run, and frees its memory.
    func spill(to folder: SpillFolder) throws(ReplayError) {
        access.begin()
        defer { access.end() }
        let replaceable = removeReplaceable()
        let events = removeEvents()
        let groups = takeGroups()
        var waiting = WaitingPushes()
        swap(&waiting, &tables.waiting)
        guard replaceable.count + events.count + groups.count + waiting.count > 0 else { return }
        let options = options
        var file = try folder.write { writer throws(ReplayError) in
            try writer.add(waiting, options)
            try writer.add(replaceable, events, options)
            let sorted = SortedGroups(
                groups, order: .key, byDevice: options.byDevice,
                ties: options.timeline == nil ? .newestFirst : .oldestFirst)
            try writer.add(sorted)
        }
        file.holdsState(of: options)
        files.append(file)
    }

    /// Writes all state unsorted, and keeps it.
    func dump(to writer: inout StateWriter) throws(ReplayError) {
        access.begin()
        defer { access.end() }
        for index in 0..<tables.waiting.count {
            try writer.add(tables.waiting.record(at: index), to: .notifications)
        }
        try writer.addUnsorted(tables.replaceable, tables.events, tables.groups, options)
    }

    /// Restores a group from a dump.
    func restore(_ group: EncodedGroup, in bytes: Span<UInt8>, hash: UInt64) {
        tables.groups.add(group, in: bytes, hash: hash)
    }

    /// Restores a notification from a dump.
    func restore(_ item: RoutedRecord, in bytes: Span<UInt8>) { tables.replaceable.add(item, in: bytes) }

    /// Restores a push that waits, or an outcome, from a dump.
    func restore(waiting record: Span<UInt8>) { tables.waiting.add { $0.append(record) } }

    /// Adds a notification that was decided.
    func add(_ item: RoutedRecord, in bytes: Span<UInt8>) {
        access.begin()
        defer { access.end() }
        var item = item
        if !options.byDevice, !options.tracksAll, !item.record.isReplaceable { item.record.device = .none }
        tables.addDecided(item, in: bytes)
    }

    /// Restores an event from a dump.
    func restore(_ event: ScreenEvent, in bytes: Span<UInt8>) { tables.events.add(event, in: bytes) }

    /// The current number of groups, without those of replaceable notifications.
    var groupCount: Int {
        return tables.groups.count
    }

    /// Adds the work unit's notifications that belong to this shard.
    func apply(_ unit: WorkUnit) {
        access.begin()
        defer { access.end() }
        unit.access.begin(.shared)
        defer { unit.access.end(.shared) }
        let chunk = unit.chunk
        let bytes = chunk.bytes
        tables.add(unit.decoded.batches[index], in: bytes)
        for event in unit.decoded.events[index] { tables.events.add(event, in: bytes) }
        if unit.waitingShard(of: shardCount) == index { tables.waiting.add(unit.decoded.waiting) }
    }

    /// Removes and returns the replaceable notifications, once all input is read.
    func takeReplaceable() -> ReplaceableTable {
        adding.withLock { _ in
            access.begin()
            defer { access.end() }
            return removeReplaceable()
        }
    }

    /// Removes and returns the events, once all input is read.
    func takeEvents() -> ScreenEvents {
        access.begin()
        defer { access.end() }
        return removeEvents()
    }

    private func removeEvents() -> ScreenEvents {
        let events = tables.events
        tables.events = ScreenEvents(options.versions, tracksDelivery: options.delivery != nil)
        return events
    }

    /// Replaces contents of notifications by the results of service extensions, and groupings by those that persons
    /// chose.
    func replaceContents(by judge: Judge) {
        access.begin()
        defer { access.end() }
        tables.replaceable.replaceContents(by: judge, byDevice: options.byDevice)
    }

    private func removeReplaceable() -> ReplaceableTable {
        updatedBefore += tables.replaceable.updated
        var table = tables.replaceable
        tables.replaceable = ReplaceableTable(options)
        table.releaseIndex()
        return table
    }

    /// Adds the newest versions of a shard's notifications that are on screen, and whose groups belong to this shard: all
    /// of this shard's own if they are divided by person.
    ///
    /// - Parameter judge: decides by the events of all shards.
    /// - Returns: what the verdicts on these notifications add up to.
    func fold(_ replaceable: ReplaceableTable, by judge: Judge) -> VerdictCounts {
        var hidden = VerdictCounts()
        var key: [UInt8] = []
        let isOwn = options.isByPerson
        replaceable.forEach(
            where: { isOwn || Routing.shard(of: $0, count: shardCount) == index },
            keeping: { judge.shows(&$0, in: $1, key: &key, counting: &hidden) }
        ) { window in
            changing { $0.add(&window) }
        }
        return hidden
    }

    /// Adds the notifications that no newer version may replace, if they are on screen. Their groups belong to this shard.
    /// Several threads may call this, and each adds a part of them.
    ///
    /// - Parameter judge: decides by the events of all shards; no contents or groupings are replaced.
    /// - Returns: what the verdicts on these notifications add up to.
    func foldSingle(by judge: Judge) -> VerdictCounts {
        var hidden = VerdictCounts()
        var key: [UInt8] = []
        while var piece = changing({ $0.replaceable.removePiece() }) {
            piece.removeSingle(keeping: { judge.shows(&$0, in: $1, key: &key, counting: &hidden) }) {
                window in
                changing { $0.add(&window) }
            }
        }
        return hidden
    }

    /// Changes the tables while other threads may want to.
    private func changing<Result>(_ body: (inout Tables) -> Result) -> Result {
        adding.withLock { _ in
            access.begin()
            defer { access.end() }
            return body(&tables)
        }
    }

    /// Removes and returns the finished groups, in the order of the snapshot.
    func takeSorted(_ order: ReplayOptions.Order) -> SortedShard {
        access.begin()
        defer { access.end() }
        return SortedShard(SortedGroups(takeGroups(), order: order, byDevice: options.byDevice))
    }

    /// Removes and returns the table of groups, once all notifications have been added.
    func takeTable() -> GroupTable {
        access.begin()
        defer { access.end() }
        return takeGroups()
    }

    /// Adds notifications to their groups in the intervals in which they are on screen, and empties the window. Several
    /// threads may call this.
    func add(_ window: inout NotificationWindow<StateFiles.LifetimePart>) {
        changing { $0.add(&window) }
        window.removeAll()
    }

    /// Removes the notifications that are kept one by one, and returns a file with them; no file if there are none.
    func takeNotifications(_ folder: SpillFolder) throws(ReplayError) -> [StateFile] {
        access.begin()
        defer { access.end() }
        let replaceable = removeReplaceable()
        guard replaceable.count > 0 else { return [] }
        let options = options
        var file = try folder.write { writer throws(ReplayError) in
            try writer.add(
                replaceable, ScreenEvents(options.versions, tracksDelivery: options.delivery != nil), options)
        }
        file.holdsState(of: options)
        return [file]
    }

    private func takeGroups() -> GroupTable {
        var table = tables.groups
        tables.groups = GroupTable(
            maximumArguments: options.maximumArguments, timeline: options.timeline, shown: options.shown)
        // Sorting needs about as much memory as this frees.
        table.releaseIndex()
        return table
    }
}
