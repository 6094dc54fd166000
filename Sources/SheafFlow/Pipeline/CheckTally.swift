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
    /// The number of records that are neither rejected nor for another platform.
    var used: UInt64 = 0
    /// The number of these of other apps, or for other devices, which are not checked.
    var unselected: UInt64 = 0
    /// The entries by the finding's number.
    private(set) var entries = [Entry](repeating: Entry(), count: CheckFinding.numberCount)
    /// The entries of each source that has the finding, by the finding's number and the source's ordinal, if sources
    /// are counted separately.
    private var sources: [SourceKey: Entry] = [:]
    private let countsSources: Bool

    struct Entry: Equatable, Sendable {
        var count: UInt64 = 0
        var first: CheckPosition?
        /// What the first occurrence is about, if the finding may be about several things.
        var detail: String?
    }

    private struct SourceKey: Hashable {
        let number: Int
        let source: Int
    }

    /// - Parameter countsSources: whether the findings of each source are counted separately. Memory: an entry for each
    ///   finding of a source.
    init(countsSources: Bool = false) { self.countsSources = countsSources }

    /// - Parameter detail: called for what may be the first occurrence.
    mutating func note(
        _ finding: CheckFinding, at position: CheckPosition, detail: () -> String? = { nil }
    ) {
        let number = finding.number
        entries[number].note(position, detail)
        guard countsSources else { return }
        sources[SourceKey(number: number, source: position.source), default: Entry()].note(position, detail)
    }

    /// Notes the findings and problems of an accepted record.
    ///
    /// - Parameter detail: returns what a problem is about.
    mutating func note(
        _ findings: FindingSet, _ problems: ProblemSet, isUntimed: Bool, at position: CheckPosition,
        detail: (PayloadProblem) -> String? = { _ in nil }
    ) {
        if isUntimed { note(.untimed, at: position) }
        if !findings.isEmpty {
            for finding in Finding.allCases where findings.contains(finding) {
                note(.record(finding), at: position)
            }
        }
        if !problems.isEmpty {
            for problem in PayloadProblem.allCases where problems.contains(problem) {
                note(.problem(problem), at: position) { detail(problem) }
            }
        }
    }

    /// The number of apps that a finding about apps names.
    static let namedApps = 3

    /// Notes the problems of apps. The first one in each source names the next ones there, too.
    mutating func note(_ problems: [GroupingCensus.Problem]) {
        for (index, problem) in problems.enumerated() {
            let position = CheckPosition(source: problem.first.source, position: problem.first.line)
            note(.grouping(problem.problem), at: position) {
                let others = problems.enumerated().filter { other in
                    other.offset != index && other.element.problem == problem.problem
                        && other.element.first.source == problem.first.source
                }.map(\.element).sorted { $0.first < $1.first }
                var texts = ([problem] + others.prefix(Self.namedApps - 1)).map { "\($0.app), \($0.numbers)" }
                let left = others.count + 1 - texts.count
                if left > 0 { texts.append("\(Numbers.grouped(UInt64(left))) more") }
                return texts.joined(separator: "; ")
            }
        }
    }

    mutating func add(_ other: CheckTally) {
        lines += other.lines
        blank += other.blank
        records += other.records
        used += other.used
        unselected += other.unselected
        for index in entries.indices { entries[index].add(other.entries[index]) }
        for (key, entry) in other.sources { sources[key, default: Entry()].add(entry) }
    }

    subscript(finding: CheckFinding) -> Entry { entries[finding.number] }

    /// The entries of each finding's sources, in the order of the sources; none unless sources are counted
    /// separately.
    var entriesBySource: [CheckFinding: [Entry]] {
        let numbers = Dictionary(uniqueKeysWithValues: CheckFinding.all.map { ($0.number, $0) })
        var entries: [CheckFinding: [Entry]] = [:]
        for (key, entry) in sources.sorted(by: { $0.key.source < $1.key.source }) {
            if let finding = numbers[key.number] { entries[finding, default: []].append(entry) }
        }
        return entries
    }
}

extension CheckTally.Entry {
    fileprivate mutating func note(_ position: CheckPosition, _ detail: () -> String?) {
        count += 1
        if first.map({ position < $0 }) ?? true { (first, self.detail) = (position, detail()) }
    }

    fileprivate mutating func add(_ other: CheckTally.Entry) {
        count += other.count
        guard let position = other.first else { return }
        if first.map({ position < $0 }) ?? true { (first, detail) = (position, other.detail) }
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
    /// The number of findings, whose numbers are below it.
    static let numberCount = Self.start + SourceDamage.Reason.allCases.count

    private static var findingsStart: Int { RejectReason.allCases.count }
    private static var problemsStart: Int { findingsStart + Finding.allCases.count }
    private static var groupingStart: Int { problemsStart + PayloadProblem.allCases.count }
    private static var start: Int { groupingStart + GroupingProblem.allCases.count + 1 }

    /// The finding's index in `entries`. Reports have another order.
    var number: Int {
        switch self {
        case .rejected(let reason): Int(reason.rawValue)
        case .record(let finding): Self.findingsStart + Int(finding.rawValue)
        case .problem(let problem): Self.problemsStart + Int(problem.rawValue)
        case .grouping(let problem): Self.groupingStart + Int(problem.rawValue)
        case .untimed: Self.start - 1
        case .source(let reason):
            Self.start + (SourceDamage.Reason.allCases.firstIndex(of: reason) ?? 0)
        }
    }
}
