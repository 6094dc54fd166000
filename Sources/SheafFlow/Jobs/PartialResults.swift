import SheafBytes
import SheafGroups

/// The partial results that a run reads: their combined header and counts, checked for compatibility.
///
///     positions     numbered through the files in the order given: 0 1 2 │ 3 4 │ 5 …
///     named         numbered in the job; the files may be in any order, but must not cover a source twice
///     slices        named; which kinds and ranges belong together depends on the purpose
struct PartialResults {
    /// What the files are read for.
    enum Purpose: Equatable {
        /// A snapshot.
        case snapshot
        /// One partial result instead of several.
        case partial
        /// Slices, or a sample of the keys.
        case cutting
        /// The newest versions in slices of identities.
        case newest
    }

    /// The combined header of all files.
    private(set) var header: PartialHeader
    /// The files, each with the number of sources that precede its own.
    private(set) var files: [StateFile] = []
    /// The counts of all files, without what a merge finds.
    private var counts = RunCounts()

    /// A file's path and header.
    struct Part {
        let path: String
        let header: PartialHeader
    }

    /// Reads every file completely.
    ///
    /// - Parameters:
    ///   - settings: the configuration of the merge, which must group apps as the files do.
    ///   - expected: the sources that the files must cover, and no others; nil for any.
    ///   - check: called before each file; throws to stop.
    /// - Throws: `ReplayError` if a file is damaged, if its options differ from those of the first file, if its
    ///   groupings differ from the configuration's, or if the files' sources or slices don't fit together.
    init(
        _ paths: [String], for purpose: Purpose, _ settings: Settings, expected: [NamedSource]? = nil,
        _ budget: MemoryBudget, storage: any Storage, check: () throws(ReplayError) -> Void
    ) throws(ReplayError) {
        guard !paths.isEmpty else { throw .usage("no partial results to merge") }
        var parts: [Part] = []
        var offset = 0
        for path in paths {
            try check()
            let summary = try PartialFile.read(path, maximumFrame: budget.largestFrame, storage: storage)
            let part = Part(path: path, header: summary.header)
            let first = parts.first ?? part
            try Self.check(part.header, of: path, against: first.header, of: first.path)
            try Self.checkKind(of: part, against: first)
            parts.append(part)
            files.append(summary.file(path, sourceOffset: offset))
            counts.add(summary.counts, sourceOffset: offset)
            // Real logs never reach this limit. Without it, the sums over a few hundred files could overflow.
            guard counts.areReadable else {
                throw .usage(
                    "'\(path)' can't be merged: together with the preceding files, its counts exceed the maximum"
                )
            }
            guard !summary.header.sources.isNamed else { continue }
            offset += summary.header.sources.count
            // The ordinals of these sources must fit into order keys.
            if offset >= OrderKey.maximumSources {
                throw .usage(
                    "\(offset) sources are too many: fewer than \(OrderKey.maximumSources) are supported")
            }
        }
        header = try Self.combined(parts, for: purpose)
        if let expected { try Self.check(header, covers: expected) }
        try Self.check(header.groupings, against: settings, of: paths[0])
        // Slices of newest versions do not list their sources.
        let sources = header.recordSources
        for index in files.indices where files[index].isFolded { files[index].sources = sources }
    }

    /// The times of all notifications and removals, for a timeline.
    var times: TimeRange? { counts.tally.times }

    /// Returns the combined counts of the replays.
    ///
    /// - Parameter replaced: the number of notifications that the merge found to be replaced.
    func counts(replaced: UInt64) -> RunCounts {
        var counts = counts
        counts.updated += replaced
        return counts
    }
}
