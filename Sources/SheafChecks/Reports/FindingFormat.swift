import SheafBytes
import SheafFlow
import SheafGroups
import SheafText

/// The output format of a finding: its position, the app and the device of its record, the rule, and the value that it is
/// about.
///
///     {"source":"a.ndjson","line":17,"index":0,"app":"com.example.a","device":null,"rule":"badge.negative",
///      "severity":"error","value":"-1"}
///
/// Lines are bounded: names are at most as long as those of records may be, and values are cut.
struct FindingFormat: Sendable {
    /// The sources' names as JSON strings, by ordinal.
    private let sources: [[UInt8]]
    /// The members of each rule, by the finding's number; nil if it is disabled.
    private let rules: [[UInt8]?]
    /// The rules about records that are used, in the order of their findings.
    private let recordRules: [CheckFinding]
    /// Whether each line is preceded by the number of its rule, for `KnownFindings`.
    private let isTagged: Bool

    /// - Parameters:
    ///   - sources: the sources' paths, by ordinal.
    ///   - isTagged: whether each line is preceded by the number of its rule.
    init(_ options: CheckOptions, sources: [String], isTagged: Bool) {
        self.isTagged = isTagged
        self.sources = sources.map { Self.json(SystemPath.shown($0)) }
        var rules = [[UInt8]?](repeating: nil, count: CheckFinding.numberCount)
        for finding in CheckFinding.all where !options.disabled.contains(finding) {
            let severity = options.severity(of: finding).rawValue
            let members: [UInt8] = Array("\"rule\":".utf8) + Self.json(finding.name)
            rules[finding.number] = members + Array(",\"severity\":\"\(severity)\"".utf8)
        }
        self.rules = rules
        recordRules = CheckFinding.all.filter { finding in
            switch finding {
            case .problem(let problem): !problem.isOfApp && rules[finding.number] != nil
            case .record, .untimed: rules[finding.number] != nil
            case .source, .rejected: false
            }
        }
    }

    private static func json(_ text: String) -> [UInt8] {
        var buffer = OutputBuffer()
        buffer.appendJSONString(Array(text.utf8).span)
        var bytes: [UInt8] = []
        bytes.append(buffer.bytes)
        return bytes
    }

    /// The byte before a line that stands for its rule: never an LF.
    static func tag(of finding: CheckFinding) -> UInt8 { UInt8(finding.number) + firstTag }

    private static var firstTag: UInt8 { UInt8(ascii: " ") }

    /// Returns the number of the rule that a tag stands for.
    static func number(ofTag tag: UInt8) -> Int { Int(tag - firstTag) }
}

// MARK: - Findings of records

extension FindingFormat {
    /// Appends the findings of a record that is used, in the order of reports.
    ///
    /// - Parameters:
    ///   - app: the record's app, and `device` its device; empty if it has none.
    ///   - value: returns the value that a finding is about.
    ///   - detail: returns what a problem is about, if the value does not show it.
    func append(
        _ findings: FindingSet, _ problems: ProblemSet, isUntimed: Bool, at position: RecordPosition,
        app: Span<UInt8>, device: Span<UInt8>, value: (CheckFinding) -> [UInt8]?,
        detail: (CheckProblem) -> String?, to output: inout OutputBuffer
    ) {
        if !isUntimed, findings.isEmpty, problems.isEmpty { return }
        for finding in recordRules {
            let about: String?
            switch finding {
            case .untimed where isUntimed: about = nil
            case .record(let record) where findings.contains(record): about = nil
            case .problem(let problem) where problems.contains(problem): about = detail(problem)
            default: continue
            }
            append(
                finding, at: position, app: app, device: device, value: value(finding), detail: about,
                to: &output)
        }
    }

    /// Appends a finding, unless its rule is disabled. One of a source or an app has no line.
    func append(
        _ finding: CheckFinding, at position: RecordPosition, app: Span<UInt8> = Span(),
        device: Span<UInt8> = Span(),
        value: [UInt8]? = nil, detail: String? = nil, to output: inout OutputBuffer
    ) {
        guard let rule = rules[finding.number] else { return }
        let source = sources[position.source]
        if isTagged { output.append(byte: Self.tag(of: finding)) }
        output.append("{\"source\":")
        output.append(source.span)
        switch finding {
        case .source:
            output.append(",\"line\":null,\"index\":null,\"offset\":")
            output.appendDecimal(position.line)
        case .problem(let problem) where problem.isOfApp:
            output.append(",\"line\":null,\"index\":null")
        case .rejected, .record, .problem, .untimed:
            output.append(",\"line\":")
            output.appendDecimal(position.line)
            output.append(",\"index\":")
            output.appendDecimal(UInt64(position.index))
        }
        output.append(",\"app\":")
        Self.append(app, to: &output)
        output.append(",\"device\":")
        Self.append(device, to: &output)
        output.append(",")
        output.append(rule.span)
        output.append(",\"value\":")
        if let value {
            Self.append(text: Self.quoted(value.span), to: &output)
        } else {
            output.append("null")
        }
        if let detail {
            output.append(",\"detail\":")
            output.appendJSONString(Array(detail.utf8).span)
        }
        output.append("}\n")
    }

    private static func append(_ name: Span<UInt8>, to output: inout OutputBuffer) {
        if name.isEmpty { return output.append("null") }
        append(text: name.extracting(first: min(name.count, PushLimits.fieldBytes)), to: &output)
    }

    private static func append(text: Span<UInt8>, to output: inout OutputBuffer) {
        if text.isValidUTF8 {
            output.appendJSONString(text)
        } else {
            // Bytes that are not text in a line that was rejected.
            output.appendJSONString(Array(text.string.utf8).span)
        }
    }

    /// Returns the bytes of a text that a finding may quote.
    static func start(of text: Span<UInt8>) -> [UInt8] {
        var start: [UInt8] = []
        start.append(text.extracting(first: min(text.count, FindingValues.maximumBytes)))
        return start
    }

    /// Returns the start of a value, up to the end of a character.
    @_lifetime(copy value)
    static func quoted(_ value: Span<UInt8>) -> Span<UInt8> {
        guard value.count >= FindingValues.maximumBytes else { return value }
        var end = FindingValues.maximumBytes
        // At most three bytes of a character are before its last one.
        var start = end - 1
        while start > end - 4, value[start] & 0xc0 == 0x80 { start -= 1 }
        let count = value[start] < 0xc0 ? 1 : value[start] < 0xe0 ? 2 : value[start] < 0xf0 ? 3 : 4
        if start + count > end { end = start }
        return value.extracting(first: end)
    }
}

// MARK: - Known findings

/// Leaves out the findings that a baseline knows.
///
/// Known findings of a rule and source can't be distinguished from new ones. The first ones count as known, since logs
/// grow at their ends, so the number of those left is that of the report. An entry for all sources together is used up in
/// the order of sources, which is therefore the order in which findings must be passed.
struct KnownFindings: Sendable {
    /// The remaining known findings, by the rule's number.
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
