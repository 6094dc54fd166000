/// How notifications are delivered (specification §16): the settings of an app, or those for all apps, as far as they
/// are given. Plain memory of 4 bytes.
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
        return settings
    }

    /// Returns what became of a notification that arrived with these settings; nil if it did not appear.
    package func effect(on traits: NotificationTraits, _ profile: Profile) -> DeliveryEffect? {
        let level = traits.level(profile)
        let isCritical = level == .critical
        var isQuiet = provisional ?? false
        switch delivery ?? .prominent {
        case .prominent: break
        case .quiet: isQuiet = true
        case .off: return nil
        case .criticalOnly: if !isCritical { return nil }
        }
        let interrupts = isCritical || level != .passive && !isQuiet
        return DeliveryEffect(
            level: level, showsBanner: interrupts,
            playsSound: interrupts && traits.hasSound && (isCritical || sounds ?? true),
            mayChange: traits.isMutable && serviceExtension ?? false)
    }
}

// MARK: - Encoding

extension DeliverySettings {
    /// The number in encodings: from the lowest bit three for `delivery`, then two for each of the others, 0 for an
    /// absent value.
    package var number: UInt64 {
        let kind = delivery.map { UInt64(Self.deliveries.firstIndex(of: $0) ?? 0) + 1 } ?? 0
        return kind | Self.number(provisional) << 3 | Self.number(sounds) << 5
            | Self.number(serviceExtension) << 7
    }

    /// Creates the settings with this number in encodings; nil if the number is invalid.
    package init?(number: UInt64) {
        let kind = Int(number & 7)
        let switches = [3, 5, 7].map { number >> UInt64($0) & 3 }
        guard kind <= Self.deliveries.count, number >> 9 == 0, switches.allSatisfy({ $0 < 3 }) else {
            return nil
        }
        if kind > 0 { delivery = Self.deliveries[kind - 1] }
        (provisional, sounds, serviceExtension) = (
            Self.value(switches[0]), Self.value(switches[1]), Self.value(switches[2])
        )
    }

    private static let deliveries: [Delivery] = [.prominent, .quiet, .off, .criticalOnly]

    private static func number(_ value: Bool?) -> UInt64 { value.map { $0 ? 2 : 1 } ?? 0 }

    private static func value(_ number: UInt64) -> Bool? { number == 0 ? nil : number == 2 }
}
