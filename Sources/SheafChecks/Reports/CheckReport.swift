import SheafBytes
import SheafFlow
import SheafGroups
import SheafText

/// The result of a check.
///
/// ```swift
/// let report = try LogCheck(CheckOptions(sources: ["log.ndjson"])).run()
/// for item in report.findings {
///     print("\(item.finding.severity) \(item.finding.name): \(item.count), first in \(item.source)")
/// }
/// ```
public struct CheckReport: Sendable {
    /// The number of sources, after folders are expanded.
    public let sources: Int
    /// The number of lines, blank ones included.
    public let lines: UInt64
    /// The number of empty lines, and of lines that consist of spaces and tabs.
    public let blank: UInt64
    /// The number of records; a line may have several.
    public let records: UInt64
    /// The pushes that the push service refused, which are not findings; nil if there are none.
    public let refused: Statistics.Refusals?
    /// The refusals that records with the event `outcome` report, which are not findings; nil if there are none. A push
    /// may have several, and its own record may be among those refused.
    public let laterRefusals: Statistics.Refusals?
    /// The findings that occur, errors first, and otherwise in the order of `CheckFinding.all`. Findings of disabled
    /// rules and known ones are left out.
    public let findings: [Item]
    /// The number of findings that the baseline knows.
    public let known: UInt64
    /// Whether the findings were compared with a baseline.
    let hasBaseline: Bool
    /// The enabled rules, with their severities in this check.
    let rules: CheckRules
    /// All findings of the run, known or not; empty unless they are needed.
    let baseline: CheckBaseline
    /// The sources that could not be read completely, in source order.
    public let damagedSources: [Statistics.DamagedSource]
    /// Warnings about probable mistakes in the choice of sources; not part of the written report.
    public internal(set) var sourceWarnings: [ReplayWarning] = []
    /// Whether the reader of the output closed it before the whole report was written.
    public internal(set) var outputWasClosed = false

    /// A finding that occurs.
    public struct Item: Sendable, Equatable {
        public let finding: CheckFinding
        /// The severity in this check.
        public let severity: CheckFinding.Severity
        /// The number of lines, records, sources or apps with the finding.
        public let count: UInt64
        /// The first source with the finding, as given.
        public let source: String
        /// The first position of the finding in that source.
        public let position: Position
        /// What the first occurrence is about, if a rule may be about several things: the unknown key, or the app and
        /// its numbers.
        public let detail: String?
        /// Where the finding occurs first in each source that has it, in the order of the sources. Empty unless the
        /// format or the baseline needs it.
        public let locations: [Location]

        init(
            finding: CheckFinding, severity: CheckFinding.Severity? = nil, count: UInt64, source: String,
            position: Position, detail: String? = nil, locations: [Location] = []
        ) {
            self.finding = finding
            self.severity = severity ?? finding.severity
            self.count = count
            self.source = source
            self.position = position
            self.detail = detail
            self.locations = locations
        }
    }

    /// The findings of one rule in one source.
    public struct Location: Sendable, Equatable {
        /// The source, as given.
        public let source: String
        /// The first position in that source.
        public let position: Position
        public let count: UInt64
        public let detail: String?
        /// The source's path, for a URI.
        let path: String
    }

    /// Where a finding occurs first.
    public enum Position: Sendable, Equatable {
        /// A line number, starting at 1.
        case line(UInt64)
        /// An offset in the stored form of the source, in bytes.
        case offset(UInt64)
    }

    /// The number of findings that are errors.
    public var errors: UInt64 { count(.error) }
    /// The number of findings that are warnings.
    public var warnings: UInt64 { count(.warning) }

    /// Returns the number of findings with a severity.
    public func count(_ severity: CheckFinding.Severity) -> UInt64 {
        findings.reduce(0) { $0 + ($1.severity == severity ? $1.count : 0) }
    }

    /// - Parameters:
    ///   - damages: the damage in each damaged source, by ordinal.
    ///   - paths: the sources' paths, by ordinal.
    ///   - options: the options that rules and the baseline are taken from.
    init(
        _ tally: CheckTally, damages: [Int: SourceDamage], sources paths: [String],
        options: CheckOptions = CheckOptions(sources: [])
    ) {
        var tally = tally
        let damages = damages.orderedByKey()
        for (source, damage) in damages {
            tally.count(.source(damage.reason), at: RecordPosition(source: source, line: damage.offset))
        }
        let names = paths.map { SystemPath.shown($0) }
        sources = paths.count
        lines = tally.lines
        blank = tally.blank
        records = tally.records
        refused = Statistics.Refusals(tally.refusals)
        laterRefusals = Statistics.Refusals(tally.laterRefusals)
        damagedSources = damages.map {
            Statistics.DamagedSource(source: names[$0.key], damage: $0.value)
        }
        rules = CheckRules(options)
        hasBaseline = options.baseline != nil

        let allowances = Dictionary(grouping: options.baseline?.entries ?? [], by: \.rule)
        var known: UInt64 = 0
        var baseline: [CheckBaseline.Entry] = []
        var items: [Item] = []
        for rule in rules.rules {
            let finding = rule.finding
            func location(_ found: CheckTally.Occurrences) -> Location? {
                found.first.map { first in
                    Location(
                        source: names[first.source], position: finding.position(first), count: found.count,
                        detail: found.detail, path: paths[first.source])
                }
            }
            let found = tally[finding]
            guard let first = location(found) else { continue }
            let all = tally.occurrencesBySource(of: finding).compactMap(location)
            if options.baselineOutput != nil {
                for location in all {
                    baseline.append(
                        CheckBaseline.Entry(finding, source: location.source, count: location.count))
                }
            }
            var (count, new) = (found.count, all)
            if hasBaseline {
                var allowance = CheckBaseline.Allowance(allowances[finding] ?? [])
                new = all.compactMap { $0.reduced(by: allowance.take($0.count, of: $0.source)) }
                count = new.reduce(0) { $0 + $1.count }
                known += found.count - count
                guard count > 0 else { continue }
            }
            // Without a baseline, this is the first location, if there are any.
            let location = new.first ?? first
            items.append(
                Item(
                    finding: finding, severity: rule.severity, count: count, source: location.source,
                    position: location.position, detail: location.detail, locations: new))
        }
        findings = items
        self.known = known
        self.baseline = CheckBaseline(baseline)
    }

    /// Returns the report in an output format.
    func bytes(_ format: CheckFormat) -> [UInt8] {
        switch format {
        case .text(let style): text(style)
        case .json: json()
        case .html: json(describes: true)
        case .sarif: sarif()
        case .github: github()
        }
    }
}

extension CheckFinding {
    fileprivate func position(_ position: RecordPosition) -> CheckReport.Position {
        if case .source = self { .offset(position.line) } else { .line(position.line) }
    }
}

extension CheckReport.Location {
    /// Returns the location without known findings; nil if all of them are known.
    fileprivate func reduced(by known: UInt64) -> CheckReport.Location? {
        guard known < count else { return nil }
        return CheckReport.Location(
            source: source, position: position, count: count - known, detail: detail, path: path)
    }
}

// MARK: - JSON

extension CheckReport {
    /// Returns the report as one JSON object followed by an LF.
    public func json() -> [UInt8] { json(describes: false) }

    /// - Parameter describes: whether each finding has an explanation of its rule.
    func json(describes: Bool) -> [UInt8] {
        JSONDocument.bytes { json in
            json.member("sources", UInt64(sources))
            json.member("lines", lines)
            json.member("blank", blank)
            json.member("records", records)
            json.member("errors", errors)
            json.member("warnings", warnings)
            if hasBaseline { json.member("known", known) }
            if let refused { json.member("refused") { refused.write(to: &$0) } }
            if let laterRefusals { json.member("laterRefusals") { laterRefusals.write(to: &$0) } }
            json.member("findings", findings) { json, item in
                json.member("name", item.finding.name)
                json.member("severity", item.severity.rawValue)
                json.member("count", item.count)
                json.member("first") { json in
                    json.member("source", item.source)
                    switch item.position {
                    case .line(let number): json.member("line", number)
                    case .offset(let offset): json.member("offset", offset)
                    }
                }
                if let detail = item.detail { json.member("detail", detail) }
                if describes { json.member("description", rules.explanation(of: item.finding)) }
            }
        }
    }
}
