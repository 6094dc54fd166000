import SheafBytes
import SheafGroups

/// Cuts partial results into slices by ranges of keys, so that many machines can each make a part of a snapshot.
///
/// ```swift
/// let options = ReplayOptions(sources: ["17.partial"])
/// try PartialSplit(options, ranges: "ranges", folder: "slices/17").run()
/// ```
///
///     partial results ──merged by key──▶ identities-00000.partial │ identities-00001.partial │ …
///                                        groups-00000.partial     │ groups-00001.partial     │ …
///
/// Slices of identities have the notifications that a newer version may replace, and what concerns them; slices of groups
/// have the others, as groups. All ranges have a slice of both kinds. The counts that can't be divided are in the first
/// slice of groups. Memory is bounded by `MemoryBudget`; one slice is open at a time.
public final class PartialSplit: Sendable {
    private let inputs: PartialInputs
    private let ranges: KeyRanges
    private let folder: String

    /// Reads the ranges. Nothing is written yet.
    ///
    /// - Parameters:
    ///   - options: the options of a replay, with the partial results as sources.
    ///   - ranges: the path of a file that `PartialKeys` wrote.
    ///   - folder: the folder for the slices, which is created if it does not exist.
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
    /// - Returns: the number of notifications that were found to be replaced.
    /// - Throws: `ReplayError`; no slice remains in that case. `ReplayError.alreadyRun` if called a second time.
    @discardableResult
    public func run() throws(ReplayError) -> UInt64 {
        try inputs.whileRunning { () throws(ReplayError) in
            let parts = try inputs.read(for: .cutting)
            try ranges.check(parts.header, of: inputs.paths[0])
            let names = (0..<ranges.count).flatMap {
                [SliceFiles.name(.identities, $0), SliceFiles.name(.groups, $0)]
            }
            return try inputs.withSlices(named: names, in: folder) { slices throws(ReplayError) in
                try write(parts, &slices)
            }
        }
    }

    private func write(
        _ parts: PartialResults, _ slices: inout SliceFiles
    ) throws(ReplayError) -> UInt64 {
        let options = try inputs.stateOptions(parts.header)
        var state = inputs.state(of: parts, options, GroupSelection())
        try state.reduce()
        let header = parts.header.named
        let replaced = try state.replaced + writeIdentities(&state, header, &slices)
        var first = parts.counts(replaced: replaced)
        first.tally.notifications = first.updated
        try slices.writeGroups(of: state, .groups, ranges, header, first: first, check: inputs.check)
        return replaced
    }

    /// - Returns: the number of notifications that were replaced.
    private func writeIdentities(
        _ state: inout StateFiles, _ header: PartialHeader, _ slices: inout SliceFiles
    ) throws(ReplayError) -> UInt64 {
        var versions = try NewestVersions(state.files, nil, storage: inputs.storage)
        var concerning = ConcerningRecords()
        var record = OutputBuffer()
        var entry = try versions.next()
        for range in 0..<ranges.count {
            try inputs.check()
            var header = header
            header.slice = ranges.slice(.identities, range)
            let end = ranges.end(of: range, of: .identities)
            try slices.write(SliceFiles.name(.identities, range), header) { writer throws(ReplayError) in
                var counts = RunCounts()
                if range > 0, let start = ranges.end(of: range - 1, of: .identities) {
                    try concerning.write(from: start, to: end, &writer)
                }
                while let current = entry {
                    let key = RangeKey(current, byDevice: ranges.byDevice)
                    if let end, end.compare(to: key, versions.bytes, newestFirst: false) <= 0 { break }
                    record.removeAll()
                    record.append(current, in: versions.bytes, tracksAll: state.options.tracksAll)
                    concerning.note(current, in: versions.bytes, encoding: record.bytes)
                    try writer.add(record.bytes, to: .notifications)
                    counts.tally.notifications += current.notificationCount
                    if counts.tally.notifications % UInt64(Limits.groupsPerPiece) == 0 { try inputs.check() }
                    entry = try versions.next()
                }
                return counts
            }
        }
        versions.take(from: &state.files)
        return versions.replaced
    }
}

extension SliceFiles {
    /// Writes slices of all groups.
    ///
    /// - Parameters:
    ///   - header: the header of all slices, with what is common to their descriptions.
    ///   - first: the counts of the first slice, except for the notifications that it has.
    mutating func writeGroups(
        of state: StateFiles, _ kind: Slice.Kind, _ ranges: KeyRanges, _ header: PartialHeader,
        first: RunCounts, check: () throws(ReplayError) -> Void
    ) throws(ReplayError) {
        var groups = try RewrittenGroups<GroupEntry>(
            state.files, maximumArguments: state.options.maximumArguments, storage: state.storage)
        var hasGroup = try groups.next(check: check)
        for range in 0..<ranges.count {
            var header = header
            let slice = ranges.slice(kind, range, like: header.slice)
            header.slice = slice
            let end = ranges.end(of: range, of: kind)
            let name = Self.name(kind, range, of: slice.identityRanges.first)
            try write(name, header) { writer throws(ReplayError) in
                var counts = range == 0 ? first : RunCounts()
                while hasGroup {
                    let key = RangeKey(group: groups.bytes, byDevice: ranges.byDevice)
                    if let end, end.compare(to: key, groups.bytes, newestFirst: true) <= 0 { break }
                    try writer.add(groups.bytes, to: .groups)
                    counts.tally.notifications += groups.notificationCount
                    hasGroup = try groups.next(check: check)
                }
                return counts
            }
        }
    }
}

extension KeyRanges {
    /// Returns the description of a slice.
    ///
    /// - Parameter other: another slice of newest versions, from the same identities.
    func slice(_ kind: Slice.Kind, _ range: Int, like other: Slice? = nil) -> Slice {
        Slice(
            kind, digest: digest, count: count, range: range, identityRanges: other?.identityRanges ?? [],
            sources: other?.sources ?? 0, delivery: other?.delivery ?? 0)
    }

    /// Checks that a file can be cut by these ranges.
    func check(_ header: PartialHeader, of path: String) throws(ReplayError) {
        if header.byDevice != byDevice {
            throw .usage(
                "'\(path)' and the files that the ranges were made of have different \(.byDevice) settings")
        }
        try header.checkHasNoTimeline(path)
    }
}

extension PartialHeader {
    /// Checks that a file can be cut by key.
    func checkHasNoTimeline(_ path: String) throws(ReplayError) {
        guard input.timeline != nil else { return }
        throw .usage(
            "'\(path)' was written with \(.every): snapshots over time are not made of the snapshots of ranges"
        )
    }

    /// The header with named sources: positions become their ordinals.
    var named: PartialHeader {
        guard !sources.isNamed else { return self }
        var header = self
        header.sources = SourceTable(named: sources.entries)
        return header
    }
}
