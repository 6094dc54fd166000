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
        let parts = lowercased.split(whereSeparator: { $0 == "-" || $0 == "_" }).map(String.init)
        guard let language = parts.first, (2...3).contains(language.utf8.count),
            parts.allSatisfy({ $0.utf8.allSatisfy(isAlphanumeric) })
        else { return name }
        var result = [legacyCodes[language] ?? language]
        for part in parts.dropFirst() {
            if part.utf8.count == 4, part.utf8.allSatisfy({ $0 >= 0x61 }) {
                result.append(part.prefix(1).uppercased() + part.dropFirst())
            } else if part.utf8.count == 2 || part.utf8.count == 3 {
                result.append(part.uppercased())
            } else {
                result.append(part)
            }
        }
        let joined = result.joined(separator: "-")
        return chinese[joined] ?? joined
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        0x61...0x7a ~= byte || 0x30...0x39 ~= byte
    }

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

    /// Codes that were replaced (ISO 639).
    private static let legacyCodes = ["iw": "he", "in": "id", "ji": "yi", "no": "nb", "tl": "fil"]

    /// Chinese was told apart by the region before it was by the script. Where the region is the script's first one
    /// it goes, as in Apple's own folders (`zh-Hant`, but `zh-Hant-HK`).
    private static let chinese = [
        "zh-CN": "zh-Hans", "zh-SG": "zh-Hans-SG", "zh-TW": "zh-Hant", "zh-HK": "zh-Hant-HK",
        "zh-MO": "zh-Hant-MO",
    ]
}
