import SheafBytes
import SheafGroups

/// What a check found.
public struct CheckReport: Sendable {
    public let sources: Int
    public let lines: UInt64
    public let blank: UInt64
    /// Only what was found, in the order of `CheckFinding.all`.
    public let findings: [Item]
    /// Every source that could not be read to its end, in their order.
    public let damagedSources: [Statistics.DamagedSource]
    /// What is probably not meant with the sources; not part of the report as it is written.
    public internal(set) var sourceWarnings: [ReplayWarning] = []
    /// Whether whoever read the report had enough before its end.
    public internal(set) var outputWasClosed = false

    public struct Item: Sendable, Equatable {
        public let finding: CheckFinding
        /// How many lines, records or sources have it.
        public let count: UInt64
        /// The first source that has it, as given.
        public let source: String
        /// Where in that source it is first.
        public let position: Position
    }

    public enum Position: Sendable, Equatable {
        /// A line's number, from 1.
        case line(UInt64)
        /// Bytes from the start of a source as it is stored.
        case offset(UInt64)
    }

    public var records: UInt64 { lines - blank }
    public var errors: UInt64 { count(.error) }
    public var warnings: UInt64 { count(.warning) }

    /// How many findings are of a severity.
    public func count(_ severity: CheckFinding.Severity) -> UInt64 {
        findings.reduce(0) { $0 + ($1.finding.severity == severity ? $1.count : 0) }
    }

    /// - Parameters:
    ///   - damages: by the sources' ordinals.
    ///   - paths: the sources', by ordinal.
    init(_ tally: CheckTally, damages: [Int: SourceDamage], sources paths: [String]) {
        let paths = paths.map { SystemPath.shown($0) }
        var tally = tally
        let damages = damages.sorted { $0.key < $1.key }
        for (source, damage) in damages {
            tally.note(.source(damage.reason), at: CheckPlace(source: source, position: damage.offset))
        }
        sources = paths.count
        lines = tally.lines
        blank = tally.blank
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

    /// The report as it is written.
    func bytes(_ format: CheckFormat) -> [UInt8] {
        switch format {
        case .text(let style): text(style)
        case .json: json()
        }
    }
}

// MARK: - JSON

extension CheckReport {
    /// One JSON object and an LF.
    public func json() -> [UInt8] {
        var output: [UInt8] = []
        let counts: [(name: StaticString, count: UInt64)] = [
            ("sources", UInt64(sources)), ("lines", lines), ("blank", blank), ("records", records),
            ("errors", errors), ("warnings", warnings),
        ]
        for (name, count) in counts {
            output.append(output.isEmpty ? "{\"" : ",\"")
            output.append(name)
            output.append("\":")
            output.appendDecimal(count)
        }
        output.append(",\"findings\":[")
        for (index, item) in findings.enumerated() {
            output.append(index > 0 ? ",{\"name\":" : "{\"name\":")
            output.appendJSONString(Array(item.finding.name.utf8).span)
            output.append(",\"severity\":")
            output.appendJSONString(Array(item.finding.severity.rawValue.utf8).span)
            output.append(",\"count\":")
            output.appendDecimal(item.count)
            output.append(",\"first\":{\"source\":")
            output.appendJSONString(Array(item.source.utf8).span)
            switch item.position {
            case .line(let number):
                output.append(",\"line\":")
                output.appendDecimal(number)
            case .offset(let offset):
                output.append(",\"offset\":")
                output.appendDecimal(offset)
            }
            output.append("}}")
        }
        output.append("]}\n")
        return output
    }
}
