import ArgumentParser
import SheafFlow

/// `sheaf merge`: reads partial results and writes the snapshot of all their sources.
struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge partial results of sheaf replay or measure --partial into one result.",
        discussion: """
            The snapshot is byte for byte the one that a single replay of all the sources in that order writes. With \
            --partial the merged state is written instead, so that results can be merged in several steps. Every \
            file is checked before anything is merged. Files of replays with --sources-from may be in any order; a source \
            that two of them cover is an error. Slices that sheaf partial writes are merged into a part of a snapshot.

            Exit status: as for sheaf replay; also 66 if a file is not a partial result, and 74 if one is damaged.
            """)

    @Argument(
        help: ArgumentHelp(
            "Partial results, or directories of them, in the order of their sources.", valueName: "PARTIAL"),
        completion: .file())
    var partials: [String]

    @OptionGroup(title: HelpSection.usual) var snapshot: ResultOptions.SnapshotOptions
    @OptionGroup(title: HelpSection.display) var display: ResultOptions.DisplayOptions
    @OptionGroup(title: HelpSection.display) var measures: DistributionOptions
    @OptionGroup(title: HelpSection.run) var memory: MemoryOptions
    @OptionGroup(title: HelpSection.run) var threads: ThreadOptions
    @OptionGroup(title: HelpSection.run) var messages: QuietOptions
    @OptionGroup(title: HelpSection.run) var progress: ProgressOptions
    @OptionGroup var expected: ExpectedSourcesOptions

    private var results: ResultOptions {
        ResultOptions(
            snapshot: snapshot, display: display, memory: memory, threads: threads, messages: messages,
            progress: progress)
    }

    func validate() throws {
        try results.check()
        try Failure.validating { try options.validate(readsLogs: false) }
    }

    private var options: ReplayOptions {
        var options = results.options(sources: partials)
        options.measuresOfMerge = measures.options
        options.add(given: measures.given)
        return options
    }

    func run() throws {
        try Run.reportingErrors {
            var options = options
            try results.readConfiguration(into: &options)
            try expected.readList(into: &options)
            let merge = try Merge(options)
            try Run(results: results, rejects: .merge)(
                merge.progress, interrupt: { merge.interrupt(signal: $0) }
            ) { _, willWrite throws(ReplayError) in try merge.run(willWrite: willWrite) }
        }
    }
}
