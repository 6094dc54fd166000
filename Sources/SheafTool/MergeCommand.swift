import ArgumentParser
import SheafFlow

/// `sheaf merge`: reads partial results and writes the snapshot of all their sources.
struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge partial results of sheaf replay --partial into one snapshot.",
        discussion: """
            The snapshot is byte for byte the one that a single replay of all the sources in that order writes. With \
            --partial the merged state is written instead, so that results can be merged in several steps. Every \
            file is checked before anything is merged.

            Exit status: as for sheaf replay; also 66 if a file is not a partial result, and 74 if one is damaged.
            """)

    @Argument(
        help: ArgumentHelp(
            "Partial results, or directories of them, in the order of their sources.", valueName: "PARTIAL"),
        completion: .file())
    var partials: [String]

    @OptionGroup var results: ResultOptions

    func validate() throws { try OptionValue.checkSources(partials, takesInput: false) }

    func run() throws {
        try Run.reportingErrors {
            let merge = try Merge(results.options(sources: partials))
            try Run(results, rejects: .merge)(merge.progress, interrupt: { merge.interrupt(signal: $0) }) {
                willWrite throws(ReplayError) in try merge.run(willWrite: willWrite)
            }
        }
    }
}
