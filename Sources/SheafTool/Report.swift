import SheafBytes
import SheafFlow
import SheafGroups

/// A replay's statistics as text for the user.
struct Report {
    /// What a run that resumes another begins with.
    static func resumed(at processed: UInt64, of total: UInt64) -> String {
        guard total > 0 else { return "resumed after \(Numbers.bytes(processed))" }
        return "resumed at \(processed * 100 / total) % of \(Numbers.bytes(total))"
    }

    private let statistics: Statistics
    private let maximumRejects: UInt64
    private let rejects: Rejects

    /// What happens to rejected lines.
    enum Rejects {
        /// They are written to the file, if one is given.
        case replay(file: String?)
        /// They were counted when the partial results were written, and are no longer available.
        case merge

        var file: String? {
            if case .replay(let file) = self { file } else { nil }
        }

        fileprivate var advice: String {
            switch self {
            case .replay("-"): "they are on standard output"
            case .replay(let file?): "they are in \(file)"
            case .replay(nil): "use --rejects FILE to keep them"
            case .merge: "use --rejects FILE with sheaf replay to keep them"
            }
        }
    }

    init(_ statistics: Statistics, maximumRejects: UInt64, rejects: Rejects) {
        self.statistics = statistics
        self.maximumRejects = maximumRejects
        self.rejects = rejects
    }

    /// One line with the numbers of records, groups and the like, and the time taken.
    var totals: String {
        var parts = [
            "\(Numbers.count(statistics.records, "record")) from \(Numbers.count(UInt64(statistics.sources), "source"))",
            Numbers.count(statistics.groups, "group"),
            "\(Numbers.grouped(statistics.silent)) silent",
            "\(Numbers.grouped(statistics.updated)) updated",
        ]
        if statistics.otherPlatform > 0 {
            parts.append("\(Numbers.grouped(statistics.otherPlatform)) for other platforms")
        }
        if let outside = statistics.outsideWindow {
            parts.append("\(Numbers.grouped(outside.earlier)) earlier")
            parts.append("\(Numbers.grouped(outside.later)) later")
        }
        if let unselected = statistics.unselected {
            parts.append("\(Numbers.grouped(unselected)) not selected")
        }
        if let removals = statistics.removals {
            parts.append("\(Numbers.grouped(removals.removed)) removed")
        }
        if let late = statistics.late { parts.append("\(Numbers.grouped(late)) late") }
        if let delivery = statistics.delivery {
            parts.append("\(Numbers.grouped(delivery.suppressed)) suppressed")
            if delivery.modified > 0 { parts.append("\(Numbers.grouped(delivery.modified)) modified") }
            if delivery.expired > 0 { parts.append("\(Numbers.grouped(delivery.expired)) expired") }
        }
        if let responses = statistics.responses { parts.append(Numbers.count(responses.total, "response")) }
        parts.append("\(Numbers.grouped(statistics.rejectedTotal)) rejected")
        parts.append(Self.time(statistics.seconds, records: statistics.records))
        return parts.joined(separator: ", ")
    }

    /// A run's duration, and its rate if it took at least 0.1 s: below that, a rate is meaningless.
    static func time(_ seconds: Double, records: UInt64) -> String {
        guard seconds >= 0.1 else { return Numbers.seconds(seconds) }
        return "\(Numbers.seconds(seconds)) (\(Numbers.grouped(UInt64(Double(records) / seconds))) records/s)"
    }

    /// The reasons why the run counts as failed although its result was written, one line each.
    var problems: [String] {
        statistics.sourceErrors.map { SourceAdvice(command: "replay", use: "used").line($0) } + rejectProblem
    }

    private var rejectProblem: [String] {
        guard statistics.rejectedTotal > maximumRejects, let first = statistics.firstReject else { return [] }
        let reasons = statistics.rejected.map { "\(Numbers.grouped($0.count)) \($0.reason.name)" }
        let name = statistics.records == statistics.linesRead ? "line" : "record"
        let index = first.index.map { ", index \($0)" } ?? ""
        return [
            "\(Numbers.count(statistics.rejectedTotal, name)) rejected (\(reasons.joined(separator: ", "))), "
                + "the first at \(first.source):\(first.line)\(index); \(rejects.advice)"
        ]
    }
}
