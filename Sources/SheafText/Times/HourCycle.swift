/// How the hours of a day are counted on a clock.
enum HourCycle: Sendable {
    /// From 12 over 1 to 11, twice a day.
    case twelve
    /// From 0 to 23.
    case twentyFour

    /// The preferred hour cycle of the locale's region, according to CLDR. Without a region, it is that of the region
    /// where most readers of the language are.
    init(_ locale: LocaleIdentifier) {
        let region = locale.region ?? CommonLocales.mainRegion(of: locale) ?? Self.world
        let places = ["\(locale.language)_\(region)", region, Self.world]
        for place in places {
            guard let row = Self.table.rows.first(where: { $0.locales.contains(Substring(place)) }) else {
                continue
            }
            self = row.value == "12" ? .twelve : .twentyFour
            return
        }
        self = .twentyFour
    }

    /// CLDR's region for all regions that are not in its table.
    private static let world = "001"
    private static let table = LocaleTable(CLDRTimes.hourCycles)
}
