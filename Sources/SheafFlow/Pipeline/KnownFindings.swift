import SheafBytes
import SheafGroups

/// Leaves out the findings that a baseline knows.
///
/// Nothing tells a known finding of a rule and source from a new one. The first ones count as known, since logs grow at
/// their ends, so as many are left as the report counts. An entry for all sources together is used up in the order of
/// sources, which is therefore the order in which findings must be passed.
struct KnownFindings: Sendable {
    /// What is still to be found, by the rule's number.
    private var allowances: [CheckBaseline.Allowance?]
    /// The sources' names as in a baseline, by ordinal.
    private let sources: [String]
    /// Whether the line that is being passed is left out; nil before a line.
    private var isKnown: Bool?

    init(_ baseline: CheckBaseline, sources: [String]) {
        self.sources = sources.map { SystemPath.shown($0) }
        allowances = Array(repeating: nil, count: CheckFinding.numberCount)
        for (rule, entries) in Dictionary(grouping: baseline.entries, by: \.rule) {
            allowances[rule.number] = CheckBaseline.Allowance(entries)
        }
    }

    /// Appends the new findings among `lines`, which are tagged (`FindingFormat`) and may end within a line.
    mutating func appendNew(of lines: Span<UInt8>, of source: Int, to output: inout OutputBuffer) {
        var start = 0
        while start < lines.count {
            if isKnown == nil {
                let number = FindingFormat.number(ofTag: lines[start])
                isKnown = (allowances[number]?.take(1, of: sources[source]) ?? 0) > 0
                start += 1
            }
            var end = start
            while end < lines.count, lines[end] != UInt8(ascii: "\n") { end += 1 }
            let isWhole = end < lines.count
            if isWhole { end += 1 }
            if isKnown == false { output.append(lines.extracting(start..<end)) }
            if isWhole { isKnown = nil }
            start = end
        }
    }
}
