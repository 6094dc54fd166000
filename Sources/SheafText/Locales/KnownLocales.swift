import SheafBytes

/// The error for a name that no known locale has.
package struct UnknownLocale: Error, Equatable, Sendable {
    /// The name as written.
    package let name: String
    /// The locale that was probably meant, if any.
    package let suggestion: LocaleIdentifier?
}

extension UnknownLocale: CustomStringConvertible {
    package var description: String {
        if let suggestion { return "unknown locale '\(name)', did you mean '\(suggestion)'?" }
        return "unknown locale '\(name)' (locales are written like en_US, pt_BR or zh_Hant)"
    }
}

extension LocaleIdentifier {
    /// Creates the known locale called `name`.
    ///
    /// Known locales are those of CLDR, and each of its languages and scripts in each of its regions: a phone may be
    /// set to German in the United States, which requires no data of its own.
    ///
    /// - Throws: `UnknownLocale`, with a similar locale as the suggestion.
    package init(known name: String) throws(UnknownLocale) {
        if let locale = Self.known(name) {
            self = locale
            return
        }
        throw UnknownLocale(
            name: name, suggestion: Self.nearest(to: LocaleIdentifier(name)?.identifier ?? name))
    }

    /// Returns the known locale called `name`; nil if no locale has this name. Much faster than finding a suggestion.
    package static func known(_ name: String) -> LocaleIdentifier? {
        guard let locale = LocaleIdentifier(name) else { return nil }
        // Avoids creating the list of all locales for the usual locale.
        return locale == .default || locale.isKnown ? locale : nil
    }

    /// Each locale with data of its own. Created on first use.
    private static let known: Set<LocaleIdentifier> = {
        let named = tableRows.flatMap { row in [row[0]] + row.dropFirst().map { "\(row[0])_\($0)" } }
        let ruled = LocaleTable.plurals.rows.flatMap { $0.locales.map(String.init) }
        return Set((named + ruled).compactMap { LocaleIdentifier($0) })
    }()

    private static let knownRegions = Set(known.compactMap(\.region))

    private var isKnown: Bool {
        if Self.known.contains(self) { return true }
        guard let region, variant == nil else { return false }
        return Self.known.contains(LocaleIdentifier(language: language, script: script))
            && Self.knownRegions.contains(region)
    }

    /// The number of characters of a name that are compared: locales have at most 16 letters, so no longer name is
    /// similar to theirs.
    private static let longestName = 64

    /// Returns the most similar locale, if any is similar. Among equals, the locale with the language's most common
    /// region is preferred: `en_US` to `en_UG`.
    private static func nearest(to name: String) -> LocaleIdentifier? {
        // A locale in the environment is followed by an encoding: en_US.UTF-8.
        let name = String(name.prefix(longestName).prefix { $0 != "." && $0 != "@" })
        if let locale = LanguageName.language(nearestTo: name) { return locale }
        let distances = known.map { ($0, Suggestion.distance(name, $0.identifier)) }
        guard let minimum = distances.map(\.1).min() else { return nil }
        let nearest = distances.filter { $0.1 == minimum }.map(\.0).ordered { $0.identifier < $1.identifier }
        let choice = nearest.first(where: \.isMain) ?? nearest[0]
        return Suggestion.isNear(name, choice.identifier, distance: minimum) ? choice : nil
    }
}

// MARK: - The script and the region that most readers of a language have

extension LocaleIdentifier {
    /// The language's most common forms, such as `zh_Hans` or `pt_BR`; empty for an unknown language.
    var commonForms: [LocaleIdentifier] {
        let script = Self.mainScripts[language].map { LocaleIdentifier(language: language, script: $0) }
        let region = Self.mainRegions[language].map { LocaleIdentifier(language: language, region: $0) }
        return [script, region].compactMap { $0 }
    }

    /// The region where most readers of the language, in the locale's script, are; nil for an unknown language.
    var mainRegion: String? {
        let script = script ?? Self.mainScripts[language]
        return script.flatMap { Self.mainRegions["\(language)_\($0)"] } ?? Self.mainRegions[language]
    }

    /// Whether the locale is a language in the region where most of its readers are.
    private var isMain: Bool { region != nil && commonForms.contains(self) }

    /// The name and the regions of each language, and of each language in a script.
    private static let tableRows = ListTables.locales.utf8.split(separator: UInt8(ascii: "\n")).map { row in
        row.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
    }

    private static let mainScripts = first { $0.utf8.count == 4 }
    private static let mainRegions = first { $0.utf8.count < 4 }

    private static func first(where isWanted: (String) -> Bool) -> [String: String] {
        var found: [String: String] = [:]
        for row in tableRows { found[row[0]] = row.dropFirst().first(where: isWanted) }
        return found
    }
}
