import SheafBytes
import SheafText

/// The delivery of a group's notifications (specification §16): 56 bytes. Sums, so that states can be merged in any
/// order.
package struct DeliverySums: Equatable, Sendable, BitwiseCopyable {
    package internal(set) var critical: UInt64 = 0
    package internal(set) var timeSensitive: UInt64 = 0
    package internal(set) var active: UInt64 = 0
    package internal(set) var passive: UInt64 = 0
    /// The number of notifications that interrupted with a banner, and with a sound.
    package internal(set) var banners: UInt64 = 0
    package internal(set) var sounds: UInt64 = 0
    /// The number of notifications whose texts a service extension may have changed.
    package internal(set) var mutable: UInt64 = 0

    /// The names of the sums in snapshots, in the order of `numbers`.
    package static let names: [StaticString] = [
        "critical", "timeSensitive", "active", "passive", "banners", "sounds", "mutable",
    ]

    /// The sums in the order of encodings and snapshots.
    package var numbers: [UInt64] { [critical, timeSensitive, active, passive, banners, sounds, mutable] }

    /// Creates sums.
    ///
    /// - Parameter next: called for each of them, in the order of `numbers`.
    init(next: () -> UInt64) {
        critical = next()
        timeSensitive = next()
        active = next()
        passive = next()
        banners = next()
        sounds = next()
        mutable = next()
    }

    /// Creates the sums of notifications that had the same effect.
    package init(_ effect: DeliveryEffect, count: UInt64 = 1) {
        switch effect.level {
        case .critical: critical = count
        case .timeSensitive: timeSensitive = count
        case .active: active = count
        case .passive: passive = count
        }
        banners = effect.showsBanner ? count : 0
        sounds = effect.playsSound ? count : 0
        mutable = effect.mayChange ? count : 0
    }

    /// The number of notifications.
    var count: UInt64 { critical + timeSensitive + active + passive }

    mutating func add(_ other: DeliverySums) {
        critical += other.critical
        timeSensitive += other.timeSensitive
        active += other.active
        passive += other.passive
        banners += other.banners
        sounds += other.sounds
        mutable += other.mutable
    }
}

extension GroupStore {
    /// Returns the sums over the group's notifications; nil if delivery is not tracked.
    package func delivery(of state: GroupState) -> DeliverySums? {
        let bytes = arena.bytes(of: state.delivery)
        return bytes.isEmpty ? nil : DeliverySums(bytes)
    }

    /// Returns the locale of the leading notification's texts; `none` if that of the run applies.
    package func locale(of state: GroupState) -> LocaleCode {
        let bytes = arena.bytes(of: state.delivery)
        guard !bytes.isEmpty else { return .none }
        var bits: UInt64 = 0
        for offset in DeliverySums.localeBytes.reversed() { bits = bits << 8 | UInt64(bytes[offset]) }
        return LocaleCode(bits: bits)
    }

    /// Adds the effect of a notification that is added next, or that is the only one.
    mutating func add(_ effect: DeliveryEffect, at order: OrderKey, to state: inout GroupState) {
        let leads = !(order < state.leading.order)
        add(DeliverySums(effect), locale: leads ? effect.locale : nil, to: &state)
        if leads { state.showPreviews = effect.showPreviews }
    }

    /// Adds to the sums over the group's notifications. They are a block among the texts, together with the locale: most
    /// runs don't have them, and a field for them would make every copy of a store slower.
    ///
    /// - Parameter locale: that of the leading notification's texts; nil if it stays what it was.
    @inline(never)
    mutating func add(_ sums: DeliverySums, locale: LocaleCode? = nil, to state: inout GroupState) {
        var all = sums
        let locale = locale ?? self.locale(of: state)
        if let before = delivery(of: state) {
            all.add(before)
        } else {
            state.delivery = arena.allocate(DeliverySums.localeBytes.upperBound)
        }
        arena.edit(state.delivery) { all.write(to: &$0, with: locale) }
    }
}

extension DeliverySums {
    /// Where the bits of a locale are: after the sums as words, in six bytes, so that the block has 64 bytes. The lowest
    /// byte is the first one of each.
    fileprivate static let localeBytes = 8 * names.count..<8 * names.count + Int(LocaleCode.width + 7) / 8

    /// - Parameter bytes: the sums and a locale.
    fileprivate init(_ bytes: Span<UInt8>) {
        var offset = 0
        self.init {
            defer { offset += 8 }
            return bytes.extracting(offset..<offset + 8).firstWord
        }
    }

    fileprivate func write(to bytes: inout MutableSpan<UInt8>, with locale: LocaleCode) {
        var offset = 0
        for word in numbers {
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                bytes[offset] = UInt8(truncatingIfNeeded: word >> shift)
                offset += 1
            }
        }
        for (index, offset) in Self.localeBytes.enumerated() {
            bytes[offset] = UInt8(truncatingIfNeeded: locale.bits >> (8 * UInt64(index)))
        }
    }
}
