/// How much a notification interrupts (specification §16), by its number in encodings.
package enum InterruptionLevel: UInt8, Sendable, CaseIterable {
    case active, passive, timeSensitive, critical
}

/// What a notification asks for, from which the settings at its arrival determine what becomes of it (specification
/// §16): four bits.
package struct NotificationTraits: Equatable, Sendable, BitwiseCopyable {
    /// The level in the lowest two bits, then a bit for a sound and one for `mutable-content`.
    package let bits: UInt8

    /// The traits of a notification that asks for nothing in particular.
    package static var none: NotificationTraits { NotificationTraits(bits: 0) }

    init(bits: UInt8) { self.bits = bits }

    package init(level: InterruptionLevel, hasSound: Bool, isMutable: Bool) {
        bits = level.rawValue | (hasSound ? 4 : 0) | (isMutable ? 8 : 0)
    }

    /// The traits of a service extension's result, which is not mutable itself: the bit is set if it has a level
    /// of its own.
    init(level: InterruptionLevel, hasSound: Bool, givesLevel: Bool) {
        self.init(level: level, hasSound: hasSound, isMutable: givesLevel)
    }

    /// Returns the traits of a notification after a service extension's result, whose own traits these are.
    func replacing(_ logged: NotificationTraits) -> NotificationTraits {
        let level = InterruptionLevel(rawValue: (isMutable ? bits : logged.bits) & 3) ?? .active
        return NotificationTraits(
            level: level, hasSound: hasSound || logged.hasSound, isMutable: logged.isMutable)
    }

    /// Whether the notification has a sound.
    package var hasSound: Bool { bits & 4 != 0 }
    /// Whether a service extension may change the notification.
    package var isMutable: Bool { bits & 8 != 0 }

    /// Returns the level according to a profile: iOS 12 to 14 have only `critical` and `active`.
    package func level(_ profile: Profile) -> InterruptionLevel {
        guard let level = InterruptionLevel(rawValue: bits & 3) else { return .active }
        return profile == .ios12 && level != .critical ? .active : level
    }

    /// The number in encodings, at most `maximumNumber`.
    package var number: UInt64 { UInt64(bits) }

    package static let maximumNumber: UInt64 = 15

    /// Creates the traits with this number in encodings; nil if the number is invalid.
    package init?(number: UInt64) {
        guard number <= Self.maximumNumber else { return nil }
        bits = UInt8(number)
    }
}

/// What became of a notification (specification §16): six bits.
package struct DeliveryEffect: Equatable, Sendable, BitwiseCopyable {
    /// The level in the lowest two bits, then a bit for a banner, a sound, a change, and one that is always set. Without
    /// the last one, the other bits have no meaning.
    let bits: UInt8

    /// The effect of a notification that is not tracked.
    package static var untracked: DeliveryEffect { DeliveryEffect(bits: 0) }

    init(bits: UInt8) { self.bits = bits }

    init(level: InterruptionLevel, showsBanner: Bool, playsSound: Bool, mayChange: Bool) {
        bits = level.rawValue | (showsBanner ? 4 : 0) | (playsSound ? 8 : 0) | (mayChange ? 16 : 0) | 32
    }

    /// The number in encodings, at most `maximumNumber`.
    package var number: UInt64 { UInt64(bits) }

    package static var maximumNumber: UInt64 { 63 }

    /// Creates the effect with this number in encodings; nil if the number is invalid.
    package init?(number: UInt64) {
        guard number <= Self.maximumNumber, number == 0 || number & 32 != 0 else { return nil }
        bits = UInt8(number)
    }

    var isTracked: Bool { bits & 32 != 0 }
    package var level: InterruptionLevel { InterruptionLevel(rawValue: bits & 3) ?? .active }
    package var showsBanner: Bool { bits & 4 != 0 }
    package var playsSound: Bool { bits & 8 != 0 }
    /// Whether a service extension may have changed the notification's texts.
    package var mayChange: Bool { bits & 16 != 0 }
}
