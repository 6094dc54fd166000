import SheafBytes
import TestSupport

/// Sheaf's decoder makes of any bytes what zlib makes of them when it has them all at once: the same output, the same
/// end or error at the same offset, and blocks that end at the same bits. It does so however the input and the output
/// are cut, and when either decoder continues where the other one stopped at the end of a block. It writes only into
/// the room that it has.
package enum Inflating: FuzzCheck {
    /// The number of bytes after which the output ends: few, because some streams inflate to a thousand times as much.
    private static let limit = 70_000

    package static func violations(in bytes: [UInt8]) -> [String] {
        let expected = DeflateModel(bytes, limit: limit).result
        let choices = Choices(bytes)
        let stream = InflateStream(.sheaf)
        let limit = limit(for: expected)
        let whole = InflateRun(stream, bytes, limit: limit)
        let cut = InflateRun(stream, bytes, choices.cuts(expected.bytes.count), limit: limit)
        let relay = InflateRun(
            choices.pick(Inflater.allCases), bytes, choices.relay(expected.bytes.count), limit: limit)
        return (whole.violations + whole.result.differences(from: expected)).map { "at once: \($0)" }
            + (cut.violations + cut.result.differences(from: expected)).map { "in pieces: \($0)" }
            + (relay.violations + relay.result.differences(from: expected, stopsAlways: true))
            .map { "in turns: \($0)" }
            + violationsAfterBlock(in: bytes, expected, stream, choices)
    }

    /// Returns enough room for more than the expected output, if that is not as long as it can be.
    private static func limit(for expected: Inflated) -> Int {
        min(expected.bytes.count + 600, limit)
    }

    /// Restarts after a block with some of the window, as from a damaged checkpoint.
    private static func violationsAfterBlock(
        in bytes: [UInt8], _ expected: Inflated, _ stream: InflateStream, _ choices: Choices
    ) -> [String] {
        guard !expected.ends.isEmpty else { return [] }
        let end = choices.pick(expected.ends)
        let window = expected.bytes[..<end.produced].suffix(RestartPoint.Block.windowBytes)
        let counts = [0, 1, window.count / 2, max(0, window.count - 1), window.count]
        let part = Array(window.suffix(choices.pick(counts)))
        let block = end.block(in: bytes, window: part)
        let remaining = Array(bytes[end.consumed...])
        let model = DeflateModel(remaining, after: block, limit: limit).result
        let run = InflateRun(
            stream, remaining, choices.cuts(model.bytes.count), after: block, limit: limit(for: model))
        return (run.violations + run.result.differences(from: model)).map {
            "after \(end.produced) bytes with \(part.count): \($0)"
        }
    }

    package static var seeds: [[UInt8]] {
        var random = SeededGenerator(seed: 1951)
        let rules = DeflateCase.all.map(\.stream).filter { $0.count <= 1_000 }
        let streams = (0..<30).map { RandomDeflate(&random, length: 10 + 10 * $0).stream }
        let log = Array(PushTexts.lines.joined())
        let levels = [1, 6, 9].map { DeflateBlocks(level: $0, memory: 1).body(of: log) }
        return rules + streams + levels
    }

    /// Short streams, whose parts are blocks, headers and codes.
    package static var words: [[UInt8]] {
        DeflateCase.all.map(\.stream).filter { (1...64).contains($0.count) }
    }
}

/// Cuts that depend on a stream alone.
private final class Choices {
    private var choices: InputChoices

    init(_ stream: [UInt8]) { choices = InputChoices(stream) }

    func pick<Choice>(_ values: [Choice]) -> Choice { choices.pick(values) }

    /// - Parameter count: the length of the output. Cutting a long one at every byte would take long.
    func cuts(_ count: Int) -> InflateRun.Cuts {
        let longestInput = pick([1, 2, 7, 30, 5_000])
        let longestOutput = pick(count > 3_000 ? [400, 3_000, 70_000] : [1, 2, 7, 300, 5_000])
        let (stops, isEven) = (pick([0, 1, 3]), choices.below(2) == 0)
        var cuts = InflateRun.Cuts()
        cuts.input = { [self] in isEven ? longestInput : 1 + choices.below(longestInput) }
        cuts.output = { [self] in isEven ? longestOutput : choices.below(longestOutput + 1) }
        cuts.stops = { [self] in stops == 0 ? false : choices.below(stops) == 0 }
        cuts.lead = pick([0, 1, 300])
        cuts.hidesLead = choices.below(2) == 0
        cuts.endsPieces = choices.below(2) == 0
        return cuts
    }

    /// Returns cuts at every end of a block, where another decoder may continue.
    func relay(_ count: Int) -> InflateRun.Cuts {
        var cuts = cuts(count)
        cuts.stops = { true }
        cuts.successor = { [self] in pick([nil, .sheaf, .zlib]) }
        return cuts
    }
}
