/// A locale's name in canonical form: `en_US`, `zh_Hant_TW`.
///
/// A name may be written with `-` or `_` and in any case. Deprecated language codes are replaced (`iw` by `he`). A
/// script is added if a region uses another script than the language does elsewhere, and to Chinese with a region:
/// `zh-TW` becomes `zh_Hant_TW`, `sr-ME` becomes `sr_Latn_ME`. Names are those of Unicode Technical Standard 35, part
/// 1; the replacements are CLDR's.
public struct LocaleIdentifier: Hashable, Sendable {
    public let language: String
    public let script: String?
    public let region: String?
    public let variant: String?

    /// The locale of texts unless another is specified, regardless of the environment.
    public static let `default` = LocaleIdentifier(language: "en", region: "US")

    /// Parses a locale's name; nil if it is malformed. Does not check whether such a locale exists.
    public init?(_ text: String) {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        var parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }[...]
        /// Consumes the next part if its length is in `count` and all its characters match `kind`.
        func next(_ count: ClosedRange<Int>, of kind: (Character) -> Bool) -> String? {
            guard let part = parts.first, count.contains(part.count), part.allSatisfy(kind) else {
                return nil
            }
            parts.removeFirst()
            return String(part)
        }
        guard let language = next(2...3, of: \.isLetter)?.lowercased() else { return nil }
        let script = next(4...4, of: \.isLetter)?.capitalizedWord
        let region = next(2...2, of: \.isLetter)?.uppercased() ?? next(3...3, of: \.isNumber)
        let variant = next(5...8, of: { $0.isLetter || $0.isNumber })?.uppercased()
        guard parts.isEmpty else { return nil }
        let replacement = Self.replacements[language]
        self.init(
            language: replacement?.language ?? language, script: script ?? replacement?.script,
            region: region,
            variant: variant)
    }

    /// Creates a locale from canonical parts, and adds a script that the region implies.
    init(language: String, script: String? = nil, region: String? = nil, variant: String? = nil) {
        self.language = language
        if let region, script == nil {
            self.script = Self.scripts["\(language)_\(region)"] ?? (language == "zh" ? "Hans" : nil)
        } else {
            self.script = script
        }
        self.region = region
        self.variant = variant
    }

    /// The name with underscores: `zh_Hant_TW`.
    public var identifier: String { parts.joined(separator: "_") }

    /// The name with hyphens: `zh-Hant-TW`.
    public var tag: String { parts.joined(separator: "-") }

    private var parts: [String] { [language] + [script, region, variant].compactMap { $0 } }
}

extension LocaleIdentifier: CustomStringConvertible {
    public var description: String { identifier }
}

// MARK: - Fallbacks

extension LocaleIdentifier {
    /// The locale itself, followed by those whose texts can replace its own, the closest first: `zh_Hant_TW`,
    /// `zh_Hant`, `zh`.
    ///
    /// Follows CLDR's inheritance: `en_AU` inherits from `en_001`, `es_MX` from `es_419`, and `sr_Latn` from no
    /// other locale, so that Latin script is never replaced by Cyrillic. The only exception is `zh_Hant`, which falls back to `zh`,
    /// because apps name their tables that way. `no` and `nb` are the same language for most tables, so each falls
    /// back to the other.
    package var fallbacks: [LocaleIdentifier] {
        var chain = [self]
        while let parent = chain[chain.count - 1].parent { chain.append(parent) }
        if chain.last == Self.norwegian, !chain.contains(Self.bokmal) { chain.append(Self.bokmal) }
        return chain
    }

    /// The fallbacks in the same language, and the language itself, for rules that all scripts of a language share.
    var sameLanguageFallbacks: [LocaleIdentifier] {
        var chain = fallbacks.filter { $0.language == language }
        if chain.last?.parts.count ?? 0 > 1 { chain.append(LocaleIdentifier(language: language)) }
        return chain
    }

    private var parent: LocaleIdentifier? {
        if let name = Self.parents[identifier], self != Self.traditionalChinese {
            return name == "root" ? nil : LocaleIdentifier(name)
        }
        return droppingLastPart
    }

    /// The locale without its last part: `zh_Hant` for `zh_Hant_TW`; nil for a language alone.
    var droppingLastPart: LocaleIdentifier? {
        if variant != nil { return LocaleIdentifier(language: language, script: script, region: region) }
        if region != nil { return LocaleIdentifier(language: language, script: script) }
        if script != nil { return LocaleIdentifier(language: language) }
        return nil
    }

    private static let norwegian = LocaleIdentifier(language: "no")
    private static let bokmal = LocaleIdentifier(language: "nb")
    private static let traditionalChinese = LocaleIdentifier(language: "zh", script: "Hant")

    /// CLDR's aliases for deprecated language codes that are still in use.
    private static let replacements: [String: (language: String, script: String?)] = [
        "cmn": ("zh", nil), "in": ("id", nil), "iw": ("he", nil), "ji": ("yi", nil), "jw": ("jv", nil),
        "mo": ("ro", nil), "sh": ("sr", "Latn"), "tl": ("fil", nil),
    ]

    private static let scripts = LocaleTable(CLDRTables.scripts).byLocale
    private static let parents = LocaleTable(CLDRTables.parents).byLocale
}

extension String {
    var capitalizedWord: String { prefix(1).uppercased() + dropFirst().lowercased() }
}

/// A table of values by locale, parsed from text with a row on each line: `value | locales`.
struct LocaleTable: Sendable {
    let rows: [(value: Substring, locales: [Substring])]

    /// Splits by bytes: splitting by characters would cost more at each launch than everything else here.
    init(_ text: String) {
        rows = text.utf8.split(separator: UInt8(ascii: "\n")).map { row in
            guard let bar = row.lastIndex(of: UInt8(ascii: "|")) else {
                preconditionFailure("a row without locales: '\(Substring(row))'")
            }
            let locales = row[row.index(after: bar)...].split(separator: UInt8(ascii: " "))
            // A space precedes the bar.
            return (Substring(row[..<bar].dropLast()), locales.map { Substring($0) })
        }
    }

    /// Returns the value in the row of a name; nil if no row has the name.
    func value(of name: Substring) -> Substring? { rows.first { $0.locales.contains(name) }?.value }

    /// The value in the locale's own row; nil if there is no such row.
    subscript(locale: LocaleIdentifier) -> Substring? { value(of: Substring(locale.identifier)) }

    /// Returns the value of the locale, or of the closest locale without its last parts: for `de_AT`, that of `de`.
    func value(inheritedBy locale: LocaleIdentifier) -> Substring? {
        var ancestor: LocaleIdentifier? = locale
        while let named = ancestor {
            if let value = self[named] { return value }
            ancestor = named.droppingLastPart
        }
        return nil
    }

    /// CLDR's plural rules.
    static let plurals = LocaleTable(CLDRTables.plurals)

    /// The value of each locale.
    var byLocale: [String: String] {
        var values: [String: String] = [:]
        for row in rows { for locale in row.locales { values[String(locale)] = String(row.value) } }
        return values
    }
}
