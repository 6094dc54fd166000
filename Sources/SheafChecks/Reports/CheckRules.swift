import SheafBytes
import SheafFlow
import SheafGroups
import SheafText

/// The rules of a check, with their severities and sources.
///
/// ```swift
/// let rules = CheckRules(CheckOptions(sources: []))
/// print(String(decoding: rules.text(TextStyle(width: 80)), as: UTF8.self))
/// ```
public struct CheckRules: Sendable {
    /// The enabled rules with their severities in the check, errors first, and otherwise in the order of
    /// `CheckFinding.all`.
    public let rules: [(finding: CheckFinding, severity: CheckFinding.Severity)]
    /// The limits that differ from the usual ones.
    private let limits: [CheckFinding: Int]

    /// - Parameter options: the options that disable rules, and set severities and limits.
    public init(_ options: CheckOptions) {
        limits = options.limits
        let rules = CheckFinding.all.filter { !options.disabled.contains($0) }
            .map { (finding: $0, severity: options.severity(of: $0)) }
        self.rules = CheckFinding.Severity.allCases.flatMap { severity in
            rules.filter { $0.severity == severity }
        }
    }

    /// Returns one sentence on what a finding means in this check.
    ///
    /// - Parameter maximumLine: the text for the maximum length of a line.
    func explanation(of finding: CheckFinding, maximumLine: String = "the maximum") -> String {
        finding.explanation(maximumLine: maximumLine, limit: limits[finding])
    }

    /// Writes the rules to a file, or to standard output if the path is `-`: as JSON, or as text in any other format.
    ///
    /// - Throws: `ReplayError` if the file can't be created or written; it is then unchanged.
    public func write(to path: String, as format: CheckFormat) throws(ReplayError) {
        let bytes =
            switch format {
            case .json: json()
            case .text(let style): text(style)
            case .sarif, .github, .html: text(TextStyle())
            }
        var files = try ResultFiles(
            RunFiles(resultName: "the list of rules", result: path), storage: SystemStorage())
        try files.writeResult { file throws(ReplayError) in
            do throws(StorageError) {
                try file.write(bytes.span)
            } catch {
                throw .writing(error)
            }
        }
        try files.commit()
    }

    /// Returns a list of the rules, each with an explanation and its source.
    public func text(_ style: TextStyle) -> [UInt8] {
        var output = ""
        let indent = (rules.map(\.severity.rawValue.count).max() ?? 0) + CheckReport.gap
        let width = min(style.width ?? CheckReport.defaultWidth, CheckReport.defaultWidth)
        let margin = String(repeating: " ", count: indent)
        let maximumLine = style.optionNames[.maximumLine] ?? "the maximum"
        for rule in rules {
            let severity = rule.severity.rawValue
            output += style.coloured(severity, CheckReport.colour(of: rule.severity))
            output += String(repeating: " ", count: indent - severity.count)
            output += style.coloured(rule.finding.name, .bold) + "\n"
            let lines =
                TextStyle.lines(
                    of: explanation(of: rule.finding, maximumLine: maximumLine),
                    width: max(1, width - indent))
                + TextStyle.lines(of: rule.finding.origin, width: max(1, width - indent))
            for line in lines {
                output += margin + style.coloured(line, .faint) + "\n"
            }
        }
        return Array(output.utf8)
    }

    /// Returns the rules as one JSON object followed by an LF.
    public func json() -> [UInt8] {
        JSONDocument.bytes { json in
            json.member("rules", rules) { json, rule in
                json.member("name", rule.finding.name)
                json.member("severity", rule.severity.rawValue)
                if let error = rule.finding.serviceError { json.member("serviceError", error) }
                json.member("page", rule.finding.page)
                if let limit = limits[rule.finding] ?? rule.finding.limit {
                    json.member("limit", UInt64(limit))
                }
                json.member("explanation", explanation(of: rule.finding))
            }
        }
    }
}

extension CheckFinding {
    /// The source of the rule, with the name of the service's error.
    var origin: String { serviceError.map { "\(page): \($0)" } ?? page }
}
