import SheafBytes
import SheafFlow
import SheafGroups

extension ReplayWarning {
    /// One line: the problem, how often it occurs, and what to do.
    var text: String {
        switch self {
        case .repeatedSources(let count, let first, let original) where first == original:
            Self.repeated(first, count == 1 ? "twice" : Numbers.count(UInt64(count) + 1, "time"))
        case .repeatedSources(1, let first, let original):
            "\(first) is the same file as \(original): its records count twice; give it once"
        case .repeatedSources(let count, let first, let original):
            "\(Numbers.grouped(UInt64(count))) sources are duplicates, the first of them \(first), which is the same "
                + "file as \(original): their records count more than once; give each file once"
        case .compressedCopies(1, let plain, let compressed):
            "\(compressed) begins with the same text as \(plain): if it is the same log, its records count twice; "
                + "give only one of them"
        case .compressedCopies(let count, let plain, let compressed):
            "\(Numbers.grouped(UInt64(count))) logs seem to be given twice, plain and compressed, the first of them "
                + "as \(plain) and \(compressed): their records count twice; give only one of each pair"
        case .unmatchedApps(let apps):
            Self.text(of: apps, "an app in the configuration matches", "apps in the configuration match")
        case .unselectedApps(let apps):
            Self.text(of: apps, "an app of --only-app matches", "apps of --only-app match")
        case .unusedDefaultApp(let app):
            "--app \(app) has no effect, because every record names its app: --only-app selects the records of an app"
        case .filesSkipped(let count):
            count == 1
                ? "a file or folder whose name begins with '.' or '_' was skipped: give it by name to read it"
                : "\(Numbers.grouped(UInt64(count))) files or folders whose names begin with '.' or '_' were skipped: give them "
                    + "by name to read them"
        case .levelsIgnored(let count):
            "\(Numbers.count(count, "notification")) \(count == 1 ? "is" : "are") time-sensitive or passive, levels that iOS "
                + "12 to 14 do not have, and \(count == 1 ? "counts" : "count") as active: --profile ios15 has these levels"
        case .emptySelection(let count):
            "--only-app and --only-device select none of \(Numbers.count(count, "record"))"
        case .emptyWindow(let earlier, let later):
            "no record with a timestamp is between --since and --until: \(Numbers.grouped(earlier)) earlier, "
                + "\(Numbers.grouped(later)) later"
        case .removalsIgnored(let count):
            "\(Numbers.count(count, "removal")) \(count == 1 ? "was" : "were") not applied: with --removals, notifications "
                + "that were removed are left out"
        case .settingsIgnored(let count):
            "\(count == 1 ? "1 change of settings was" : "\(Numbers.grouped(count)) changes of settings were") not "
                + "applied: with --delivery, settings apply to later notifications"
        case .appsStayOpen(let count):
            "\(Numbers.count(count, "record")) \(count == 1 ? "opens" : "open") an app, but none has the event app-closed: later "
                + "notifications of these apps have no banner and no sound, unless the configuration has \"foreground\": true"
        case .outcomesIgnored(let count):
            "\(Numbers.count(count, "outcome")) that came apart from \(count == 1 ? "its push was" : "their pushes were") not "
                + "applied: with --outcomes, pushes that were refused are left out"
        case .repeatedPushes(let share):
            "about \(Numbers.percent(share)) of the pushes with an id repeat another record of the same device, app and id: "
                + "with --unique, each push counts once"
        case .pushesForgotten(let count):
            "\(count == 1 ? "a push" : "\(Numbers.grouped(count)) pushes") did not fit into --memory until the end: outcomes and repeated records "
                + "that came later had no effect on \(count == 1 ? "it" : "them")"
        case .modificationsIgnored(let count):
            "\(Numbers.count(count, "result")) of service extensions \(count == 1 ? "was" : "were") not applied: with "
                + "--delivery, they replace the contents of notifications"
        case .otherResponses(let count, let responses):
            "\(Numbers.grouped(count)) of \(Numbers.count(responses, "response")) are counted only as 'others': at most "
                + "\(Numbers.grouped(UInt64(Limits.responseKinds))) combinations of app, category and action are listed"
        case .badgesTruncated:
            "the statistics list the newest badges of only \(Numbers.grouped(UInt64(Limits.badges))) apps, or devices and "
                + "apps: the first in byte order"
        case .ahead(let count, let newest):
            "\(count == 1 ? "a record is" : "\(Numbers.grouped(count)) records are") dated up to "
                + "\(InstantText.text(newest, offset: 0)), after the present and the records around "
                + "\(count == 1 ? "it" : "them"): snapshots do not wait for \(count == 1 ? "it" : "them"); --until leaves "
                + "\(count == 1 ? "it" : "them") out"
        case .future(let newest):
            "the newest record is dated \(InstantText.text(newest, offset: 0)), after the present: the snapshots continue until "
                + "then; --until leaves it out"
        case .outliers(let outliers): Self.text(of: outliers)
        case .unchangedSnapshots(let count, let start, let end):
            "\(Numbers.grouped(count)) snapshots of all groups repeat the previous snapshot, because no record is dated from "
                + "\(Self.date(start)) to \(Self.date(end)): --since and --until leave out records with a wrong time, and "
                + "without --emit all no snapshot is repeated"
        case .snapshotsLeftOut(let count):
            "\(Numbers.count(count, "snapshot")) of all groups \(count == 1 ? "was" : "were") left out, because no record is "
                + "in the time between them; --since and --until leave out records with a wrong time"
        case .missingTexts(let count, let app, let key):
            "\(count == 1 ? "1 notification shows" : "\(Numbers.grouped(count)) notifications show") a key instead of a text, "
                + "because no string table has it in this language: '\(DisplayText.shown(key))' of "
                + "\(DisplayText.shown(app))\(count == 1 ? "" : " is the first"); 'sheaf check --config' names the languages "
                + "that lack it"
        case .withoutDevice(let count, let pushes):
            "\(Numbers.grouped(count)) of \(Numbers.grouped(pushes)) \(pushes == 1 ? "push has" : "pushes have") no device, and "
                + "\(count == 1 ? "is" : "are") not measured: --input can map a device or a user to each record"
        case .untimed(let count, let records):
            "\(Numbers.grouped(count)) of \(Numbers.count(records, "record")) have no timestamp and count as older "
                + "than all others; the time is read from fields such as 'timestamp', 'ts' and 'time'"
        case .unmappedTimestamps(let count, let records, let pointer):
            "\(Self.share(count, records)) have no timestamp; '\(DisplayText.shown(pointer))' looks like one: map it "
                + "with --input"
        case .mostlyRejected(let count, let records, let reason, let hint):
            (records == 1
                ? "the only record is rejected, \(reason.name); "
                : "\(Self.share(count, records)) are rejected, most of them \(reason.name); ")
                + Self.remedy(hint, reason)
        case .sourcesWithoutRecords(let first, let records, let count, let all):
            (count == 1
                ? "no record of \(DisplayText.shown(first)) is read: "
                : "no record of \(Numbers.grouped(count)) of \(Numbers.count(all, "source")) is read, such as "
                    + "\(DisplayText.shown(first)): ")
                + (records == 1
                    ? "its only one is rejected; " : "all of its \(Numbers.grouped(records)) are rejected; ")
                + "'sheaf inputs --detect \(first == "-" ? "LOG" : DisplayText.shown(first))' shows how they are understood"
        case .sharedGroups(let devices, let isExact):
            (devices.map { "the log names \(Self.number($0, isExact: isExact)) devices, and " } ?? "")
                + "notifications of different devices share groups; --by-device separates them, --no-by-device "
                + "silences this warning"
        }
    }

    /// A part of the records in percent, rounded down, so that only all of them are 100 %.
    private static func share(_ count: UInt64, _ records: UInt64) -> String {
        "\(count * 100 / max(1, records)) % of \(Numbers.count(records, "record"))"
    }

    private static func remedy(_ hint: InputHint?, _ reason: RejectReason) -> String {
        if let hint { return hint.remedy() }
        return reason == .appMissing
            ? "--app names the app of records that have none"
            : "'sheaf inputs --detect LOG' shows how they are read"
    }

    private static func date(_ time: Int64) -> String { InstantText.text(time, offset: 0) }

    /// The records that are far from the others, and the options that leave them out.
    private static func text(of outliers: Outliers) -> String {
        let count = outliers.earlier + outliers.later
        var reasons: [String] = []
        var options: [String] = []
        func add(_ option: String, _ time: Int64, _ extreme: String, _ record: DatedRecord) {
            reasons.append(
                "the \(extreme) \(DisplayText.shown(record.source)):\(record.line) of \(date(record.timestamp))"
            )
            options.append("\(option) \(date(time))")
        }
        if outliers.earlier > 0 { add("--since", outliers.start, "oldest is", outliers.oldest) }
        if outliers.later > 0 { add("--until", outliers.end, "newest is", outliers.newest) }
        return "\(Numbers.grouped(count)) of \(Numbers.count(outliers.records, "record")) "
            + "\(count == 1 ? "is" : "are") dated so far from the others that most of the time of the snapshots is due to "
            + "\(count == 1 ? "it" : "them"): \(reasons.joined(separator: ", ")); \(options.joined(separator: " ")) "
            + "\(options.count == 1 ? "leaves" : "leave") \(count == 1 ? "it" : "them") out"
    }

    /// The number as text; an estimate is rounded to two digits, which is its precision.
    private static func number(_ count: UInt64, isExact: Bool) -> String {
        guard !isExact else { return Numbers.grouped(count) }
        var unit: UInt64 = 1
        while count / unit >= 100 { unit *= 10 }
        return "about \(Numbers.grouped((count + unit / 2) / unit * unit))"
    }

    private static func repeated(_ source: String, _ times: String) -> String {
        "\(source) is given \(times): its records count \(times); give it once"
    }

    private static func text(of apps: [UnmatchedApp], _ one: String, _ several: String) -> String {
        var names = apps.prefix(Limits.suggestedApps).map { app in
            app.nearest.map { "\(app.app) (did you mean \($0)?)" } ?? app.app
        }
        if apps.count > Limits.suggestedApps {
            names.append("\(Numbers.grouped(UInt64(apps.count - Limits.suggestedApps))) more")
        }
        let list =
            names.count > 1 ? "\(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")" : names[0]
        return "\(apps.count == 1 ? one : several) no record: \(list)"
    }
}

extension ReplayWarning.InputHint {
    /// The likely cause, and what to do.
    ///
    /// - Parameter command: the subcommand that a log is piped to once it can be read.
    func remedy(command: String = "replay") -> String {
        switch self {
        case .configuration(let path): "\(path) is a configuration: did you mean --config \(path.shellWord)?"
        case .mapping(let path): "\(path) is a mapping file: did you mean --input \(path.shellWord)?"
        case .unmatched(let mapping, let pointer, let problem, let log):
            "'\(DisplayText.shown(pointer))' \(["absent", "null"].contains(problem) ? "is \(problem)" : DisplayText.shown(problem)), so "
                + "that \(mapping) does not fit: sheaf inputs --detect \(log.shellWord) with the same --input shows each condition"
        case .withoutJSON(let log):
            "most lines have no JSON: \(log) is not a log of payloads, one JSON object per line"
        case .otherLog(let name): "this looks like \(name), which holds no payloads"
        case .payload(let pointer, let log):
            "'\(DisplayText.shown(pointer))' looks like the payload: \(Self.draft(log))"
        case .app(let pointer, let log):
            "'\(DisplayText.shown(pointer))' looks like the app: \(Self.draft(log)), and --app names the app of "
                + "records that have none"
        case .unknown(let log): Self.draft(log)
        case .severalLines(let log):
            "each entry seems to take several lines: \(SourceAdvice.filter("jq -c .", log)) | sheaf \(command) -"
        case .textBeforeJSON(let log, false):
            "a text precedes the JSON on each line: \(SourceAdvice.filter("sed 's/^[^{]*//'", log)) | sheaf \(command) -"
        case .textBeforeJSON(let log, true):
            "a time and perhaps other text precede the JSON on each line: "
                + SourceAdvice.filter(#"sed -E 's/^([^ ]+)[^{]*\{/{"timestamp":"\1",/'"#, log)
                + " | sheaf \(command) -"
        }
    }

    /// The command that drafts a mapping file for a log.
    private static func draft(_ log: String) -> String {
        "sheaf inputs --draft \(log.shellWord) > my.json drafts a mapping for --input my.json"
    }
}
