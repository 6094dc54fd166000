/// The streams that a process is started with.
package enum StandardStream: Int32, CaseIterable, Sendable {
    case input, output, error
}
