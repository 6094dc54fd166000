import SheafBytes
import SheafGroups

/// Counts of findings, each with its first occurrence. Each worker has its own tally; they are summed at the end.
///
/// Positions are compared, so the first occurrence does not depend on which worker checked which lines.
struct CheckTally: Sendable {
    var lines: UInt64 = 0
    var blank: UInt64 = 0
    /// The number of records, including rejected ones.
    var records: UInt64 = 0
    /// The entries by the finding's number.
    private(set) var entries = [Entry](repeating: Entry(), count: CheckFinding.numberCount)

    struct Entry: Equatable, Sendable {
        var count: UInt64 = 0
        var first: CheckPosition?
    }

    mutating func note(_ finding: CheckFinding, at position: CheckPosition) {
        entries[finding.number].add(Entry(count: 1, first: position))
    }

    /// Notes the findings and problems of an accepted record.
    mutating func note(
        _ findings: FindingSet, _ problems: ProblemSet, isUntimed: Bool, at position: CheckPosition
    ) {
        if isUntimed { note(.untimed, at: position) }
        if !findings.isEmpty {
            for finding in Finding.allCases where findings.contains(finding) {
                note(.record(finding), at: position)
            }
        }
        if !problems.isEmpty {
            for problem in PayloadProblem.allCases where problems.contains(problem) {
                note(.problem(problem), at: position)
            }
        }
    }

    mutating func add(_ other: CheckTally) {
        lines += other.lines
        blank += other.blank
        records += other.records
        for index in entries.indices { entries[index].add(other.entries[index]) }
    }

    subscript(finding: CheckFinding) -> Entry { entries[finding.number] }
}

extension CheckTally.Entry {
    fileprivate mutating func add(_ other: CheckTally.Entry) {
        count += other.count
        guard let position = other.first else { return }
        if first.map({ position < $0 }) ?? true { first = position }
    }
}

/// The position of a finding: a line of a source, or a byte offset in its stored form.
struct CheckPosition: Comparable, Sendable {
    let source: Int
    /// A line number from 1, or a byte offset from 0.
    let position: UInt64

    static func < (a: CheckPosition, b: CheckPosition) -> Bool {
        (a.source, a.position) < (b.source, b.position)
    }
}

extension CheckFinding {
    fileprivate static let numberCount = Self.start + SourceDamage.Reason.allCases.count

    private static var findingsStart: Int { RejectReason.allCases.count }
    private static var problemsStart: Int { findingsStart + Finding.allCases.count }
    private static var start: Int { problemsStart + PayloadProblem.allCases.count + 1 }

    /// The finding's index in `entries`. Reports have another order.
    fileprivate var number: Int {
        switch self {
        case .rejected(let reason): Int(reason.rawValue)
        case .record(let finding): Self.findingsStart + Int(finding.rawValue)
        case .problem(let problem): Self.problemsStart + Int(problem.rawValue)
        case .untimed: Self.start - 1
        case .source(let reason):
            Self.start + (SourceDamage.Reason.allCases.firstIndex(of: reason) ?? 0)
        }
    }
}
