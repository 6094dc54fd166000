/// What a check finds in a record, and a replay does not look for, as that would take it time: other fields have to be
/// read for it, or the configuration asked.
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

/// The problems of one record: each once at most.
public struct ProblemSet: Equatable, Sendable {
    private var bits: UInt8 = 0

    public init() {}

    public var isEmpty: Bool { bits == 0 }

    public mutating func insert(_ problem: PayloadProblem) { bits |= 1 << problem.rawValue }

    public func contains(_ problem: PayloadProblem) -> Bool { bits >> problem.rawValue & 1 == 1 }
}
