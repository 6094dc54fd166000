import FuzzChecks
import TestSupport
import TestTags
import Testing

@testable import SheafBytes

/// Random streams in random pieces that stop at random blocks, from which either decoder continues.
@Suite(.tags(.spilling)) struct InflateRestartTests {
    @Test(arguments: Seeds.several(30))
    func randomStreamsAreInflated(_ seed: UInt64) {
        let random = Choices(seed)
        let sample = RandomDeflate(&random.generator, length: random.generator.pick([10, 100, 1_000]))
        let model = DeflateModel(sample.stream)
        #expect(model.result.bytes == sample.content)
        #expect(model.result.ending == .finished)
        for inflater in Inflater.allCases {
            for round in 0..<4 {
                expectSame(inflater, sample.stream, model.result, random, "round \(round) of \(inflater)")
            }
        }
    }

    @Test(arguments: Seeds.several(30))
    func damagedRandomStreamsAreInflated(_ seed: UInt64) {
        let random = Choices(seed)
        let sample = RandomDeflate(&random.generator, length: random.generator.pick([10, 300]))
        for round in 0..<8 {
            var stream = sample.stream
            for _ in 0...random.generator.below(3) {
                stream[random.generator.below(stream.count)] ^= 1 << UInt8(random.generator.below(8))
            }
            if random.generator.oneIn(4) { stream.removeLast(random.generator.below(stream.count)) }
            let model = DeflateModel(stream)
            for inflater in Inflater.allCases {
                expectSame(inflater, stream, model.result, random, "round \(round) of \(inflater)")
            }
        }
    }

    /// Continues after every block with as little of the window as a damaged checkpoint may have: a reference to more
    /// is too far back.
    @Test(arguments: Seeds.several(10))
    func shortWindowsLimitReferences(_ seed: UInt64) {
        let random = Choices(seed)
        let sample = RandomDeflate(&random.generator, length: 600)
        let ends = DeflateModel(sample.stream).result.ends.shuffled(using: &random.generator).prefix(12)
        for end in ends {
            let history = sample.content[..<end.produced].suffix(RestartPoint.Block.windowBytes)
            for window in [0, 1, random.generator.number(0...history.count), history.count] {
                let block = end.block(in: sample.stream, window: Array(history.suffix(window)))
                let rest = Array(sample.stream[end.consumed...])
                let model = DeflateModel(rest, after: block)
                for inflater in Inflater.allCases {
                    var cuts = random.cuts()
                    cuts.lead = 40_000
                    let run = InflateRun(inflater, rest, cuts, after: block)
                    let violations = run.violations + run.result.differences(from: model.result)
                    #expect(violations == [], "\(inflater) after \(end) with \(window) bytes")
                }
            }
        }
    }

    /// A reference as far as the window is valid after a restart, and one byte farther is not.
    @Test(arguments: Inflater.allCases, [1, 2, 100, 32_767, 32_768])
    func windowsEndExactly(_ inflater: Inflater, _ count: Int) throws {
        let window = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }
        let block = try #require(
            RestartPoint.Block(restoring: 0, bits: 0, window: window, checksum: 0, length: 0))
        for distance in [count, count + 1] where distance <= RestartPoint.Block.windowBytes {
            var writer = DeflateWriter()
            writer.fixed([.match(length: 3, distance: distance), .end], isLast: true)
            // The last byte has bits of the distance if it is far.
            let isValid = distance == count
            let run = InflateRun(inflater, writer.bytes, after: block)
            #expect(run.violations == [])
            #expect(run.result.ending == (isValid ? .finished : .corrupt))
            let match = Array((window + window + window + window).prefix(3))
            #expect(run.result.bytes == (isValid ? match : []))
        }
    }

    /// A stream that is reset or restarted forgets what it was doing: the middle of any element, an error or the end.
    @Test(arguments: Inflater.allCases)
    func resetForgetsEverything(_ inflater: Inflater) {
        let stream = InflateStream(inflater)
        var memory = [UInt8](repeating: 0, count: 70_000)
        func inflate(_ input: [UInt8], at position: Int = 0) -> Inflated {
            var buffer = memory.mutableSpan
            let (consumed, produced, outcome) = stream.inflate(input.span, into: &buffer, at: position)
            return Inflated(
                Array(memory[position..<(position + produced)]), consumed: consumed,
                ending: outcome == .finished ? .finished : outcome == .corrupt ? .corrupt : .unfinished)
        }
        var writer = DeflateWriter()
        writer.fixed([.match(length: 5, distance: 3), .literal(9), .end], isLast: true)
        let after = Inflated([1, 2, 3, 1, 2, 9], consumed: writer.bytes.count, ending: .finished)
        for test in DeflateCase.all where test.stream.count < 300 {
            for count in [test.stream.count, test.stream.count / 2, test.stream.count - 1] where count > 0 {
                stream.reset()
                _ = inflate(Array(test.stream.prefix(count)))
                stream.reset()
                #expect(inflate(writer.bytes).ending == .corrupt, "\(test), \(count) bytes")
                stream.reset()
                _ = inflate(Array(test.stream.prefix(count)))
                stream.restart(
                    at: RestartPoint.Block(unusedBits: 0, bits: 0, window: [1, 2, 3], checksum: 0, length: 0))
                memory.replaceSubrange(10..<13, with: [1, 2, 3])
                #expect(inflate(writer.bytes, at: 13) == after, "\(test), \(count) bytes")
            }
        }
    }

    private func expectSame(
        _ inflater: Inflater, _ stream: [UInt8], _ expected: Inflated, _ random: Choices, _ comment: String
    ) {
        let run = InflateRun(inflater, stream, random.cuts())
        let violations = run.violations + run.result.differences(from: expected)
        #expect(violations == [], "\(comment)")
        let stopping = InflateRun(inflater, stream, random.cuts(stops: true))
        let others = stopping.violations + stopping.result.differences(from: expected, stopsAlways: true)
        #expect(others == [], "\(comment), at every block")
    }
}

/// Random cuts of a stream.
private final class Choices {
    var generator: SeededGenerator

    init(_ seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// - Parameter stops: whether to stop at every block; nil for some of them.
    func cuts(stops: Bool? = nil) -> InflateRun.Cuts {
        let longestInput = generator.pick([1, 10, 300, 100_000])
        let longestOutput = generator.pick([2, 30, 700, 100_000])
        let (stopPercent, changePercent) = (generator.pick([0, 50, 100]), generator.pick([0, 50]))
        var cuts = InflateRun.Cuts()
        cuts.input = { [self] in 1 + generator.below(longestInput) }
        // Including no room at all.
        cuts.output = { [self] in generator.below(longestOutput) }
        cuts.stops = { [self] in stops ?? generator.chance(stopPercent) }
        cuts.successor = { [self] in
            generator.chance(changePercent) ? generator.pick(Inflater.allCases) : nil
        }
        cuts.lead = generator.pick([0, 1, 1_000])
        cuts.hidesLead = generator.oneIn(3)
        return cuts
    }
}
