import ArgumentParser
import SheafBytes
import SheafFlow
import SheafGroups

/// What replaying and merging have in common: what is written, how it is shown, and what it may take.
struct ResultOptions: ParsableArguments {
    @Option(name: [.short, .long], help: "Where the snapshot goes; - is standard output, .gz is compressed.")
    var output: String?

    @Option(help: "Where mergeable state goes, for sheaf merge; there is no snapshot then.")
    var partial: String?

    @Option(help: "How apps are grouped and shown: a JSON file.")
    var config: String?

    @Option(
        help: "The locale that the snapshot is written in, such as de or zh_Hant_TW.",
        transform: ResultOptions.locale)
    var locale = LocaleIdentifier.default

    @Option(
        help: "Whose rules it follows: ios12, or ios15, which ignores summary arguments and their counts.")
    var profile = Profile.ios12

    @Option(
        help: """
            How the snapshot is written: ndjson, a list in json, csv, or text as people see it; text on a terminal \
            and ndjson elsewhere when not given.
            """)
    var format: FormatName?

    @Option(
        help: """
            The order of groups: key (device, app, thread) or recent (newest first); recent for text and key \
            otherwise when not given.
            """)
    var sort: ReplayOptions.Order?

    @Option(help: "Only so many groups, those with the most notifications, from the most down.")
    var top: Int?

    @Flag(help: "Show what a locked device shows.")
    var locked = false

    @Option(help: "How many rejected lines are no failure.")
    var maxRejects: UInt64 = 0

    @Option(help: "Where statistics go, one JSON object.")
    var stats: String?

    @Option(
        help: "How much memory to take, in bytes or with KiB, MiB, GiB; half of the machine's when not given."
    )
    var memory: ByteSize?

    @Option(
        help: "The folder for state that does not fit the memory; the system's temporary one when not given.")
    var spillDir: String?

    @Option(help: "Threads that work; the number of processors when not given. No result depends on it.")
    var threads: Int?

    @Flag(name: [.short, .long], help: "Say nothing but errors.")
    var quiet = false

    func validate() throws {
        if let top { try Self.check(Limits.topRange, top, "--top") }
        if let threads { try Self.check(Limits.threadsRange, threads, "--threads") }
        if partial != nil {
            for (option, isGiven) in [
                ("--output", output != nil), ("--format", format != nil), ("--top", top != nil),
            ] where isGiven {
                throw ValidationError(
                    "--partial writes state instead of a snapshot: \(option) can't be given with it")
            }
        }
    }

    static func check(_ range: ClosedRange<Int>, _ value: Int, _ name: String) throws {
        guard range.contains(value) else {
            throw ValidationError(
                "\(name) is \(value), but must be from \(range.lowerBound) to \(range.upperBound)")
        }
    }

    /// As many as there are processors.
    static var usualThreads: Int { min(ProcessMemory.processorCount, Limits.threadsRange.upperBound) }

    /// - Throws: `ValidationError` that names the nearest locale.
    private static func locale(_ name: String) throws -> LocaleIdentifier {
        do {
            return try LocaleIdentifier(known: name)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// A run's options.
    func options(sources: [String]) throws -> ReplayOptions {
        var options = ReplayOptions(sources: sources)
        options.output = output ?? "-"
        options.partial = partial
        if let config {
            let file = try ConfigurationFile(config, locale: locale)
            options.settings = file.settings
            options.strings = file.strings
            for warning in file.warnings { Message.write("warning: \(warning)") }
        }
        options.texts = LocalizedTexts(locale)
        options.profile = profile
        let format = format ?? (writesToTerminal ? .text : .ndjson)
        options.top = top
        options.format = format.format(onTerminal: writesToTerminal)
        options.order = sort ?? (format == .text ? .recent : .key)
        options.locked = locked
        options.statistics = stats
        options.memory = memory?.bytes
        options.spillFolder = spillDir
        options.threads = threads ?? Self.usualThreads
        return options
    }
}

extension ResultOptions {
    /// Whether the snapshot is on the screen.
    var writesToTerminal: Bool {
        partial == nil && (output ?? "-") == "-" && Terminal.isOutputTerminal
    }
}

extension ReplayOptions.Order: ExpressibleByArgument {}

extension Profile: ExpressibleByArgument {}

/// What `--format` may be.
enum FormatName: String, ExpressibleByArgument, CaseIterable {
    case ndjson, json, csv, text

    func format(onTerminal: Bool) -> SnapshotFormat {
        switch self {
        case .ndjson: .ndjson
        case .json: .json
        case .csv: .csv
        case .text: .text(TextStyle(onTerminal: onTerminal))
        }
    }
}

extension TextStyle {
    /// As wide as the terminal of standard output, and coloured there; or as long as it takes.
    init(onTerminal: Bool) {
        // Whoever sets NO_COLOR to anything wants none (no-color.org).
        self.init(
            width: onTerminal ? Terminal.outputColumns : nil,
            hasColours: onTerminal && (ProcessEnvironment.value("NO_COLOR") ?? "").isEmpty)
    }
}
