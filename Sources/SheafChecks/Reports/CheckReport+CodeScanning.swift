import SheafBytes
import SheafFlow
import SheafGroups
import SheafText

// The formats with a result for each rule and source.

extension CheckReport {
    /// The findings of each source, in the order of the report.
    private var results: [(item: Item, location: Location)] {
        findings.flatMap { item in item.locations.map { (item, $0) } }
    }

    /// One or two sentences that also make sense without the rule's name.
    private func message(_ item: Item, at location: Location) -> String {
        var message = rules.explanation(of: item.finding)
        if case .offset(let offset) = location.position { message += " At byte \(offset)." }
        if let detail = location.detail { message += " First: \(detail)" }
        return message
    }
}

extension CheckReport.Location {
    /// The line, from 1. A region needs one: that of a damaged source, whose position is an offset in compressed bytes,
    /// is line 1.
    fileprivate var line: UInt64 { if case .line(let line) = position { line } else { 1 } }
}

// MARK: - SARIF

/// Renders a report in the Static Analysis Results Interchange Format (OASIS, "SARIF Version 2.1.0"), which
/// code-scanning services read: one run with all rules that were applied, and a result for each rule and source.
///
/// The message of a damaged source has its offset. Lines of compressed sources are those of their contents.
extension CheckReport {
    /// The number of results that code-scanning services accept in one run.
    static let maximumResults = 25_000
    /// The name of the note on refused pushes, which no rule has.
    private static let refusalsName = "refused"
    private static let schema =
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
    /// Where people find information about the findings: the page that most of the rules are from. Must be absolute.
    static let informationURI =
        "https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification"

    /// Returns the report as one SARIF log followed by an LF, with the first 25,000 results. Refused pushes are a
    /// notification of the run and not a result, which code-scanning services would show as an alert. Empty unless findings
    /// were located in each source, as for `CheckFormat.sarif`.
    public func sarif() -> [UInt8] {
        let indices = Dictionary(
            uniqueKeysWithValues: rules.rules.enumerated().map { ($1.finding, UInt64($0)) })
        return JSONDocument.bytes { json in
            json.member("$schema", Self.schema)
            json.member("version", "2.1.0")
            json.member("runs", [self]) { json, _ in
                json.member("tool") { json in
                    json.member("driver") { json in
                        json.member("name", "sheaf")
                        json.member("version", SheafVersion.current)
                        json.member("informationUri", Self.informationURI)
                        json.member("rules", rules.rules) { json, rule in
                            add(rule.finding, rule.severity, to: &json)
                        }
                    }
                }
                if !refusals.isEmpty {
                    json.member("invocations", [refusals]) { json, texts in
                        json.member("executionSuccessful", true)
                        json.member("toolExecutionNotifications", texts) { json, text in
                            json.member("descriptor") { $0.member("id", Self.refusalsName) }
                            json.member("level", "note")
                            json.member("message") { $0.member("text", text) }
                        }
                    }
                }
                json.member("results", Array(results.prefix(Self.maximumResults))) { json, result in
                    add(
                        result.item, at: result.location, ruleIndex: indices[result.item.finding] ?? 0,
                        to: &json)
                }
            }
        }
    }

    private func add(
        _ rule: CheckFinding, _ severity: CheckFinding.Severity, to json: inout JSONDocument
    ) {
        let explanation = rules.explanation(of: rule)
        json.member("id", rule.name)
        let description = "\(explanation) (\(rule.origin))"
        json.member("shortDescription") { $0.member("text", explanation) }
        // Code scanning requires all three.
        json.member("fullDescription") { $0.member("text", description) }
        json.member("help") { $0.member("text", description) }
        json.member("defaultConfiguration") { $0.member("level", severity.rawValue) }
    }

    private func add(
        _ item: Item, at location: Location, ruleIndex: UInt64, to json: inout JSONDocument
    ) {
        json.member("ruleId", item.finding.name)
        json.member("ruleIndex", ruleIndex)
        json.member("level", item.severity.rawValue)
        json.member("message") { $0.member("text", message(item, at: location)) }
        json.member("locations", [location]) { json, location in
            json.member("physicalLocation") { json in
                json.member("artifactLocation") { $0.member("uri", Self.uri(ofPath: location.path)) }
                json.member("region") { $0.member("startLine", location.line) }
            }
        }
        json.member("occurrenceCount", location.count)
        // A finding is the same wherever in a source it is, as in a baseline.
        json.member("partialFingerprints") {
            $0.member("ruleAndSource/v1", "\(item.finding.name) \(location.source)")
        }
        if hasBaseline { json.member("baselineState", "new") }
    }

    /// Returns a path as a URI reference (RFC 3986): its bytes, with all except unreserved ones and slashes
    /// percent-encoded.
    static func uri(ofPath path: String) -> String {
        var uri: [UInt8] = []
        let bytes = SystemPath.bytes(path)
        // Two slashes at the beginning would be followed by a host.
        if bytes.first == UInt8(ascii: "/") { uri.append(contentsOf: "file://".utf8) }
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                uri.append(byte)
            default:
                uri.append(UInt8(ascii: "%"))
                for digit in [byte >> 4, byte & 15] {
                    uri.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
                }
            }
        }
        return String(decoding: uri, as: UTF8.self)
    }
}

// MARK: - GitHub Actions

extension CheckReport {
    /// Returns the report as commands that GitHub Actions shows as annotations: a line for each rule and source, each with
    /// an LF, and a notice for refused pushes. Empty unless findings were located in each source, as for
    /// `CheckFormat.github`.
    public func github() -> [UInt8] {
        var output = ""
        for (item, location) in results {
            let times = location.count > 1 ? " (\(location.count) times)" : ""
            output += WorkflowCommand.line(
                item.severity.rawValue,
                ["file": location.source, "line": "\(location.line)", "title": item.finding.name],
                message(item, at: location) + times)
        }
        for line in refusals { output += WorkflowCommand.line("notice", ["title": Self.refusalsName], line) }
        return Array(output.utf8)
    }
}
