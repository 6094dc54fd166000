/// A language's rules for numbers.
package protocol NumberRules {
    /// Returns a number's plural category by the language's rules.
    func category(of number: UInt64) -> PluralCategory

    /// Appends a number as the language writes it.
    func appendNumber(_ number: UInt64, to output: inout [UInt8])
}
