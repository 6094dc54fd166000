import ArgumentParser
import SheafFlow

/// `sheaf merge`: partial results in, the snapshot of all their sources out.
struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge partial results of sheaf replay --partial.",
        discussion: """
            The result is the same, byte for byte, as that of one replay of all the sources in that order. With \
            --partial the merged state is written instead, so that merges can be made in several steps. Every file \
            is checked before anything is merged.

            Exit status: as for sheaf replay; 66 also when a file is no partial result, 74 when one is damaged.
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
