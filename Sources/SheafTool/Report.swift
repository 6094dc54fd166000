import SheafBytes
import SheafFlow
import SheafGroups

/// What a replay's counts say to a person.
struct Report {
    private let statistics: Statistics
    private let maximumRejects: UInt64
    private let rejects: Rejects

    /// What becomes of rejected lines.
    enum Rejects {
        /// They are written to a file, where one is named.
        case replay(file: String?)
        /// They were counted when the partial results were made.
        case merge

        var file: String? {
            if case .replay(let file) = self { file } else { nil }
        }

        fileprivate var advice: String {
            switch self {
            case .replay("-"): "they are on standard output"
            case .replay(let file?): "they are in \(file)"
            case .replay(nil): "--rejects FILE keeps them"
            case .merge: "sheaf replay --rejects FILE keeps them when the partial results are made"
            }
        }
    }

    init(_ statistics: Statistics, maximumRejects: UInt64, rejects: Rejects) {
        self.statistics = statistics
        self.maximumRejects = maximumRejects
        self.rejects = rejects
    }

    /// One line: what was read and what became of it.
    var totals: String {
        var parts = [
            "\(Numbers.count(statistics.records, "record")) from \(Numbers.count(UInt64(statistics.sources), "source"))",
            Numbers.count(statistics.groups, "group"),
            "\(Numbers.grouped(statistics.silent)) silent",
            "\(Numbers.grouped(statistics.updated)) updated",
            "\(Numbers.grouped(statistics.rejectedTotal)) rejected",
        ]
        parts.append(Self.time(statistics.seconds, records: statistics.records))
        return parts.joined(separator: ", ")
    }

    /// How long a run took, and its rate, which means nothing for less than 0.1 s.
    static func time(_ seconds: Double, records: UInt64) -> String {
        guard seconds >= 0.1 else { return Numbers.seconds(seconds) }
        return "\(Numbers.seconds(seconds)) (\(Numbers.grouped(UInt64(Double(records) / seconds))) records/s)"
    }

    /// Why the run is no success, though its result is written.
    var problems: [String] {
        statistics.sourceErrors.map { SourceAdvice(command: "replay", use: "used").line($0) } + rejectProblem
    }

    private var rejectProblem: [String] {
        guard statistics.rejectedTotal > maximumRejects, let first = statistics.firstReject else { return [] }
        let reasons = statistics.rejected.map { "\(Numbers.grouped($0.count)) \($0.reason.name)" }
        return [
            "\(Numbers.count(statistics.rejectedTotal, "line")) rejected (\(reasons.joined(separator: ", "))), "
                + "the first at \(first.source):\(first.line); \(rejects.advice)"
        ]
    }
}

// Measures.
extension Numbers {
    /// With a tenth: "0.3 s".
    static func seconds(_ seconds: Double) -> String { "\(tenths(seconds)) s" }

    /// With a tenth and the unit that leaves one to three digits before it: "1.2 GB".
    static func bytes(_ count: UInt64) -> String {
        var value = Double(count)
        for unit in ["B", "kB", "MB", "GB"] {
            if value < 1000 { return unit == "B" ? "\(count) B" : "\(tenths(value)) \(unit)" }
            value /= 1000
        }
        return "\(tenths(value)) TB"
    }

    /// "1:02:03", "2:03".
    static func duration(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = whole / 60 % 60
        return whole >= 3600
            ? "\(whole / 3600):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
