import ArgumentParser
import SheafBytes
import SheafFlow
import SheafGroups
import SheafText

/// `sheaf explain`: traces what a person sees to lines of the log.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain what a person sees, and why, down to the line of the log.",
        discussion: """
            Lists the person's records with the fate of each: on screen, replaced, removed, suppressed, refused and \
            others, with the line that is the cause. Then the screen, with the notifications of each group and how its \
            summary was made. Without --device, --id must be given: the person is then found by it, in files that are \
            read twice.

            Exit status: as for sheaf replay.
            """)

    @Argument(
        help: ArgumentHelp(
            "Files, directories (with all files in them), or - for standard input.", valueName: "SOURCE"),
        completion: .file())
    var sources: [String]

    @Option(help: ArgumentHelp("The person's device.", valueName: "ID"))
    var device: String?

    @Option(help: ArgumentHelp("Only the records and groups of this app.", valueName: "ID"))
    var app: String?

    @Option(help: ArgumentHelp("Only the records and groups of this thread.", valueName: "ID"))
    var thread: String?

    @Option(help: ArgumentHelp("Only the pushes with this id or collapse id.", valueName: "ID"))
    var id: String?

    @Option(
        parsing: .unconditional, help: .time("The time of the screen. (default: the end of the log)"),
        transform: Instant.parse)
    var at: Instant?

    @Option(
        name: [.short, .long],
        help: .file(
            """
            Write the explanation to FILE, or to standard output if it is -; .gz or .zst compresses it, and .ndjson or .txt \
            selects the format.
            """),
        completion: .file())
    var output: String?

    @Option(
        help: .name(
            "The format: text, or ndjson for JSON objects. (default: as the output's name implies, else text)"
        ))
    var format: FormatName?

    @Option(help: .file("A JSON file that sets how apps are grouped and shown."), completion: .file())
    var config: String?

    @Option(
        parsing: .unconditional,
        help: .number("The number of lines that may be rejected before the run counts as failed."),
        transform: OptionValue.number)
    var maxRejects: UInt64 = .max

    @Option(help: .name("The iOS version whose rules apply: ios12 (default), or ios15."))
    var profile = Profile.ios12

    @Option(
        help: ArgumentHelp(
            "The locale of the texts, such as de or zh_Hant_TW. (default: en_US)", valueName: "ID"),
        completion: .list(LocalizedTexts.locales), transform: ResultOptions.locale)
    var locale: LocaleIdentifier?

    @Option(help: ArgumentHelp("The app of records that name none.", valueName: "ID"))
    var defaultApp: String?

    @Flag(help: "Explain the screen of a locked device.")
    var locked = false

    @OptionGroup(title: HelpSection.usual) var records: RecordOptions
    @OptionGroup(title: HelpSection.input) var reading: ReadingOptions
    @OptionGroup(title: HelpSection.run) var memory: MemoryOptions
    @OptionGroup(title: HelpSection.run) var threads: ThreadOptions
    @OptionGroup(title: HelpSection.run) var messages: QuietOptions
    @OptionGroup(title: HelpSection.run) var progress: ProgressOptions

    enum FormatName: String, ExpressibleByArgument, CaseIterable {
        case text, ndjson
    }

    private var resultFormat: FormatName {
        if let format { return format }
        switch output.flatMap(SheafTool.FormatName.init(output:)) {
        case .ndjson, .json: return .ndjson
        default: return .text
        }
    }

    /// The options as far as they follow from the arguments alone.
    private var options: ReplayOptions {
        var options = ReplayOptions(sources: sources)
        options.output = output ?? "-"
        let isTerminal = output ?? "-" == "-" && StandardStream.output.isTerminal
        options.format =
            switch resultFormat {
            case .text: .text(TextStyle(onTerminal: isTerminal))
            case .ndjson: .ndjson
            }
        options.profile = profile
        if let locale { options.locale = locale }
        options.locked = locked
        options.until = at?.milliseconds()
        records.apply(to: &options)
        reading.apply(to: &options)
        options.defaultApp = defaultApp
        memory.apply(to: &options)
        threads.apply(to: &options)
        return options
    }

    func validate() throws {
        try progress.check(quiet: messages.quiet)
        try Failure.validating {
            try options.validate()
            try Limits.check(path: config, "--config")
        }
        for (option, name) in [("--device", device), ("--app", app), ("--id", id)] where name == "" {
            throw ValidationError("\(option) is empty: name one, or leave it out")
        }
        if device == nil, id == nil {
            throw ValidationError("whose screen? Give --device, or --id to find the person by a push")
        }
        if let output, format == nil {
            if let other = ForeignFormat(output: output) {
                throw ValidationError(
                    "-o \(output): an explanation is not written as \(other.name): name it x.txt or x.ndjson")
            }
            switch SheafTool.FormatName(output: output) {
            case .csv, .csvISO, .html:
                throw ValidationError(
                    "-o \(output): an explanation is written as text or NDJSON: name it x.txt or x.ndjson")
            default: break
            }
        }
    }

    func run() throws {
        try Run.reportingErrors {
            var options = options
            if let config { try ResultOptions.apply(config, to: &options, quiet: messages.quiet) }
            options.input = try reading.logInput()
            let device = try self.device ?? find(options)
            let explainer = try Explainer(options, Question(device: device, app: app, thread: thread, id: id))
            let quiet = messages.quiet
            let explanation = try Run.watched(
                explainer.progress, progress.progress, quiet: quiet, shows: nil,
                interrupt: { explainer.interrupt(signal: $0) }
            ) { line throws(ReplayError) in
                try explainer.run { if Terminal.mayShow(output ?? "-") { line?.end() } }
            }
            if explanation.counts.isEmpty, !quiet {
                Message.write("warning: no record is for the device '\(device)'")
            }
            try Run.report(
                explanation.statistics, maximumRejects: maxRejects, rejects: .merge, quiet: quiet)
        }
    }

    /// Returns the device of the pushes with the id that was given.
    private func find(_ options: ReplayOptions) throws -> String {
        let finder = try PushFinder(options, id: id ?? "")
        let devices = try Run.watched(
            finder.progress, progress.progress, quiet: messages.quiet, shows: nil,
            interrupt: { finder.interrupt(signal: $0) }
        ) { _ throws(ReplayError) in try finder.run() }
        guard let first = devices.first else {
            throw ValidationError("no push has the id or collapse id '\(id ?? "")'")
        }
        if devices.count > 1 {
            throw ValidationError(
                "pushes with the id '\(id ?? "")' are for several devices: give --device with one of them: "
                    + devices.joined(separator: ", "))
        }
        if first.isEmpty { throw ValidationError("the push with the id '\(id ?? "")' has no device") }
        return first
    }
}
