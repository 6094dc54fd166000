import SheafBytes

/// A promise that holds for all bytes, which a fuzzer tries to break.
///
///     libFuzzer ──bytes──▶ an executable of Targets ──▶ violations(in:) ◀── the tests ◀── Inputs, seeds
///
/// The result of a check depends on the bytes alone, so an input that failed once fails again.
package protocol FuzzCheck: SendableMetatype {
    /// The inputs that a fuzzer starts from, which together reach most of the checked code.
    static var seeds: [[UInt8]] { get }
    /// Parts of inputs that a fuzzer would take long to guess.
    static var words: [[UInt8]] { get }

    /// Returns how processing `bytes` breaks the promise; empty if the promise holds.
    static func violations(in bytes: [UInt8]) -> [String]
}

extension FuzzCheck {
    /// The check's executable, and the folder of its inputs.
    package static var name: String { "\(Self.self)" }
}

/// All checks. The tests run each of them on its seeds and on the kept inputs.
package let fuzzChecks: [any FuzzCheck.Type] = [
    CheckpointResuming.self,
    EntryReading.self,
    Inflating.self,
    KeyPartitioning.self,
    LineFraming.self,
    PartialMerging.self,
    RecordDecoding.self,
    SourceInflating.self,
]
