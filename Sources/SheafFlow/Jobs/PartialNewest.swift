import SheafBytes
import SheafGroups

/// Adds the newest version of each notification in slices of identities to its group, and cuts these groups by range.
///
/// ```swift
/// var options = ReplayOptions(sources: ["slices/17/identities-00003.partial", "slices/18/identities-00003.partial"])
/// try PartialNewest(options, ranges: "ranges", folder: "newest").run()
/// ```
///
///     identities-00003 of all splits ──newest versions──▶ groups ──▶ newest-00000-00003.partial │ newest-00001-00003.partial │ …
///
/// The slices must be all of one range of identities, or of several. Memory is bounded by `MemoryBudget`; one slice is
/// open at a time.
public final class PartialNewest: Sendable {
    private let inputs: PartialInputs
    private let ranges: KeyRanges
    private let folder: String

    /// Reads the ranges. Nothing is written yet.
    ///
    /// - Parameters:
    ///   - options: the options of a replay, with the slices as sources. What becomes of notifications follows from the
    ///     settings and the profile.
    ///   - ranges: the path of the ranges by which the slices were cut.
    ///   - folder: the folder for the new slices, which is created if it does not exist.
    /// - Throws: `ReplayError` if an option is invalid, or a file is missing or damaged.
    public convenience init(
        _ options: ReplayOptions, ranges: String, folder: String
    ) throws(ReplayError) {
        try self.init(options, ranges: ranges, folder: folder, storage: SystemStorage())
    }

    package init(
        _ options: ReplayOptions, ranges: String, folder: String, storage: any Storage
    ) throws(ReplayError) {
        inputs = try PartialInputs(options, storage: storage)
        self.ranges = try KeyFile.ranges(ranges, storage: storage)
        self.folder = folder
    }

    /// Ends the run as soon as possible; `run()` then throws `ReplayError.interrupted`. May be called from any thread
    /// at any time.
    public func interrupt(signal: Int32) { inputs.interrupt(signal: signal) }

    /// Writes all slices. Blocks until done.
    ///
    /// - Throws: `ReplayError`; no slice remains in that case. `ReplayError.alreadyRun` if called a second time.
    public func run() throws(ReplayError) {
        try inputs.whileRunning { () throws(ReplayError) in
            let parts = try inputs.read(for: .newest)
            guard let slice = parts.header.slice, slice.digest == ranges.digest else {
                throw .usage("'\(inputs.paths[0])' was cut by other ranges")
            }
            let names = (0..<ranges.count).map {
                SliceFiles.name(.newest, $0, of: slice.identityRanges.first)
            }
            try inputs.withSlices(named: names, in: folder) { slices throws(ReplayError) in
                try write(parts, &slices)
            }
        }
    }

    private func write(_ parts: PartialResults, _ slices: inout SliceFiles) throws(ReplayError) {
        var header = parts.header
        let options = try inputs.stateOptions(header)
        header.slice?.delivery = options.delivery?.digest ?? 0
        var state = inputs.state(of: parts, options, GroupSelection())
        try state.fold()
        var first = parts.counts(replaced: state.replaced)
        first.hidden = state.hidden
        first.tally.notifications = first.updated + first.hidden.removed + first.hidden.suppressed
        header.sources = SourceTable(named: [])
        try slices.writeGroups(of: state, .newest, ranges, header, first: first, check: inputs.check)
    }
}
