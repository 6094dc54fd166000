import SheafBytes

/// A kind of finding that a check may report: a rule, with its name, severity, source and explanation.
///
/// ```swift
/// for rule in CheckFinding.all where rule.severity == .error {
///     print(rule.name, rule.serviceError ?? "-", rule.page)
/// }
/// ```
public enum CheckFinding: Hashable, Sendable {
    /// A source can't be read completely.
    case source(SourceDamage.Reason)
    /// A line is rejected.
    case rejected(RejectReason)
    /// A record is used, but breaks a rule that only checks apply.
    case problem(PayloadProblem)
    /// A record is used, but one of its fields is irregular.
    case record(Finding)
    /// A record has no timestamp.
    case untimed
    /// An app's notifications group badly.
    case grouping(GroupingProblem)

    public enum Severity: String, CaseIterable, Sendable {
        /// Apple's service or a device refuses or ignores the push, or Sheaf can't read it.
        case error
        /// The push is delivered, but probably not shown as intended.
        case warning
    }

    /// Every finding, in the order of reports: errors first.
    public static let all: [CheckFinding] = {
        let limits: [CheckFinding] = [
            .record(.payloadTooLarge), .record(.collapseIdentifierTooLong), .record(.pushTypeUnknown),
            .problem(.backgroundPriority),
        ]
        let warnings: [CheckFinding] = [
            .record(.threadMisplaced), .untimed, .problem(.categoryUnknown), .record(.summaryDeprecated),
        ]
        let fields = Finding.allCases.map(CheckFinding.record).filter { !(limits + warnings).contains($0) }
        let problems = PayloadProblem.allCases.filter { !(limits + warnings).contains(.problem($0)) }
        let refused = problems.filter { CheckFinding.problem($0).serviceError != nil }
        let ignored = problems.filter { !refused.contains($0) && !$0.isWarning }
        return SourceDamage.Reason.allCases.map(CheckFinding.source)
            + RejectReason.allCases.map(CheckFinding.rejected) + limits + refused.map(CheckFinding.problem)
            + fields + ignored.map(CheckFinding.problem) + warnings
            + problems.filter(\.isWarning).map(CheckFinding.problem)
            + GroupingProblem.allCases.map(CheckFinding.grouping)
    }()

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// Returns the finding with a name; nil if no finding has it. O(1).
    public init?(name: String) {
        guard let finding = Self.byName[name] else { return nil }
        self = finding
    }

    /// The name in reports; rejects, findings and damaged sources have the same name as in statistics.
    public var name: String {
        switch self {
        case .source(let reason): reason.rawValue
        case .rejected(let reason): reason.name.description
        case .problem(let problem): problem.name.description
        case .record(let finding): finding.name.description
        case .untimed: "untimed"
        case .grouping(let problem): problem.name.description
        }
    }

    /// The severity, unless the options of a check set another one.
    public var severity: Severity {
        switch self {
        case .source, .rejected: .error
        case .problem(let problem): problem.isWarning ? .warning : .error
        case .record(let finding):
            switch finding {
            case .threadMisplaced, .summaryDeprecated: .warning
            default: .error
            }
        case .untimed, .grouping: .warning
        }
    }
}
