import SheafBytes

/// The texts that one app's alerts name by their keys (`title-loc-key`, `subtitle-loc-key`, `loc-key`), in one locale.
public struct AlertTexts: Sendable {
    private let tables: StringTables
    private let chain: LanguageChain

    init(_ tables: StringTables, _ chain: LanguageChain) {
        self.tables = tables
        self.chain = chain
    }

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
        guard let found = tables.find(key, in: chain.languages) else { return .nothing }
        do {
            let string = try CompiledString(
                found.entry, key: key, language: found.language, role: .alert)
            return .text(AlertText(string: string, rules: chain.rules(of: found.language)))
        } catch {
            return .unusable
        }
    }
}

/// An alert's text out of a string table.
public struct AlertText: Sendable {
    let string: CompiledString
    let rules: PluralRules

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

/// Which languages' tables are looked in, the best first: the locale's and those that stand in for it, the form of the
/// language that most people read, the language that the app is developed in, and `Base`.
struct LanguageChain: Sendable {
    let languages: [String]
    private let developmentLanguage: String

    init(_ locale: LocaleIdentifier, developmentLanguage: String) {
        let development = LocaleIdentifier(LanguageName.canonical(developmentLanguage)).map(Self.names)
        languages = Self.names(locale) + (development ?? []) + ["Base"]
        self.developmentLanguage = developmentLanguage
    }

    /// Those of a locale. A table in another script is never taken for it: who reads Serbian in Latin letters gets no
    /// Cyrillic.
    private static func names(_ locale: LocaleIdentifier) -> [String] {
        let usual = UsualLocales.forms(of: locale.language)
        let script = usual.lazy.compactMap(\.script).first
        let isUsual = locale.script == nil || locale.script == script
        return (locale.fallbacks + (isUsual ? usual : [])).map(\.tag)
    }

    /// The plural rules of a table's texts. Those of the base are in the language that the app is developed in.
    func rules(of language: String) -> PluralRules {
        let language = language == "Base" ? LanguageName.canonical(developmentLanguage) : language
        return PluralRules(LocaleIdentifier(language) ?? .default)
    }
}
