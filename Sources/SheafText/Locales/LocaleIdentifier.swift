/// A locale's name in canonical form: `en_US`, `zh_Hant_TW`.
///
/// It is read with `-` or `_` and in any case. Old names of languages are replaced (`iw` is `he`), and a script is added
/// where a region has another than the language elsewhere, and to Chinese with a region: `zh-TW` is `zh_Hant_TW`,
/// `sr-ME` is `sr_Latn_ME`. Names are as in Unicode Technical Standard 35, part 1; what replaces what is CLDR's.
public struct LocaleIdentifier: Hashable, Sendable {
    public let language: String
    public let script: String?
    public let region: String?
    public let variant: String?

    /// What texts are written in when nothing else is said, whatever the environment says.
    public static let `default` = LocaleIdentifier(language: "en", region: "US")

    /// nil for what can't be a locale's name. Whether there is such a locale is another question.
    public init?(_ text: String) {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        var parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }[...]
        /// The next part, if it has this many characters of this kind.
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

    /// From parts that are canonical, but for a script that a region implies.
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

    /// With underscores: `zh_Hant_TW`.
    public var identifier: String { parts.joined(separator: "_") }

    /// With hyphens: `zh-Hant-TW`.
    public var tag: String { parts.joined(separator: "-") }

    private var parts: [String] { [language] + [script, region, variant].compactMap { $0 } }
}

extension LocaleIdentifier: CustomStringConvertible {
    public var description: String { identifier }
}

// Which locale stands in for which.
extension LocaleIdentifier {
    /// The locale itself, and then those whose texts stand in for it, the nearest first: `zh_Hant_TW`, `zh_Hant`, `zh`.
    ///
    /// As CLDR's locales inherit: `en_AU` from `en_001`, `es_MX` from `es_419`, and `sr_Latn` from none, as nobody is
    /// to get Cyrillic for Latin. `zh_Hant` alone has `zh` behind it, as apps name their tables. `no` and `nb` are the
    /// same language for most tables, so each of them has the other behind it.
    public var fallbacks: [LocaleIdentifier] {
        var chain = [self]
        while let parent = chain[chain.count - 1].parent { chain.append(parent) }
        if chain.last == Self.norwegian, !chain.contains(Self.bokmal) { chain.append(Self.bokmal) }
        return chain
    }

    /// The fallbacks of its own language, and that language: for rules that all scripts of a language share.
    var ofSameLanguage: [LocaleIdentifier] {
        var chain = fallbacks.filter { $0.language == language }
        if chain.last?.parts.count ?? 0 > 1 { chain.append(LocaleIdentifier(language: language)) }
        return chain
    }

    private var parent: LocaleIdentifier? {
        if let name = Self.parents[identifier], self != Self.traditionalChinese {
            return name == "root" ? nil : LocaleIdentifier(name)
        }
        return withoutLastPart
    }

    /// `zh_Hant` of `zh_Hant_TW`; nil of a language alone.
    var withoutLastPart: LocaleIdentifier? {
        if variant != nil { return LocaleIdentifier(language: language, script: script, region: region) }
        if region != nil { return LocaleIdentifier(language: language, script: script) }
        if script != nil { return LocaleIdentifier(language: language) }
        return nil
    }

    private static let norwegian = LocaleIdentifier(language: "no")
    private static let bokmal = LocaleIdentifier(language: "nb")
    private static let traditionalChinese = LocaleIdentifier(language: "zh", script: "Hant")

    /// CLDR's language aliases, of those that are still written.
    private static let replacements: [String: (language: String, script: String?)] = [
        "cmn": ("zh", nil), "in": ("id", nil), "iw": ("he", nil), "ji": ("yi", nil), "jw": ("jv", nil),
        "mo": ("ro", nil), "sh": ("sr", "Latn"), "tl": ("fil", nil),
    ]

    private static let scripts = LocaleTable(CLDRLocales.scripts).byLocale
    private static let parents = LocaleTable(CLDRLocales.parents).byLocale
}

extension String {
    fileprivate var capitalizedWord: String { prefix(1).uppercased() + dropFirst().lowercased() }
}
