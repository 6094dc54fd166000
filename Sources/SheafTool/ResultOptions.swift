import ArgumentParser
import SheafBytes
import SheafFlow
import SheafGroups
import SheafText

/// What replaying and merging have in common: what is written, how it is shown, and what it may take.
struct ResultOptions: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: .file(
            """
            Where the snapshot goes; - is standard output, .gz is compressed, and .ndjson, .json, .csv and .txt choose \
            the format.
            """),
        completion: .file())
    var output: String?

    @Option(
        help: .file("Where mergeable state goes, for sheaf merge, instead of a snapshot."),
        completion: .file())
    var partial: String?

    @Option(
        help: .file("How apps are grouped and shown: a JSON file."), completion: .file())
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The locale that the snapshot is written in, such as de or zh_Hant_TW. (default: en_US)",
            valueName: "ID"),
        completion: .list(LocalizedTexts.locales),
        transform: ResultOptions.locale)
    var locale: LocaleIdentifier?

    @Option(
        help: .name(
            "Whose rules it follows: ios12 (default), or ios15, which ignores summary arguments and their counts."
        ))
    var profile: Profile?

    @Option(
        help: .name(
            """
            How the snapshot is written: ndjson, a list in json, csv, or text as people see it; when not given, by \
            the output's name, else text on a terminal and ndjson elsewhere.
            """))
    var format: FormatName?

    @Option(
        help: .name(
            """
            The order of groups: key (device, app, thread) or recent (newest first); recent for text and key \
            otherwise when not given.
            """))
    var sort: ReplayOptions.Order?

    @Option(
        parsing: .unconditional,
        help: .number("Only the N groups with the most notifications, the largest first."),
        transform: OptionValue.number)
    var top: Int?

    @Flag(help: "Show what a locked device shows.")
    var locked = false

    @Option(
        parsing: .unconditional,
        help: .number("How many lines may be rejected before the run counts as failed."),
        transform: OptionValue.number)
    var maxRejects: UInt64 = 0

    @Option(help: .file("Where statistics go, one JSON object."), completion: .file())
    var stats: String?

    @Option(
        parsing: .unconditional,
        help: .size(
            "How much memory to take, in bytes or with KiB, MiB, GiB; half of the machine's when not given."),
        transform: ByteSize.parse)
    var memory: ByteSize?

    @Option(
        help: .folder(
            "The folder for state that does not fit the memory; the system's temporary one when not given."),
        completion: .directory)
    var spillDir: String?

    @Option(
        parsing: .unconditional,
        help: .number("Threads that work; the number of processors when not given. No result depends on it."),
        transform: OptionValue.number)
    var threads: Int?

    @Flag(name: [.short, .long], help: "Write nothing but errors to standard error.")
    var quiet = false

    func validate() throws {
        if let top { try OptionValue.check(Limits.topRange, top, "--top") }
        if let threads { try OptionValue.check(Limits.threadsRange, threads, "--threads") }
        try OptionValue.checkPaths([
            "--output": output, "--partial": partial, "--config": config, "--stats": stats,
            "--spill-dir": spillDir,
        ])
        if partial != nil {
            for (option, isGiven) in [
                ("--output", output != nil), ("--format", format != nil), ("--top", top != nil),
            ] where isGiven {
                throw ValidationError(
                    "--partial writes state instead of a snapshot: \(option) can't be given with it")
            }
            for (option, isGiven) in [
                ("--sort", sort != nil), ("--locale", locale != nil), ("--locked", locked),
                ("--profile", profile != nil),
            ] where isGiven {
                throw ValidationError(
                    "--partial writes state, which is the same with and without \(option): give that to the sheaf "
                        + "merge that writes the snapshot")
            }
        }
    }

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
        let locale = locale ?? .default
        options.output = output ?? "-"
        options.partial = partial
        if let config {
            let file = try ConfigurationFile(config, locale: locale)
            options.settings = file.settings
            options.strings = file.strings
            options.configurationFiles = file.files
            if !quiet {
                for warning in file.warnings { Message.write("warning: \(warning)") }
            }
        }
        options.texts = LocalizedTexts(locale)
        if !quiet, partial == nil, !options.texts.hasSentences {
            Message.write(
                "warning: Sheaf has no texts for '\(locale)': its own sentences are in English")
        }
        options.profile = profile ?? .ios12
        let format =
            format ?? output.flatMap(FormatName.init(output:)) ?? (writesToTerminal ? .text : .ndjson)
        options.top = top
        options.format = format.format(onTerminal: writesToTerminal)
        options.order = sort ?? (format == .text ? .recent : .key)
        if format == .text, top == nil, output == nil, writesToTerminal {
            options.maximumLines = Screen(quiet: quiet).resultRows
        }
        options.locked = locked
        options.statistics = stats
        options.memory = memory?.bytes
        options.spillFolder = spillDir
        if let threads { options.threads = threads }
        return options
    }
}

extension ResultOptions {
    /// Whether the snapshot is on the screen.
    var writesToTerminal: Bool {
        partial == nil && (output ?? "-") == "-" && Terminal.isOutputTerminal
    }

    /// Where results are written when all is read.
    var outputs: [String] { [partial ?? output ?? "-", stats].compactMap { $0 } }
}

extension ReplayOptions.Order: ExpressibleByArgument {}

extension Profile: ExpressibleByArgument {}
