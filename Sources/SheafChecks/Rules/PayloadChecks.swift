import SheafBytes
import SheafGroups
import SheafText

/// Finds the problems of pushes that decoding does not report: the rules, and what they found in the last record.
///
/// A decoder or an entry reader that has the checks shows them the fields of each push. Allocates nothing per record,
/// except for numbers with fractions or exponents, for keys that Apple does not define, and for keys of string tables.
package final class PayloadChecks: PushInspector {
    private var rules: PayloadRules

    /// - Parameters:
    ///   - known: the apps of a configuration; the categories and keys of other apps are not checked.
    ///   - profile: the profile that decides which problems apply.
    ///   - keepsValues: whether the caller needs `value(of:)`.
    package init(_ known: KnownCategories, profile: Profile = .ios12, keepsValues: Bool = false) {
        rules = PayloadRules(known, profile: profile, keepsValues: keepsValues)
    }

    package func begin() { rules.begin() }

    package func inspect(
        _ envelope: borrowing FieldScanner, _ slots: CheckedSlots,
        payload: borrowing FieldScanner, _ payloadSlots: CheckedPayloadSlots, in chunk: Chunk
    ) {
        rules.check(envelope, slots, payload: payload, payloadSlots, chunk)
    }

    /// The problems of the last record; they have no meaning if it was rejected, or is not a push.
    package var problems: ProblemSet { rules.problems }

    /// Returns what a problem of the last record is about, if it is about one of many things: the key that is unknown.
    package func detail(of problem: CheckProblem) -> String? { rules.detail(of: problem) }

    /// Returns the value that a problem or another finding of the last record is about, as it was before decoding; nil
    /// unless values are kept.
    package func value(of finding: CheckFinding) -> [UInt8]? { rules.values[finding] }
}
