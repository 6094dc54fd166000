/// One app's string tables, looked up in one locale.
package struct AppStrings: Sendable {
    private let tables: StringTables
    private let chain: LanguageChain

    package init(_ tables: StringTables, _ chain: LanguageChain) {
        self.tables = tables
        self.chain = chain
    }

    /// Whether a table for the locale, or one that is used in its place, has a key.
    package func contains(_ key: String) -> Bool { tables.find(key, inCanonical: chain.languages) != nil }

    /// The languages whose readers see keys instead of texts.
    package var gaps: LanguageGaps { LanguageGaps(tables, chain) }

    /// A key's text, compiled for a role.
    package struct Found {
        package let string: CompiledString
        /// The plural rules of the language that the text was found in.
        package let rules: PluralRules
        /// Whether the text is in the locale's language.
        package let isLocal: Bool
        /// The text as in the table; nil if the table has one for each plural category.
        package let source: String?
    }

    /// Returns a key's text for a role; nil if no table has the key.
    ///
    /// - Throws: `StringFormatError` for a text that is invalid in the role.
    package func find(_ key: String, _ role: CompiledString.Role) throws(StringFormatError) -> Found? {
        guard let found = tables.find(key, inCanonical: chain.languages) else { return nil }
        let string = try CompiledString(found.entry, key: key, language: found.language, role: role)
        var source: String?
        if case .text(let text) = found.entry.body { source = text }
        return Found(
            string: string, rules: chain.rules(of: found.language), isLocal: chain.isLocal(found.language),
            source: source)
    }
}
