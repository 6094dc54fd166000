/// The script and the region that most readers of a language have.
enum CommonLocales {
    /// Returns a language's most common forms, such as `zh_Hans` or `pt_BR`; empty for an unknown language.
    static func forms(of language: String) -> [LocaleIdentifier] {
        var forms: [LocaleIdentifier] = []
        if let script = scripts[language] {
            forms.append(LocaleIdentifier(language: language, script: script))
        }
        if let region = regions[language] {
            forms.append(LocaleIdentifier(language: language, region: region))
        }
        return forms
    }

    /// Returns the region where most readers of a locale's language, in its script, are; nil for an unknown language.
    static func mainRegion(of locale: LocaleIdentifier) -> String? {
        let script = locale.script ?? scripts[locale.language]
        return script.flatMap { regions["\(locale.language)_\($0)"] } ?? regions[locale.language]
    }

    /// Returns whether a locale is a language in the region where most of its readers are.
    static func isMain(_ locale: LocaleIdentifier) -> Bool {
        locale.region != nil && forms(of: locale.language).contains(locale)
    }

    /// The name and the regions of each language, and of each language in a script.
    static let rows = ListTables.locales.utf8.split(separator: UInt8(ascii: "\n")).map { row in
        row.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
    }

    private static let scripts = first { $0.utf8.count == 4 }
    private static let regions = first { $0.utf8.count < 4 }

    private static func first(where isWanted: (String) -> Bool) -> [String: String] {
        var found: [String: String] = [:]
        for row in rows { found[row[0]] = row.dropFirst().first(where: isWanted) }
        return found
    }
}
