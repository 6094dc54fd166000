import SheafBytes
import SheafText

/// How notifications are delivered (specification §16): the settings of an app, or those for all apps, as far as they
/// are given. Plain memory of 9 bytes.
///
/// ```swift
/// var settings = Settings()
/// settings.delivery.sounds = false
/// settings.apps["com.example.chat", default: AppSettings()].delivery.delivery = .quiet
/// ```
public struct DeliverySettings: Sendable, Hashable, BitwiseCopyable {
    /// Whether, and how, notifications appear.
    public enum Delivery: String, Sendable, CaseIterable, BitwiseCopyable {
        /// With banners and sounds.
        case prominent
        /// In Notification Center only.
        case quiet
        /// Not at all.
        case off
        /// Not at all, except for critical ones.
        case criticalOnly
    }

    /// nil if a more general setting applies, which is in the end `prominent`.
    public var delivery: Delivery?
    /// Whether the app has provisional authorization, with which `prominent` delivery is quiet; nil if a more general
    /// setting applies, which is in the end false.
    public var provisional: Bool?
    /// Whether notifications make sounds; nil if a more general setting applies, which is in the end true.
    public var sounds: Bool?
    /// Whether the app has a notification service extension, which may change the texts of notifications; nil if a more
    /// general setting applies, which is in the end false.
    public var serviceExtension: Bool?
    /// Whether critical alerts are allowed: by Apple's entitlement of the app in a configuration, by the person in a
    /// change; nil if a more general setting applies, which is in the end true. If not, they are alerts like any other.
    public var critical: Bool?
    /// Whether the app may show alerts: without that, its notifications are in Notification Center only. nil if a more
    /// general setting applies, which is in the end true, like for `badge` and `sound`.
    public var alert: Bool?
    /// Whether the app may change its badge.
    public var badge: Bool?
    /// Whether the app may play sounds other than those of critical alerts, which also need `sounds`.
    public var sound: Bool?
    /// Whether the app, when it is open, presents notifications like any other app; nil if a more general setting
    /// applies, which is in the end false: without a banner and a sound. Only a configuration has it.
    public var foreground: Bool?

    public init() {}

    /// Whether no setting is given.
    package var isEmpty: Bool { self == DeliverySettings() }

    /// Returns these settings, completed by more general ones.
    package func over(_ general: DeliverySettings) -> DeliverySettings {
        var settings = self
        settings.delivery = delivery ?? general.delivery
        settings.provisional = provisional ?? general.provisional
        settings.sounds = sounds ?? general.sounds
        settings.serviceExtension = serviceExtension ?? general.serviceExtension
        settings.critical = critical ?? general.critical
        settings.alert = alert ?? general.alert
        settings.badge = badge ?? general.badge
        settings.sound = sound ?? general.sound
        settings.foreground = foreground ?? general.foreground
        return settings
    }

    /// Returns the delivery of a notification that arrived with these settings; nil if it did not appear.
    ///
    /// - Parameter isOpen: whether its app was in the foreground.
    package func effect(
        on traits: NotificationTraits, _ profile: Profile, isOpen: Bool = false
    ) -> DeliveryEffect? {
        let level = level(of: traits, profile)
        let isCritical = level == .critical
        guard let isQuiet = isQuiet(isCritical: isCritical) else { return nil }
        let interrupts = (isCritical || level != .passive && !isQuiet) && (!isOpen || foreground ?? false)
        let showsAlert = alert ?? true
        return DeliveryEffect(
            level: level, showsBanner: interrupts && showsAlert,
            playsSound: interrupts && traits.hasSound && (isCritical || sounds ?? true && sound ?? true),
            mayChange: traits.isMutable && serviceExtension ?? false, isQuiet: isQuiet || !showsAlert)
    }

    /// Returns whether the badge of a record that arrived with these settings becomes that of its app.
    ///
    /// - Parameter isCritical: whether the record asks for a critical alert.
    package func allowsBadge(ofCritical isCritical: Bool) -> Bool {
        badge ?? true && isQuiet(isCritical: isCritical && critical ?? true) == false
    }

    private func level(of traits: NotificationTraits, _ profile: Profile) -> InterruptionLevel {
        let level = traits.level(profile)
        return level == .critical && critical == false ? .active : level
    }

    /// Returns whether the app delivers a notification quietly; nil if not at all.
    private func isQuiet(isCritical: Bool) -> Bool? {
        switch delivery ?? .prominent {
        case .prominent: !isCritical && provisional ?? false
        case .quiet: !isCritical
        case .off: nil
        case .criticalOnly: isCritical ? false : nil
        }
    }
}

// MARK: - Encoding

extension DeliverySettings {
    /// The number in encodings: from the lowest bit three for `delivery`, then two for each of the others, 0 for an
    /// absent value, with four bits before those for `critical` that are 0. At most 23 bits.
    package var number: UInt64 {
        let kind = delivery.map { UInt64(Self.deliveries.firstIndex(of: $0) ?? 0) + 1 } ?? 0
        return kind | Self.number(provisional) << 3 | Self.number(sounds) << 5
            | Self.number(serviceExtension) << 7 | Self.number(critical) << Self.criticalShift
            | Self.number(alert) << 15 | Self.number(badge) << 17 | Self.number(sound) << 19
            | Self.number(foreground) << 21
    }

    /// Creates the settings with this number in encodings; nil if the number is invalid.
    package init?(number: UInt64) {
        let kind = Int(number & 7)
        let switches = [3, 5, 7, Self.criticalShift, 15, 17, 19, 21].map { number >> $0 & 3 }
        guard kind <= Self.deliveries.count, number & ~Self.allBits == 0, switches.allSatisfy({ $0 < 3 })
        else {
            return nil
        }
        if kind > 0 { delivery = Self.deliveries[kind - 1] }
        (provisional, sounds) = (Self.value(switches[0]), Self.value(switches[1]))
        (serviceExtension, critical) = (Self.value(switches[2]), Self.value(switches[3]))
        (alert, badge) = (Self.value(switches[4]), Self.value(switches[5]))
        (sound, foreground) = (Self.value(switches[6]), Self.value(switches[7]))
    }

    /// The bits of `number`; those between them are for `UserSettings`.
    private static let allBits: UInt64 = (1 << 9 - 1) | (1 << 10 - 1) << criticalShift
    private static let criticalShift: UInt64 = 13

    private static let deliveries: [Delivery] = [.prominent, .quiet, .off, .criticalOnly]

    static func number(_ value: Bool?) -> UInt64 { value.map { $0 ? 2 : 1 } ?? 0 }

    static func value(_ number: UInt64) -> Bool? { number == 0 ? nil : number == 2 }
}

// MARK: - Traits and effects

/// How much a notification interrupts (specification §16), by its number in encodings.
package enum InterruptionLevel: UInt8, Sendable, CaseIterable {
    case active, passive, timeSensitive, critical

    /// The name in results.
    package var name: String {
        switch self {
        case .active: "active"
        case .passive: "passive"
        case .timeSensitive: "timeSensitive"
        case .critical: "critical"
        }
    }
}

/// What a notification asks for, from which the settings at its arrival determine its delivery (specification §16).
///
/// A service extension's result changes what it is on screen, but not what its push asked for, which is what
/// interrupts.
package struct NotificationTraits: Equatable, Sendable, BitwiseCopyable {
    /// The level in the lowest two bits, then a bit for a sound and one for `mutable-content`; a bit for a version that a
    /// newer one replaced; one that is never set, unlike in `DeliveryEffect`; the level of the push in two bits, and a
    /// bit for its sound; and the number of an occurrence in three bits.
    package let bits: UInt16

    private static let askedBits: UInt16 = 7
    private static let ownBits: UInt16 = 15
    private static let replacedBit: UInt16 = 16
    private static let pushShift: UInt16 = 6
    private static let occurrenceShift: UInt16 = 9

    /// The traits of a notification that asks for nothing in particular.
    package static var none: NotificationTraits { NotificationTraits(bits: 0) }

    init(bits: UInt16) { self.bits = bits }

    private init(own: UInt16, of push: UInt16) {
        bits = own & Self.ownBits | (push & Self.askedBits) << Self.pushShift
    }

    package init(level: InterruptionLevel, hasSound: Bool, isMutable: Bool) {
        let own = UInt16(level.rawValue) | (hasSound ? 4 : 0) | (isMutable ? 8 : 0)
        self.init(own: own, of: own)
    }

    /// The traits of a service extension's result, which is not mutable itself: the bit is set if it has a level
    /// of its own.
    init(level: InterruptionLevel, hasSound: Bool, givesLevel: Bool) {
        self.init(level: level, hasSound: hasSound, isMutable: givesLevel)
    }

    /// Returns the traits of a notification after a service extension's result, whose own traits these are.
    func replacing(_ logged: NotificationTraits) -> NotificationTraits {
        let level = (isMutable ? bits : logged.bits) & 3
        let own = level | (bits | logged.bits) & 4 | logged.bits & 8
        return NotificationTraits(own: own, of: logged.bits >> Self.pushShift)
    }

    /// The traits of the push, without `isMutable`.
    var ofPush: NotificationTraits {
        let push = bits >> Self.pushShift
        return NotificationTraits(own: push & Self.askedBits, of: push)
    }

    /// Whether a service extension's result gave the notification another level or sound.
    var isChanged: Bool { bits & Self.askedBits != bits >> Self.pushShift }

    /// Whether a newer version replaced the notification, so that only its arrival counts.
    package var isReplaced: Bool { bits & Self.replacedBit != 0 }

    /// The traits of a version that a newer one replaced.
    package var replaced: NotificationTraits { NotificationTraits(bits: bits | Self.replacedBit) }

    /// The event of a refused push or a response; nil for a notification.
    package var occurrence: Occurrence? { Occurrence(rawValue: UInt8(bits >> Self.occurrenceShift & 7)) }

    /// Returns these traits as those of another event than a notification.
    package func reduced(to occurrence: Occurrence) -> NotificationTraits {
        NotificationTraits(
            bits: bits & ~(7 << Self.occurrenceShift) | UInt16(occurrence.rawValue) << Self.occurrenceShift)
    }

    /// Whether the notification has a sound.
    package var hasSound: Bool { bits & 4 != 0 }
    /// Whether a service extension may change the notification.
    package var isMutable: Bool { bits & 8 != 0 }

    /// Returns the level according to a profile: iOS 12 to 14 have only `critical` and `active`.
    package func level(_ profile: Profile) -> InterruptionLevel {
        guard let level = InterruptionLevel(rawValue: UInt8(bits & 3)) else { return .active }
        return profile == .ios12 && level != .critical ? .active : level
    }

    /// The number in encodings, at most `maximumNumber`.
    package var number: UInt64 { UInt64(bits & Self.ownBits) }

    package static let maximumNumber: UInt64 = 15

    /// Creates the traits of a push with this number in encodings; nil if the number is invalid.
    package init?(number: UInt64) {
        guard number <= Self.maximumNumber else { return nil }
        self.init(own: UInt16(number), of: UInt16(number))
    }
}

/// What happened to a person besides notifications (specification §19), by its number in encodings.
package enum Occurrence: UInt8, Sendable {
    /// The push service refused a push.
    case refused = 1
    /// A response opened a notification, dismissed it, or chose another action.
    case opened, dismissed, action

    /// What a response with an action is (Apple, `UNNotificationResponse.actionIdentifier`).
    package init(action: Span<UInt8>) {
        if action.isEqual(to: ResponseRecord.defaultAction) {
            self = .opened
        } else if action.isEqual(to: ResponseRecord.dismissAction) {
            self = .dismissed
        } else {
            self = .action
        }
    }
}

/// The delivery of a notification (specification §16), and how a person chose that it is grouped and shown: ten bits,
/// one that is not encoded, and a locale.
package struct DeliveryEffect: Equatable, Sendable, BitwiseCopyable {
    /// The level in the lowest two bits, then a bit for a banner, a sound, a change, and one that is always set; two bits
    /// for when the texts are shown, and two for the grouping, each 0 if the configuration decides; then a bit for a quiet
    /// notification. From `localeShift` on, the locale of the texts, 0 if that of the run applies. Without the bit that is
    /// always set, the others have no meaning. Less than 2⁶².
    let bits: UInt64

    /// The effect of a notification that is not tracked.
    package static var untracked: DeliveryEffect { DeliveryEffect(bits: 0) }

    init(bits: UInt64) { self.bits = bits }

    init(
        level: InterruptionLevel, showsBanner: Bool, playsSound: Bool, mayChange: Bool, isQuiet: Bool = false
    ) {
        let basic = (showsBanner ? 4 : 0) | (playsSound ? 8 : 0) | (mayChange ? 16 : 0) | 32 as UInt64
        bits = UInt64(level.rawValue) | basic | (isQuiet ? Self.quietBit : 0)
    }

    private static let quietBit: UInt64 = 1024
    /// The bits below that are those of the grouping and before are free.
    private static let localeShift: UInt64 = 16

    /// Returns the effect on a notification that a person groups and shows in their own way.
    func chosen(
        _ grouping: Grouping?, _ showPreviews: PreviewVisibility?, _ locale: LocaleCode = .none
    ) -> DeliveryEffect {
        let (grouping, previews) = (grouping.map { $0.number + 1 } ?? 0, showPreviews?.number ?? 0)
        return DeliveryEffect(bits: bits | previews << 6 | grouping << 8 | locale.bits << Self.localeShift)
    }

    /// The number in encodings.
    package var number: UInt64 { bits & ~Self.quietBit }

    /// Whether the notification is in Notification Center only: not on the lock screen.
    var isQuiet: Bool { bits & Self.quietBit != 0 }
    /// The effect without `isQuiet`, which matters only to a locked device.
    var shown: DeliveryEffect { DeliveryEffect(bits: bits & ~Self.quietBit) }

    /// Creates the effect with this number in encodings; nil if the number is invalid.
    package init?(number: UInt64) {
        let (own, locale) = (number & (1 << Self.localeShift - 1), number >> Self.localeShift)
        guard own < Self.quietBit, locale < 1 << LocaleCode.width, number == 0 || number & 32 != 0 else {
            return nil
        }
        bits = number
    }

    var isTracked: Bool { bits & 32 != 0 }
    package var level: InterruptionLevel { InterruptionLevel(rawValue: UInt8(bits & 3)) ?? .active }
    package var showsBanner: Bool { bits & 4 != 0 }
    package var playsSound: Bool { bits & 8 != 0 }
    /// Whether a service extension may have changed the notification's texts.
    package var mayChange: Bool { bits & 16 != 0 }
    /// When the notification's texts are shown; nil if the configuration decides.
    package var showPreviews: PreviewVisibility? { PreviewVisibility(number: bits >> 6 & 3) }
    /// How the notification is grouped; nil as its app is.
    package var grouping: Grouping? { bits >> 8 & 3 == 0 ? nil : Grouping(number: (bits >> 8 & 3) - 1) }
    /// The locale of the notification's texts; `none` if that of the run applies.
    package var locale: LocaleCode { LocaleCode(bits: bits >> Self.localeShift) }
}

/// The version of iOS whose rules determine how groups are shown.
public enum Profile: String, Sendable, CaseIterable {
    /// iOS 12 to 14.
    case ios12
    /// iOS 15 and later, which ignore `summary-arg` and `summary-arg-count` (Apple, "Generating a remote
    /// notification").
    case ios15
}
