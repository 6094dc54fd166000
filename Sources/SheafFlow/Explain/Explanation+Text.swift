import SheafBytes
import SheafGroups

/// Renders an explanation: a timeline, then the screen with each group's notifications.
///
///     2026-01-05T08:02:11Z  push in com.example.mail: Lunch?
///         log.ndjson:3: replaced by log.ndjson:9
///     …
///     12 records: 3 on screen, 2 replaced, 1 removed, 6 others
///
///     com.example.mail, thread team: 3 notifications
///       Lunch? — At noon
///           log.ndjson:9
///       2 more notifications
///           …
extension Explanation {
    /// Returns the explanation in a format: text, or a JSON object in each line.
    func bytes(_ format: SnapshotFormat, until: Int64?) -> [UInt8] {
        if case .text(let style) = format { return text(style, until: until) }
        return ndjson()
    }

    /// Returns the explanation as lines, each with an LF. Control characters in texts of the log are replaced.
    ///
    /// - Parameters:
    ///   - style: if it has a width, longer lines are cut or wrapped.
    ///   - until: the time of the screen in milliseconds since 1970; nil for the end of the log.
    public func text(_ style: TextStyle, until: Int64? = nil) -> [UInt8] {
        let width = style.width ?? .max
        var output = ""
        func line(_ text: String, indent: Int = 0, _ colour: TextStyle.Colour? = nil) {
            let fitted = TextStyle.fitted(Array(text.utf8), width: width == .max ? .max : width - indent).text
            output += String(repeating: " ", count: indent)
            output += (colour.map { style.coloured(fitted, $0) } ?? fitted) + "\n"
        }
        func sentences(_ text: String, indent: Int) {
            for part in TextStyle.lines(of: text, width: width == .max ? .max : width - indent) {
                line(part, indent: indent, .faint)
            }
        }
        for record in records {
            let time = record.timestamp.map { InstantText.text($0, offset: 0) + "  " } ?? ""
            let app = record.app.map { " in \($0)" } ?? ""
            let texts = [record.title, record.body].compactMap(\.self).joined(separator: " — ")
            line(
                time + record.kind + app + (texts.isEmpty ? "" : ": \(texts)"),
                record.cause == .shown ? .bold : nil)
            line("\(record.place): \(record.sentence)", indent: 4, .faint)
        }
        if !records.isEmpty { output += "\n" }
        sentences(totals, indent: 0)
        let end = until.map { " at \(InstantText.text($0, offset: 0))" } ?? ""
        if groups.isEmpty { line("Nothing is on screen\(end).") }
        for group in groups {
            output += "\n"
            let snapshot = group.snapshot
            let thread = snapshot.thread.map { ", thread \($0)" } ?? ""
            line("\(snapshot.app)\(thread): \(Numbers.count(snapshot.count, "notification"))\(end)", .bold)
            for member in group.notifications {
                let texts = [member.shown.title, member.shown.subtitle, member.shown.body].compactMap(\.self)
                line(texts.isEmpty ? "–" : texts.joined(separator: " — "), indent: 2)
                var place = "\(member.place)"
                if let modified = member.modifiedBy { place += ", with the content of \(modified)" }
                line(place, indent: 6, .faint)
            }
            guard let summary = group.summary else { continue }
            line(summary.text, indent: 2, .bold)
            sentences(summary.sentences, indent: 6)
        }
        return Array(output.utf8)
    }

    /// One line with the number of records with each cause.
    public var totals: String {
        let all = counts.reduce(UInt64(0)) { $0 + $1.count }
        let parts = counts.map { found in
            found.cause == .event
                ? Numbers.count(found.count, "event") : "\(Numbers.grouped(found.count)) \(found.cause.words)"
        }
        return "\(Numbers.count(all, "record")) of '\(device)'"
            + (parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))")
    }

    // MARK: JSON

    /// Returns a JSON object in each line: the records, the groups, and the totals.
    public func ndjson() -> [UInt8] {
        var output: [UInt8] = []
        for record in records {
            output += JSONDocument.bytes { json in
                json.member("type", "record")
                record.place.write(to: &json)
                json.member("kind", record.kind)
                if let timestamp = record.timestamp { json.member("timestamp", milliseconds: timestamp) }
                json.member("app", record.app)
                json.member("thread", record.thread)
                json.member("id", record.id)
                json.member("title", record.title)
                json.member("body", record.body)
                json.member("cause", record.cause.rawValue)
                if let detail = record.detail { json.member("detail", detail) }
                if let by = record.by { json.member("by") { by.write(to: &$0) } }
                if record.affected > 0 { json.member("affected", UInt64(record.affected)) }
            }
        }
        for group in groups {
            output += JSONDocument.bytes { json in
                json.member("type", "group")
                json.member("group", encoded: group.line)
                json.member("notifications", group.notifications) { json, member in
                    member.place.write(to: &json)
                    json.member("timestamp", milliseconds: member.shown.timestamp)
                    json.member("id", member.shown.id)
                    json.member("title", member.shown.title)
                    json.member("subtitle", member.shown.subtitle)
                    json.member("body", member.shown.body)
                    json.member("category", member.shown.category)
                    json.member("argument", member.argument)
                    json.member("weight", member.weight)
                    if let modified = member.modifiedBy {
                        json.member("modifiedBy") { modified.write(to: &$0) }
                    }
                }
                guard let summary = group.summary else { return }
                json.member("summary") { json in
                    json.member("text", summary.text)
                    json.member("more", summary.more)
                    json.member("notifications", summary.notifications)
                    json.member("rule", summary.rule)
                    json.member("phrases", summary.phrases) { json, phrase in
                        json.member("category", phrase.category)
                        json.member("format", phrase.format)
                        json.member("number", phrase.number)
                        json.member("plural", phrase.plural)
                    }
                    json.member("arguments", summary.arguments) { json, argument in
                        json.member("text", argument.text)
                        argument.place.write(to: &json)
                    }
                }
            }
        }
        output += JSONDocument.bytes { json in
            json.member("type", "totals")
            json.member("device", device)
            json.member("records", counts.reduce(UInt64(0)) { $0 + $1.count })
            json.member("causes") { json in
                for (cause, count) in counts { json.member(named: cause.rawValue, count) }
            }
        }
        return output
    }
}

extension Explanation.Place: CustomStringConvertible {
    /// `log.ndjson:17`, or `log.ndjson:17#2` for the third record of the line.
    public var description: String { "\(source):\(line)" + (index > 0 ? "#\(index)" : "") }

    fileprivate func write(to json: inout JSONDocument) {
        json.member("source", source)
        json.member("line", line)
        json.member("index", UInt64(index))
    }
}

extension Explanation.Record {
    /// Where the record is.
    public var place: Explanation.Place { Explanation.Place(source: source, line: line, index: index) }

    /// The fate of the record, in words.
    fileprivate var sentence: String {
        let because = by.map { " by \($0)" } ?? ""
        switch cause {
        case .shown: return "on screen"
        case .replaced, .removed: return cause.words + because
        case .suppressed: return by == nil ? "suppressed by the configuration" : "suppressed" + because
        case .quiet:
            return "quiet, so not on the lock screen" + (by.map { ": \($0)" } ?? ", by the configuration")
        case .repeated: return "repeats" + (by.map { " \($0)" } ?? "")
        case .refused: return "refused" + because + (detail.map { ": \($0)" } ?? "")
        case .rejected: return "rejected" + (detail.map { ": \($0)" } ?? "")
        case .silent: return "silent"
        case .otherPlatform: return "for another platform"
        case .outside: return "outside of the range of time"
        case .event:
            return affected == 0
                ? "takes nothing off the screen"
                : "takes \(Numbers.count(UInt64(affected), "notification")) off the screen"
        }
    }
}

extension Explanation.Member {
    /// Where the notification's record is.
    public var place: Explanation.Place {
        Explanation.Place(source: shown.source, line: shown.line, index: index)
    }
}

extension Explanation.Cause {
    /// In a list with numbers.
    fileprivate var words: String {
        switch self {
        case .shown: "on screen"
        case .otherPlatform: "for other platforms"
        case .outside: "outside of the range of time"
        case .event: "events"
        case .replaced, .removed, .suppressed, .quiet, .repeated, .refused, .silent, .rejected: rawValue
        }
    }
}

extension Explanation.Summary {
    /// How it was made, in sentences.
    fileprivate var sentences: String {
        var sentences =
            "\(Numbers.count(more, "item")) of \(Numbers.count(notifications, "notification")). \(rule)"
        for phrase in phrases {
            let category = phrase.category.map { "Category \($0)" } ?? "Without a category"
            let format = phrase.format.map { "\"\($0)\"" } ?? "no format"
            sentences +=
                " \(category): \(format), \(Numbers.grouped(phrase.number)), plural \(phrase.plural)."
        }
        for argument in arguments { sentences += " \(argument.text) is from \(argument.place)." }
        return sentences
    }
}
