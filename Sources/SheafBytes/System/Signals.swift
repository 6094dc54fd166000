import CSheaf
import Dispatch

/// Handles the signals that end a run in an orderly way.
package final class Signals {
    private let sources: [any DispatchSourceSignal]

    /// Whether the process was started with SIGHUP ignored, as `nohup` starts commands that should outlive their
    /// terminal. Read before the first handler is installed.
    private static let ignoredHangup = sheaf_is_ignored(SIGHUP)

    /// Calls `handler` with the number of each SIGINT, SIGTERM, SIGHUP and SIGXCPU instead of ending the process, and
    /// makes writing to a closed pipe or beyond the file size limit an error instead of a signal.
    ///
    /// This applies to the whole process from now on. If the process was started with SIGHUP ignored, it stays
    /// ignored.
    package init(_ handler: @escaping @Sendable (Int32) -> Void) {
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGXFSZ, SIG_IGN)
        let registered = DispatchSemaphore(value: 0)
        let numbers = [SIGINT, SIGTERM, SIGXCPU] + (Self.ignoredHangup ? [] : [SIGHUP])
        sources = numbers.map { number in
            // Safety: ignoring a signal installs no code. The dispatch source receives the signal anyway.
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { handler(number) }
            source.setRegistrationHandler { registered.signal() }
            source.resume()
            return source
        }
        // Another thread registers the sources. A signal that arrived before that would be ignored and lost.
        for _ in sources { registered.wait() }
    }

    deinit { for source in sources { source.cancel() } }

    /// Ends the process, whatever its threads are doing. Raising the signal again would have no effect on a thread of
    /// Dispatch, which blocks it.
    package static func endProcess(status: Int32) -> Never { _exit(status) }
}
