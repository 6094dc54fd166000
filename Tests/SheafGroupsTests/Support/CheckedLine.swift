import SheafBytes

@testable import SheafGroups

/// What checks find in a line, and what decoding makes of it afterwards.
struct CheckedLine {
    /// Of limits and of use: none of the findings of fields' types.
    let problems: [CheckFinding]
    let outcome: RecordDecoder.Outcome
    /// Whether the line's bytes are what they were.
    let isUnchanged: Bool

    init(_ line: String, settings: Settings = Settings(), profile: Profile = .ios12) {
        var checks = PayloadChecks(KnownCategories(settings))
        var decoder = RecordDecoder(keepsRejectedText: false, profile: profile)
        self.init(line, by: &checks, &decoder)
    }

    init(_ line: String, by checks: inout PayloadChecks, _ decoder: inout RecordDecoder) {
        let bytes = Array(line.utf8)
        let chunk = Chunk(bytes)
        let whole = TextRange(0..<bytes.count)
        let found = checks.check(whole, of: chunk)
        isUnchanged = chunk.bytes.string == line + "\n"
        outcome = decoder.decode(whole, of: chunk, source: 0, line: 1)
        let decoded = decoder.findings
        let limits = [Finding.payloadTooLarge, .collapseIdentifierTooLong, .summaryDeprecated]
        problems =
            limits.filter { decoded.contains($0) }.map { .record($0) }
            + PayloadProblem.allCases.filter { found.contains($0) }.map { .problem($0) }
    }
}

/// A JSON text as a JSON string that holds it.
func quoted(_ json: String) -> String {
    let escaped = json.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
        .split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
    return "\"\(escaped)\""
}
