/// The streams that a process is started with.
public enum StandardStream: Int32, CaseIterable, Sendable {
    case input, output, error
}
