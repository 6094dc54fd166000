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
        /// The measures of the people of a range.
        case measures
    }

    /// The combined header of all files.
    var header: PartialHeader
    /// The part of a job's state that all files together have; nil for all of their sources' state.
    var slice: Slice?
    /// The files, each with the number of sources that precede its own.
    private(set) var files: [StateFile]
    /// The counts of all files, without what a merge finds.
    private var counts = RunCounts()

    /// Reads every file completely.
    ///
    /// - Throws: `ReplayError` if a file is damaged, if its options differ from those of the first file, if its
    ///   groupings differ from the configuration's, or if the files' sources or slices don't fit together.
    init(_ inputs: PartialInputs, for purpose: Purpose) throws(ReplayError) {
        guard !inputs.paths.isEmpty else { throw .usage("no partial results to merge") }
        var parts: [PartialFile] = []
        var offset = 0
        for (location, path) in inputs.located {
            try inputs.check()
            let (file, counts) = try inputs.read(location, named: path)
            var part = file
            try Self.checkOptions(of: part, against: parts.first ?? part)
            try Self.checkKind(of: part, against: parts.first ?? part)
            self.counts.add(counts, sourceOffset: offset)
            // Real logs never reach this limit. Without it, the sums over a few hundred files could overflow.
            guard self.counts.areReadable else {
                throw .usage(
                    "'\(path)' can't be merged: together with the preceding files, its counts exceed the maximum"
                )
            }
            part.state.sourceOffset = offset
            parts.append(part)
            guard !part.header.sources.isNamed else { continue }
            offset += part.header.sources.count
            // The ordinals of these sources must fit into order keys.
            if offset >= OrderKey.maximumSources {
                throw .usage(
                    "\(offset) sources are too many: fewer than \(OrderKey.maximumSources) are supported")
            }
        }
        (header, slice) = (parts[0].header, parts[0].slice)
        files = parts.map(\.state)
        try combine(parts, for: purpose)
        if let expected = inputs.options.expectedSources { try checkSources(are: expected) }
        try checkGroupings(against: inputs.options.settings, of: parts[0].path)
        // Slices of newest versions do not list their sources.
        let sources = PartialFile.ordinals(of: header, slice)
        for index in files.indices where files[index].isFolded { files[index].sources = sources }
    }

    /// The range whose part of the result the files are; nil for all of it.
    var range: Int? { slice?.kind == .measures ? nil : slice?.range }

    /// The times of all notifications and removals, for a timeline.
    var times: TimeRange? { counts.tally.times }

    /// Returns the combined counts of the replays.
    ///
    /// - Parameter found: what the merge found.
    func counts(found: RunCounts = RunCounts()) -> RunCounts {
        var counts = counts
        counts.add(found: found)
        return counts
    }
}

// MARK: - Options

extension PartialResults {
    /// Checks that a file was written with the same options as the first one.
    private static func checkOptions(
        of part: PartialFile, against first: PartialFile
    ) throws(ReplayError) {
        let (header, other) = (part.header, first.header)
        func check(_ isEqual: Bool, _ what: OptionMessage) throws(ReplayError) {
            guard !isEqual else { return }
            throw unmergeable(part, first, "they were written with different \(what)")
        }
        try check(header.byDevice == other.byDevice, "\(.byDevice) settings")
        try check(header.maximumArguments == other.maximumArguments, "\(.maximumArguments) values")
        try check(header.groupings == other.groupings, "app groupings")
        let (input, known, path, firstPath) = (header.input, other.input, part.path, first.path)
        /// Returns the two paths, that of the file with a property first.
        func ordered(_ hasProperty: Bool) -> (String, String) {
            hasProperty ? (path, firstPath) : (firstPath, path)
        }
        let difference: OptionMessage
        switch input.difference(from: known) {
        case nil: return
        case .name:
            difference = "'\(firstPath)' was read with input '\(known.name)', '\(path)' with '\(input.name)'"
        case .digest:
            difference = "they were read with different versions of '\(input.name)'"
        case .app:
            difference =
                "'\(firstPath)' was read with the app \(known.shownApp) for records without one, "
                + "'\(path)' with \(input.shownApp)"
        case .removals:
            let (with, without) = ordered(input.appliesRemovals)
            difference = "'\(with)' was written with \(.appliesRemovals), '\(without)' without"
        case .delivery:
            let (with, without) = ordered(input.tracksDelivery)
            difference =
                "'\(with)' was written with \(.delivery) or a configuration of delivery, '\(without)' without"
        case .unique:
            let (with, without) = ordered(input.isUnique)
            difference = "'\(with)' was written with \(.unique), '\(without)' without"
        case .outcomes:
            let (with, without) = ordered(input.appliesOutcomes)
            difference = "'\(with)' was written with \(.appliesOutcomes), '\(without)' without"
        case .division:
            difference =
                "'\(firstPath)' was written with \(known.shownDivision), '\(path)' with \(input.shownDivision)"
        case .timeline:
            difference =
                "'\(firstPath)' was written with \(known.shownTimeline), '\(path)' with \(input.shownTimeline)"
        case .window:
            difference =
                "'\(firstPath)' was written with \(known.filter.shownWindow), '\(path)' with \(input.filter.shownWindow)"
        case .selection:
            difference =
                "'\(firstPath)' was written with \(known.filter.shownSelection), '\(path)' with "
                + "\(input.filter.shownSelection)"
        }
        throw unmergeable(part, first, difference)
    }

    /// Checks that the configuration groups apps in the same way as the partial results.
    private func checkGroupings(against settings: Settings, of path: String) throws(ReplayError) {
        var written: [String: Grouping] = [:]
        for item in header.groupings { written[item.app] = item.grouping }
        for app in settings.apps.keys.ordered() {
            let wanted = settings.grouping(of: app)
            let found = written[app] ?? .automatic
            guard wanted != found else { continue }
            throw .usage(
                "the configuration groups '\(app)' as '\(wanted.rawValue)', but '\(path)' was written with "
                    + "'\(found.rawValue)'")
        }
    }

    /// The error for two files that don't belong together.
    static func unmergeable(
        _ part: PartialFile, _ other: PartialFile, _ reason: OptionMessage
    ) -> ReplayError {
        .usage("'\(part.path)' and '\(other.path)' can't be merged: \(reason)")
    }
}
