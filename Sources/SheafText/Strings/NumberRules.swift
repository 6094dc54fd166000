/// What a language does with a number.
public protocol NumberRules {
    /// The class of a number in the language's plural rules.
    func category(of number: UInt64) -> PluralCategory

    /// Appends a number as the language writes it.
    func appendNumber(_ number: UInt64, to output: inout [UInt8])
}
