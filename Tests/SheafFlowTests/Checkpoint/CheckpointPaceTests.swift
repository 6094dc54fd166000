import Testing

@testable import SheafFlow

/// When a checkpoint is worth its time, by a clock that only this test moves.
@Suite struct CheckpointPaceTests {
    private static let start = ContinuousClock.now

    struct Case: NamedCase {
        let name: String
        let heldBytes: Int
        /// Since the run began.
        let elapsed: Duration
        let delay: Duration?
    }

    /// The first one is judged by the usual speed, of which 40 seconds come to one second's waiting.
    static let firsts = [
        Case(name: "nothing is held", heldBytes: 0, elapsed: .zero, delay: nil),
        Case(name: "half a gigabyte", heldBytes: 512 << 20, elapsed: .seconds(30), delay: nil),
        Case(name: "a gigabyte, early", heldBytes: 1 << 30, elapsed: .seconds(30), delay: .seconds(10)),
        Case(name: "a gigabyte, when it is time", heldBytes: 1 << 30, elapsed: .seconds(40), delay: nil),
        Case(name: "much", heldBytes: 16 << 30, elapsed: .seconds(50), delay: .seconds(590)),
    ]

    @Test(arguments: firsts) func theFirst(_ item: Case) {
        let pace = CheckpointPace(start: Self.start)
        #expect(pace.delay(heldBytes: item.heldBytes, now: Self.start + item.elapsed) == item.delay)
    }

    /// What one took says what the next one will take, of what is held then.
    @Test func theNext() {
        var pace = CheckpointPace(start: Self.start)
        let first = Self.start + .seconds(100)
        pace.note(heldBytes: 100 << 20, pause: .seconds(1), now: first)
        #expect(pace.delay(heldBytes: 100 << 20, now: first + .seconds(30)) == .seconds(10))
        #expect(pace.delay(heldBytes: 100 << 20, now: first + .seconds(40)) == nil)
        #expect(pace.delay(heldBytes: 200 << 20, now: first + .seconds(40)) == .seconds(40))
        #expect(pace.delay(heldBytes: 50 << 20, now: first + .seconds(30)) == nil)
    }

    /// Where little was held, a long wait was for something else.
    @Test func aSmallOneSaysNothingOfTheSpeed() {
        var pace = CheckpointPace(start: Self.start)
        pace.note(heldBytes: 1_000, pause: .seconds(10), now: Self.start)
        #expect(pace.delay(heldBytes: 1 << 30, now: Self.start) == .seconds(40))
    }

    @Test func oneThatTookNoTimeSaysNothingOfTheSpeed() {
        var pace = CheckpointPace(start: Self.start)
        pace.note(heldBytes: 1 << 30, pause: .zero, now: Self.start)
        #expect(pace.delay(heldBytes: 1 << 30, now: Self.start) == .seconds(40))
    }
}
