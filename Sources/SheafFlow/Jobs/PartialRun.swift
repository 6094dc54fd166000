import SheafBytes
import SheafGroups

/// A step of a job on many machines between its replays and its merges: cuts partial results by key, or shows what they
/// have.
///
/// ```swift
/// var options = ReplayOptions(sources: ["17.partial", "18.partial"])
/// options.output = "ranges"
/// try PartialRun(.findRanges(count: 7), options).run()
/// try PartialRun(.split(ranges: "ranges", folder: "slices/17"), ReplayOptions(sources: ["17.partial"])).run()
/// try PartialRun(.split(ranges: "ranges", folder: "slices/18"), ReplayOptions(sources: ["18.partial"])).run()
/// let identities = ReplayOptions(
///     sources: ["slices/17/identities-00003.partial", "slices/18/identities-00003.partial"])
/// try PartialRun(.keepNewest(ranges: "ranges", folder: "newest"), identities).run()
/// ```
///
///     partial results ──split──▶ groups-00000 │ groups-00001 │ …
///                                identities-00000 │ identities-00001 │ …
///     identities-00003 of all splits ──newest versions──▶ newest-00000-00003 │ newest-00001-00003 │ …
///
///     groups-00003 and identities-00003 of people ──measure──▶ the measures of range 3
///
/// `Merge` makes a part of the snapshot of all slices of a range of groups, and adds the measures of all ranges. No result
/// depends on where the ranges are cut.
public final class PartialRun: Sendable {
    /// What a run does with its files.
    public enum Action: Sendable, Equatable {
        /// Writes one JSON object for each file, which may also be a slice or have keys. Any damage is found.
        ///
        /// Memory: the sources of one file, and one frame.
        case inspect
        /// Writes a sample of the keys of partial results: a small file, from which ranges are made in place of the partial
        /// results.
        ///
        /// Memory: at most 524,288 keys of each section for all files together, of some hundred bytes each; and 8 bytes for
        /// each removal, of at most 67,108,864. With more than half as many scopes of removals, the sample has none.
        case sampleKeys
        /// Writes the keys at which partial results are cut into ranges of about the same size. The count is from
        /// `Limits.partitionsRange`.
        ///
        /// With `areComplete`, the partial results or samples must be those of all sources of a job. The ranges then know
        /// all removals, and `split` adds the notifications without a collapse identifier, if no removal applies to them, to
        /// their groups at once. It refuses partial results with other removals.
        ///
        /// Memory: as for `sampleKeys`.
        case findRanges(count: Int, areComplete: Bool = false)
        /// Cuts partial results into slices by these ranges. The folder is created if it does not exist.
        ///
        /// Slices of identities have the notifications that a newer version may replace or a removal may apply to, and the
        /// removals, settings and results that apply to them; slices of groups have the others, as groups. All ranges have a
        /// slice of both kinds. The counts that can't be divided are in the first slice of groups. Memory is bounded by
        /// `MemoryBudget`, and 4 bytes for each removal that the ranges know; one slice is open at a time.
        case split(ranges: String, folder: String)
        /// Adds the newest version of each notification in slices of identities to its group, and cuts these groups by range.
        ///
        /// The slices must be all of one range of identities, or of several. The outcome of notifications follows from the
        /// settings and the profile. Memory is bounded as for `split`.
        case keepNewest(ranges: String, folder: String)
        /// Measures the people in all slices of a range, and writes their distributions: a slice that `Merge` adds to those
        /// of the other ranges. Notifications below the first `fold` groups are buried.
        ///
        /// Memory is bounded as for `split`.
        case measure(fold: Int)

        /// - Throws: `ReplayError.usage` if the number of ranges is out of its range.
        package func validate() throws(ReplayError) {
            switch self {
            case .findRanges(let count, _):
                try Limits.check(count, in: Limits.partitionsRange, "\(.partitions)")
            case .measure(let fold):
                try Limits.check(fold, in: Limits.foldRange, "\(.fold)")
            case .inspect, .sampleKeys, .split, .keepNewest: break
            }
        }
    }

    let inputs: PartialInputs
    private let action: Action

    /// Finds the files. Nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - action: what the run writes.
    ///   - options: the options of a replay, with the files as sources. `output` is the path of JSON objects, a sample,
    ///     ranges or measures.
    /// - Throws: `ReplayError` if an option is invalid, a file is missing, or the output would replace a file.
    public convenience init(_ action: Action, _ options: ReplayOptions) throws(ReplayError) {
        try self.init(action, options, storage: SystemStorage())
    }

    package init(
        _ action: Action, _ options: ReplayOptions, storage: any Storage
    ) throws(ReplayError) {
        try action.validate()
        inputs = try PartialInputs(options, storage: storage)
        self.action = action
        var files = options.files
        switch action {
        case .inspect: break
        case .sampleKeys: files.resultName = "the sample of keys"
        case .findRanges:
            files.resultName = "the ranges"
        case .measure: files.resultName = "the measures"
        case .split, .keepNewest: return
        }
        try OutputCheck.check(files, inputs.files, storage: storage)
    }

    /// Ends the run as soon as possible; `run()` then throws `ReplayError.interrupted`. May be called from any thread
    /// at any time.
    public func interrupt(signal: Int32) { inputs.interrupt(signal: signal) }

    /// Reads the files and writes the result. Blocks until done.
    ///
    /// - Throws: `ReplayError`; no output and no slice remains in that case. `ReplayError.alreadyRun` if called a second
    ///   time.
    public func run() throws(ReplayError) {
        try inputs.whileRunning { () throws(ReplayError) in
            switch action {
            case .inspect: try writeResult { output throws(ReplayError) in try inspect(to: output) }
            case .sampleKeys:
                try writeResult { output throws(ReplayError) in
                    try KeyFile.sample(sampledKeys(isFinal: false, withRemovals: true)).write(to: output)
                }
            case .findRanges(let count, let areComplete):
                try writeResult { output throws(ReplayError) in
                    let sample = try sampledKeys(isFinal: true, withRemovals: areComplete)
                    try KeyFile.ranges(sample.ranges(count: count)).write(to: output)
                }
            case .split(let ranges, let folder): try split(by: ranges, to: folder)
            case .keepNewest(let ranges, let folder): try keepNewest(by: ranges, to: folder)
            case .measure(let fold):
                try writeResult { output throws(ReplayError) in try measure(fold: fold, to: output) }
            }
        }
    }

    private func writeResult(
        _ body: (any ByteOutput) throws(ReplayError) -> Void
    ) throws(ReplayError) {
        var outputs = try ResultFiles(inputs.options.files, storage: inputs.storage)
        try outputs.writeResult(body)
        try inputs.check()
        try outputs.commit()
    }
}

// MARK: - Keys

extension PartialRun {
    /// Returns a sample of the keys in all files, sorted.
    ///
    /// - Parameters:
    ///   - isFinal: whether ranges are made of it.
    ///   - withRemovals: whether it has the scopes of the removals in the files.
    private func sampledKeys(isFinal: Bool, withRemovals: Bool) throws(ReplayError) -> RangeKeySample {
        var sample: RangeKeySample?
        let limit = RangeKeySample.limit(files: inputs.files.count, isFinal: isFinal)
        for path in inputs.paths {
            try inputs.check()
            let found =
                SourceHead.isOfFormat(.keys, path, inputs.storage)
                ? try KeyFile.readSample(path, limit: limit, storage: inputs.storage)
                : try sampledKeys(of: path, limit: limit, withRemovals: withRemovals)
            if sample == nil { sample = found } else { try sample?.add(found, of: path) }
        }
        guard var sample else { preconditionFailure("there is at least one file") }
        if !withRemovals { sample.removals = nil }
        sample.sort()
        return sample
    }

    /// Returns a sample of the keys in a partial result.
    private func sampledKeys(
        of path: String, limit: Int, withRemovals: Bool
    ) throws(ReplayError) -> RangeKeySample {
        let (part, _) = try inputs.read(path)
        if part.slice != nil { throw .usage("'\(path)' is a slice already") }
        let unit = part.header.unit
        try part.header.checkIsDivisible(path)
        let removals = withRemovals && part.header.isDecidedByRemovals ? RemovedScopes() : nil
        var sample = RangeKeySample(of: unit, limit: limit, removals: removals)
        try inputs.forEachRecord(.notifications, of: part.state) { reader throws(ReplayError) in
            let bytes = reader.bytes
            guard let entry = NotificationEntry(bytes, of: part.state) else { throw reader.damage() }
            sample.add(entry, in: bytes)
            return true
        }
        try inputs.forEachRecord(.groups, of: part.state) { reader throws(ReplayError) in
            let bytes = reader.bytes
            guard GroupEntry(bytes, of: part.state) != nil else { throw reader.damage() }
            sample.groups.add(byteCount: bytes.count) {
                (StoredKey(RangeKey(group: bytes, in: unit), in: bytes), nil)
            }
            return true
        }
        sample.groups.appendGroups(of: sample.identities)
        return sample
    }
}
