import SheafBytes
import SheafGroups

/// Renders a report in the Static Analysis Results Interchange Format (OASIS, "SARIF Version 2.1.0"), which
/// code-scanning services read: one run with all rules that were applied, and a result for each rule and source.
///
/// A region needs a line. That of a damaged source, whose position is an offset in compressed bytes, is line 1, and its
/// message has the offset. Lines of compressed sources are those of their contents.
extension CheckReport {
    /// The number of results that code-scanning services accept in one run.
    static let maximumResults = 25_000
    private static let schema =
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
    /// Where people find information about the findings: the page that most of the rules are from. Must be absolute.
    static let informationURI =
        "https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification"

    /// A finding in one source.
    struct Occurrence {
        let item: Item
        let location: Location

        /// One or two sentences that also make sense without the rule's name.
        var message: String {
            var message = item.finding.explanation(maximumLine: "the maximum")
            if case .offset(let offset) = location.position { message += " At byte \(offset)." }
            if let detail = location.detail { message += " First: \(detail)" }
            return message
        }

        /// The line, from 1.
        var line: UInt64 {
            if case .line(let line) = location.position { line } else { 1 }
        }
    }

    /// The findings of each source, in the order of the report.
    var occurrences: [Occurrence] {
        findings.flatMap { item in item.locations.map { Occurrence(item: item, location: $0) } }
    }

    /// Returns the report as one SARIF log followed by an LF, with the first 25,000 results. Empty unless findings
    /// were located in each source, as for `CheckFormat.sarif`.
    public func sarif() -> [UInt8] {
        let indices = Dictionary(
            uniqueKeysWithValues: rules.rules.enumerated().map { ($1.finding, UInt64($0)) })
        return JSONReport.bytes { json in
            json.member("$schema", Self.schema)
            json.member("version", "2.1.0")
            json.member("runs", [self]) { json, _ in
                json.member("tool") { json in
                    json.member("driver") { json in
                        json.member("name", "sheaf")
                        json.member("version", SheafVersion.current)
                        json.member("informationUri", Self.informationURI)
                        json.member("rules", rules.rules) { json, rule in Self.add(rule, to: &json) }
                    }
                }
                json.member("results", Array(occurrences.prefix(Self.maximumResults))) { json, occurrence in
                    add(occurrence, ruleIndex: indices[occurrence.item.finding] ?? 0, to: &json)
                }
            }
        }
    }

    private static func add(_ rule: CheckRules.Rule, to json: inout JSONReport) {
        let explanation = rule.finding.explanation(maximumLine: "the maximum")
        json.member("id", rule.finding.name)
        let description = "\(explanation) (\(rule.finding.origin))"
        json.member("shortDescription") { $0.member("text", explanation) }
        // Code scanning requires all three.
        json.member("fullDescription") { $0.member("text", description) }
        json.member("help") { $0.member("text", description) }
        json.member("defaultConfiguration") { $0.member("level", rule.severity.rawValue) }
    }

    private func add(_ occurrence: Occurrence, ruleIndex: UInt64, to json: inout JSONReport) {
        let (item, location) = (occurrence.item, occurrence.location)
        json.member("ruleId", item.finding.name)
        json.member("ruleIndex", ruleIndex)
        json.member("level", item.severity.rawValue)
        json.member("message") { $0.member("text", occurrence.message) }
        json.member("locations", [occurrence]) { json, occurrence in
            json.member("physicalLocation") { json in
                json.member("artifactLocation") { $0.member("uri", Self.uri(ofPath: location.path)) }
                json.member("region") { $0.member("startLine", occurrence.line) }
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
