import SheafBytes
import SheafGroups
import Synchronization

/// Merges partial results into a snapshot, or into another partial result.
///
///     partial results ──read and checked──▶ headers, counts
///                     ──merged by key────▶ StateFiles ──▶ snapshot or partial result
///
/// What comes out is, byte for byte, what one replay of all their sources in that order writes. Every file is read to
/// its end before anything is merged: what is damaged is never merged. Memory is bounded by `MemoryBudget`, files open at
/// once by `OpenFiles`.
public final class Merge: Sendable {
    private let options: ReplayOptions
    private let storage: any Storage
    private let paths: [String]
    /// A partial result that is merged more than once.
    private let repeated: ReplayWarning?
    private let budget: MemoryBudget
    private let openFiles: OpenFiles
    private let spills: SpillFolder
    private let failure = Mutex<ReplayError?>(nil)
    public let progress = Progress()

    /// Finds the files. Nothing is read or written yet.
    ///
    /// - Parameter options: those of a replay, its sources being the partial results. What depends on how their records
    ///   were read is theirs: `byDevice`, `maximumArguments`.
    /// - Throws: `ReplayError` when an option is invalid, a file is missing, or an output is one of them.
    public init(_ options: ReplayOptions, storage: any Storage = SystemStorage()) throws(ReplayError) {
        try Limits.check(options)
        self.options = options
        self.storage = storage
        openFiles = try OpenFiles(options)
        let files = try SourceList.expand(options.sources, storage: storage)
        for file in files where file.size == nil {
            throw .usage("'\(file.path)' is no regular file: partial results are read more than once")
        }
        paths = files.map(\.path)
        repeated = RepeatedSources.repeated(files, storage)
        try OutputCheck.check(options, files, storage: storage)
        budget = try MemoryBudget(options)
        spills = try SpillFolder(options, storage: storage, writers: openFiles.writers)
    }

    /// Ends the run as soon as may be; `run()` then throws `ReplayError.interrupted`. May be called from any
    /// thread, at any time.
    public func interrupt(signal: Int32) {
        failure.withLock { if $0 == nil { $0 = .interrupted(signal: signal) } }
    }

    /// Merges and writes every output. To be called once; blocks until it is done.
    ///
    /// - Parameter willWrite: called when every file was checked, before the result is written.
    /// - Returns: what the replays counted, all together.
    /// - Throws: `ReplayError`; nothing is left of any output then.
    public func run(willWrite: () -> Void = {}) throws(ReplayError) -> Statistics {
        let clock = ContinuousClock()
        let start = clock.now
        defer { spills.removeAll() }
        spills.removeAbandoned()
        var outputs = try ResultFiles(options, storage: storage)
        let parts = try PartialResults(paths, options, budget, storage: storage, check: check)
        var state = StateFiles(
            parts.files, options: parts.options, budget: budget, openFiles: openFiles, folder: spills,
            storage: storage, check: check)
        willWrite()
        let groups = try write(&state, parts, to: &outputs)
        var statistics = Statistics(
            parts.counts(replaced: state.replaced), sources: parts.header.sources, groups: groups,
            spilledBytes: spills.spilledBytes, seconds: (clock.now - start) / .seconds(1))
        statistics.outputWasClosed = outputs.wasClosed
        if let repeated { statistics.warnings.insert(repeated, at: 0) }
        try outputs.write(statistics)
        spills.removeAll()
        try check()
        try outputs.commit()
        return statistics
    }

    /// - Returns: how many groups were written.
    private func write(
        _ state: inout StateFiles, _ parts: PartialResults, to outputs: inout ResultFiles
    ) throws(ReplayError) -> UInt64 {
        if options.partial != nil {
            try outputs.writeResult { output throws(ReplayError) in
                try PartialFile.write(&state, header: parts.header, to: output) { parts.counts(replaced: $0) }
            }
            return state.groupCount
        }
        try state.fold()
        var groups: UInt64 = 0
        try outputs.writeResult { output throws(ReplayError) in
            groups = try state.writeSnapshot(
                to: output, names: SourceNames(parts.header.sources), progress: progress)
        }
        return max(groups, progress.groupsWritten)
    }

    private func check() throws(ReplayError) {
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
