/// Converts the names of languages in `*.lproj` folders and catalogs to canonical spelling.
///
/// Folders are named by identifiers with `-` or, in older projects, `_` (`pt-BR`, `zh_TW`), and in the oldest ones by
/// the language's English name (`German.lproj`). `Base` is not a language, and keeps its name.
package enum LanguageName {
    /// Returns the canonical spelling: "zh_tw" → "zh-Hant", "PT_br" → "pt-BR", "English" → "en". A name that is not
    /// an identifier is returned unchanged.
    package static func canonical(_ name: String) -> String {
        let lowercased = name.lowercased()
        if lowercased == "base" { return "Base" }
        if let code = legacyNames[lowercased] { return code }
        guard let locale = LocaleIdentifier(name) else { return name }
        // Chinese used to be distinguished by region instead of script: these two regions stand for their scripts, as
        // in Apple's own folders.
        return chinese[lowercased] ?? locale.tag
    }

    /// Returns the language with this English name; nil if the name is unknown.
    package static func language(named name: String) -> LocaleIdentifier? {
        legacyNames[name.lowercased()].flatMap { LocaleIdentifier($0) }
    }

    /// Returns the language whose English name begins with a text or is similar to it, and of several the first by name;
    /// nil if there is no such language, or if the text is shorter than four letters, like identifiers.
    static func language(nearestTo text: String) -> LocaleIdentifier? {
        let text = text.lowercased()
        guard text.count >= 4, text.allSatisfy(\.isLetter) else { return nil }
        let names = legacyNames.keys.filter {
            $0.hasPrefix(text) || Suggestion.distance($0, text) * 4 <= text.count
        }
        return names.min().flatMap { legacyNames[$0] }.flatMap { LocaleIdentifier($0) }
    }

    private static let chinese = [
        "zh-cn": "zh-Hans", "zh_cn": "zh-Hans", "zh-tw": "zh-Hant", "zh_tw": "zh-Hant",
    ]

    /// The folder names from the time before identifiers.
    private static let legacyNames = [
        "arabic": "ar", "bulgarian": "bg", "catalan": "ca", "chinese": "zh", "croatian": "hr", "czech": "cs",
        "danish": "da", "dutch": "nl", "english": "en", "estonian": "et", "finnish": "fi", "french": "fr",
        "german": "de", "greek": "el", "hebrew": "he", "hungarian": "hu", "icelandic": "is",
        "indonesian": "id",
        "italian": "it", "japanese": "ja", "korean": "ko", "latvian": "lv", "lithuanian": "lt", "malay": "ms",
        "norwegian": "nb", "persian": "fa", "polish": "pl", "portuguese": "pt", "romanian": "ro",
        "russian": "ru", "serbian": "sr", "slovak": "sk", "slovenian": "sl", "spanish": "es", "swedish": "sv",
        "thai": "th", "turkish": "tr", "ukrainian": "uk", "vietnamese": "vi",
    ]
}
