import SheafBytes
import SheafGroups

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
    /// The findings that occur, in the order of `CheckFinding.all`.
    public let findings: [Item]
    /// The sources that could not be read completely, in source order.
    public let damagedSources: [Statistics.DamagedSource]
    /// Warnings about probable mistakes in the choice of sources; not part of the written report.
    public internal(set) var sourceWarnings: [ReplayWarning] = []
    /// Whether the reader of the output closed it before the whole report was written.
    public internal(set) var outputWasClosed = false

    /// A finding that occurs.
    public struct Item: Sendable, Equatable {
        public let finding: CheckFinding
        /// The number of lines, records or sources with the finding.
        public let count: UInt64
        /// The first source with the finding, as given.
        public let source: String
        /// The first position of the finding in that source.
        public let position: Position
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
        findings.reduce(0) { $0 + ($1.finding.severity == severity ? $1.count : 0) }
    }

    /// - Parameters:
    ///   - damages: the damage in each damaged source, by ordinal.
    ///   - paths: the sources' paths, by ordinal.
    init(_ tally: CheckTally, damages: [Int: SourceDamage], sources paths: [String]) {
        let paths = paths.map { SystemPath.shown($0) }
        var tally = tally
        let damages = damages.sorted { $0.key < $1.key }
        for (source, damage) in damages {
            tally.note(.source(damage.reason), at: CheckPosition(source: source, position: damage.offset))
        }
        sources = paths.count
        lines = tally.lines
        blank = tally.blank
        records = tally.records
        damagedSources = damages.map {
            Statistics.DamagedSource(source: paths[$0.key], damage: $0.value)
        }
        findings = CheckFinding.all.compactMap { finding in
            let entry = tally[finding]
            guard let first = entry.first else { return nil }
            let position: Position =
                if case .source = finding { .offset(first.position) } else { .line(first.position) }
            return Item(finding: finding, count: entry.count, source: paths[first.source], position: position)
        }
    }

    /// Returns the report in an output format.
    func bytes(_ format: CheckFormat) -> [UInt8] {
        switch format {
        case .text(let style): text(style)
        case .json: json()
        }
    }
}

// MARK: - JSON

extension CheckReport {
    /// Returns the report as one JSON object followed by an LF.
    public func json() -> [UInt8] {
        JSONReport.bytes { json in
            json.member("sources", UInt64(sources))
            json.member("lines", lines)
            json.member("blank", blank)
            json.member("records", records)
            json.member("errors", errors)
            json.member("warnings", warnings)
            json.member("findings", findings) { json, item in
                json.member("name", item.finding.name)
                json.member("severity", item.finding.severity.rawValue)
                json.member("count", item.count)
                json.member("first") { json in
                    json.member("source", item.source)
                    switch item.position {
                    case .line(let number): json.member("line", number)
                    case .offset(let offset): json.member("offset", offset)
                    }
                }
            }
        }
    }
}
