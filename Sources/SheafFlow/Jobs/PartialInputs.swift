import SheafBytes
import SheafGroups
import Synchronization

/// What a run that reads partial results has in common with others of that kind: its files, its memory, and whether it
/// was interrupted.
final class PartialInputs: Sendable {
    let options: ReplayOptions
    let storage: any Storage
    let files: [Source]
    let budget: MemoryBudget
    let openFiles: OpenFiles
    let spills: SpillFolder
    private let failure = Mutex<ReplayError?>(nil)
    let use = SingleUse()

    /// Finds the files. Nothing is read or written yet.
    ///
    /// - Parameter options: the options of a replay, with the partial results as sources.
    init(_ options: ReplayOptions, storage: any Storage) throws(ReplayError) {
        try Limits.check(options)
        self.options = options
        self.storage = storage
        openFiles = try OpenFiles(limit: options.openFiles, threads: options.threads)
        files = try SourceList.expand(options.sources, storage: storage)
        for file in files where file.size == nil {
            throw .usage("'\(file.path)' is not a regular file: partial results are read more than once")
        }
        budget = try MemoryBudget(options)
        spills = try SpillFolder(in: options.spillFolder, storage: storage, writers: openFiles.writers)
    }

    var paths: [String] { files.map(\.path) }

    /// Ends the run as soon as possible, which then throws `ReplayError.interrupted`.
    func interrupt(signal: Int32) {
        failure.withLock { if $0 == nil { $0 = .interrupted(signal: signal) } }
    }

    func check() throws(ReplayError) {
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    /// Runs `body`, the only run of these inputs, and removes spilled state at the end.
    func whileRunning<Result>(_ body: () throws(ReplayError) -> Result) throws(ReplayError) -> Result {
        try use.begin()
        defer { spills.removeAll() }
        spills.removeAbandoned()
        return try body()
    }

    /// Calls `body` with the slices of a folder, which are removed if it fails.
    func withSlices<Result>(
        named names: [String], in folder: String,
        _ body: (inout SliceFiles) throws(ReplayError) -> Result
    ) throws(ReplayError) -> Result {
        var slices = try SliceFiles(in: folder, names: names, replacing: files, storage: storage)
        do throws(ReplayError) {
            return try body(&slices)
        } catch {
            slices.discard()
            throw error
        }
    }

    /// Reads every file completely.
    func read(for purpose: PartialResults.Purpose) throws(ReplayError) -> PartialResults {
        try PartialResults(
            paths, for: purpose, options.settings, expected: options.expectedSources, budget,
            storage: storage, check: check)
    }

    /// Returns the options with which the files' state is merged.
    func stateOptions(_ header: PartialHeader) throws(ReplayError) -> StateOptions {
        let tracksDelivery = header.input.tracksDelivery
        if options.tracksDelivery, !tracksDelivery {
            throw .usage(
                "the configuration has settings of delivery, but '\(paths[0])' was written without \(.delivery)"
            )
        }
        var stateOptions = header.state
        if tracksDelivery {
            stateOptions.delivery = DeliveryRules(options.settings, profile: options.profile)
        }
        return stateOptions
    }

    /// Returns a warning if configured apps have no records. A slice has only some of the apps of its job, and
    /// a run may have selected some.
    ///
    /// Reads the files until all of these apps have been found. Silent records without a badge are not in them.
    func unmatchedApps(in parts: PartialResults) throws(ReplayError) -> [ReplayWarning] {
        var apps = AppCensus(options.settings)
        guard parts.header.slice == nil, !parts.header.input.filter.selects, apps.hasUnseenApps else {
            return []
        }
        let tally = parts.counts(replaced: 0).tally
        for badge in tally.badges.table.entries {
            apps.note(Array(badge.texts.second.utf8).span, isDefault: false)
        }
        for response in tally.responses.kinds.entries {
            apps.note(Array(response.texts.first.utf8).span, isDefault: false)
        }
        for file in parts.files {
            try note(NotificationEntry.self, of: file, in: &apps) { $0.record.app }
            try note(GroupEntry.self, of: file, in: &apps) { $0.group.leading.app }
        }
        return apps.warnings(of: tally.records - tally.rejectedTotal - tally.otherPlatform)
    }

    /// Notes the apps in a section of a file.
    private func note<Entry: StateRecord>(
        _ entry: Entry.Type, of file: StateFile, in apps: inout AppCensus, app: (Entry) -> TextRange
    ) throws(ReplayError) {
        guard apps.hasUnseenApps else { return }
        var reader = try StateReader(file, section: Entry.section, storage: storage, checksRemainder: false)
        var count = 0
        while apps.hasUnseenApps, try reader.advance() {
            count += 1
            if count % Limits.groupsPerPiece == 0 { try check() }
            guard let entry = Entry(reader.bytes, of: file) else { throw reader.damage() }
            // A change of settings may be for all apps.
            let name = app(entry)
            if !name.isEmpty { apps.note(reader.bytes.extracting(name.range), isDefault: false) }
        }
    }

    func state(
        of parts: PartialResults, _ stateOptions: StateOptions, _ selection: GroupSelection
    ) -> StateFiles {
        StateFiles(
            parts.files, stateOptions, selection, times: parts.times, budget: budget, openFiles: openFiles,
            folder: spills, storage: storage, spillsAlways: options.spillsAlways, check: check)
    }
}
