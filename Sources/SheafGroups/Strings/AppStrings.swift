/// One app's string tables, looked up in one locale.
struct AppStrings: Sendable {
    private let tables: StringTables
    private let chain: LanguageChain

    init(_ tables: StringTables, _ chain: LanguageChain) {
        self.tables = tables
        self.chain = chain
    }

    /// The text of a key for a role, and the plural rules of the language that it was found in; nil where no table has it.
    ///
    /// - Throws: `StringFormatError` for a text that can't be shown there.
    func find(
        _ key: String, _ role: CompiledString.Role
    ) throws(StringFormatError) -> (string: CompiledString, rules: PluralRules)? {
        guard let found = tables.find(key, in: chain.languages) else { return nil }
        let string = try CompiledString(found.entry, key: key, language: found.language, role: role)
        return (string, chain.rules(of: found.language))
    }
}
