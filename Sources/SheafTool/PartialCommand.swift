import ArgumentParser
import SheafBytes
import SheafFlow
import SheafGroups
import SheafText

/// `sheaf partial`: cuts partial results by key, so that many machines make the parts of one snapshot.
struct PartialCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "partial",
        abstract:
            "Cut partial results by key, for snapshots that outgrow one machine, or show what one contains.",
        discussion: """
            sheaf partial keys    FILES --complete --partitions R -o RANGES  on one machine
            sheaf partial split   FILES --ranges RANGES --partial-dir DIR  on each machine with partial results
            sheaf partial newest  SLICES --ranges RANGES --partial-dir DIR for each range of identities; not by device
            sheaf merge           SLICES -o PART                           for each range of groups

            The parts, one after the other, are byte for byte the snapshot of one replay. Partial results of sheaf measure are \
            cut between people:

            sheaf partial measure SLICES -o MEASURES                       for each range
            sheaf merge           MEASURES -o FILE                         of all ranges

            Exit status: 0 success; 64 usage error, such as files that don't fit together; 66 a file is missing or not a \
            partial result; 73 an output cannot be created; 74 a file is damaged, or reading or writing failed.
            """,
        subcommands: [Keys.self, Split.self, Newest.self, Measure.self, Inspect.self])

    /// Does `action`, until a signal interrupts it.
    fileprivate static func run(_ action: PartialRun.Action, _ options: ReplayOptions) throws {
        let run = try PartialRun(action, options)
        let signals = Run.signals(nil) { run.interrupt(signal: $0) }
        defer { withExtendedLifetime(signals) {} }
        try run.run()
    }
}

extension PartialCommand {
    /// The options of every subcommand.
    struct CommonOptions: ParsableArguments {
        @OptionGroup var memory: MemoryOptions
        @OptionGroup var threads: ThreadOptions
        @OptionGroup var messages: QuietOptions

        /// The options of a replay whose sources are partial results.
        func options(sources: [String]) -> ReplayOptions {
            var options = ReplayOptions(sources: sources)
            memory.apply(to: &options)
            threads.apply(to: &options)
            return options
        }
    }

    struct Keys: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keys",
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

        @Flag(
            help: """
                The files are of all partial results. If no removal applies to a notification, sheaf partial split then adds it \
                to its group.
                """)
        var complete = false

        @Option(
            name: [.short, .long], help: .file("Write the ranges or the sample to FILE."), completion: .file()
        )
        var output: String

        @OptionGroup var common: CommonOptions

        private var options: ReplayOptions {
            var options = common.options(sources: files)
            options.output = output
            return options
        }

        private var action: PartialRun.Action {
            partitions.map { .findRanges(count: $0, areComplete: complete) } ?? .sampleKeys
        }

        func validate() throws {
            if complete, partitions == nil {
                throw ValidationError("--complete has no effect without --partitions")
            }
            try Failure.validating {
                try options.validate(readsLogs: false)
                try action.validate()
            }
        }

        func run() throws {
            try Run.reportingErrors {
                try PartialCommand.run(action, options)
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

        @Flag(help: "Compress the slices with zstd, under names that end in .zst.")
        var zstd = false

        @OptionGroup var expected: ExpectedSourcesOptions

        func validate() throws {
            try Failure.validating {
                try Limits.check(path: ranges, "--ranges")
                try Limits.check(path: partialDir, "--partial-dir")
            }
        }
    }

    struct Split: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "split",
            abstract: "Cut partial results into slices by ranges of keys.",
            discussion: """
                Writes groups-00000.partial and identities-00000.partial for the first range, and so on. Identities are the \
                notifications that a newer version may replace or a removal may apply to, with the records that do.
                """)

        @Argument(
            help: ArgumentHelp("Partial results, or directories of them.", valueName: "FILE"),
            completion: .file())
        var files: [String]

        @OptionGroup var slices: SliceOptions
        @OptionGroup var common: CommonOptions

        func validate() throws {
            try Failure.validating { try common.options(sources: files).validate(readsLogs: false) }
        }

        func run() throws {
            try Run.reportingErrors {
                var options = common.options(sources: files)
                options.compressesSlices = slices.zstd
                try slices.expected.readList(into: &options)
                try PartialCommand.run(.split(ranges: slices.ranges, folder: slices.partialDir), options)
            }
        }
    }

    struct Newest: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "newest",
            abstract: "Find the newest versions in slices of identities, and cut their groups by range.",
            discussion: """
                Takes all slices of a range of identities, from all splits, and writes newest-00000-00003.partial for the first \
                range of groups, if the identities are those of range 3, and so on. --config, --profile and --locked \
                decide how notifications were delivered, if the replays tracked it. Not needed with --by-device.
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

        @Flag(help: "Leave out what a locked device does not show: for merges with the same option.")
        var locked = false

        @OptionGroup var common: CommonOptions

        func validate() throws {
            try Failure.validating {
                try common.options(sources: files).validate(readsLogs: false)
                try Limits.check(path: config, "--config")
            }
        }

        func run() throws {
            try Run.reportingErrors {
                var options = common.options(sources: files)
                options.profile = profile ?? .ios12
                options.locked = locked
                options.compressesSlices = slices.zstd
                try slices.expected.readList(into: &options)
                if let config { options.apply(try Configuration(contentsOf: config, locale: .default)) }
                try PartialCommand.run(.keepNewest(ranges: slices.ranges, folder: slices.partialDir), options)
            }
        }
    }

    struct Measure: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "measure",
            abstract: "Measure the people in the slices of a range.",
            discussion: """
                Takes all slices of groups and of identities of a range, from all splits, and writes the distributions of each \
                measure among its people, which sheaf merge adds to those of the other ranges. --config is that of the merge.
                """)

        @Argument(
            help: ArgumentHelp("Slices of a range, or directories of them.", valueName: "SLICE"),
            completion: .file())
        var files: [String]

        @Option(name: [.short, .long], help: .file("Write the measures to FILE."), completion: .file())
        var output: String

        @Option(
            parsing: .unconditional,
            help: .number(
                "The number of groups at the top of the screen, below which notifications are buried."),
            transform: OptionValue.number)
        var fold = MeasureOptions.standardFold

        @Option(help: .file("The JSON file that sets how apps are grouped and shown."), completion: .file())
        var config: String?

        @OptionGroup var expected: ExpectedSourcesOptions
        @OptionGroup var common: CommonOptions

        private var options: ReplayOptions {
            var options = common.options(sources: files)
            options.output = output
            return options
        }

        func validate() throws {
            try Failure.validating {
                try options.validate(readsLogs: false)
                try PartialRun.Action.measure(fold: fold).validate()
                try Limits.check(path: config, "--config")
            }
        }

        func run() throws {
            try Run.reportingErrors {
                var options = options
                try expected.readList(into: &options)
                if let config { options.apply(try Configuration(contentsOf: config, locale: .default)) }
                try PartialCommand.run(.measure(fold: fold), options)
            }
        }
    }

    struct Inspect: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "inspect",
            abstract:
                "Show what a partial result, a slice or a file of keys contains, as one JSON object for each file."
        )

        @Argument(
            help: ArgumentHelp("Partial results, slices, ranges or samples.", valueName: "FILE"),
            completion: .file())
        var files: [String]

        @OptionGroup var common: CommonOptions

        func validate() throws {
            try Failure.validating { try common.options(sources: files).validate(readsLogs: false) }
        }

        func run() throws {
            try Run.reportingErrors {
                try PartialCommand.run(.inspect, common.options(sources: files))
            }
        }
    }
}
