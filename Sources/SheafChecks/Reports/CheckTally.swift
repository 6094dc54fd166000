import SheafBytes
import SheafFlow
import SheafGroups
import SheafText

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
    /// The pushes that the push service refused, by reason.
    var refusals = KeyedCounts(limit: Limits.refusalReasons, texts: 1)
    /// The refusals that outcomes of other records report, by reason. Their pushes may be among the refused ones.
    var laterRefusals = KeyedCounts(limit: Limits.refusalReasons, texts: 1)
    /// By the finding's number.
    private(set) var occurrences = [Occurrences](repeating: Occurrences(), count: CheckFinding.numberCount)
    /// By the finding's number and the source's ordinal, if sources are counted separately.
    private var sources = [[Int: Occurrences]](repeating: [:], count: CheckFinding.numberCount)
    private let countsSources: Bool

    struct Occurrences: Equatable, Sendable {
        var count: UInt64 = 0
        var first: RecordPosition?
        /// What the first occurrence is about, if the finding may be about several things.
        var detail: String?
    }

    /// - Parameter countsSources: whether the findings of each source are counted separately. Memory: an entry for each
    ///   finding of a source.
    init(countsSources: Bool = false) { self.countsSources = countsSources }

    /// - Parameter detail: called for what may be the first occurrence.
    mutating func count(
        _ finding: CheckFinding, at position: RecordPosition, detail: () -> String? = { nil }
    ) {
        let number = finding.number
        occurrences[number].add(position, detail)
        if countsSources { sources[number][position.source, default: Occurrences()].add(position, detail) }
    }

    /// Counts the findings and problems of an accepted record.
    ///
    /// - Parameter detail: returns what a problem is about.
    mutating func count(
        _ findings: FindingSet, _ problems: ProblemSet, isUntimed: Bool, at position: RecordPosition,
        detail: (CheckProblem) -> String? = { _ in nil }
    ) {
        if isUntimed { count(.untimed, at: position) }
        if !findings.isEmpty {
            for finding in Finding.allCases where findings.contains(finding) {
                count(.record(finding), at: position)
            }
        }
        if !problems.isEmpty {
            for problem in CheckProblem.allCases where problems.contains(problem) {
                count(.problem(problem), at: position) { detail(problem) }
            }
        }
    }

    /// The number of apps that a finding about apps names.
    static let namedApps = 3

    /// Counts the problems of apps. The first one in each source names the next ones there, too.
    mutating func count(_ problems: [GroupingCensus.AppProblem]) {
        for (index, problem) in problems.enumerated() {
            let position = RecordPosition(source: problem.first.source, line: problem.first.line)
            count(.problem(problem.problem), at: position) {
                let others = problems.enumerated().filter { other in
                    other.offset != index && other.element.problem == problem.problem
                        && other.element.first.source == problem.first.source
                }.map(\.element).ordered { $0.first < $1.first }
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
        refusals.total += other.refusals.total
        refusals.addKinds(other.refusals)
        laterRefusals.total += other.laterRefusals.total
        laterRefusals.addKinds(other.laterRefusals)
        for number in occurrences.indices {
            occurrences[number].add(other.occurrences[number])
            for (source, found) in other.sources[number] {
                sources[number][source, default: Occurrences()].add(found)
            }
        }
    }

    subscript(finding: CheckFinding) -> Occurrences { occurrences[finding.number] }

    /// Returns a finding's occurrences in each source that has it, in the order of the sources; none unless sources are
    /// counted separately.
    func occurrencesBySource(of finding: CheckFinding) -> [Occurrences] {
        sources[finding.number].orderedByKey().map(\.value)
    }
}

extension CheckTally.Occurrences {
    fileprivate mutating func add(_ position: RecordPosition, _ detail: () -> String?) {
        count += 1
        if first.map({ position < $0 }) ?? true { (first, self.detail) = (position, detail()) }
    }

    fileprivate mutating func add(_ other: CheckTally.Occurrences) {
        count += other.count
        guard let position = other.first else { return }
        if first.map({ position < $0 }) ?? true { (first, detail) = (position, other.detail) }
    }
}
