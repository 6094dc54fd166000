/// What a comparison of two designs writes, and when it fails.
///
/// ```swift
/// var options = ComparisonOptions()
/// options.format = .json
/// options.failures = [try ComparisonCondition("groups.p95 > +10%")]
/// ```
public struct ComparisonOptions: Sendable {
    /// The path of the report; `-` is standard output.
    public var output = "-"
    /// The path of a partial comparison that is written instead of the report; nil for the report.
    public var partial: String?
    /// The format of the report; `CheckFormat.sarif` is not one of a comparison.
    public var format = CheckFormat.text(TextStyle())
    /// The paths of the snapshots of both designs, one JSON object in a line; nil for none.
    public var snapshots = Sides<String?>(now: nil, new: nil)
    /// The conditions whose truth is a failure.
    public var failures: [ComparisonCondition] = []
    /// Whether all measures are found. If not, those are left out that cannot differ.
    public var measuresAll = false
    /// The command that the user typed, which a page shows; nil for none.
    public var command: String?

    public init() {}

    /// - Throws: `ReplayError.usage`, which names the option.
    package func validate() throws(ReplayError) {
        try Limits.check(path: output, "\(.output)")
        try Limits.check(path: partial, "\(.partial)")
        try Limits.check(path: snapshots.now, "\(.nowSnapshot)")
        try Limits.check(path: snapshots.new, "\(.newSnapshot)")
        if format == .sarif {
            throw .usage("a comparison is written as text, json, github or html, not as sarif")
        }
        for (option, path) in [(RunOption.nowSnapshot, snapshots.now), (.newSnapshot, snapshots.new)]
        where partial != nil && path != nil {
            throw .usage("\(option) has no effect with \(.partial), which writes no snapshots")
        }
    }

    /// The files that the run writes.
    ///
    /// - Parameter designs: have the files that they were read from.
    func files(_ designs: Sides<ReplayOptions>) -> RunFiles {
        RunFiles(
            resultName: partial == nil ? "the comparison" : "\(.partial)", result: partial ?? output,
            rejects: snapshots.now,
            rejectsName: "\(.nowSnapshot)",
            statistics: snapshots.new, statisticsName: "\(.newSnapshot)",
            configuration: designs.now.configurationFiles + designs.new.configurationFiles)
    }

    /// Returns a report in the format.
    ///
    /// - Parameter designs: how groups are shown.
    func bytes(of report: ComparisonReport, _ designs: Sides<ReplayOptions>) -> [UInt8] {
        switch format {
        case .text(let style): return report.text(style)
        case .json, .sarif: return report.json()
        case .github: return report.github()
        case .html:
            let page = Page(.compare, command: command)
            page.show(designs.now.display)
            page.add(comparison: report.json(), locale: designs.new.locale)
            page.add(report.statistics.now)
            return page.bytes()
        }
    }
}

extension ReplayOptions {
    /// The options with the groups that are compared: all of them, in the order of their keys.
    var compared: ReplayOptions {
        var options = self
        (options.format, options.order, options.given) = (.ndjson, .key, [])
        return options
    }
}
