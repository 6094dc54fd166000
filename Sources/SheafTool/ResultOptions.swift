import ArgumentParser
import SheafBytes
import SheafFlow
import SheafGroups
import SheafText

/// The groups of options that replaying, measuring and merging share: the outputs, how groups are shown, and resource
/// limits.
///
/// Not itself a group: the parser reads each group again for every group around it.
struct ResultOptions {
    let snapshot: SnapshotOptions
    /// nil for a command that shows no groups.
    var display: DisplayOptions?
    let memory: MemoryOptions
    let threads: ThreadOptions
    let messages: QuietOptions
    let progress: ProgressOptions

    /// What is written, and where.
    struct SnapshotOptions: ParsableArguments {
        @Option(
            name: [.short, .long],
            help: .file(
                """
                Write the result to FILE, or to standard output if it is -; .gz or .zst compresses it, and .ndjson, \
                .json, .csv, .txt or .html selects the format.
                """),
            completion: .file())
        var output: String?

        @Option(
            help: .name(
                """
                The format of the result: ndjson, json for one array, csv, csv-iso with dates for times, text to read, or html for a web page. (default: as the output's name implies, \
                else text on a terminal and ndjson elsewhere)
                """))
        var format: FormatName?

        @Option(
            help: .file("A JSON file that sets how apps are grouped and shown."), completion: .file())
        var config: String?

        @Option(help: .file("Write statistics to FILE, as one JSON object."), completion: .file())
        var stats: String?

        @Option(
            parsing: .unconditional,
            help: .number("The number of lines that may be rejected before the run counts as failed."),
            transform: OptionValue.number)
        var maxRejects: UInt64 = 0

        @Option(
            help: .file("Write mergeable state for sheaf merge to FILE instead of a result."),
            completion: .file())
        var partial: String?

        @Option(
            help: .name(
                """
                The iOS version whose rules apply: ios12 (default), or ios15, which ignores summary arguments and their \
                counts.
                """))
        var profile: Profile?

        func validate() throws {
            try Failure.validating { try Limits.check(path: config, "--config") }
        }
    }

    /// Which groups are shown, and how.
    struct DisplayOptions: ParsableArguments {
        @Option(
            parsing: .unconditional,
            help: .number("Write only the N groups with the most notifications, the largest first."),
            transform: OptionValue.number)
        var top: Int?

        @Option(
            help: ArgumentHelp(
                "The locale of the texts in the snapshot, such as de or zh_Hant_TW. (default: en_US)",
                valueName: "ID"),
            completion: .list(LocalizedTexts.locales),
            transform: ResultOptions.locale)
        var locale: LocaleIdentifier?

        @Option(
            help: .name(
                """
                The order of groups: key (device, app, thread) or recent (newest first). (default: recent for text, key \
                for other formats)
                """))
        var sort: ReplayOptions.Order?

        @Flag(help: "Show what a locked device shows.")
        var locked = false

        @Option(
            parsing: .unconditional,
            help: .time(
                """
                Show in text how long before TIME each notification arrived, as a device does. (default: the TIME of \
                --until; without it, text has no times)
                """),
            transform: Instant.parse)
        var now: Instant?

        @Option(
            help: .name(
                """
                The groups in each of several snapshots: changes (default: those with other notifications than in the \
                previous one) or all.
                """))
        var emit: ReplayOptions.Emission?

        fileprivate func apply(to options: inout ReplayOptions, isText: Bool) {
            if let locale { options.locale = locale }
            options.order = sort ?? (isText ? .recent : .key)
            options.locked = locked
            options.now = now?.milliseconds()
            options.timeZoneOffset = now?.offset ?? 0
            options.emit = emit ?? .changes
            options.add(given: [
                .top: top != nil, .order: sort != nil, .locale: locale != nil, .locked: locked,
                .emit: emit != nil,
                .now: now != nil,
            ])
        }
    }

    /// Checks what only the command knows: the progress on its terminal, and formats that Sheaf does not write.
    ///
    /// - Throws: `ValidationError`.
    func check() throws {
        try progress.check(quiet: quiet)
        guard snapshot.partial == nil, snapshot.format == nil, let output = snapshot.output,
            let other = ForeignFormat(output: output)
        else { return }
        throw ValidationError(
            "\(output): a result is not written as \(other.name): give --format to write another format under this "
                + "name, or write \(other.source) and convert it: \(other.command)")
    }

    /// The format given, or else as the output implies it.
    private var formatName: FormatName {
        snapshot.format ?? snapshot.output.flatMap(FormatName.init(output:))
            ?? (writesToTerminal ? .text : .ndjson)
    }

    /// Parses a locale.
    ///
    /// - Throws: `ValidationError` that names the nearest locale.
    static func locale(_ name: String) throws -> LocaleIdentifier {
        do {
            return try LocaleIdentifier(known: name)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    static func write(warningsOf configuration: Configuration) {
        for warning in configuration.warnings { Message.write("warning: \(warning)") }
    }

    /// The options of a run on `sources`, as far as they follow from the arguments alone.
    func options(sources: [String]) -> ReplayOptions {
        var options = ReplayOptions(sources: sources)
        let format = formatName
        options.output = snapshot.output ?? "-"
        options.partial = snapshot.partial
        if format == .html { options.command = CommandText.current }
        options.format = format.format(onTerminal: writesToTerminal)
        options.top = display?.top
        options.statistics = snapshot.stats
        if format == .text, let display, display.top == nil, snapshot.output == nil, writesToTerminal {
            options.maximumLines = Message.resultRows(
                rows: StandardStream.output.rows, columns: StandardStream.output.columns,
                showsTotals: !quiet && StandardStream.error.isTerminal)
        }
        options.profile = snapshot.profile ?? .ios12
        options.add(given: [
            .output: snapshot.output != nil, .format: snapshot.format != nil,
            .profile: snapshot.profile != nil,
        ])
        display?.apply(to: &options, isText: format == .text)
        memory.apply(to: &options)
        threads.apply(to: &options)
        return options
    }

    /// Reads the configuration, if one is given, and warns if texts are not in the chosen language.
    func readConfiguration(into options: inout ReplayOptions) throws(ConfigurationError) {
        if let config = snapshot.config { try Self.apply(config, to: &options, quiet: quiet) }
        if !quiet, snapshot.partial == nil, !options.texts.hasSentences {
            Message.write(
                "warning: Sheaf has no translation for '\(options.locale)': its own texts are in English")
        }
    }
}

extension ResultOptions {
    /// Reads a configuration, and writes its warnings.
    ///
    /// - Parameter quiet: whether only errors are written.
    static func apply(
        _ file: String, to options: inout ReplayOptions, quiet: Bool
    ) throws(ConfigurationError) {
        let configuration = try Configuration(contentsOf: file, locale: options.locale)
        options.apply(configuration)
        if !quiet { write(warningsOf: configuration) }
    }

    var quiet: Bool { messages.quiet }

    /// Whether the snapshot is written to a terminal.
    var writesToTerminal: Bool {
        snapshot.partial == nil && (snapshot.output ?? "-") == "-" && StandardStream.output.isTerminal
    }

    /// The outputs that are written once all sources have been read.
    var outputs: [String] {
        [snapshot.partial ?? snapshot.output ?? "-", snapshot.stats].compactMap { $0 }
    }
}

extension ReplayOptions.Order: ExpressibleByArgument {}

extension ReplayOptions.Emission: ExpressibleByArgument {}

extension Profile: ExpressibleByArgument {}
