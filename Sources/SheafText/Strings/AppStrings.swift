/// One app's string tables, looked up in one locale.
package struct AppStrings: Sendable {
    private let tables: StringTables
    private let chain: LanguageChain

    package init(_ tables: StringTables, _ chain: LanguageChain) {
        self.tables = tables
        self.chain = chain
    }

    /// A key's text, compiled for the place where it is shown.
    package struct Found {
        package let string: CompiledString
        /// Those of the language that the text was found in.
        package let rules: PluralRules
        /// Whether that language is the locale's.
        package let isLocal: Bool
        /// The text as the table has it; nil where it has one for each class of numbers.
        package let source: String?
    }

    /// The text of a key for a role; nil where no table has it.
    ///
    /// - Throws: `StringFormatError` for a text that can't be shown there.
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
