import SheafBytes

/// A kind of finding that a check may report: a rule, with its name, severity, source and explanation.
///
/// ```swift
/// for rule in CheckFinding.all where rule.severity == .error {
///     print(rule.name, rule.serviceError ?? "-", rule.page)
/// }
/// ```
///
/// A new rule is a case of one of the enumerations below, its row in `rules`, and its row on the page on checking.
public enum CheckFinding: Hashable, Sendable {
    /// A source can't be read completely.
    case source(SourceDamage.Reason)
    /// A line is rejected.
    case rejected(RejectReason)
    /// A record is used, but one of its fields is irregular.
    case record(Finding)
    /// A record is used, but breaks a rule that only checks apply, or an app's notifications do so together.
    case problem(CheckProblem)
    /// A record has no timestamp.
    case untimed

    public enum Severity: String, CaseIterable, Sendable {
        /// Apple's service or a device refuses or ignores the push, or Sheaf can't read it.
        case error
        /// The push is delivered, but probably not shown as intended.
        case warning
    }

    /// Every finding, in the order of reports: errors first.
    public static let all =
        SourceDamage.Reason.allCases.map(CheckFinding.source) + rules.map(\.finding)

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// Returns the finding with a name; nil if no finding has it. O(1).
    public init?(name: String) {
        guard let finding = Self.byName[name] else { return nil }
        self = finding
    }

    /// The name in reports; rejects, findings and damaged sources have the same name as in statistics.
    public var name: String {
        if case .source(let reason) = self { reason.rawValue } else { rule.name.description }
    }

    /// The severity, unless the options of a check set another one.
    public var severity: Severity {
        if case .source = self { .error } else { rule.severity }
    }

    /// The error with which Apple's service refuses the push, as named in the table of "Handling notification
    /// responses from APNs"; nil if the rule is about something else.
    public var serviceError: String? {
        if case .source = self { nil } else { rule.serviceError }
    }

    /// The page that the rule comes from: one of Apple's by its title, or one of Sheaf's.
    public var page: String {
        if case .source = self { Page.sources.rawValue } else { rule.page.rawValue }
    }

    /// Returns one sentence on what the finding means, or what to do about it.
    ///
    /// - Parameter maximumLine: the text for the maximum length of a line.
    package func explanation(maximumLine: String) -> String {
        if case .source(let reason) = self { return Self.explanation(of: reason) }
        return rule.explanation.split(separator: Self.maximumLine, omittingEmptySubsequences: false)
            .joined(separator: maximumLine)
    }
}

// MARK: - Numbers

extension CheckFinding {
    /// The number of findings, whose numbers are below it.
    package static let numberCount = sourcesStart + SourceDamage.Reason.allCases.count

    private static let recordsStart = RejectReason.allCases.count
    private static let problemsStart = recordsStart + Finding.allCases.count
    private static let untimedNumber = problemsStart + CheckProblem.allCases.count
    private static let sourcesStart = untimedNumber + 1

    /// A number for lists of findings. Reports have another order.
    package var number: Int {
        switch self {
        case .rejected(let reason): Int(reason.rawValue)
        case .record(let finding): Self.recordsStart + Int(finding.rawValue)
        case .problem(let problem): Self.problemsStart + Int(problem.rawValue)
        case .untimed: Self.untimedNumber
        case .source(let reason):
            Self.sourcesStart + (SourceDamage.Reason.allCases.firstIndex(of: reason) ?? 0)
        }
    }

    /// The row of a finding that is not about a source.
    var rule: Rule { Self.rulesByNumber[number] }

    private static let rulesByNumber: [Rule] = {
        let rules = Self.rules.sorted { $0.finding.number < $1.finding.number }
        precondition(
            rules.map(\.finding.number) == Array(0..<sourcesStart), "each finding must have one rule")
        return rules
    }()
}
