import TestSupport
import Testing

@testable import SheafFlow

/// Drives `FlowControl` with events in random order and checks every invariant that its comment states.
@Suite struct FlowControlTests {
    /// Simulates all components that `FlowControl` directs.
    struct Simulation {
        enum UnitState: Equatable { case free, filling, waiting, decoding, held(Int) }

        enum Event {
            case filled(unit: Int, source: Int, hasLines: Bool, sourceEnded: Bool)
            case decoded(unit: Int, holders: Int, isComplete: Bool)
            case released(unit: Int)
        }

        let sources: Int
        let openLimit: Int
        let workers: Int
        let maximumHolders: Int
        var flow: FlowControl
        var random: SeededGenerator
        var unitStates: [UnitState]
        /// For each work unit, the source and the number of the chunk in it.
        var contents: [(source: Int, chunk: Int)?]
        /// For each work unit, whether a part of its chunk was decoded, and there is more.
        var hasMore: [Bool]
        /// For each source, like the following arrays.
        var chunksLeft: [Int]
        var nextChunk: [Int]
        var nextDecoded: [Int]
        var isFilling: [Bool]
        var hasStarted: [Bool]
        var hasEnded: [Bool]
        var pending: [Event] = []
        var finishes = 0
        var isStopped = false

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            sources = random.below(6)
            openLimit = 1 + random.below(3)
            workers = 1 + random.below(4)
            maximumHolders = random.below(4)
            let units = 1 + random.below(5)
            flow = FlowControl(
                sources: sources, units: units, openSources: openLimit, workers: workers)
            unitStates = Array(repeating: .free, count: units)
            contents = Array(repeating: nil, count: units)
            hasMore = Array(repeating: false, count: units)
            chunksLeft = []
            for _ in 0..<sources { chunksLeft.append(random.below(8)) }
            nextChunk = Array(repeating: 0, count: sources)
            nextDecoded = nextChunk
            isFilling = Array(repeating: false, count: sources)
            hasStarted = isFilling
            hasEnded = isFilling
        }

        var openSources: Int { (0..<sources).count { hasStarted[$0] && !hasEnded[$0] } }

        /// Performs the actions, and adds the events that they will report.
        mutating func perform(_ actions: [FlowControl.Action]) {
            for action in actions {
                #expect(finishes == 0, "\(action) after the end")
                switch action {
                case .fill(let source, let unit): fill(unit, from: source)
                case .decode(let unit): decode(unit)
                case .quiescent: Issue.record("idle without a pause")
                case .finish: finishes += 1
                }
            }
        }

        private mutating func fill(_ unit: Int, from source: Int) {
            #expect(unitStates[unit] == .free)
            #expect(!isFilling[source] && !hasEnded[source])
            #expect(source == 0 || hasStarted[source - 1], "sources are opened in order")
            hasStarted[source] = true
            isFilling[source] = true
            unitStates[unit] = .filling
            #expect(openSources <= openLimit)
            // A source may end with its last lines, or after them without lines.
            let isLast = chunksLeft[source] == 0 || chunksLeft[source] == 1 && random.chance(50)
            let hasLines = chunksLeft[source] > 0
            if hasLines { chunksLeft[source] -= 1 }
            pending.append(
                .filled(unit: unit, source: source, hasLines: hasLines, sourceEnded: isLast))
        }

        private mutating func decode(_ unit: Int) {
            #expect(unitStates[unit] == .waiting)
            unitStates[unit] = .decoding
            #expect(unitStates.count { $0 == .decoding } <= workers)
            if !hasMore[unit] {
                let content = contents[unit]!
                #expect(content.chunk == nextDecoded[content.source], "chunks are decoded in order")
                nextDecoded[content.source] += 1
                #expect(
                    !unitStates.indices.contains { unitStates[$0] == .waiting && hasMore[$0] },
                    "a unit waits for its next part while another one is begun")
            }
            pending.append(
                .decoded(
                    unit: unit, holders: random.below(maximumHolders + 1), isComplete: random.chance(70)))
        }

        /// Reports a random pending event.
        mutating func step() {
            let event = pending.remove(at: random.below(pending.count))
            switch event {
            case .filled(let unit, let source, let hasLines, let sourceEnded):
                isFilling[source] = false
                hasEnded[source] = sourceEnded
                unitStates[unit] = hasLines ? .waiting : .free
                if hasLines {
                    contents[unit] = (source, nextChunk[source])
                    nextChunk[source] += 1
                }
                perform(
                    flow.filled(unit, from: source, hasLines: hasLines, sourceEnded: sourceEnded))
            case .decoded(let unit, let holders, let isComplete):
                hasMore[unit] = !isComplete
                unitStates[unit] = holders == 0 ? stateAfterRelease(of: unit) : .held(holders)
                for _ in 0..<holders { pending.append(.released(unit: unit)) }
                perform(flow.decoded(unit, holders: holders, isComplete: isComplete))
            case .released(let unit):
                guard case .held(let count) = unitStates[unit] else {
                    Issue.record("unit \(unit) is not held")
                    return
                }
                unitStates[unit] = count == 1 ? stateAfterRelease(of: unit) : .held(count - 1)
                perform(flow.released(unit))
            }
            if !isStopped { checkThatWaitingIsNecessary() }
        }

        private func stateAfterRelease(of unit: Int) -> UnitState { hasMore[unit] ? .waiting : .free }

        /// A source waits only for a work unit, a work unit only for a worker, and a new source only for another one to
        /// end.
        private func checkThatWaitingIsNecessary() {
            let isFree = unitStates.contains(.free)
            for source in 0..<sources where hasStarted[source] && !hasEnded[source] && !isFilling[source] {
                #expect(!isFree, "source \(source) waits while a unit is free")
            }
            if unitStates.contains(.waiting) {
                #expect(
                    unitStates.count { $0 == .decoding } == workers, "a unit waits while a worker is free"
                )
            }
            if openSources < openLimit, isFree {
                #expect(hasStarted.allSatisfy { $0 }, "a source is not opened although it could be")
            }
        }

        /// Everything has been read and released.
        func checkEnd() {
            #expect(finishes == 1)
            #expect(unitStates.allSatisfy { $0 == .free })
            #expect(hasEnded.allSatisfy { $0 })
            #expect(chunksLeft.allSatisfy { $0 == 0 })
            #expect(nextDecoded == nextChunk)
        }
    }

    static let rounds = 120

    @Test(arguments: Seeds.several(4))
    func everyRunEndsOnce(_ seed: UInt64) {
        for round in 0..<UInt64(Self.rounds) {
            var simulation = Simulation(seed: seed &* 1_000 &+ round)
            simulation.perform(simulation.flow.start())
            while !simulation.pending.isEmpty {
                #expect(simulation.finishes == 0, "it ended with events pending")
                simulation.step()
            }
            simulation.checkEnd()
        }
    }

    @Test(arguments: Seeds.several(4))
    func aRunCanBeStoppedAtAnyMoment(_ seed: UInt64) {
        for round in 0..<UInt64(Self.rounds) {
            var simulation = Simulation(seed: seed &* 1_000 &+ round)
            simulation.perform(simulation.flow.start())
            for _ in 0..<simulation.random.below(40) where !simulation.pending.isEmpty { simulation.step() }
            let hadFinished = simulation.finishes == 1
            let actions = simulation.flow.stop()
            #expect(actions == (hadFinished ? [] : [.finish]))
            simulation.perform(actions)
            #expect(simulation.flow.stop() == [])
            simulation.isStopped = true
            // Pending events are still reported, and have no effect.
            while !simulation.pending.isEmpty { simulation.step() }
            #expect(simulation.finishes == 1)
        }
    }

    /// Nothing more begins, and the end comes as soon as nothing is being decoded, whatever is filled or held.
    @Test(arguments: Seeds.several(4))
    func aRunCanBeClosedAtAnyMoment(_ seed: UInt64) {
        for round in 0..<UInt64(Self.rounds) {
            var simulation = Simulation(seed: seed &* 1_000 &+ round)
            simulation.perform(simulation.flow.start())
            for _ in 0..<simulation.random.below(40) where !simulation.pending.isEmpty { simulation.step() }
            simulation.isStopped = true
            simulation.perform(simulation.flow.close())
            #expect(simulation.flow.isOver)
            while true {
                let isDecoding = simulation.unitStates.contains(.decoding)
                #expect(simulation.finishes == (isDecoding ? 0 : 1))
                if simulation.pending.isEmpty { break }
                let count = simulation.pending.count
                let holders = simulation.pending.count { if case .released = $0 { true } else { false } }
                simulation.step()
                let added =
                    simulation.pending.count { if case .released = $0 { true } else { false } } - holders
                #expect(simulation.pending.count == count - 1 + max(0, added), "work begins after the end")
            }
            #expect(simulation.flow.close() == [] && simulation.flow.pause() == [])
        }
    }

    @Test func aRunCanBeStoppedBeforeItStarts() {
        var flow = FlowControl(sources: 3, units: 2, openSources: 1, workers: 1)
        #expect(flow.stop() == [.finish])
        #expect(flow.start() == [])
        #expect(flow.stop() == [])
    }

    @Test func aRunWithoutSourcesEndsImmediately() {
        var flow = FlowControl(sources: 0, units: 1, openSources: 1, workers: 1)
        #expect(flow.start() == [.finish])
        #expect(flow.stop() == [])
    }

    @Test func oneUnitIsFilledAgainWhenReleased() {
        var flow = FlowControl(sources: 1, units: 1, openSources: 4, workers: 4)
        #expect(flow.start() == [.fill(source: 0, unit: 0)])
        #expect(flow.filled(0, from: 0, hasLines: true, sourceEnded: false) == [.decode(unit: 0)])
        #expect(flow.decoded(0, holders: 2, isComplete: true) == [])
        #expect(flow.released(0) == [])
        #expect(flow.released(0) == [.fill(source: 0, unit: 0)])
        #expect(flow.filled(0, from: 0, hasLines: false, sourceEnded: true) == [.finish])
    }

    @Test func aUnitWithoutHoldersIsFreeImmediately() {
        var flow = FlowControl(sources: 1, units: 2, openSources: 1, workers: 1)
        #expect(flow.start() == [.fill(source: 0, unit: 0)])
        #expect(
            flow.filled(0, from: 0, hasLines: true, sourceEnded: false)
                == [.decode(unit: 0), .fill(source: 0, unit: 1)])
        #expect(flow.filled(1, from: 0, hasLines: true, sourceEnded: true) == [])
        #expect(flow.decoded(0, holders: 0, isComplete: true) == [.decode(unit: 1)])
        #expect(flow.decoded(1, holders: 0, isComplete: true) == [.finish])
    }

    @Test func aUnitIsDecodedInPartsBeforeLaterOnes() {
        var flow = FlowControl(sources: 1, units: 2, openSources: 1, workers: 1)
        #expect(flow.start() == [.fill(source: 0, unit: 0)])
        #expect(
            flow.filled(0, from: 0, hasLines: true, sourceEnded: false)
                == [.decode(unit: 0), .fill(source: 0, unit: 1)])
        #expect(flow.filled(1, from: 0, hasLines: true, sourceEnded: true) == [])
        // Nothing of a part without records is held.
        #expect(flow.decoded(0, holders: 0, isComplete: false) == [.decode(unit: 0)])
        // While the part is held, the worker begins the next work unit.
        #expect(flow.decoded(0, holders: 1, isComplete: false) == [.decode(unit: 1)])
        #expect(flow.released(0) == [])
        #expect(flow.decoded(1, holders: 1, isComplete: false) == [.decode(unit: 0)])
        #expect(flow.decoded(0, holders: 0, isComplete: true) == [])
        #expect(flow.released(1) == [.decode(unit: 1)])
        #expect(flow.decoded(1, holders: 1, isComplete: true) == [])
        #expect(flow.released(1) == [.finish])
    }

    @Test func theNextSourceIsOpenedWhenOneEnds() {
        var flow = FlowControl(sources: 3, units: 3, openSources: 2, workers: 1)
        #expect(flow.start() == [.fill(source: 0, unit: 0), .fill(source: 1, unit: 1)])
        #expect(
            flow.filled(1, from: 1, hasLines: false, sourceEnded: true) == [.fill(source: 2, unit: 1)])
    }
}
