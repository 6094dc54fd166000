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

/// The set of problems of one record.
package struct ProblemSet: Equatable, Sendable {
    private var bits: UInt8 = 0

    package init() {}

    package var isEmpty: Bool { bits == 0 }

    package mutating func insert(_ problem: PayloadProblem) { bits |= 1 << problem.rawValue }

    package func contains(_ problem: PayloadProblem) -> Bool { bits >> problem.rawValue & 1 == 1 }
}
