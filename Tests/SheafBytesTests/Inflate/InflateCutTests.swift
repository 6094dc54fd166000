import CZlib
import FuzzChecks
import TestSupport
import TestTags
import Testing

@testable import SheafBytes

/// Streams cut at every byte of their input and output, truncated anywhere, and with any bit wrong.
@Suite(.tags(.spilling)) struct InflateCutTests {
    struct Stream: NamedCase {
        let name: String
        let bytes: [UInt8]
        let content: [UInt8]

        init(_ name: String, of content: [UInt8], _ blocks: DeflateBlocks) {
            self.name = name
            self.content = content
            bytes = blocks.body(of: content)
        }

        init(_ name: String, _ content: [UInt8], _ write: (inout DeflateWriter) -> Void) {
            self.name = name
            self.content = content
            var writer = DeflateWriter()
            write(&writer)
            bytes = writer.bytes
        }
    }

    private static let text = [UInt8]("abcabcabcabd, the cat and the hat; abcabcabc the end of the cat\n")

    static let streams = [
        Stream("stored", of: Array(text.prefix(40)), DeflateBlocks(level: 0, flush: Z_BLOCK, pieceBytes: 15)),
        Stream("fixed", of: text, DeflateBlocks(strategy: Z_FIXED)),
        Stream("dynamic", of: dynamicText, DeflateBlocks(level: 9)),
        Stream("flushed", of: text, DeflateBlocks(flush: Z_SYNC_FLUSH, pieceBytes: 20)),
        Stream("every kind of block", everyContent + [1, 2, 3] + everyContent + everyContent) {
            writeEveryKind(to: &$0)
        },
        Stream("long codes", Array(0..<15)) {
            $0.dynamic(longCodes, (0..<15).map { .literal($0) } + [.end], isLast: true)
        },
    ]

    /// Few letters, so that the compressor prefers its own codes.
    private static let dynamicText: [UInt8] = (0..<120).map { index in
        let letter = index * index % 7 % 4 + index / 50
        return UInt8(97 + letter)
    }

    /// A code of each length, and two of the longest.
    private static let longCodes: DeflateWriter.Codes = {
        var codes = DeflateWriter.Codes(literals: [256: 15], distances: [:])
        for symbol in 0..<15 { codes.literals[symbol] = symbol + 1 }
        return codes
    }()

    private static let everyElement: [DeflateWriter.Element] = [
        .literal(97), .literal(98), .match(length: 3, distance: 2), .match(length: 3, distance: 1),
    ]

    private static let everyContent = DeflateWriter.content(of: everyElement)

    private static func writeEveryKind(to writer: inout DeflateWriter) {
        let small = DeflateWriter.Codes(
            literals: [97: 2, 98: 2, 256: 2, 257: 2], distances: [0: 1, 1: 1])
        writer.fixed(everyElement + [.end])
        writer.stored([1, 2, 3])
        writer.dynamic(small, everyElement + [.end])
        writer.stored([])
        writer.fixed([.end])
        writer.fixed(everyElement + [.end], isLast: true)
    }

    @Test(arguments: streams, Inflater.allCases)
    func cutsDoNotMatter(_ stream: Stream, by inflater: Inflater) {
        let reused = InflateStream(inflater)
        let expected = DeflateModel(stream.bytes).result
        #expect(expected.bytes == stream.content)
        #expect(expected.ending == .finished)
        // Every split of the input, with the output cut in two at every byte, or at every third.
        let step = stream.bytes.count * stream.content.count > 3_000 ? 3 : 1
        for inputCut in 0...stream.bytes.count {
            for outputCut in stride(from: inputCut % step, through: stream.content.count, by: step) {
                let cuts = InflateRun.Cuts(first: inputCut, output: outputCut)
                let run = InflateRun(reused, stream.bytes, cuts, limit: stream.content.count + 600)
                let violations = run.violations + run.result.differences(from: expected)
                if violations != [] {
                    Issue.record("input at \(inputCut), output at \(outputCut): \(violations)")
                    return
                }
            }
        }
        for input in [1, 2, 3, 8, .max] {
            for output in [1, 2, 3, 16, .max] {
                for stops in [false, true] {
                    var cuts = InflateRun.Cuts(input: input, output: output, stops: stops)
                    cuts.lead = 50
                    cuts.hidesLead = input == 2
                    let run = InflateRun(reused, stream.bytes, cuts, limit: stream.content.count + 600)
                    let violations =
                        run.violations + run.result.differences(from: expected, stopsAlways: stops)
                    #expect(violations == [], "input \(input), output \(output), stops \(stops)")
                }
            }
        }
    }

    /// A call without room neither loses bits that earlier calls have read nor returns them to their input.
    @Test(arguments: streams, Inflater.allCases)
    func callsWithoutRoomChangeNothing(_ stream: Stream, by inflater: Inflater) {
        let expected = DeflateModel(stream.bytes).result
        for (input, output) in [(1, 1), (1, Int.max), (2, 3), (3, 1)] {
            var hasRoom = false
            var cuts = InflateRun.Cuts(input: input)
            cuts.output = {
                hasRoom.toggle()
                return hasRoom ? output : 0
            }
            let run = InflateRun(inflater, stream.bytes, cuts)
            let violations = run.violations + run.result.differences(from: expected)
            #expect(violations == [], "input \(input), output \(output)")
        }
    }

    /// Of a truncated stream, everything is consumed, and all that can be known is inflated.
    @Test(arguments: streams, Inflater.allCases)
    func truncatedStreamsYieldWhatTheyHave(_ stream: Stream, by inflater: Inflater) {
        let reused = InflateStream(inflater)
        for count in 0..<stream.bytes.count {
            let truncated = Array(stream.bytes.prefix(count))
            let expected = DeflateModel(truncated).result
            #expect(expected.ending == .unfinished && expected.consumed == count)
            expectSame(reused, truncated, as: expected, "\(count) bytes")
        }
    }

    /// A wrong bit has the same effect in both decoders: other output, or the same error at the same offset.
    @Test(arguments: streams, Inflater.allCases)
    func wrongBitsHaveTheSameEffect(_ stream: Stream, by inflater: Inflater) {
        let reused = InflateStream(inflater)
        var corrupt = 0
        for bit in 0..<(8 * stream.bytes.count) {
            var damaged = stream.bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            let expected = DeflateModel(damaged).result
            if expected.ending == .corrupt { corrupt += 1 }
            expectSame(reused, damaged, as: expected, "bit \(bit)")
        }
        #expect(corrupt > 10)
    }

    /// Inflates a stream at once and in small pieces, followed by other bytes if it is corrupt or complete.
    private func expectSame(
        _ reused: InflateStream, _ stream: [UInt8], as expected: Inflated, _ comment: String
    ) {
        // What follows a stream that was not finished would belong to it.
        let more = expected.ending == .unfinished ? [] : [UInt8](repeating: 0x5a, count: 300)
        for (stream, input, output) in [
            (stream, Int.max, Int.max), (stream, 1, 1), (stream + more, .max, .max), (stream + more, 5, 11),
        ] {
            let run = InflateRun(
                reused, stream, .init(input: input, output: output), limit: expected.bytes.count + 600)
            let violations = run.violations + run.result.differences(from: expected)
            if violations != [] {
                Issue.record("\(comment), input \(input), output \(output): \(violations)")
                return
            }
        }
    }

    // MARK: - Matches

    /// A match may overlap its own output, and end or begin at any distance from the end of the room.
    @Test(arguments: Inflater.allCases)
    func matchesOverlapAtTheEndsOfTheRoom(_ inflater: Inflater) {
        let reused = InflateStream(inflater)
        let lengths = [3, 4, 5, 7, 8, 9, 10, 15, 16, 17, 18, 31, 32, 33, 34, 63, 64, 65, 130, 257, 258]
        for distance in Array(1...18) + [31, 32, 33, 40, 63, 64, 65] {
            let elements: [DeflateWriter.Element] =
                (0..<distance).map { .literal(UInt8(37 * $0 % 251)) }
                + lengths.flatMap { [.match(length: $0, distance: distance), .literal(UInt8($0 % 256))] }
            var writer = DeflateWriter()
            writer.fixed(elements + [.end], isLast: true)
            let content = DeflateWriter.content(of: elements)
            let expected = Inflated(content, consumed: writer.bytes.count, ending: .finished)
            for output in [1, 2, 3, 7, 8, 15, 16, 17, 29, 33, 64, 100, 258, 259, 270, 280, 300, 320, .max] {
                let run = InflateRun(
                    reused, writer.bytes, .init(output: output), limit: content.count + 600)
                let violations = run.violations + run.result.differences(from: expected)
                #expect(violations == [], "distance \(distance), output \(output)")
            }
        }
    }

    /// The room ends at every offset after the start of a match, with enough input for the fastest path.
    @Test(arguments: Inflater.allCases)
    func matchesEndAtEveryOffsetOfTheRoom(_ inflater: Inflater) {
        let reused = InflateStream(inflater)
        for (length, distance) in [(258, 1), (258, 2), (258, 7), (258, 16), (258, 100), (40, 3), (3, 30)] {
            let elements: [DeflateWriter.Element] =
                (0..<100).map { .literal(UInt8($0)) }
                + [.match(length: length, distance: distance)] + (0..<350).map { .literal(UInt8($0 % 256)) }
            var writer = DeflateWriter()
            writer.fixed(elements + [.end], isLast: true)
            let content = DeflateWriter.content(of: elements)
            let expected = Inflated(content, consumed: writer.bytes.count, ending: .finished)
            for room in 90..<(100 + length + 20) {
                let run = InflateRun(
                    reused, writer.bytes, .init(first: .max, output: room), limit: content.count + 600)
                let violations = run.violations + run.result.differences(from: expected)
                if violations != [] {
                    Issue.record("length \(length), distance \(distance), room \(room): \(violations)")
                    break
                }
            }
        }
    }
}

extension InflateRun.Cuts {
    /// Cuts the input and the output once, each at the given length.
    fileprivate init(first input: Int, output: Int) {
        self.init()
        var (inputs, outputs) = ([input], [output])
        self.input = { inputs.popLast() ?? .max }
        self.output = { outputs.popLast() ?? .max }
    }
}
