/// The version of iOS whose rules determine how groups are shown.
public enum Profile: String, Sendable, CaseIterable {
    /// iOS 12 to 14.
    case ios12
    /// iOS 15 and later, which ignore `summary-arg` and `summary-arg-count` (Apple, "Generating a remote
    /// notification").
    case ios15
}
