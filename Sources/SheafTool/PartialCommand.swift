import ArgumentParser
import SheafBytes
import SheafFlow
import SheafGroups
import SheafText

/// `sheaf partial`: cuts partial results by key, so that many machines make the parts of one snapshot.
struct PartialCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "partial",
        abstract: "Cut partial results by key, for snapshots that outgrow one machine, or show what one has.",
        discussion: """
            sheaf partial keys    FILES --partitions R -o RANGES           on one machine
            sheaf partial split   FILES --ranges RANGES --partial-dir DIR  on each machine with partial results
            sheaf partial newest  SLICES --ranges RANGES --partial-dir DIR for each range of identities; not by device
            sheaf merge           SLICES -o PART                           for each range of groups

            The parts, one after the other, are byte for byte the snapshot of one replay.

            Exit status: 0 success; 64 usage error, such as files that don't fit together; 66 a file is missing or not a \
            partial result; 73 an output cannot be created; 74 a file is damaged, or reading or writing failed.
            """,
        subcommands: [Keys.self, Split.self, Newest.self, Inspect.self])

    /// Reads partial results with the options of a replay.
    fileprivate static func options(
        _ files: [String], _ resources: ResourceOptions, expecting list: String? = nil
    ) throws -> ReplayOptions {
        var options = ReplayOptions(sources: files)
        resources.apply(to: &options)
        if let list {
            options.expectedSources = try NamedSource.list(contentsOf: list)
            options.listFiles = [list]
        }
        return options
    }

    /// Does `action`, until a signal interrupts it.
    fileprivate static func run(_ action: PartialRun.Action, _ options: ReplayOptions) throws {
        let run = try PartialRun(action, options)
        let signals = Interrupts.signals(nil) { run.interrupt(signal: $0) }
        defer { withExtendedLifetime(signals) {} }
        try run.run()
    }
}

extension PartialCommand {
    struct Keys: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Find the keys at which partial results are cut into ranges of about the same size.",
            discussion: """
                Without --partitions, a sample of the keys is written instead: a small file that sheaf partial keys reads in \
                place of the partial results. No result depends on where the ranges are cut.
                """)

        @Argument(
            help: ArgumentHelp(
                "Partial results, samples of their keys, or directories of them.", valueName: "FILE"),
            completion: .file())
        var files: [String]

        @Option(
            parsing: .unconditional, help: .number("The number of ranges, 1 to 10000."),
            transform: OptionValue.number)
        var partitions: Int?

        @Option(
            name: [.short, .long], help: .file("Write the ranges or the sample to FILE."), completion: .file()
        )
        var output: String

        @OptionGroup var resources: ResourceOptions

        func validate() throws {
            try OptionValue.checkSources(files, takesInput: false)
            try OptionValue.checkPaths(["--output": output])
            if let partitions { try OptionValue.check(Limits.partitionsRange, partitions, "--partitions") }
        }

        func run() throws {
            try Run.reportingErrors {
                var options = try PartialCommand.options(files, resources)
                options.output = output
                try PartialCommand.run(partitions.map { .findRanges(count: $0) } ?? .sampleKeys, options)
            }
        }
    }

    /// The ranges, and the folder for slices.
    struct SliceOptions: ParsableArguments {
        @Option(help: .file("The ranges that sheaf partial keys wrote."), completion: .file())
        var ranges: String

        @Option(
            help: .folder("Write the slices to DIR, which is created if it does not exist."),
            completion: .directory)
        var partialDir: String

        @Option(
            help: .file(
                "Fail unless exactly the sources that FILE lists are covered; see sheaf replay --sources-from."
            ),
            completion: .file())
        var expectSources: String?

        func validate() throws {
            try OptionValue.checkPaths([
                "--ranges": ranges, "--partial-dir": partialDir, "--expect-sources": expectSources,
            ])
        }
    }

    struct Split: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Cut partial results into slices by ranges of keys.",
            discussion: """
                Writes groups-00000.partial and identities-00000.partial for the first range, and so on. Identities are the \
                notifications that a newer version may replace, and the records that apply to them.
                """)

        @Argument(
            help: ArgumentHelp("Partial results, or directories of them.", valueName: "FILE"),
            completion: .file())
        var files: [String]

        @OptionGroup var slices: SliceOptions
        @OptionGroup var resources: ResourceOptions

        func validate() throws { try OptionValue.checkSources(files, takesInput: false) }

        func run() throws {
            try Run.reportingErrors {
                let options = try PartialCommand.options(files, resources, expecting: slices.expectSources)
                try PartialCommand.run(.split(ranges: slices.ranges, folder: slices.partialDir), options)
            }
        }
    }

    struct Newest: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Find the newest versions in slices of identities, and cut their groups by range.",
            discussion: """
                Takes all slices of a range of identities, from all splits, and writes newest-00000-00003.partial for the first \
                range of groups, if the identities are those of range 3, and so on. What becomes of notifications follows from \
                --config and --profile if the replays tracked it. Not needed with --by-device.
                """)

        @Argument(
            help: ArgumentHelp("Slices of identities, or directories of them.", valueName: "SLICE"),
            completion: .file())
        var files: [String]

        @OptionGroup var slices: SliceOptions

        @Option(help: .file("The JSON file that sets how apps are grouped and shown."), completion: .file())
        var config: String?

        @Option(help: .name("The iOS version whose rules apply: ios12 (default) or ios15."))
        var profile: Profile?

        @OptionGroup var resources: ResourceOptions

        func validate() throws {
            try OptionValue.checkSources(files, takesInput: false)
            try OptionValue.checkPaths(["--config": config])
        }

        func run() throws {
            try Run.reportingErrors {
                var options = try PartialCommand.options(files, resources, expecting: slices.expectSources)
                if let config { options.apply(try Configuration(contentsOf: config, locale: .default)) }
                options.profile = profile ?? .ios12
                try PartialCommand.run(.keepNewest(ranges: slices.ranges, folder: slices.partialDir), options)
            }
        }
    }

    struct Inspect: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Show what a partial result, a slice or a file of keys has, as one JSON object for each file."
        )

        @Argument(
            help: ArgumentHelp("Partial results, slices, ranges or samples.", valueName: "FILE"),
            completion: .file())
        var files: [String]

        @OptionGroup var resources: ResourceOptions

        func validate() throws { try OptionValue.checkSources(files, takesInput: false) }

        func run() throws {
            try Run.reportingErrors {
                try PartialCommand.run(.inspect, PartialCommand.options(files, resources))
            }
        }
    }
}
