import SheafBytes
import SheafFlow
import SheafGroups
import SheafText

/// The options of a check.
///
/// ```swift
/// var options = CheckOptions(sources: ["today.ndjson"])
/// options.profile = .ios15
/// options.format = .json
/// options.output = "report.json"
/// ```
///
/// For a check that fails only on new findings:
///
/// ```swift
/// var options = CheckOptions(sources: ["pushes"])
/// options.baseline = try CheckBaseline(contentsOf: "known.json")
/// if let rule = CheckFinding(name: "aps.custom-key") { options.disabled.insert(rule) }
/// options.severities[.untimed] = .error
/// options.limits[.problem(.manyInterruptions)] = 50
/// let report = try LogCheck(options).run()
/// print("\(report.errors) new errors, \(report.known) known findings")
/// ```
public struct CheckOptions: Sendable {
    /// Files, folders, or `-` for standard input, in order.
    public var sources: [String]
    /// The path of the report; `-` is standard output.
    public var output = "-"
    /// The format of the report.
    public var format = CheckFormat.text(TextStyle())
    /// The apps whose categories are known: `category.unknown` is reported only for these apps.
    public var settings = Settings()
    /// The strings that `settings` and alerts refer to in string tables.
    package var strings = ResolvedStrings()
    /// The files that `settings` was read from. The report never replaces one of them.
    package var configurationFiles: [String] = []
    /// The system version whose rules are checked.
    public var profile = Profile.ios12

    /// The locale of the string tables, and of texts that entries have in several languages.
    public var locale = LocaleIdentifier.default
    /// How the entries of the sources are read.
    public var input = LogInput.automatic
    /// The app of records that have none; nil to reject them.
    public var defaultApp: String?
    /// The apps whose records are checked; empty for all. Lines that can't be read are always reported.
    public var onlyApps: [String] = []
    /// The devices whose records are checked; empty for all.
    public var onlyDevices: [String] = []
    /// The rules that are not applied: their findings are neither reported nor counted.
    public var disabled: Set<CheckFinding> = []
    /// The severities of rules that differ from their own.
    public var severities: [CheckFinding: CheckFinding.Severity] = [:]
    /// The limits of rules that differ from the usual ones (`CheckFinding.limit`), at least 1. Only rules that have a
    /// limit can be keys.
    public var limits: [CheckFinding: Int] = [:]
    /// The known findings, which are not reported; nil for none.
    public var baseline: CheckBaseline?
    /// The path of a file for a baseline with all findings of this run, known or not; nil for none.
    public var baselineOutput: String?

    /// The path of a file for each finding, with its position and value, one JSON object in a line; nil for none. Findings
    /// of disabled rules and known ones are left out.
    public var findingsOutput: String?

    /// The maximum length of a line, in bytes; longer lines are rejected.
    public var maximumLine = Limits.lineBytes
    /// The command that the user typed, which a page shows; nil for none.
    public var command: String?
    /// The target size of a chunk, in bytes. No result depends on it.
    public var chunkBytes = Limits.chunkBytes
    /// The decoder of gzip data. No result depends on it.
    public var inflater = Inflater.standard
    /// The number of worker threads, and the maximum number of open sources. No result depends on it.
    public var threads = Limits.defaultThreads

    /// - Parameter sources: files, folders, or `-` for standard input, in order.
    public init(sources: [String]) { self.sources = sources }

    /// Returns a rule's severity in this check.
    public func severity(of rule: CheckFinding) -> CheckFinding.Severity {
        severities[rule] ?? rule.severity
    }

    /// Returns a rule's limit in this check; nil if it has none.
    public func limit(of rule: CheckFinding) -> Int? { limits[rule] ?? rule.limit }

    var chunks: ChunkSizes {
        ChunkSizes(
            targetBytes: chunkBytes, maximumLine: maximumLine, constantBytes: inputs.constantBytes)
    }

    var inputs: InputOptions {
        InputOptions(
            log: input.localized(locale), defaultApp: defaultApp,
            filter: RecordFilter(apps: NameSet(onlyApps), devices: NameSet(onlyDevices)))
    }

    var files: RunFiles {
        // A baseline may be updated in place: it was read before.
        let baselineFile = [baseline?.path].compactMap { $0 }.filter { $0 != baselineOutput }
        return RunFiles(
            resultName: "the report", result: output, rejects: findingsOutput, rejectsName: "the findings",
            statistics: baselineOutput, statisticsName: "the baseline",
            configuration: configurationFiles + baselineFile)
    }

    /// Whether the findings of each source are counted separately.
    var countsSources: Bool { baseline != nil || baselineOutput != nil || format.locatesEachSource }
}

extension CheckOptions: LogOptions {}

extension CheckOptions {
    /// Checks the values of the options.
    ///
    /// - Throws: `ReplayError.usage`, which names the option.
    package func validate() throws(ReplayError) {
        try validate(chunks)
        try Limits.check(path: output, "\(.output)")
        try Limits.check(path: baselineOutput, "\(.baselineOutput)")
        try Limits.check(path: findingsOutput, "\(.findingsOutput)")
        // In the order of reports, so that the first error does not depend on that of the dictionary.
        for rule in CheckFinding.all {
            guard let limit = limits[rule] else { continue }
            guard let range = rule.limitRange else {
                let names = CheckFinding.limited.map(\.name).joined(separator: ", ")
                throw .usage("\(.limits): the rule '\(rule.name)' has no limit; these have one: \(names)")
            }
            try Limits.check(limit, in: range, "\(.limits) of '\(rule.name)'")
        }
    }
}

extension CheckOptions {
    /// Uses the categories of a configuration, and its string tables for its locale.
    public mutating func apply(_ configuration: Configuration) {
        settings = configuration.settings
        strings = configuration.strings
        configurationFiles = configuration.files
        locale = configuration.locale
    }
}

extension CheckOptions {
    /// Returns the page that the report is; nil for other formats.
    func newPage() -> PageSection? {
        guard format == .html else { return nil }
        let page = Page(.check, command: command)
        return PageSection(page: page, output: page.beginCheck())
    }
}
