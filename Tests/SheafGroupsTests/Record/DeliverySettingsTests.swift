import SheafBytes
import SheafText
import TestSupport
import Testing

@testable import SheafGroups

/// What becomes of a notification under given settings (specification §16).
@Suite struct DeliverySettingsTests {
    struct Case: NamedCase {
        let name: String
        var delivery: DeliverySettings.Delivery?
        var provisional: Bool?
        var sounds: Bool?
        var serviceExtension: Bool?
        /// What becomes of a critical, time-sensitive, active and passive notification: "banner sound mutable", or
        /// "suppressed".
        let effects: [String]

        var settings: DeliverySettings {
            var settings = DeliverySettings()
            (settings.delivery, settings.provisional) = (delivery, provisional)
            (settings.sounds, settings.serviceExtension) = (sounds, serviceExtension)
            return settings
        }
    }

    private static let levels: [InterruptionLevel] = [.critical, .timeSensitive, .active, .passive]

    static let cases = [
        Case(name: "the defaults", effects: ["banner sound", "banner sound", "banner sound", ""]),
        Case(
            name: "prominent", delivery: .prominent, provisional: false, sounds: true,
            effects: ["banner sound", "banner sound", "banner sound", ""]),
        Case(name: "quiet", delivery: .quiet, effects: ["banner sound", "", "", ""]),
        Case(name: "provisional", provisional: true, effects: ["banner sound", "", "", ""]),
        Case(
            name: "provisional and prominent", delivery: .prominent, provisional: true,
            effects: ["banner sound", "", "", ""]),
        Case(
            name: "quiet, but not provisional", delivery: .quiet, provisional: false,
            effects: ["banner sound", "", "", ""]),
        Case(name: "without sounds", sounds: false, effects: ["banner sound", "banner", "banner", ""]),
        Case(
            name: "quiet without sounds", delivery: .quiet, sounds: false,
            effects: ["banner sound", "", "", ""]),
        Case(
            name: "off", delivery: .off, sounds: true, serviceExtension: true,
            effects: ["suppressed", "suppressed", "suppressed", "suppressed"]),
        Case(
            name: "off and provisional", delivery: .off, provisional: true,
            effects: ["suppressed", "suppressed", "suppressed", "suppressed"]),
        Case(
            name: "only critical ones", delivery: .criticalOnly,
            effects: ["banner sound", "suppressed", "suppressed", "suppressed"]),
        Case(
            name: "only critical ones, provisional, without sounds", delivery: .criticalOnly,
            provisional: true,
            sounds: false, effects: ["banner sound", "suppressed", "suppressed", "suppressed"]),
        Case(
            name: "with an extension", serviceExtension: true,
            effects: ["banner sound mutable", "banner sound mutable", "banner sound mutable", "mutable"]),
        Case(
            name: "without an extension", serviceExtension: false,
            effects: ["banner sound", "banner sound", "banner sound", ""]),
    ]

    private static func text(_ effect: DeliveryEffect?) -> String {
        guard let effect else { return "suppressed" }
        let parts = [
            effect.showsBanner ? "banner" : nil, effect.playsSound ? "sound" : nil,
            effect.mayChange ? "mutable" : nil,
        ]
        return parts.compactMap { $0 }.joined(separator: " ")
    }

    @Test(arguments: cases) func settingsDetermineTheEffect(_ item: Case) {
        for (level, expected) in zip(Self.levels, item.effects) {
            let traits = NotificationTraits(level: level, hasSound: true, isMutable: true)
            let effect = item.settings.effect(on: traits, .ios15)
            #expect(Self.text(effect) == expected, "\(level)")
            #expect(effect == nil || effect?.level == level)
        }
    }

    /// iOS 12 has no levels but critical and active.
    @Test(arguments: cases) func otherLevelsAreActiveInIOS12(_ item: Case) {
        for level in Self.levels where level != .critical {
            let traits = NotificationTraits(level: level, hasSound: true, isMutable: true)
            let effect = item.settings.effect(on: traits, .ios12)
            #expect(Self.text(effect) == item.effects[2], "\(level)")
            #expect(effect == nil || effect?.level == .active)
        }
    }

    @Test(arguments: cases) func aNotificationWithoutThemHasNoSoundAndNoChange(_ item: Case) {
        for (level, expected) in zip(Self.levels, item.effects) {
            let traits = NotificationTraits(level: level, hasSound: false, isMutable: false)
            let left = expected.split(separator: " ").filter { $0 != "sound" && $0 != "mutable" }
            #expect(Self.text(item.settings.effect(on: traits, .ios15)) == left.joined(separator: " "))
        }
    }

    @Test(arguments: cases) func moreSpecificSettingsCountKeyByKey(_ item: Case) {
        #expect(item.settings.over(DeliverySettings()) == item.settings)
        #expect(DeliverySettings().over(item.settings) == item.settings)
        var general = DeliverySettings()
        (general.delivery, general.provisional) = (.quiet, true)
        (general.sounds, general.serviceExtension, general.critical) = (false, true, false)
        (general.alert, general.badge, general.sound, general.foreground) = (false, true, false, true)
        let settings = item.settings.over(general)
        #expect(settings.delivery == item.delivery ?? .quiet)
        #expect(settings.provisional == item.provisional ?? true)
        #expect(settings.sounds == item.sounds ?? false)
        #expect(settings.serviceExtension == item.serviceExtension ?? true)
        #expect(settings.critical == false)
        #expect(settings.alert == false && settings.badge == true)
        #expect(settings.sound == false && settings.foreground == true)
        (general.alert, general.badge, general.sound, general.foreground) = (true, false, true, false)
        #expect(settings.over(general) == settings)
    }

    /// Without alerts, a notification is in Notification Center only.
    @Test(arguments: cases) func alertsNeedAuthorization(_ item: Case) {
        var settings = item.settings
        settings.alert = false
        for (level, expected) in zip(Self.levels, item.effects) {
            let traits = NotificationTraits(level: level, hasSound: true, isMutable: true)
            let effect = settings.effect(on: traits, .ios15)
            let left = expected.split(separator: " ").filter { $0 != "banner" }
            #expect(Self.text(effect) == left.joined(separator: " "))
            #expect(effect?.isQuiet ?? true)
        }
    }

    /// Critical alerts have an authorization of their own.
    @Test(arguments: cases) func soundsNeedAuthorization(_ item: Case) {
        var settings = item.settings
        settings.sound = false
        for (level, expected) in zip(Self.levels, item.effects) {
            let traits = NotificationTraits(level: level, hasSound: true, isMutable: true)
            let left = expected.split(separator: " ").filter { $0 != "sound" || level == .critical }
            #expect(Self.text(settings.effect(on: traits, .ios15)) == left.joined(separator: " "))
        }
    }

    /// An open app decides what it presents, also of critical alerts.
    @Test(arguments: cases) func anOpenAppShowsNoBanner(_ item: Case) {
        var settings = item.settings
        for (level, expected) in zip(Self.levels, item.effects) {
            let traits = NotificationTraits(level: level, hasSound: true, isMutable: true)
            let left = expected.split(separator: " ").filter { $0 != "sound" && $0 != "banner" }
            let effect = settings.effect(on: traits, .ios15, isOpen: true)
            #expect(Self.text(effect) == left.joined(separator: " "))
            #expect(effect?.isQuiet == settings.effect(on: traits, .ios15)?.isQuiet)
            settings.foreground = true
            #expect(
                settings.effect(on: traits, .ios15, isOpen: true)
                    == item.settings.effect(on: traits, .ios15))
            settings.foreground = false
        }
    }

    /// A badge is changed by what is neither quiet nor suppressed.
    @Test(arguments: cases) func badgesNeedAuthorization(_ item: Case) {
        for level in Self.levels {
            var settings = item.settings
            let traits = NotificationTraits(level: level, hasSound: false, isMutable: true)
            let effect = settings.effect(on: traits, .ios15)
            (settings.alert, settings.sound) = (false, false)
            let isCritical = level == .critical
            #expect(settings.allowsBadge(ofCritical: isCritical) == (effect.map { !$0.isQuiet } ?? false))
            settings.critical = false
            #expect(settings.allowsBadge(ofCritical: isCritical) == settings.allowsBadge(ofCritical: false))
            (settings.critical, settings.badge) = (true, false)
            #expect(!settings.allowsBadge(ofCritical: isCritical))
        }
    }

    /// Without the permission, a critical alert is an alert like any other.
    @Test(arguments: cases) func criticalAlertsNeedPermission(_ item: Case) {
        var settings = item.settings
        for profile in Profile.allCases {
            for level in Self.levels {
                let traits = NotificationTraits(level: level, hasSound: true, isMutable: true)
                settings.critical = true
                #expect(settings.effect(on: traits, profile) == item.settings.effect(on: traits, profile))
                settings.critical = false
                let other = level == .critical ? InterruptionLevel.active : level
                let expected = NotificationTraits(level: other, hasSound: true, isMutable: true)
                #expect(settings.effect(on: traits, profile) == item.settings.effect(on: expected, profile))
            }
        }
    }

    /// The configuration has the entitlement of the app, and a change what the person allows: both are needed.
    @Test(arguments: [nil, true, false] as [Bool?], [nil, true, false] as [Bool?])
    func thePersonAndAppleAllowCriticalAlerts(_ entitlement: Bool?, _ choice: Bool?) {
        var settings = Settings()
        settings.apps["a", default: AppSettings()].delivery.critical = entitlement
        let rules = DeliveryRules(settings, profile: .ios15)
        var record = NotificationRecord()
        record.app = TextRange(0..<1)
        record.traits = NotificationTraits(level: .critical, hasSound: true, isMutable: false)
        var changes = UserSettings()
        changes.delivery.critical = choice
        let effect = rules.effect(on: record, in: Array("a".utf8).span, after: changes)
        #expect((effect?.level == .critical) == (entitlement != false && choice != false))
    }

    @Test func everySettingHasOneNumber() {
        var found = 0
        for number in Self.numbers {
            guard let settings = DeliverySettings(number: number) else { continue }
            found += 1
            #expect(settings.number == number)
            #expect(settings.isEmpty == (number == 0))
        }
        #expect(found == 5 * 3 * 3 * 3 * 3 + 5 * (3 * 3 * 3 * 3 - 1))
        #expect(DeliverySettings(number: .max) == nil)
        #expect(DeliverySettings(number: 1 << 23) == nil)
    }

    @Test func everyChoiceOfAPersonHasOneNumber() {
        var found: Set<UserSettings> = []
        for number in Self.numbers {
            guard let settings = UserSettings(number: number) else { continue }
            found.insert(settings)
            #expect(settings.number == number)
            #expect(settings.isEmpty == (number == 0))
        }
        #expect(found.count == 5 * 3 * 3 * 3 * 3 * 4 * 4 + 5 * (3 * 3 * 3 * 3 * 3 - 1))
        #expect(UserSettings(number: .max) == nil)
        #expect(UserSettings(number: 1 << 25) == nil)
    }

    /// All numbers of 15 bits, and those of the highest 10 bits with any `delivery`.
    private static let numbers: [UInt64] = {
        let low = Array(UInt64(0)..<(1 << 15))
        return low + (UInt64(1)..<(1 << 12)).flatMap { high in low[..<8].map { high << 15 | $0 } }
    }()

    @Test(
        arguments: ([nil] + Grouping.allCases).flatMap { grouping in
            ([nil] + PreviewVisibility.allCases).map { (grouping, $0) }
        }, [.none, LocaleCode(.default), LocaleCode(bits: 1 << LocaleCode.width - 1)])
    func anEffectHasWhatAPersonChose(
        _ chosen: (grouping: Grouping?, previews: PreviewVisibility?), _ locale: LocaleCode
    ) throws {
        let (grouping, previews) = chosen
        let effect = DeliveryEffect(level: .critical, showsBanner: true, playsSound: false, mayChange: true)
            .chosen(grouping, previews, locale)
        #expect(effect.grouping == grouping && effect.showPreviews == previews && effect.locale == locale)
        #expect(Self.text(effect) == "banner mutable" && effect.level == .critical)
        #expect(DeliveryEffect(number: effect.number) == effect)
        for logged in Grouping.allCases {
            var record = NotificationRecord()
            (record.grouping, record.thread) = (logged, TextRange(0..<1))
            record.apply(effect)
            #expect(record.effect == effect && record.grouping == grouping ?? logged)
            #expect(record.thread.isEmpty == (record.grouping == .byApp))
            record.apply(.untracked)
            #expect(record.effect == effect)
        }
    }
}
