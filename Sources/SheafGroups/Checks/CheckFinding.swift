import SheafBytes

/// A kind of finding that a check may report, with its name, severity and explanation.
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
        return SourceDamage.Reason.allCases.map(CheckFinding.source)
            + RejectReason.allCases.map(CheckFinding.rejected) + limits + fields + warnings
    }()

    /// The name in reports; rejects, findings and damaged sources have the same name as in statistics.
    public var name: String {
        switch self {
        case .source(let reason): reason.rawValue
        case .rejected(let reason): reason.name.description
        case .problem(let problem): problem.name.description
        case .record(let finding): finding.name.description
        case .untimed: "untimed"
        }
    }

    public var severity: Severity {
        switch self {
        case .source, .rejected: .error
        case .problem(let problem):
            switch problem {
            case .backgroundPriority: .error
            case .categoryUnknown: .warning
            }
        case .record(let finding):
            switch finding {
            case .threadMisplaced, .summaryDeprecated: .warning
            default: .error
            }
        case .untimed: .warning
        }
    }
}
