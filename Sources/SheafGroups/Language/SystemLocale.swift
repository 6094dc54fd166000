#if canImport(FoundationInternationalization)
import FoundationEssentials
import FoundationInternationalization
#else
import Foundation
#endif

/// What Foundation knows of a locale: the only file that needs more of it than its essentials.
struct SystemLocale: Sendable {
    private let identifier: String

    init(_ identifier: LocaleIdentifier) { self.identifier = identifier.identifier }

    /// Not kept: where Foundation is never asked, none of its data is loaded.
    private var locale: Locale { Locale(identifier: identifier) }

    /// The items joined by "and", in the standard width.
    func list(of items: [String]) -> String {
        items.formatted(.list(type: .and, width: .standard).locale(locale))
    }

    /// 0 to 9 in the locale's default numbering system.
    var digits: [String] {
        let style = IntegerFormatStyle<Int>(locale: locale).grouping(.never)
        return (0...9).map(style.format)
    }

    /// Of all locales that Foundation has data for.
    static var identifiers: [String] { Locale.availableIdentifiers }

    /// The language in the region where most of its readers are.
    static func mostLikely(of language: String) -> LocaleIdentifier? {
        let likely = Locale.Language(identifier: Locale.Language(identifier: language).maximalIdentifier)
        return LocaleIdentifier(language: language, region: likely.region?.identifier)
    }
}
