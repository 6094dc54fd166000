import SheafBytes

@testable import SheafChecks
@testable import SheafGroups

/// The problems that checks find in a line, and the outcome of decoding it.
struct CheckedLine {
    /// The findings of the checks, without those about the types of fields.
    let problems: [CheckFinding]
    let outcome: RecordDecoder.Outcome
    /// Whether the checks left the line's bytes unchanged.
    let isUnchanged: Bool

    init(_ line: String, settings: Settings = Settings(), profile: Profile = .ios12) {
        var checker = LineChecker(KnownCategories(settings), profile: profile)
        self = checker.check(line)
    }

    init(problems: [CheckFinding], outcome: RecordDecoder.Outcome, isUnchanged: Bool) {
        self.problems = problems
        self.outcome = outcome
        self.isUnchanged = isUnchanged
    }
}

/// Checks one line after the other, with the same checks and decoder.
struct LineChecker: ~Copyable {
    let checks: PayloadChecks
    private let witness: ChangeWitness
    private var decoder: RecordDecoder

    init(_ known: KnownCategories = KnownCategories(Settings()), profile: Profile = .ios12) {
        checks = PayloadChecks(known, profile: profile)
        witness = ChangeWitness(of: checks)
        decoder = RecordDecoder(keepsRejectedText: false, profile: profile, inspector: witness)
    }

    mutating func check(_ line: String) -> CheckedLine { check(Array(line.utf8)) }

    mutating func check(_ bytes: [UInt8]) -> CheckedLine {
        let outcome = decoder.decode(
            TextRange(0..<bytes.count), of: Chunk(bytes), at: RecordPosition(source: 0, line: 1))
        let (decoded, found) = (decoder.findings, checks.problems)
        let limits = [Finding.payloadTooLarge, .collapseIdentifierTooLong, .summaryDeprecated]
        return CheckedLine(
            problems: limits.filter { decoded.contains($0) }.map { .record($0) }
                + CheckProblem.allCases.filter { found.contains($0) }.map { .problem($0) },
            outcome: outcome, isUnchanged: !witness.sawChange)
    }
}

/// Shows each push to checks, and compares the chunk before and after.
private final class ChangeWitness: PushInspector {
    private let checks: PayloadChecks
    /// Whether the checks of the last record changed a byte.
    private(set) var sawChange = false

    init(of checks: PayloadChecks) { self.checks = checks }

    func begin() {
        sawChange = false
        checks.begin()
    }

    func inspect(
        _ envelope: borrowing FieldScanner, _ slots: CheckedSlots,
        payload: borrowing FieldScanner, _ payloadSlots: CheckedPayloadSlots, in chunk: Chunk
    ) {
        let before = [UInt8](copying: chunk.bytes)
        checks.inspect(envelope, slots, payload: payload, payloadSlots, in: chunk)
        sawChange = [UInt8](copying: chunk.bytes) != before
    }

    var problems: ProblemSet { checks.problems }
    func detail(of problem: CheckProblem) -> String? { checks.detail(of: problem) }
    func value(of finding: CheckFinding) -> [UInt8]? { checks.value(of: finding) }
}
