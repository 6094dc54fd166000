import SheafBytes
import Synchronization

/// Handles the signals that end a command: the first ones in an orderly way, a third one at once.
///
/// A command that waits for its output, such as a full pipe, can't end in an orderly way.
final class Interrupts: Sendable {
    private let count = Atomic<Int>(0)

    /// - Parameters:
    ///   - line: the progress line, which ends with the first signal.
    ///   - interrupt: interrupts the run; called for the first two signals.
    /// - Returns: the handlers, which are active as long as they exist.
    static func signals(_ line: ProgressLine?, _ interrupt: @escaping @Sendable (Int32) -> Void) -> Signals {
        let interrupts = Interrupts()
        return Signals { number in
            // The terminal has echoed ^C after the line.
            line?.end()
            switch interrupts.count.add(1, ordering: .relaxed).newValue {
            case 1: interrupt(number)
            case 2:
                interrupt(number)
                Message.write(
                    "still ending; the next interrupt ends the command at once and leaves its temporary files"
                )
            default: Signals.endProcess(status: ExitStatus.signalBase + number)
            }
        }
    }
}
