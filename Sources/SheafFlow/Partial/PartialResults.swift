import SheafBytes
import SheafGroups

/// Partial results that are merged: what they say of themselves, and that they fit together.
struct PartialResults {
    /// Of all together.
    let header: PartialHeader
    /// What was asked for, with what the files say.
    private(set) var options: ReplayOptions
    /// Each with the number of sources before its own.
    private(set) var files: [StateFile] = []
    private var counts = RunCounts()

    /// Reads every file to its end.
    ///
    /// - Parameter check: called between files; throws to end it.
    /// - Throws: `ReplayError`, when one of them is damaged, or was written with other options than the first one, or by
    ///   another grouping than the configuration's.
    init(
        _ paths: [String], _ options: ReplayOptions, _ budget: MemoryBudget, storage: any Storage,
        check: () throws(ReplayError) -> Void
    ) throws(ReplayError) {
        var first: PartialHeader?
        var sources: [String] = []
        for path in paths {
            try check()
            let summary = try PartialFile.read(path, maximumFrame: budget.largestFrame, storage: storage)
            try Self.check(summary.header, of: path, against: first ?? summary.header, of: paths[0])
            first = first ?? summary.header
            files.append(summary.file(path, sourceOffset: sources.count))
            counts.add(summary.counts, sourceOffset: sources.count)
            // No logs are as many: without this the counts of some hundred files could not be added.
            guard counts.areReadable else {
                throw .usage(
                    "'\(path)' can't be merged: with the files before it, it counts more than can be counted")
            }
            sources += summary.header.sources
            if sources.count >= OrderKey.maximumSources {
                throw .usage("\(sources.count) sources: at most \(OrderKey.maximumSources) can be told apart")
            }
        }
        guard var header = first else { throw .usage("there are no partial results to merge") }
        header.sources = sources
        self.header = header
        self.options = options
        self.options.byDevice = header.byDevice
        self.options.maximumArguments = header.maximumArguments
        try Self.check(header.groupings, against: options.settings, of: paths[0])
        for item in header.groupings {
            self.options.settings.apps[item.app, default: AppSettings()].grouping = item.grouping
        }
    }

    /// What the replays counted together.
    ///
    /// - Parameter replaced: how many notifications were found replaced when they were merged.
    func counts(replaced: UInt64) -> RunCounts {
        var counts = counts
        counts.updated += replaced
        return counts
    }

    private static func check(
        _ header: PartialHeader, of path: String, against first: PartialHeader, of firstPath: String
    ) throws(ReplayError) {
        func fail(_ what: String) -> ReplayError {
            .usage("'\(path)' and '\(firstPath)' can't be merged: they were written with different \(what)")
        }
        if header.byDevice != first.byDevice { throw fail("settings of --by-device") }
        if header.maximumArguments != first.maximumArguments { throw fail("--max-arguments") }
        if header.groupings != first.groupings { throw fail("groupings of apps") }
    }

    /// A configuration that shows groups must be of those groups.
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
