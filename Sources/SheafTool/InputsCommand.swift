import ArgumentParser
import SheafBytes
import SheafChecks
import SheafDrafts
import SheafFlow
import SheafGroups
import SheafText

/// `sheaf inputs`: lists the shapes of log entries, prints them as mapping files, and shows how a log is understood.
struct InputsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inputs",
        abstract:
            "List the shapes of log entries, print one as a mapping file, or show how a log is understood.",
        usage: """
            sheaf inputs [<NAME>]
            sheaf inputs --detect <SOURCE> [--records <N>] [--input <NAME>] [--unwrap <POINTER>] [--app <ID>]
            sheaf inputs --draft <SOURCE>
            """,
        discussion: """
            Without an argument, it lists the names that --input takes. With a name, it prints that shape as a mapping \
            file, which can be the start of your own. --draft writes such a file for a log of unknown make: a guess for \
            each field, with the reason.

            Exit status: 0 success; 64 usage error; 65 nothing in the log looks like a push, or it is damaged; 66 the \
            source cannot be opened; 74 reading failed; 78 the mapping file is invalid.
            """)

    @Argument(help: ArgumentHelp("The shape to print.", valueName: "NAME"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Show how the first records of a log are understood, field by field, and what is ignored.",
            valueName: "SOURCE"), completion: .file())
    var detect: String?

    @Option(
        help: ArgumentHelp(
            "Print a mapping file for a log of unknown make, from its first 1,000 entries.",
            valueName: "SOURCE"), completion: .file())
    var draft: String?

    @Option(
        parsing: .unconditional, help: .number("The number of records to show."),
        transform: OptionValue.number)
    var records = 3

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var defaultApp: DefaultAppOptions

    /// The values of `--input` that are not files.
    static let names = [LogInput.automatic.name, InputShape.native] + InputShape.names
    private static let recordsRange = 1...1000

    func validate() throws {
        if name != nil, detect != nil { throw ValidationError("give a shape's name or --detect, not both") }
        if name != nil, draft != nil { throw ValidationError("give a shape's name or --draft, not both") }
        if draft != nil {
            for (option, isGiven) in [
                ("--detect", detect != nil), ("--input", !reading.input.isEmpty),
                ("--unwrap", !reading.unwrap.isEmpty), ("--app", defaultApp.app != nil),
            ] where isGiven {
                throw ValidationError("--draft finds all fields itself: leave out \(option)")
            }
        }
        for (option, path) in [("--draft", draft), ("--detect", detect)] where path == "" {
            throw ValidationError("\(option) is an empty path: name a log")
        }
        try Failure.validating {
            var options = CheckOptions(sources: [])
            reading.apply(to: &options)
            options.defaultApp = defaultApp.app
            try options.validate()
            try Limits.check(records, in: Self.recordsRange, "--records")
        }
        if let name, !InputShape.names.contains(name) {
            if Self.names.contains(name) {
                throw ValidationError("'\(name)' is built in, without a mapping file")
            }
            throw ValidationError(Suggestion.message("shape", name, known: InputShape.names))
        }
    }

    func run() throws {
        if let draft {
            try Run.reportingErrors { try Self.write(drafted(draft), of: draft) }
        } else if let detect {
            try Run.reportingErrors {
                let input = try reading.logInput()
                let found = try InputDetection(
                    detect, input, app: defaultApp.app, maximumLine: reading.maxLine.bytes, records: records,
                    inflater: reading.inflater)
                StandardStream.output.write(found.text)
                if let hint = found.hint(log: detect) {
                    Message.write("none of these records is understood: \(hint.remedy())")
                }
                if let problem = found.damagedSource {
                    Message.write(SourceAdvice(command: "inputs --detect", use: "read").line(problem))
                    throw ExitCode.data
                }
            }
        } else if let name {
            let json = InputShape.all.first { $0.name == name }?.json ?? []
            StandardStream.output.write(String(decoding: json, as: UTF8.self))
        } else {
            StandardStream.output.write(Self.list)
        }
    }

    private func drafted(_ path: String) throws(ReplayError) -> InputDraft {
        try InputDraft(path, maximumLine: reading.maxLine.bytes, inflater: reading.inflater)
    }

    /// Writes a draft to standard output, and what it lacks to standard error.
    private static func write(_ draft: InputDraft, of path: String) throws {
        let source = SystemPath.shown(draft.source)
        if let problem = draft.damagedSource {
            Message.write(SourceAdvice(command: "inputs --draft", use: "read").line(problem))
        }
        guard let mapping = draft.mapping else {
            let reason =
                draft.hint?.remedy(command: "inputs --draft")
                ?? (draft.entries == 0 ? "no line is a JSON object that has a value" : nil)
                ?? "nothing in \(Numbers.count(UInt64(draft.entries), "JSON object")) looks like a push: neither aps, nor an alert, "
                + "nor a title next to a text"
            Message.write("\(source): no mapping could be drafted: \(reason)")
            throw ExitCode.data
        }
        StandardStream.output.write(String(decoding: mapping, as: UTF8.self))
        let read = Numbers.count(UInt64(draft.pushes), "record")
        if draft.isKnown { Message.write("\(source): these entries can be read without a mapping") }
        for (count, what, remedy) in [
            (draft.withoutApp, "app", "name one with --app"),
            (draft.withoutTime, "time", "records without one count as older than all others"),
        ] where count > 0 {
            Message.write("\(source): nothing looks like the \(what) of \(count) of \(read): \(remedy)")
        }
        if draft.damagedSource != nil { throw ExitCode.data }
    }

    private static var list: String {
        let rows =
            [
                (LogInput.automatic.name, "each entry in the first of the following shapes that it fits"),
                (InputShape.native, "Sheaf's own records: a payload with its envelope"),
            ] + InputShape.all.map { ($0.name, $0.summary) }
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, summary in
            name + String(repeating: " ", count: width - name.count + 2) + summary + "\n"
        }.joined()
    }
}

/// How the first records of a log are understood, as text:
///
///     log.ndjson:1, index 0: gorush, a notification
///       app        /topic      com.example.app
///       device     /tokens/*   740f…
///       ignored    /priority
extension InputDetection {
    /// The maximum number of values that are named.
    private static let maximumIgnored = 12
    /// The maximum number of characters of a value.
    private static let maximumValue = 60

    fileprivate var text: String {
        if records.isEmpty { return "\(SystemPath.shown(source)): no records\n" }
        return records.map(text).joined(separator: "\n")
    }

    private func text(_ record: DetectedRecord) -> String {
        var output = DisplayText.shown(SystemPath.shown(source)) + ":\(record.line)"
        if let index = record.index { output += ", index \(index)" }
        output += ": \(heading(record))\n"
        var rows: [(String, String, String)] = []
        if let trace = record.trace {
            rows = trace.fields.map { field in
                (field.name, DisplayText.shown(field.origin), Self.shown(field.text))
            }
            switch record.outcome {
            case .notification, .silent, .refused: rows += Self.ignored(trace)
            // Members of events are not traced.
            case .rejected: if rows.isEmpty { rows = Self.found(trace) }
            case .removal, .settings, .response, .result, .outcome, .otherPlatform: break
            }
            if !trace.misfits.isEmpty, case .rejected = record.outcome { rows = Self.rows(trace.misfits) }
        }
        let widths = (rows.map(\.0.count).max() ?? 0, rows.map(\.1.count).max() ?? 0)
        for (name, origin, value) in rows {
            var line = "  " + Self.padded(name, widths.0 + 2) + Self.padded(origin, widths.1 + 2) + value
            while line.last == " " { line.removeLast() }
            output += line + "\n"
        }
        return output
    }

    private func heading(_ record: DetectedRecord) -> String {
        var parts: [String] = []
        if let trace = record.trace, let shape = trace.shape {
            let wrappers = Numbers.count(UInt64(trace.depth), "wrapper")
            parts.append(trace.depth > 0 ? "\(shape) in \(wrappers)" : shape)
        } else if let misfits = record.trace?.misfits, case .rejected = record.outcome {
            parts += misfits.map { "not \($0.mapping)" }
        }
        switch record.outcome {
        case .notification: parts.append("a notification")
        case .silent: parts.append("silent")
        case .refused: parts.append("a push that was refused")
        case .removal: parts.append("a removal")
        case .settings: parts.append("a change of settings")
        case .response: parts.append("a response")
        case .result: parts.append("a service extension's result")
        case .outcome: parts.append("the outcome of a push")
        case .otherPlatform: parts.append("for another platform")
        case .rejected(let reason):
            let maximum = CheckFinding.rejected(reason).explanation(maximumLine: "the longest line allowed")
            parts.append("rejected, \(reason.name). \(maximum)")
        }
        return parts.joined(separator: ", ")
    }

    /// The conditions that do not hold, below the name of their mapping if there are several.
    private static func rows(_ misfits: [EntryTrace.Misfit]) -> [(String, String, String)] {
        guard misfits.count > 1 else { return misfits.flatMap(rows) }
        return misfits.flatMap { [("\($0.mapping):", "", "")] + rows($0) }
    }

    private static func rows(_ misfit: EntryTrace.Misfit) -> [(String, String, String)] {
        var rows = misfit.unmet.map { ($0.name, DisplayText.shown($0.origin), Self.shown($0.text)) }
        if misfit.alternatives > 1 {
            let others = misfit.alternatives - 1
            rows.append(
                (
                    "when", "",
                    "nor does \(others == 1 ? "the" : "any of \(others)") other alternative\(others == 1 ? "" : "s") hold"
                ))
        }
        return rows
    }

    private static func shown(_ value: [UInt8]) -> String {
        let text = DisplayText.shown(String(decoding: value, as: UTF8.self))
        return text.count <= maximumValue ? text : text.prefix(maximumValue - 1) + "…"
    }

    private static func ignored(_ trace: EntryTrace) -> [(String, String, String)] {
        rows("ignored", trace.ignored.map { ($0, "") })
    }

    /// What an entry has that is not understood.
    private static func found(_ trace: EntryTrace) -> [(String, String, String)] {
        rows("has", trace.leaves.map { ($0.pointer, shown($0.text)) })
    }

    private static func rows(
        _ name: String, _ values: [(pointer: String, text: String)]
    ) -> [(String, String, String)] {
        var rows = values.prefix(maximumIgnored).map { (name, DisplayText.shown($0.pointer), $0.text) }
        if values.count > maximumIgnored { rows.append((name, "\(values.count - maximumIgnored) more", "")) }
        return rows
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
