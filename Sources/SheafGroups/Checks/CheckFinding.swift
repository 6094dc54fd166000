import SheafBytes

/// Everything that a check may find, with its name, how bad it is, and what it means to a person.
public enum CheckFinding: Hashable, Sendable {
    /// A source can't be read to its end.
    case source(SourceDamage.Reason)
    /// A line is no record.
    case rejected(RejectReason)
    /// A record is used, but breaks a rule that only checks look at.
    case problem(PayloadProblem)
    /// A record is used, but a field of it is odd.
    case record(Finding)
    /// A record has no timestamp.
    case untimed

    public enum Severity: String, CaseIterable, Sendable {
        /// Apple's service or a device refuses or ignores it, or Sheaf can't read it.
        case error
        /// It is delivered, but probably not shown as was meant.
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

    /// The name in reports: of rejects, findings and damaged sources the one in statistics.
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
