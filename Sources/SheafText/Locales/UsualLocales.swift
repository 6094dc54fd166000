/// How most readers of a language read it: in which script, and in which region.
enum UsualLocales {
    /// `zh_Hans`, or `pt_BR`; none of a language that nothing is known of.
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

    /// Whether it is a language in the region where most of its readers are.
    static func isMain(_ locale: LocaleIdentifier) -> Bool {
        locale.region != nil && forms(of: locale.language).contains(locale)
    }

    /// Of each language, and of each in a script, its name and regions.
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
