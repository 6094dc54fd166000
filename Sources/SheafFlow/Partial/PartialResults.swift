import SheafBytes
import SheafGroups

/// The partial results of a merge: their combined header and counts, checked for compatibility.
struct PartialResults {
    /// The combined header of all files.
    let header: PartialHeader
    /// The files, each with the number of sources that precede its own.
    private(set) var files: [StateFile] = []
    private var counts = RunCounts()

    /// Reads every file completely.
    ///
    /// - Parameters:
    ///   - settings: the configuration of the merge, which must group apps as the files do.
    ///   - check: called before each file; throws to stop.
    /// - Throws: `ReplayError` if a file is damaged, if its options differ from those of the first file, or if its
    ///   groupings differ from the configuration's.
    init(
        _ paths: [String], _ settings: Settings, _ budget: MemoryBudget, storage: any Storage,
        check: () throws(ReplayError) -> Void
    ) throws(ReplayError) {
        var first: PartialHeader?
        var sources: [String] = []
        for path in paths {
            try check()
            let summary = try PartialFile.read(path, maximumFrame: budget.largestFrame, storage: storage)
            try Self.check(summary.header, of: path, against: first ?? summary.header, of: paths[0])
            first = first ?? summary.header
            let offset = sources.count
            sources += summary.header.sources
            // The ordinals of these sources must fit into order keys.
            if sources.count >= OrderKey.maximumSources {
                throw .usage(
                    "\(sources.count) sources are too many: fewer than \(OrderKey.maximumSources) are supported"
                )
            }
            files.append(summary.file(path, sourceOffset: offset))
            counts.add(summary.counts, sourceOffset: offset)
            // Real logs never reach this limit. Without it, the sums over a few hundred files could overflow.
            guard counts.areReadable else {
                throw .usage(
                    "'\(path)' can't be merged: together with the preceding files, its counts exceed the maximum"
                )
            }
        }
        guard var header = first else { throw .usage("no partial results to merge") }
        header.sources = sources
        self.header = header
        try Self.check(header.groupings, against: settings, of: paths[0])
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

    private static func check(
        _ header: PartialHeader, of path: String, against first: PartialHeader, of firstPath: String
    ) throws(ReplayError) {
        func fail(_ what: OptionMessage) -> ReplayError {
            .usage("'\(path)' and '\(firstPath)' can't be merged: they were written with different \(what)")
        }
        if header.byDevice != first.byDevice { throw fail("\(.byDevice) settings") }
        if header.maximumArguments != first.maximumArguments { throw fail("\(.maximumArguments) values") }
        if header.groupings != first.groupings { throw fail("app groupings") }
        try check(header.input, of: path, against: first.input, of: firstPath)
    }

    private static func check(
        _ input: InputIdentity, of path: String, against first: InputIdentity, of firstPath: String
    ) throws(ReplayError) {
        let difference: OptionMessage
        switch input.difference(from: first) {
        case nil: return
        case .name:
            difference = "'\(firstPath)' was read with input '\(first.name)', '\(path)' with '\(input.name)'"
        case .digest:
            difference = "they were read with different versions of '\(input.name)'"
        case .app:
            difference =
                "'\(firstPath)' was read with the app \(first.shownApp) for records without one, "
                + "'\(path)' with \(input.shownApp)"
        case .removals:
            let (with, without) = input.appliesRemovals ? (path, firstPath) : (firstPath, path)
            difference = "'\(with)' was written with \(.appliesRemovals), '\(without)' without"
        case .delivery:
            let (with, without) = input.tracksDelivery ? (path, firstPath) : (firstPath, path)
            difference =
                "'\(with)' was written with \(.delivery) or a configuration of delivery, '\(without)' without"
        case .timeline:
            difference =
                "'\(firstPath)' was written with \(first.shownTimeline), '\(path)' with \(input.shownTimeline)"
        case .window:
            difference =
                "'\(firstPath)' was written with \(first.window.shown), '\(path)' with \(input.window.shown)"
        }
        throw .usage("'\(path)' and '\(firstPath)' can't be merged: \(difference)")
    }

    /// Checks that the configuration groups apps in the same way as the partial results.
    private static func check(
        _ groupings: [PartialHeader.AppGrouping], against settings: Settings, of path: String
    ) throws(ReplayError) {
        var written: [String: Grouping] = [:]
        for item in groupings { written[item.app] = item.grouping }
        for app in settings.apps.keys.sorted() {
            let wanted = settings.apps[app]?.grouping ?? .automatic
            let found = written[app] ?? .automatic
            guard wanted != found else { continue }
            throw .usage(
                "the configuration groups '\(app)' as '\(wanted.rawValue)', but '\(path)' was written with "
                    + "'\(found.rawValue)'")
        }
    }
}
