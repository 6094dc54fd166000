/// A name that is no locale's.
public struct UnknownLocale: Error, Equatable, Sendable {
    /// As it was written.
    public let name: String
    /// What was probably meant.
    public let suggestion: LocaleIdentifier?
}

extension UnknownLocale: CustomStringConvertible {
    public var description: String {
        if let suggestion { return "unknown locale '\(name)', did you mean '\(suggestion)'?" }
        return "unknown locale '\(name)' (locales are written like en_US, pt_BR or zh_Hant)"
    }
}

extension LocaleIdentifier {
    /// The locale of that name.
    ///
    /// Known are the locales of CLDR, and each of its languages, in each of its scripts, in every region that it has: a
    /// phone may be set to German in the United States, which no data is needed for.
    ///
    /// - Throws: `UnknownLocale`, with a near one.
    public init(known name: String) throws(UnknownLocale) {
        let locale = LocaleIdentifier(name)
        // The usual one is not worth the list of all.
        if let locale, locale == .default || KnownLocales.all.contains(locale) {
            self = locale
            return
        }
        throw UnknownLocale(
            name: name, suggestion: KnownLocales.all.nearest(to: locale?.identifier ?? name))
    }
}

/// The locales that there are.
private struct KnownLocales {
    /// Put together when first asked for.
    static let all = KnownLocales()

    private let locales: Set<LocaleIdentifier>

    /// No name that is near a locale's is longer: locales have up to 16 letters.
    private static let longestName = 64

    private init() {
        let named = UsualLocales.rows.flatMap { row in [row[0]] + row.dropFirst().map { "\(row[0])_\($0)" } }
        let ruled = PluralRules.table.rows.flatMap { $0.locales.map(String.init) }
        locales = Set((named + ruled).compactMap { LocaleIdentifier($0) })
    }

    func contains(_ locale: LocaleIdentifier) -> Bool {
        if locales.contains(locale) { return true }
        guard let region = locale.region, locale.variant == nil else { return false }
        return locales.contains(LocaleIdentifier(language: locale.language, script: locale.script))
            && locales.contains { $0.region == region }
    }

    /// Of equally near ones that of the language's most usual region comes first: `en_US` before `en_UG`.
    func nearest(to name: String) -> LocaleIdentifier? {
        // An environment's locale has an encoding behind it: en_US.UTF-8.
        let name = String(name.prefix(Self.longestName).prefix { $0 != "." && $0 != "@" })
        if let locale = LanguageName.language(named: name) { return locale }
        let distances = locales.map { ($0, Suggestion.distance(name, $0.identifier)) }
        guard let least = distances.map(\.1).min() else { return nil }
        let nearest = distances.filter { $0.1 == least }.map(\.0).sorted { $0.identifier < $1.identifier }
        let choice = nearest.first { UsualLocales.isMain($0) } ?? nearest[0]
        return Suggestion.isNear(name, choice.identifier, distance: least) ? choice : nil
    }
}
