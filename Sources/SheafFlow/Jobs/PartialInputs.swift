import SheafBytes
import SheafGroups
import Synchronization

/// The files, the memory and the interruption of a run that reads partial results.
final class PartialInputs: Sendable {
    let options: ReplayOptions
    let storage: any Storage
    /// The paths of the files, and their names in messages.
    let located: [(path: String, name: String)]
    let files: [Source]
    let budget: MemoryBudget
    let spills: SpillFolder
    let openFiles: OpenFiles
    /// The run that made the files, which ends this one, too.
    private let parent: PartialInputs?
    private let state = Mutex<(failure: ReplayError?, hasBegun: Bool)>((nil, false))

    /// Finds the files. Nothing is read or written yet.
    ///
    /// - Parameter options: the options of a replay, with the partial results as sources.
    init(_ options: ReplayOptions, storage: any Storage) throws(ReplayError) {
        try options.validate(readsLogs: false)
        self.options = options
        self.storage = storage
        openFiles = try OpenFiles(limit: options.openFiles, threads: options.threads)
        files = try SourceList.expand(options.sources, storage: storage)
        for file in files where file.size == nil {
            throw .usage("'\(file.path)' is not a regular file: partial results are read more than once")
        }
        located = files.map { ($0.path, $0.path) }
        budget = try MemoryBudget(options)
        spills = try SpillFolder(in: options.spillFolder, storage: storage, writers: openFiles.writers)
        parent = nil
    }

    /// Creates inputs of files that a run made of its own inputs.
    ///
    /// - Parameter parts: the paths of the files, and the names of their origins.
    init(_ parts: [(path: String, name: String)], of run: PartialInputs, _ options: ReplayOptions) {
        self.options = options
        (storage, openFiles, budget, spills) = (run.storage, run.openFiles, run.budget, run.spills)
        (located, files, parent) = (parts, [], run)
    }

    /// The names of the files in messages.
    var paths: [String] { located.map(\.name) }

    /// Ends the run as soon as possible, which then throws `ReplayError.interrupted`.
    func interrupt(signal: Int32) {
        state.withLock { if $0.failure == nil { $0.failure = .interrupted(signal: signal) } }
    }

    func check() throws(ReplayError) {
        try parent?.check()
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Runs `body`, the only run of these inputs, and removes spilled state at the end.
    func whileRunning<Result>(_ body: () throws(ReplayError) -> Result) throws(ReplayError) -> Result {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        // Afterwards the spilled state is gone.
        if !isFirst { throw .alreadyRun }
        defer { spills.removeAll() }
        spills.removeAbandoned()
        return try body()
    }

    /// Reads a file completely.
    ///
    /// - Parameter name: its name in messages; nil for the path.
    func read(
        _ path: String, named name: String? = nil
    ) throws(ReplayError) -> (file: PartialFile, counts: RunCounts) {
        var (file, counts) = try PartialFile.read(
            path, maximumFrame: budget.largestFrame, isUnpacked: parent != nil, storage: storage)
        if let name { file.path = name }
        return (file, counts)
    }

    /// Calls `body` with the reader at each record of a section.
    ///
    /// - Parameter body: returns false to stop.
    func forEachRecord(
        _ section: StateSection, of file: StateFile, checksRemainder: Bool = true,
        _ body: (borrowing StateReader) throws(ReplayError) -> Bool
    ) throws(ReplayError) {
        var reader = try StateReader(
            file, section: section, storage: storage, checksRemainder: checksRemainder)
        var count = 0
        while try reader.advance() {
            count += 1
            if count % Limits.groupsPerPiece == 0 { try check() }
            guard try body(reader) else { return }
        }
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
        if let written = header.input.profile, options.given.contains(.profile), options.profile != written {
            throw .usage(
                "'\(paths[0])' has measures for \(written.rawValue), but \(.profile) is \(options.profile.rawValue)"
            )
        }
        if header.input.hasTraits {
            stateOptions.delivery = DeliveryRules(
                options.settings, profile: header.input.profile ?? options.profile, locked: options.locked)
        }
        return stateOptions
    }

    func state(
        of parts: PartialResults, _ stateOptions: StateOptions, _ selection: GroupSelection = GroupSelection()
    ) -> StateFiles {
        StateFiles(
            parts.files, stateOptions, selection, times: parts.times, budget: budget, openFiles: openFiles,
            folder: spills, storage: storage, spillsAlways: options.spillsAlways, check: check)
    }
}
