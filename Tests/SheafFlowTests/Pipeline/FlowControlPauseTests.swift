import TestSupport
import Testing

@testable import SheafFlow

/// `FlowControl` paused at any moment: every work unit is returned, and work resumes where it stopped.
@Suite struct FlowControlPauseTests {
    private enum Event {
        case filled(unit: Int, source: Int)
        case decoded(unit: Int)
        case released(unit: Int)
    }

    /// All components that `FlowControl` directs, with a random number of chunks per source.
    private struct Simulation {
        var flow: FlowControl
        var random: SeededGenerator
        var chunksLeft: [Int]
        var pending: [Event] = []
        var decodedChunks = 0
        var isPaused = false
        var pauses = 0
        var finishes = 0

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            var chunks: [Int] = []
            for _ in 0..<random.below(5) { chunks.append(1 + random.below(6)) }
            chunksLeft = chunks
            flow = FlowControl(
                sources: chunks.count, units: 1 + random.below(5), openSources: 1 + random.below(3),
                workers: 1 + random.below(3))
        }

        mutating func perform(_ actions: [FlowControl.Action]) {
            for action in actions {
                #expect(finishes == 0, "\(action) after the end")
                switch action {
                case .fill(let source, let unit):
                    #expect(!isPaused, "source \(source) is filled while paused")
                    pending.append(.filled(unit: unit, source: source))
                case .decode(let unit): pending.append(.decoded(unit: unit))
                case .quiescent:
                    #expect(isPaused && pending.isEmpty, "it is idle while \(pending) are in flight")
                    pauses += 1
                case .finish:
                    #expect(!isPaused)
                    finishes += 1
                }
            }
        }

        mutating func step() {
            switch pending.remove(at: random.below(pending.count)) {
            case .filled(let unit, let source):
                chunksLeft[source] -= 1
                perform(
                    flow.filled(
                        unit, from: source, hasLines: true, sourceEnded: chunksLeft[source] == 0))
            case .decoded(let unit):
                let isComplete = random.chance(70)
                if isComplete { decodedChunks += 1 }
                let holders = random.below(3)
                for _ in 0..<holders { pending.append(.released(unit: unit)) }
                perform(flow.decoded(unit, holders: holders, isComplete: isComplete))
            case .released(let unit): perform(flow.released(unit))
            }
        }

        mutating func pause() {
            isPaused = true
            perform(flow.pause())
            while !pending.isEmpty { step() }
            #expect(pauses == 1)
            pauses = 0
            isPaused = false
            perform(flow.resume())
        }
    }

    @Test(arguments: Seeds.several(200))
    func aPausedFlowBecomesIdleAndResumes(_ seed: UInt64) {
        var simulation = Simulation(seed: seed)
        let chunks = simulation.chunksLeft.reduce(0, +)
        simulation.perform(simulation.flow.start())
        while !simulation.pending.isEmpty {
            if simulation.random.chance(20) { simulation.pause() } else { simulation.step() }
        }
        #expect(simulation.finishes == 1)
        #expect(simulation.decodedChunks == chunks)
    }

    @Test func pausingAfterTheEndHasNoEffect() {
        var flow = FlowControl(sources: 0, units: 1, openSources: 1, workers: 1)
        #expect(flow.start() == [.finish])
        #expect(flow.pause() == [])
        #expect(flow.resume() == [])
    }

    @Test func pausingTwiceBecomesIdleOnce() {
        var flow = FlowControl(sources: 1, units: 2, openSources: 1, workers: 1)
        #expect(flow.start() == [.fill(source: 0, unit: 0)])
        #expect(flow.pause() == [])
        #expect(flow.pause() == [])
        #expect(flow.filled(0, from: 0, hasLines: true, sourceEnded: false) == [.decode(unit: 0)])
        #expect(flow.decoded(0, holders: 0, isComplete: true) == [.quiescent])
        #expect(flow.resume() == [.fill(source: 0, unit: 0)])
        #expect(flow.resume() == [])
    }

    /// A work unit is free only after its last part: before that, the shards do not have all of its records.
    @Test func aPauseWaitsForTheLastPart() {
        var flow = FlowControl(sources: 1, units: 1, openSources: 1, workers: 1)
        #expect(flow.start() == [.fill(source: 0, unit: 0)])
        #expect(flow.pause() == [])
        #expect(flow.filled(0, from: 0, hasLines: true, sourceEnded: false) == [.decode(unit: 0)])
        #expect(flow.decoded(0, holders: 1, isComplete: false) == [])
        #expect(flow.released(0) == [.decode(unit: 0)])
        #expect(flow.decoded(0, holders: 1, isComplete: true) == [])
        #expect(flow.released(0) == [.quiescent])
    }

    @Test func aFlowThatEndsWhilePausedFinishesWhenResumed() {
        var flow = FlowControl(sources: 1, units: 1, openSources: 1, workers: 1)
        #expect(flow.start() == [.fill(source: 0, unit: 0)])
        #expect(flow.pause() == [])
        #expect(flow.filled(0, from: 0, hasLines: false, sourceEnded: true) == [.quiescent])
        #expect(flow.resume() == [.finish])
    }
}
