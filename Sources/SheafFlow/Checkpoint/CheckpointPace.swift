/// When a checkpoint is worth the time that everything waits for it: not before the run has gone on for
/// `Limits.checkpointSpacing` times as long.
///
/// How long it will take is known from how much is held: by what the one before took, and for the first one by
/// `Limits.stateBytesPerSecond`.
struct CheckpointPace: Sendable {
    private var bytesPerSecond = Double(Limits.stateBytesPerSecond)
    /// When the last one was made, or the run began.
    private(set) var last: ContinuousClock.Instant

    init(start: ContinuousClock.Instant) { last = start }

    /// How much later a checkpoint should be made that could be made now; nil when it should be made.
    ///
    /// - Parameter heldBytes: what there is to write.
    func delay(heldBytes: Int, now: ContinuousClock.Instant) -> Duration? {
        let pause = Duration.seconds(Double(heldBytes) / bytesPerSecond)
        let due = last + pause * Limits.checkpointSpacing
        return due > now ? due - now : nil
    }

    /// Takes note of one that was made.
    ///
    /// - Parameters:
    ///   - pause: how long everything waited.
    ///   - now: when it went on.
    mutating func note(heldBytes: Int, pause: Duration, now: ContinuousClock.Instant) {
        last = now
        // What is small says nothing of the speed; and no system is so fast that nothing waits.
        guard heldBytes >= Limits.leastShardBytes, pause > .zero else { return }
        bytesPerSecond = Double(heldBytes) / (pause / .seconds(1))
    }
}
