/// The names of languages as `*.lproj` folders and catalogs have them, brought to one spelling.
///
/// Folders are named by identifiers with `-` or, in older projects, `_` (`pt-BR`, `zh_TW`), and in the oldest by the
/// language's English name (`German.lproj`). `Base` is no language: it stands as it is.
public enum LanguageName {
    /// "zh_tw" → "zh-Hant", "PT_br" → "pt-BR", "English" → "en"; what is no identifier stays as it is.
    public static func canonical(_ name: String) -> String {
        let lowercased = name.lowercased()
        if lowercased == "base" { return "Base" }
        if let code = legacyNames[lowercased] { return code }
        guard let locale = LocaleIdentifier(name) else { return name }
        // Chinese was told apart by the region before it was by the script: these two stand for all that is written so,
        // as Apple's own folders do.
        return chinese[lowercased] ?? locale.tag
    }

    /// The language of an English name; nil where there is none.
    package static func language(named name: String) -> LocaleIdentifier? {
        legacyNames[name.lowercased()].flatMap { LocaleIdentifier($0) }
    }

    private static let chinese = [
        "zh-cn": "zh-Hans", "zh_cn": "zh-Hans", "zh-tw": "zh-Hant", "zh_tw": "zh-Hant",
    ]

    /// The folder names of times before there were identifiers.
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
