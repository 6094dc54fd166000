import TestSupport
import Testing

@testable import SheafFlow

/// When a checkpoint is worth its cost, by a clock that only this test moves.
@Suite struct CheckpointPaceTests {
    private static let start = ContinuousClock.now

    struct Case: NamedCase {
        let name: String
        let heldBytes: Int
        /// The time since the run began.
        let elapsed: Duration
        let delay: Duration?
    }

    /// The first checkpoint is judged by the default speed: each second of pause requires 40 seconds of work.
    static let firsts = [
        Case(name: "no state", heldBytes: 0, elapsed: .zero, delay: nil),
        Case(name: "half a gigabyte", heldBytes: 512 << 20, elapsed: .seconds(30), delay: nil),
        Case(name: "a gigabyte, early", heldBytes: 1 << 30, elapsed: .seconds(30), delay: .seconds(10)),
        Case(name: "a gigabyte, on time", heldBytes: 1 << 30, elapsed: .seconds(40), delay: nil),
        Case(name: "16 gigabytes", heldBytes: 16 << 30, elapsed: .seconds(50), delay: .seconds(590)),
    ]

    @Test(arguments: firsts) func theFirstCheckpointUsesTheDefaultSpeed(_ item: Case) {
        let pace = CheckpointPace(start: Self.start)
        #expect(pace.delay(heldBytes: item.heldBytes, now: Self.start + item.elapsed) == item.delay)
    }

    /// The duration of one checkpoint predicts that of the next, in proportion to the state that is then in memory.
    @Test func theNextCheckpointUsesTheMeasuredSpeed() {
        var pace = CheckpointPace(start: Self.start)
        let first = Self.start + .seconds(100)
        pace.record(heldBytes: 100 << 20, pause: .seconds(1), now: first)
        #expect(pace.delay(heldBytes: 100 << 20, now: first + .seconds(30)) == .seconds(10))
        #expect(pace.delay(heldBytes: 100 << 20, now: first + .seconds(40)) == nil)
        #expect(pace.delay(heldBytes: 200 << 20, now: first + .seconds(40)) == .seconds(40))
        #expect(pace.delay(heldBytes: 50 << 20, now: first + .seconds(30)) == nil)
    }

    /// With little state, a long pause has another cause.
    @Test func aSmallCheckpointDoesNotMeasureTheSpeed() {
        var pace = CheckpointPace(start: Self.start)
        pace.record(heldBytes: 1_000, pause: .seconds(10), now: Self.start)
        #expect(pace.delay(heldBytes: 1 << 30, now: Self.start) == .seconds(40))
    }

    @Test func aPauseOfZeroDoesNotMeasureTheSpeed() {
        var pace = CheckpointPace(start: Self.start)
        pace.record(heldBytes: 1 << 30, pause: .zero, now: Self.start)
        #expect(pace.delay(heldBytes: 1 << 30, now: Self.start) == .seconds(40))
    }
}
