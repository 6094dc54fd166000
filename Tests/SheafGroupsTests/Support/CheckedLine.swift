import SheafBytes

@testable import SheafGroups

/// The problems that checks find in a line, and the outcome of decoding it afterwards.
struct CheckedLine {
    /// The findings of the checks, without those about the types of fields.
    let problems: [CheckFinding]
    let outcome: RecordDecoder.Outcome
    /// Whether the checks left the line's bytes unchanged.
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
        outcome = decoder.decode(whole, of: chunk, at: RecordPosition(source: 0, line: 1))
        let decoded = decoder.findings
        let limits = [Finding.payloadTooLarge, .collapseIdentifierTooLong, .summaryDeprecated]
        problems =
            limits.filter { decoded.contains($0) }.map { .record($0) }
            + CheckProblem.allCases.filter { found.contains($0) }.map { .problem($0) }
    }
}

/// Returns the JSON text as a JSON string.
func quoted(_ json: String) -> String {
    let escaped = json.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
        .split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
    return "\"\(escaped)\""
}
