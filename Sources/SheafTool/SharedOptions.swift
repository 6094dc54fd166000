import ArgumentParser
import SheafFlow
import SheafGroups

// Options that several commands have. Each is declared once, in a group of those that the same commands have.

/// Which records count, and how the fate of pushes does.
struct RecordOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Leave out notifications that the log reports as removed. Takes memory for each notification."
        ))
    var removals = false

    @Flag(
        help: ArgumentHelp(
            """
            Report how notifications were delivered: quietly, with a banner or a sound, or not at all. Takes memory \
            for each notification. (default: if the configuration has settings of delivery)
            """))
    var delivery = false

    @Flag(
        help: ArgumentHelp(
            """
            Apply outcomes that the log reports apart from their pushes: a push that was refused never appeared. Takes \
            memory for each push with an id or a collapse id.
            """))
    var outcomes = false

    @Flag(
        help: ArgumentHelp(
            """
            Count records of the same push, which retries and log shippers write, once: the first one of the same \
            device, app and id. Takes memory for each push with an id.
            """))
    var unique = false

    func apply(to options: inout ReplayOptions) {
        options.appliesRemovals = removals
        options.delivery = delivery
        options.appliesOutcomes = outcomes
        options.unique = unique
    }
}

/// What happens to rejected lines.
struct RejectOptions: ParsableArguments {
    @Option(
        help: .file("Write the rejected lines to FILE, each as one line of JSON."), completion: .file())
    var rejects: String?
}

/// The times of the records that count.
struct WindowOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: .time(
            "Show what was on screen at TIME: leave out all later records. Text shows times relative to it."
        ),
        transform: Instant.parse)
    var until: Instant?

    @Option(
        parsing: .unconditional,
        help: .time(
            """
            Leave out records before TIME: a date and time such as 2026-01-05T18:00:00Z, or milliseconds since 1970. \
            A time without an offset is on the clock of --offset or --time-zone, and a date, today or yesterday means its \
            first moment.
            """),
        transform: Instant.parse)
    var since: Instant?

    /// - Parameter clock: that of times that are written without an offset.
    func apply(to options: inout ReplayOptions, _ clock: LocalClock) {
        options.since = since?.milliseconds(on: clock)
        options.until = until?.milliseconds(on: clock)
    }
}

/// The memory of runs that hold state, and the folder for state that does not fit.
struct MemoryOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: .size(
            "The memory limit, in bytes or with KiB, MiB or GiB. (default: half of the machine's memory)"),
        transform: ByteSize.parse)
    var memory: ByteSize?

    @Option(
        help: .folder(
            "The folder for state that does not fit in memory. (default: the system's temporary folder)"),
        completion: .directory)
    var spillDir: String?

    func apply(to options: inout ReplayOptions) {
        options.memory = memory?.bytes
        options.spillFolder = spillDir
        options.add(given: [.spillFolder: spillDir != nil])
    }
}

/// The number of threads.
struct ThreadOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: .number("The number of worker threads; no result depends on it. (default: one per processor)"),
        transform: OptionValue.number)
    var threads: Int?

    func apply(to options: inout some LogOptions) {
        if let threads { options.threads = threads }
    }
}

/// Whether only errors are written to standard error.
struct QuietOptions: ParsableArguments {
    @Flag(name: [.short, .long], help: "Write only errors to standard error.")
    var quiet = false
}

/// How a run reports its progress on standard error.
struct ProgressOptions: ParsableArguments {
    @Option(
        help: .name(
            """
            How progress is reported on standard error: line, rewritten on a terminal; json, one object per second; or \
            none. (default: line on a terminal, else none)
            """))
    var progress: Style?

    enum Style: String, ExpressibleByArgument, CaseIterable {
        case line, json, none
    }

    /// - Throws: `ValidationError` if the command writes only errors, which leaves no place for progress.
    func check(quiet: Bool) throws {
        guard quiet, let progress, progress != .none else { return }
        throw ValidationError(
            "--quiet writes only errors to standard error: --progress \(progress.rawValue) can't be given with it"
        )
    }
}

/// Sources that a file lists, with the names and numbers that they have in a job.
struct ListedSourceOptions: ParsableArguments {
    @Option(
        help: .file(
            """
            Read the sources that FILE lists, each as {"path":…,"source":…,"ordinal":…}: the file, its name and its number in \
            a job of many runs. With --keyed, the sources that keys refer to, which are not read.
            """), completion: .file())
    var sourcesFrom: String?

    @Flag(
        help: ArgumentHelp(
            """
            Read lines of other sources, in any order: each is ORDINAL, a tab, the line number there, a tab and the line.
            """))
    var keyed = false

    func validate() throws {
        try Failure.validating { try Limits.check(path: sourcesFrom, "\(.namedSources)") }
    }

    func apply(to options: inout ReplayOptions) {
        options.listFiles = [sourcesFrom].compactMap(\.self)
        options.isKeyed = keyed
        options.add(given: [.namedSources: sourcesFrom != nil])
    }

    /// Whether sources must be given as arguments.
    var needsSources: Bool { sourcesFrom == nil || keyed }

    /// Reads the list of sources, if one is given.
    func readList(into options: inout ReplayOptions) throws(ConfigurationError) {
        if let sourcesFrom { options.namedSources = try NamedSource.list(contentsOf: sourcesFrom) }
    }
}

/// The sources that partial results must cover.
struct ExpectedSourcesOptions: ParsableArguments {
    @Option(
        help: .file(
            "Fail unless exactly the sources that FILE lists are covered; see sheaf replay --sources-from."),
        completion: .file())
    var expectSources: String?

    func validate() throws {
        try Failure.validating { try Limits.check(path: expectSources, "\(.expectedSources)") }
    }

    /// Reads the list, if one is given.
    func readList(into options: inout ReplayOptions) throws(ConfigurationError) {
        guard let expectSources else { return }
        options.expectedSources = try NamedSource.list(contentsOf: expectSources)
        options.listFiles = [expectSources]
    }
}

extension ReplayOptions {
    /// Adds options to `given`.
    ///
    /// - Parameter options: with whether they are given.
    mutating func add(given options: KeyValuePairs<RunOption, Bool>) {
        for (option, isGiven) in options where isGiven { given.insert(option) }
    }
}

/// The sections of a subcommand's help. Options without a section are in the last one.
enum HelpSection {
    static let usual = "Usual options"
    static let display = "Display options"
    static let time = "Time options"
    static let input = "Input options"
    static let run = "Run options"

    /// Returns the part of a subcommand's help that `-h` shows: its purpose, its arguments and the usual options.
    ///
    /// - Parameters:
    ///   - help: all of it, as the parser writes it: paragraphs; each section is a paragraph.
    ///   - command: the command and its subcommand.
    /// - Returns: the help itself if it has no section of usual options.
    static func brief(_ help: String, of command: String) -> String {
        let paragraphs = help.split(separator: "\n\n").map(String.init)
        let heading = "\(usual.uppercased()):"
        guard let last = paragraphs.firstIndex(where: { $0.hasPrefix(heading) }),
            let usage = paragraphs.firstIndex(where: { $0.hasPrefix("USAGE:") })
        else { return help }
        let others = paragraphs[(last + 1)...].joined(separator: "\n").split(separator: "\n")
            .count { $0.hasPrefix("  -") }
        let shown = [paragraphs[0]] + paragraphs[usage...last]
        return shown.joined(separator: "\n\n") + "\n\n\(others) more options: \(command) --help"
    }
}
