import SheafBytes
import SheafGroups

/// Merges state files into a result: spilled runs, or partial results, in the order of their sources.
///
///     files ──merge passes──▶ few enough to be open at once ──┬─▶ a partial result
///                                                             └─fold──▶ groups ──sort──▶ a snapshot
///
/// Files that this run wrote are removed as soon as their contents have been merged into other files.
struct StateFiles {
    let options: StateOptions
    let selection: GroupSelection
    /// Whether state is spilled whenever possible, for tests.
    private let spillsAlways: Bool
    /// The number of threads that share the memory for tables.
    private let threads: Int
    let storage: any Storage
    let folder: SpillFolder
    let budget: MemoryBudget
    /// The maximum number of files in one merge, at most `Limits.mergedFiles`.
    let mergedFiles: Int
    let check: () throws(ReplayError) -> Void
    var files: [StateFile]
    /// Whether the files' notifications were folded into groups.
    var isFolded = false
    /// The times of all notifications and removals; nil if there is no timeline, or none of them has a time.
    var times: TimeRange?
    /// What was found of the files' notifications: those that newer versions replace, and those that are decided.
    var found = RunCounts()
    /// The notifications that `fold` found not to be on screen.
    var hidden = VerdictCounts()

    /// The census of the groups that `fold` added notifications to; nil if groups are separated by device.
    var devices: DeviceCensus?

    /// The number of groups that `write` wrote, or that `fold` found if it selects only some of them.
    var groupCount: UInt64 = 0

    /// The groups of the notifications that have been read: those in memory, and files of those that were spilled.
    struct Folding {
        var table: GroupTable
        var files: [StateFile] = []
    }

    /// - Parameters:
    ///   - times: the times of all notifications and removals, for a timeline.
    ///   - openFiles: the budget of open files, which limits a merge.
    ///   - check: called periodically; throws to interrupt the merge.
    init(
        _ files: [StateFile], _ options: StateOptions, _ selection: GroupSelection, times: TimeRange? = nil,
        budget: MemoryBudget,
        openFiles: OpenFiles, folder: SpillFolder, storage: any Storage, spillsAlways: Bool = false,
        threads: Int = 1,
        check: @escaping () throws(ReplayError) -> Void
    ) {
        self.files = files
        self.options = options
        self.selection = selection
        self.times = times
        self.spillsAlways = spillsAlways
        self.threads = threads
        self.budget = budget
        mergedFiles = openFiles.merged
        self.folder = folder
        self.storage = storage
        self.check = check
        devices = options.byDevice ? nil : DeviceCensus()
    }

    /// Writes the merged notifications and groups of all files.
    mutating func write(to writer: inout StateWriter) throws(ReplayError) {
        try reduce()
        try writer.mergeNotifications(&files, options, found: &found, storage: storage, check: check)
        groupCount += try writer.mergeGroups(GroupEntry.self, files, options, storage: storage, check: check)
    }

    /// Adds the newest version of each notification to its group.
    ///
    /// The files then have only groups, in the order of `selection.order`. With `selection.top` they have only the
    /// groups with the most notifications, in the order of `RankedEntry`.
    mutating func fold() throws(ReplayError) {
        if options.hasWaiting { try decide() }
        if let timeline = options.timeline { return try fold(over: timeline) }
        try reduce()
        var versions = try ShownVersions(files, options, storage: storage)
        var folding = folding()
        var count = 0
        while let record = try versions.next() {
            count += 1
            if count % Limits.groupsPerPiece == 0 { try check() }
            try add(record, in: versions.bytes, to: &folding)
        }
        found.updated += versions.updated
        found.tally.badges.add(versions.badges)
        hidden += versions.hidden
        versions.take(from: &files)
        try finish(&folding)
        if selection.order == .recent { try sortByRecency() }
        guard let top = selection.top else { return }
        switch selection.order {
        case .key: try rank(GroupEntry.self, limit: top)
        case .recent: try rank(RecentEntry.self, limit: top)
        }
    }

    /// Returns a table for the groups of notifications.
    func folding() -> Folding {
        Folding(table: GroupTable(maximumArguments: options.maximumArguments, shown: options.shown))
    }

    /// Adds a notification to its group.
    mutating func add(
        _ notification: NotificationRecord, in bytes: Span<UInt8>, to folding: inout Folding
    ) throws(ReplayError) {
        var record = notification
        if !options.byDevice { record.device = .none }
        let hash = Routing.groupHash(record, in: bytes)
        devices?.recordGroup(notification.device, of: record, in: bytes, groupHash: hash)
        folding.table.add(record, in: bytes, hash: hash)
        if isFull(folding.table.heldBytes) { folding.files.append(try spill(&folding.table, order: .key)) }
    }

    /// Adds the groups to those of the files, whose notifications have been read.
    mutating func finish(_ folding: inout Folding) throws(ReplayError) {
        if folding.table.count > 0 { folding.files.append(try spill(&folding.table, order: .key)) }
        files += folding.files
        isFolded = true
        try reduce()
    }

    mutating func rank<Entry: StateRecord>(
        _ entry: Entry.Type, limit: Int
    ) throws(ReplayError) {
        let ranked = try ranked(entry, limit: limit)
        groupCount = ranked.groupCount
        replaceFiles(by: ranked.files)
        try reduce(RankedEntry<Entry>.self)
    }

    func isFull(_ heldBytes: Int) -> Bool { heldBytes > budget.table / threads || spillsAlways }

    /// Writes a table's groups in the given order, and empties the table.
    private func spill(_ table: inout GroupTable, order: ReplayOptions.Order) throws(ReplayError) -> StateFile
    {
        var full = table
        table = GroupTable(maximumArguments: options.maximumArguments, shown: options.shown)
        full.releaseIndex()
        let sorted = SortedGroups(full, order: order, byDevice: options.byDevice)
        return try folder.write { writer throws(ReplayError) in try writer.add(sorted) }
    }

    /// Sorts the groups, which are complete, by their leading notifications.
    private mutating func sortByRecency() throws(ReplayError) {
        var merged = try MergedGroups<GroupEntry>(files, storage: storage)
        var groups = EncodedGroups()
        var table = GroupTable(maximumArguments: options.maximumArguments)
        var sorted: [StateFile] = []
        while true {
            try check()
            try merged.take(into: &groups)
            if groups.groupCount == 0 { break }
            table.append(groups)
            groups.releaseStates()
            if isFull(table.heldBytes) { sorted.append(try spill(&table, order: .recent)) }
        }
        if table.count > 0 { sorted.append(try spill(&table, order: .recent)) }
        replaceFiles(by: sorted)
        try reduce(RecentEntry.self)
    }

    /// Merges files until they are few enough to be open at once.
    ///
    /// - Parameter share: the part of the files that may be open, and of the memory for them, as a divisor.
    mutating func reduce(to share: Int = 1) throws(ReplayError) { try reduce(GroupEntry.self, to: share) }

    mutating func reduce<Entry: StateRecord>(
        _ entry: Entry.Type, to share: Int = 1
    ) throws(ReplayError) {
        while true {
            let count = budget.mergeable(
                files.lazy.map { $0.largestFrame * share }, atMost: max(2, mergedFiles / share))
            if count == files.count { return }
            try check()
            // The first files are merged into a new last one, so that each file is read once per pass.
            var first = Array(files.prefix(count))
            var found = found
            let (isFolded, options, storage, check) = (isFolded, options, storage, check)
            var merged = try folder.write { writer throws(ReplayError) in
                if !isFolded {
                    try writer.mergeNotifications(
                        &first, options, found: &found, storage: storage, check: check)
                }
                _ = try writer.mergeGroups(entry, first, options, storage: storage, check: check)
            }
            merged.holdsState(of: options)
            if isFolded { merged.timeline = nil }
            merged.suffix = first[0].suffix
            self.found = found
            for file in first { folder.remove(file.path) }
            files.removeFirst(first.count)
            files.append(merged)
        }
    }

    mutating func replaceFiles(by others: [StateFile]) {
        for file in files { folder.remove(file.path) }
        files = others
    }
}
