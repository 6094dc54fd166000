/// Decides when a checkpoint is worth the time for which it pauses the run: not before the run has worked for
/// `Limits.checkpointSpacing` times as long.
///
/// The length of the pause is estimated from the size of the state: at the speed of the previous checkpoint, or at
/// `Limits.stateBytesPerSecond` for the first one.
struct CheckpointPace: Sendable {
    private var bytesPerSecond = Double(Limits.stateBytesPerSecond)
    /// When the run resumed after the last checkpoint, or when it began.
    private(set) var last: ContinuousClock.Instant

    init(start: ContinuousClock.Instant) { last = start }

    /// Returns how long to postpone a checkpoint that could be made now; nil if it is due.
    ///
    /// - Parameter heldBytes: the size of the state to write, in bytes.
    func delay(heldBytes: Int, now: ContinuousClock.Instant) -> Duration? {
        let pause = Duration.seconds(Double(heldBytes) / bytesPerSecond)
        let due = last + pause * Limits.checkpointSpacing
        return due > now ? due - now : nil
    }

    /// Records a checkpoint that was made.
    ///
    /// - Parameters:
    ///   - heldBytes: the size of the state that was written, in bytes.
    ///   - pause: how long the run was paused.
    ///   - now: when the run resumed.
    mutating func record(heldBytes: Int, pause: Duration, now: ContinuousClock.Instant) {
        last = now
        // A small state does not show the speed, and a pause of zero would make it infinite.
        guard heldBytes >= Limits.minimumShardBytes, pause > .zero else { return }
        bytesPerSecond = Double(heldBytes) / (pause / .seconds(1))
    }
}
