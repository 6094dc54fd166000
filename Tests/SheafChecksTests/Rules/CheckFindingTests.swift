import SheafBytes
import Testing

@testable import SheafChecks
@testable import SheafGroups

/// The list of all findings of a check.
@Suite struct CheckFindingTests {
    private static let warnings = [
        "thread-id.misplaced", "untimed", "category.unknown", "summary.deprecated", "outcome.unknown",
        "action.unknown",
        "device-token.length",
        "content-available.value", "sound.critical", "title-loc-args.few", "subtitle-loc-args.few",
        "loc-args.few", "summary-arg.missing", "thread-id.in-payload", "thread-id.in-headers",
        "aps.custom-key", "loc-key.unknown", "threads.single", "threads.many", "thread.crowded",
        "interruptions.many", "urgent.buried", "formats.mixed",
        "collapse-ids.single",
        "mutable-content.missing", "id.repeated",
    ]

    /// The expected order is that of reports.
    @Test func namesAreInOrder() {
        let types = Finding.allCases.map { "\($0.name)" }.filter { $0.hasSuffix(".type") }
        #expect(types.count == 19)
        let expected =
            [
                "gzip.truncated", "gzip.header", "gzip.corrupt", "gzip.crc", "gzip.length", "gzip.garbage",
                "zstd.truncated", "zstd.corrupt",
                "zstd.checksum", "zstd.window", "zstd.dictionary", "zstd.garbage",
                "format.bzip2", "format.xz", "format.zip", "format.zstd", "format.lz4", "format.snappy",
                "format.zlib",
                "format.gzip", "format.utf-16", "format.utf-16le", "format.utf-16be", "format.utf-32",
                "format.parquet",
                "format.avro", "format.partial", "format.state", "format.snapshot",
                "line.too-long", "json.too-deep", "json.invalid", "json.not-object", "payload.missing",
                "payload.invalid", "aps.missing", "app.missing", "timestamp.invalid", "field.too-long",
                "removal.invalid", "settings.invalid", "response.invalid", "modification.invalid",
                "outcome.invalid", "input.unmatched",
                "payload.too-large",
                "collapse-id.too-long", "push-type.unknown", "priority.background", "BadMessageId",
                "BadTopic",
                "BadPriority", "BadExpirationDate", "BadDeviceToken", "summary-arg-count.invalid",
            ] + types + [
                "background.shown", "alert.empty", "interruption-level.unknown", "relevance-score.range",
                "badge.negative", "sound.name", "sound.volume", "mutable-content.hidden",
                "title-loc-args.unused", "subtitle-loc-args.unused", "loc-args.unused", "aps.unknown-key",
                "alert.unknown-key",
            ] + Self.warnings
        #expect(CheckFinding.all.map(\.name) == expected)
        #expect(Set(CheckFinding.all.map(\.name)).count == CheckFinding.all.count)
    }

    @Test(arguments: CheckFinding.all) func findingsHaveTheirSeverity(_ finding: CheckFinding) {
        #expect(finding.severity == (Self.warnings.contains(finding.name) ? .warning : .error))
    }

    /// An explanation is a sentence that fits on two lines of a narrow terminal, and usually on one.
    @Test(arguments: CheckFinding.all) func explanationsAreShortSentences(_ finding: CheckFinding) {
        let text = finding.explanation(maximumLine: "--max-line")
        #expect(text.hasSuffix("."))
        #expect((10...90).contains(text.count), "\(text)")
        #expect(text.utf8.allSatisfy { (0x20..<0x7f).contains($0) })
    }

    /// An explanation has the limit that applies, and nothing in place of it.
    @Test(arguments: CheckFinding.all) func explanationsHaveTheLimit(_ finding: CheckFinding) {
        #expect(!finding.explanation(maximumLine: "--max-line").contains("{"))
        #expect((finding.limit == nil) == (finding.limitRange == nil))
        guard let limit = finding.limit, let range = finding.limitRange else { return }
        #expect(range.contains(limit) && range.lowerBound == 1)
        #expect(finding.explanation(maximumLine: "").contains("over \(limit) "))
        #expect(finding.explanation(maximumLine: "", limit: 1_234).contains("over 1,234 "))
    }

    @Test func fourRulesHaveALimit() {
        #expect(
            CheckFinding.limited.map { "\($0.name)=\($0.limit ?? 0)" } == [
                "threads.many=6", "thread.crowded=60", "interruptions.many=20", "urgent.buried=4",
            ])
    }

    @Test(arguments: CheckFinding.all) func findingsAreFoundByName(_ finding: CheckFinding) {
        #expect(CheckFinding(name: finding.name) == finding)
        #expect(CheckFinding(name: finding.name + " ") == nil)
        #expect(
            CheckFinding(name: finding.name.uppercased()) == nil || finding.name == finding.name.uppercased())
    }

    /// A rule about what Apple's service refuses has the name of its error, unless it had a name before.
    @Test(arguments: CheckFinding.all) func serviceErrorsAreNamed(_ finding: CheckFinding) {
        let older = [
            "payload.too-large": "PayloadTooLarge", "collapse-id.too-long": "BadCollapseId",
            "push-type.unknown": "InvalidPushType", "priority.background": "BadPriority",
        ]
        #expect(
            finding.serviceError == older[finding.name]
                ?? (finding.name.hasPrefix("Bad") ? finding.name : nil))
        if let error = older[finding.name] {
            #expect(finding.explanation(maximumLine: "--max-line").contains("(\(error))"))
        }
        #expect(finding.page.hasPrefix("Apple: ") || finding.page.hasPrefix("Sheaf: "))
        if finding.serviceError != nil { #expect(finding.page.hasPrefix("Apple: ")) }
    }
}
