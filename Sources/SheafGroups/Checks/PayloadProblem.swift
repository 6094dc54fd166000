/// A problem in a record that only checks look for. A replay does not, because that would take time: it requires
/// other fields or the configuration.
public enum PayloadProblem: UInt8, CaseIterable, Sendable {
    case backgroundPriority
    case categoryUnknown

    /// The name in reports.
    public var name: StaticString {
        switch self {
        case .backgroundPriority: "priority.background"
        case .categoryUnknown: "category.unknown"
        }
    }
}

/// The problems of one record.
package typealias ProblemSet = CaseSet<PayloadProblem>
