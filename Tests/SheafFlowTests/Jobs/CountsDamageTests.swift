import SheafBytes
import TestSupport
import Testing

@testable import SheafFlow

/// Counts whose optional parts are damaged. They are refused, so that they have exactly one encoding.
@Suite struct CountsDamageTests {
    typealias Case = Example<[UInt64], Bool>

    /// The other sums that may be left out, which precede that of responses.
    private static let zeros = [UInt64](repeating: 0, count: 7)

    /// - Parameter numbers: what follows the counts of a run without records.
    private static func decoded(_ numbers: [UInt64]) -> RunCounts? {
        var output = OutputBuffer()
        RunCounts().append(to: &output, input: InputIdentity())
        for number in numbers { output.appendNumber(number) }
        return RunCounts(output.bytes, sources: OrdinalSet(0..<1), input: InputIdentity())
    }

    /// Texts are their length and their bytes; these are app, category and action.
    private static let kind: [UInt64] = [1, 97, 0, 1, 82]
    private static let nextKind: [UInt64] = [1, 97, 1, 99, 1, 82]

    @Test(arguments: [
        Case("a response", zeros + [1, 1] + kind + [1], true),
        Case("several", zeros + [5, 2] + kind + [2] + nextKind + [3], true),
        Case("others", zeros + [5, 1] + kind + [2], true),
        Case("only others", zeros + [5, 0], true),
        Case("no responses, but their number", zeros + [0], false),
        Case("no responses, but combinations", zeros + [0, 0], false),
        Case("no number of combinations", zeros + [1], false),
        Case("a combination that is cut off", zeros + [1, 1] + kind, false),
        Case("fewer combinations than their number", zeros + [2, 2] + kind + [1], false),
        Case("more combinations than their number", zeros + [2, 1] + kind + [1] + nextKind + [1], false),
        Case("more responses than their number", zeros + [4, 2] + kind + [2] + nextKind + [3], false),
        Case("a combination without responses", zeros + [1, 1] + kind + [0], false),
        Case("combinations in the wrong order", zeros + [5, 2] + nextKind + [3] + kind + [2], false),
        Case("a combination twice", zeros + [5, 2] + kind + [3] + kind + [2], false),
        Case("no app", zeros + [1, 1, 0, 0, 1, 82, 1], false),
        Case("no action", zeros + [1, 1, 1, 97, 0, 0, 1], false),
        Case("too many combinations", zeros + [1 << 40, 1_025], false),
        Case("a sum that can't be added to", zeros + [1 << 56 + 1, 0], false),
    ])
    func onlyResponsesThatAddUpAreRead(_ example: Case) { check(example) }

    /// Device, app, badge and order, which is a time in twice the milliseconds, a source, and a line.
    private static let badge: [UInt64] = [0, 1, 97, 3, 0, 0, 1]
    private static let nextBadge: [UInt64] = [1, 100, 1, 97, 3, 2, 0, 2]

    @Test(arguments: [
        Case("a badge", zeros + [0, 0, 1] + badge, true),
        Case("several, and others", zeros + [0, 1, 2] + badge + nextBadge, true),
        Case("only others", zeros + [0, 1, 0], true),
        Case("responses and a badge", zeros + [1, 1] + kind + [1, 0, 1] + badge, true),
        Case("no badges, but their number", zeros + [0, 0, 0], false),
        Case("no badges after responses, but their number", zeros + [1, 1] + kind + [1, 0, 0], false),
        Case("an unknown number before them", zeros + [0, 3, 1] + badge, false),
        Case("a badge that is cut off", zeros + [0, 0, 1] + badge.dropLast(), false),
        Case("fewer badges than their number", zeros + [0, 0, 2] + badge, false),
        Case("more badges than their number", zeros + [0, 0, 1] + badge + nextBadge, false),
        Case("badges in the wrong order", zeros + [0, 0, 2] + nextBadge + badge, false),
        Case("a badge twice", zeros + [0, 0, 2] + badge + badge, false),
        Case("too many badges", zeros + [0, 0, 4_097] + badge, false),
        Case("no app", zeros + [0, 0, 1, 0, 0, 3, 0, 0, 1], false),
        Case("a badge that is too large", zeros + [0, 0, 1, 0, 1, 97, 1 << 53 + 1, 0, 0, 1], false),
        Case("a source that does not exist", zeros + [0, 0, 1, 0, 1, 97, 3, 0, 1, 1], false),
        Case("a line that does not exist", zeros + [0, 0, 1, 0, 1, 97, 3, 0, 0, .max], false),
    ])
    func onlyBadgesOfExistingSourcesAreRead(_ example: Case) { check(example) }

    private func check(_ example: Case) {
        let counts = Self.decoded(example.input)
        #expect((counts != nil) == example.expected)
        guard let counts else { return }
        var output = OutputBuffer()
        counts.append(to: &output, input: InputIdentity())
        #expect(RunCounts(output.bytes, sources: OrdinalSet(0..<1), input: InputIdentity()) == counts)
        #expect(counts.tally.responses.others <= counts.tally.responses.total)
    }
}
