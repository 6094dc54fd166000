import SheafBytes
import SheafText

/// The texts that one app's alerts refer to by key (`title-loc-key`, `subtitle-loc-key`, `loc-key`), in one locale.
package struct AlertTexts: Sendable {
    private let strings: AppStrings

    init(_ strings: AppStrings) { self.strings = strings }

    /// Whether a table has a key for the locale.
    package func contains(_ key: String) -> Bool { strings.contains(key) }

    /// The languages whose readers see keys instead of texts.
    var gaps: LanguageGaps { strings.gaps }

    /// The result of looking up a key.
    package enum Found: Sendable {
        /// No table has the key, so a device shows the key.
        case nothing
        /// A table has the key, but not a text that can be shown.
        case unusable
        case text(ShownFormat)
    }

    /// Looks up a key and compiles its text. Callers that need the result again should keep it.
    package func find(_ key: String) -> Found {
        do {
            guard let found = try strings.find(key, .alert) else { return .nothing }
            return .text(found)
        } catch {
            return .unusable
        }
    }
}

extension ShownFormat {
    /// Appends the text of an alert with its arguments, unless it becomes longer than `StringLimits.alertLength`.
    ///
    /// - Parameters:
    ///   - arguments: a JSON array, or nothing. Strings are decoded, other values appear as they are written.
    ///   - texts: the texts whose number format is used.
    /// - Returns: false if the text is too long; then nothing is appended.
    package func append(
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
            rules: rules, texts: texts, to: &output)
        if !fits { output.removeLast(output.count - start) }
        return fits
    }
}
