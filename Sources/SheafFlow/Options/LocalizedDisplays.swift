import SheafGroups
import SheafText
import Synchronization

/// How groups are shown in one locale.
struct LocalizedDisplay: Sendable {
    let presentation: Presentation
    /// How text shows the times of notifications; nil if it does not.
    let times: ShownTimes?
}

/// How groups are shown in the locale of a run, and in those that devices are set to (specification §18).
///
/// Displays are created when they are first needed, and shared by all threads. A log may name thousands of locales:
/// `Limits.locales` displays are kept at once.
final class LocalizedDisplays: Sendable {
    /// The display in the locale of the run.
    let standard: LocalizedDisplay
    private let settings: Settings
    private let strings: ResolvedStrings
    private let locale: LocaleIdentifier
    private let locked: Bool
    private let clock: ScreenClock?
    private let others = Mutex<[LocaleCode: LocalizedDisplay]>([:])

    /// - Parameters:
    ///   - strings: the string table entries that `settings` refers to, in the locale of the run.
    ///   - texts: the texts of the locale of the run.
    ///   - locked: whether the replayed device is locked.
    ///   - clock: the device's; nil if no times are shown.
    init(
        _ settings: Settings, strings: ResolvedStrings, texts: LocalizedTexts, locked: Bool,
        clock: ScreenClock?
    ) {
        (self.settings, self.strings, self.locked, self.clock) = (settings, strings, locked, clock)
        locale = texts.locale
        standard = Self.display(settings, strings, texts, locked, clock)
    }

    /// Returns the display in a locale; in that of the run for `none`. O(configured apps) if it is created.
    func display(_ code: LocaleCode) -> LocalizedDisplay {
        guard let locale = code.locale, locale != self.locale else { return standard }
        return others.withLock { others in
            if let known = others[code] { return known }
            if others.count >= Limits.locales { others.removeAll() }
            let display = Self.display(
                settings, strings.resolved(settings, in: locale), LocalizedTexts(locale), locked, clock)
            others[code] = display
            return display
        }
    }

    private static func display(
        _ settings: Settings, _ strings: ResolvedStrings, _ texts: LocalizedTexts, _ locked: Bool,
        _ clock: ScreenClock?
    ) -> LocalizedDisplay {
        LocalizedDisplay(
            presentation: Presentation(settings, strings: strings, texts: texts, locked: locked),
            times: clock.map { ShownTimes($0, texts.times) })
    }
}
