/// Which of iOS's rules groups are shown by.
public enum Profile: String, Sendable, CaseIterable {
    /// Those of iOS 12 to 14.
    case ios12
    /// Since iOS 15 `summary-arg` and `summary-arg-count` are ignored (Apple, "Generating a remote notification").
    case ios15
}
