import SheafBytes

/// A promise that holds for any bytes, which a fuzzer tries to break.
///
///     libFuzzer ──bytes──▶ an executable of Targets ──▶ mistakes(about:) ◀── the tests ◀── Inputs, seeds
///
/// What a check says depends on the bytes alone: an input that was found to fail fails again.
public protocol FuzzCheck: SendableMetatype {
    /// What a fuzzer starts from: between them they reach most of what is checked.
    static var seeds: [[UInt8]] { get }
    /// Pieces that inputs are made of, which a fuzzer would take long to guess.
    static var words: [[UInt8]] { get }

    /// What is wrong with what became of `bytes`; nothing when the promise holds.
    static func mistakes(about bytes: [UInt8]) -> [String]
}

extension FuzzCheck {
    /// The check's executable, and the folder of its inputs.
    public static var name: String { "\(Self.self)" }
}

/// Every check. The tests run each of them over its seeds and over the inputs that are kept.
public let fuzzChecks: [any FuzzCheck.Type] = [
    CheckpointResuming.self,
    LineFraming.self,
    PartialMerging.self,
    RecordDecoding.self,
    SourceInflating.self,
]
