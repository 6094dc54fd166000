import Dispatch
import Synchronization

/// Releases records at a multiple of their own pace.
final class RecordPace: Sendable {
    private let speed: Double
    private let stopped = DispatchSemaphore(value: 0)
    private let origin = Mutex<(time: Int64, instant: ContinuousClock.Instant)?>(nil)

    /// - Parameter speed: how many times faster than it happened; greater than 0.
    init(speed: Double) { self.speed = speed }

    /// Waits until a record is due. The first record with a time is due at once, and so are those without one.
    ///
    /// - Parameter timestamp: milliseconds since 1970.
    func wait(until timestamp: Int64) {
        guard timestamp > 0 else { return }
        let now = ContinuousClock.now
        let (time, instant) = origin.withLock { origin in
            if origin == nil { origin = (timestamp, now) }
            return origin ?? (timestamp, now)
        }
        let seconds = Double(timestamp - time) / 1_000 / speed
        let left = seconds - (now - instant) / .seconds(1)
        guard left > 0 else { return }
        if stopped.wait(timeout: .now() + left) == .success { stopped.signal() }
    }

    /// Ends the current wait, and all later ones.
    func stop() { stopped.signal() }
}
