import TestSupport
import Testing

@testable import SheafFlow

/// Drives `FlowControl` with events in random order and checks every invariant that its comment states.
@Suite struct FlowControlTests {
    /// Simulates all components that `FlowControl` directs.
    struct Simulation {
        enum ParcelState: Equatable { case free, filling, waiting, decoding, held(Int) }

        enum Event {
            case filled(parcel: Int, source: Int, hasLines: Bool, sourceEnded: Bool)
            case decoded(parcel: Int, holders: Int, isComplete: Bool)
            case released(parcel: Int)
        }

        let sources: Int
        let openLimit: Int
        let workers: Int
        let maximumHolders: Int
        var flow: FlowControl
        var random: SeededGenerator
        var parcelStates: [ParcelState]
        /// For each parcel, the source and the number of the chunk in it.
        var contents: [(source: Int, chunk: Int)?]
        /// For each parcel, whether a part of its chunk was decoded, and there is more.
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
            let parcels = 1 + random.below(5)
            flow = FlowControl(
                sources: sources, parcels: parcels, openSources: openLimit, workers: workers)
            parcelStates = Array(repeating: .free, count: parcels)
            contents = Array(repeating: nil, count: parcels)
            hasMore = Array(repeating: false, count: parcels)
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
                case .fill(let source, let parcel): fill(parcel, from: source)
                case .decode(let parcel): decode(parcel)
                case .quiescent: Issue.record("idle without a pause")
                case .finish: finishes += 1
                }
            }
        }

        private mutating func fill(_ parcel: Int, from source: Int) {
            #expect(parcelStates[parcel] == .free)
            #expect(!isFilling[source] && !hasEnded[source])
            #expect(source == 0 || hasStarted[source - 1], "sources are opened in order")
            hasStarted[source] = true
            isFilling[source] = true
            parcelStates[parcel] = .filling
            #expect(openSources <= openLimit)
            // A source may end with its last lines, or after them without lines.
            let isLast = chunksLeft[source] == 0 || chunksLeft[source] == 1 && random.chance(50)
            let hasLines = chunksLeft[source] > 0
            if hasLines { chunksLeft[source] -= 1 }
            pending.append(
                .filled(parcel: parcel, source: source, hasLines: hasLines, sourceEnded: isLast))
        }

        private mutating func decode(_ parcel: Int) {
            #expect(parcelStates[parcel] == .waiting)
            parcelStates[parcel] = .decoding
            #expect(parcelStates.count { $0 == .decoding } <= workers)
            if !hasMore[parcel] {
                let content = contents[parcel]!
                #expect(content.chunk == nextDecoded[content.source], "chunks are decoded in order")
                nextDecoded[content.source] += 1
                #expect(
                    !parcelStates.indices.contains { parcelStates[$0] == .waiting && hasMore[$0] },
                    "a parcel waits for its next part while another one is begun")
            }
            pending.append(
                .decoded(
                    parcel: parcel, holders: random.below(maximumHolders + 1), isComplete: random.chance(70)))
        }

        /// Reports a random pending event.
        mutating func step() {
            let event = pending.remove(at: random.below(pending.count))
            switch event {
            case .filled(let parcel, let source, let hasLines, let sourceEnded):
                isFilling[source] = false
                hasEnded[source] = sourceEnded
                parcelStates[parcel] = hasLines ? .waiting : .free
                if hasLines {
                    contents[parcel] = (source, nextChunk[source])
                    nextChunk[source] += 1
                }
                perform(
                    flow.filled(parcel, from: source, hasLines: hasLines, sourceEnded: sourceEnded))
            case .decoded(let parcel, let holders, let isComplete):
                hasMore[parcel] = !isComplete
                parcelStates[parcel] = holders == 0 ? stateAfterRelease(of: parcel) : .held(holders)
                for _ in 0..<holders { pending.append(.released(parcel: parcel)) }
                perform(flow.decoded(parcel, holders: holders, isComplete: isComplete))
            case .released(let parcel):
                guard case .held(let count) = parcelStates[parcel] else {
                    Issue.record("parcel \(parcel) is not held")
                    return
                }
                parcelStates[parcel] = count == 1 ? stateAfterRelease(of: parcel) : .held(count - 1)
                perform(flow.released(parcel))
            }
            if !isStopped { checkThatWaitingIsNecessary() }
        }

        private func stateAfterRelease(of parcel: Int) -> ParcelState { hasMore[parcel] ? .waiting : .free }

        /// A source waits only for a parcel, a parcel only for a worker, and a new source only for another one to end.
        private func checkThatWaitingIsNecessary() {
            let isFree = parcelStates.contains(.free)
            for source in 0..<sources where hasStarted[source] && !hasEnded[source] && !isFilling[source] {
                #expect(!isFree, "source \(source) waits while a parcel is free")
            }
            if parcelStates.contains(.waiting) {
                #expect(
                    parcelStates.count { $0 == .decoding } == workers, "a parcel waits while a worker is free"
                )
            }
            if openSources < openLimit, isFree {
                #expect(hasStarted.allSatisfy { $0 }, "a source is not opened although it could be")
            }
        }

        /// Everything has been read and released.
        func checkEnd() {
            #expect(finishes == 1)
            #expect(parcelStates.allSatisfy { $0 == .free })
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
                let isDecoding = simulation.parcelStates.contains(.decoding)
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
        var flow = FlowControl(sources: 3, parcels: 2, openSources: 1, workers: 1)
        #expect(flow.stop() == [.finish])
        #expect(flow.start() == [])
        #expect(flow.stop() == [])
    }

    @Test func aRunWithoutSourcesEndsImmediately() {
        var flow = FlowControl(sources: 0, parcels: 1, openSources: 1, workers: 1)
        #expect(flow.start() == [.finish])
        #expect(flow.stop() == [])
    }

    @Test func oneParcelIsFilledAgainWhenReleased() {
        var flow = FlowControl(sources: 1, parcels: 1, openSources: 4, workers: 4)
        #expect(flow.start() == [.fill(source: 0, parcel: 0)])
        #expect(flow.filled(0, from: 0, hasLines: true, sourceEnded: false) == [.decode(parcel: 0)])
        #expect(flow.decoded(0, holders: 2, isComplete: true) == [])
        #expect(flow.released(0) == [])
        #expect(flow.released(0) == [.fill(source: 0, parcel: 0)])
        #expect(flow.filled(0, from: 0, hasLines: false, sourceEnded: true) == [.finish])
    }

    @Test func aParcelWithoutHoldersIsFreeImmediately() {
        var flow = FlowControl(sources: 1, parcels: 2, openSources: 1, workers: 1)
        #expect(flow.start() == [.fill(source: 0, parcel: 0)])
        #expect(
            flow.filled(0, from: 0, hasLines: true, sourceEnded: false)
                == [.decode(parcel: 0), .fill(source: 0, parcel: 1)])
        #expect(flow.filled(1, from: 0, hasLines: true, sourceEnded: true) == [])
        #expect(flow.decoded(0, holders: 0, isComplete: true) == [.decode(parcel: 1)])
        #expect(flow.decoded(1, holders: 0, isComplete: true) == [.finish])
    }

    @Test func aParcelIsDecodedInPartsBeforeLaterOnes() {
        var flow = FlowControl(sources: 1, parcels: 2, openSources: 1, workers: 1)
        #expect(flow.start() == [.fill(source: 0, parcel: 0)])
        #expect(
            flow.filled(0, from: 0, hasLines: true, sourceEnded: false)
                == [.decode(parcel: 0), .fill(source: 0, parcel: 1)])
        #expect(flow.filled(1, from: 0, hasLines: true, sourceEnded: true) == [])
        // Nothing of a part without records is held.
        #expect(flow.decoded(0, holders: 0, isComplete: false) == [.decode(parcel: 0)])
        // While the part is held, the worker begins the next parcel.
        #expect(flow.decoded(0, holders: 1, isComplete: false) == [.decode(parcel: 1)])
        #expect(flow.released(0) == [])
        #expect(flow.decoded(1, holders: 1, isComplete: false) == [.decode(parcel: 0)])
        #expect(flow.decoded(0, holders: 0, isComplete: true) == [])
        #expect(flow.released(1) == [.decode(parcel: 1)])
        #expect(flow.decoded(1, holders: 1, isComplete: true) == [])
        #expect(flow.released(1) == [.finish])
    }

    @Test func theNextSourceIsOpenedWhenOneEnds() {
        var flow = FlowControl(sources: 3, parcels: 3, openSources: 2, workers: 1)
        #expect(flow.start() == [.fill(source: 0, parcel: 0), .fill(source: 1, parcel: 1)])
        #expect(
            flow.filled(1, from: 1, hasLines: false, sourceEnded: true) == [.fill(source: 2, parcel: 1)])
    }
}
