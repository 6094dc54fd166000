import SheafBytes
import SheafText

/// The texts that one app's alerts name by their keys (`title-loc-key`, `subtitle-loc-key`, `loc-key`), in one locale.
public struct AlertTexts: Sendable {
    private let strings: AppStrings

    init(_ strings: AppStrings) { self.strings = strings }

    /// What is known of a key.
    public enum Found: Sendable {
        /// In no table: a device then shows the key.
        case nothing
        /// A table has it, but nothing that can be shown: as good as nothing.
        case unusable
        case text(AlertText)
    }

    /// Looks a key up and compiles its text: to be kept by those who need it again.
    public func find(_ key: String) -> Found {
        do {
            guard let found = try strings.find(key, .alert) else { return .nothing }
            return .text(AlertText(string: found.string, rules: found.rules, isLocal: found.isLocal))
        } catch {
            return .unusable
        }
    }
}

/// An alert's text out of a string table.
public struct AlertText: Sendable {
    let string: CompiledString
    let rules: PluralRules
    /// Whether it is in the locale's language.
    public let isLocal: Bool

    /// Appends the text with its arguments, unless it becomes longer than any alert is.
    ///
    /// - Parameters:
    ///   - arguments: a JSON array, or nothing. Strings stand in the text as they are, other values as they are written.
    ///   - texts: how numbers are written.
    /// - Returns: false for one that is too long, of which nothing is left.
    public func append(
        arguments: Span<UInt8>, texts: LocalizedTexts, to output: inout [UInt8]
    ) -> Bool {
        let arguments = arguments.jsonArrayTexts
        let start = output.count
        var fits = true
        string.append(
            argumentCount: arguments.count,
            argument: { index, output in
                fits = fits && output.count - start + arguments[index].count <= StringLimits.alertLength
                if fits { output.append(contentsOf: arguments[index]) }
            },
            rules: LanguageRules(rules: rules, texts: texts), to: &output)
        if !fits { output.removeLast(output.count - start) }
        return fits
    }
}
