/// A name that is not that of a known locale.
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
        let locale = LocaleIdentifier(name)
        // Avoids creating the list of all locales for the usual one.
        if let locale, locale == .default || KnownLocales.all.contains(locale) {
            self = locale
            return
        }
        throw UnknownLocale(
            name: name, suggestion: KnownLocales.all.nearest(to: locale?.identifier ?? name))
    }
}

/// The known locales.
private struct KnownLocales {
    /// Created on first use.
    static let all = KnownLocales()

    private let locales: Set<LocaleIdentifier>

    /// The number of characters of a name that are compared: locales have at most 16 letters, so no longer name is
    /// similar to one.
    private static let longestName = 64

    private init() {
        let named = CommonLocales.rows.flatMap { row in [row[0]] + row.dropFirst().map { "\(row[0])_\($0)" } }
        let ruled = PluralRules.table.rows.flatMap { $0.locales.map(String.init) }
        locales = Set((named + ruled).compactMap { LocaleIdentifier($0) })
    }

    func contains(_ locale: LocaleIdentifier) -> Bool {
        if locales.contains(locale) { return true }
        guard let region = locale.region, locale.variant == nil else { return false }
        return locales.contains(LocaleIdentifier(language: locale.language, script: locale.script))
            && locales.contains { $0.region == region }
    }

    /// Returns the most similar locale, if any is similar. Among equals, the one with the language's most common
    /// region is preferred: `en_US` to `en_UG`.
    func nearest(to name: String) -> LocaleIdentifier? {
        // A locale in the environment is followed by an encoding: en_US.UTF-8.
        let name = String(name.prefix(Self.longestName).prefix { $0 != "." && $0 != "@" })
        if let locale = LanguageName.language(nearestTo: name) { return locale }
        let distances = locales.map { ($0, Suggestion.distance(name, $0.identifier)) }
        guard let minimum = distances.map(\.1).min() else { return nil }
        let nearest = distances.filter { $0.1 == minimum }.map(\.0).sorted { $0.identifier < $1.identifier }
        let choice = nearest.first { CommonLocales.isMain($0) } ?? nearest[0]
        return Suggestion.isNear(name, choice.identifier, distance: minimum) ? choice : nil
    }
}
