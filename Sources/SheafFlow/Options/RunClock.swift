import Dispatch
import SheafBytes

/// The clocks of runs with live snapshots, and of options that name a day; tests replace them.
package struct RunClock: Sendable {
    /// Returns the present, in milliseconds since 1970.
    package var present: @Sendable () -> Int64 = { Int64(time(nil)) * 1_000 }
    /// Returns the time since some moment, in milliseconds, without the time in which the machine was asleep.
    var uptime: @Sendable () -> Int64 = { Int64((SuspendingClock.now - start) / .milliseconds(1)) }
    /// Waits for some milliseconds, or until a semaphore has been signaled.
    var wait: @Sendable (_ milliseconds: Double, _ stopped: DispatchSemaphore) -> Void = {
        milliseconds, stopped in
        // The signal also ends all later waits.
        if stopped.wait(timeout: .now() + milliseconds / 1_000) == .success { stopped.signal() }
    }

    /// The clocks of the machine.
    package static let system = RunClock()

    private static let start = SuspendingClock.now
}
