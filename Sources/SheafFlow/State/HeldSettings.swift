import SheafBytes
import SheafGroups

/// What becomes of the notifications that follow changes of settings in the order of `NotificationEntry`.
///
/// Holds the changes for all devices, and those of the current device.
struct HeldSettings {
    private let rules: DeliveryRules
    private var general = SettingsHistory()
    private var current = SettingsHistory()
    /// The device of the changes in `current`; empty if there are none.
    private var device: [UInt8] = []
    private var key: [UInt8] = []

    init(_ rules: DeliveryRules) { self.rules = rules }

    mutating func add(_ change: SettingsRecord, in bytes: Span<UInt8>) {
        let device = bytes[change.device]
        guard !device.isEmpty else { return general.append(change, in: bytes, key: &key) }
        if !self.device.span.isEqual(to: device) {
            current = SettingsHistory()
            self.device.removeAll(keepingCapacity: true)
            self.device.append(device)
        }
        current.append(change, in: bytes, key: &key)
    }

    /// Returns what became of a notification; nil if it did not appear.
    mutating func effect(on record: NotificationRecord, in bytes: Span<UInt8>) -> DeliveryEffect? {
        rules.effect(on: record, in: bytes, after: changes(for: record, in: bytes))
    }

    /// Returns the settings of a notification, as far as changes determine them.
    mutating func changes(for record: NotificationRecord, in bytes: Span<UInt8>) -> DeliverySettings {
        // The general changes have none of another device.
        device.span.isEqual(to: bytes[record.device])
            ? current.settings(for: record, in: bytes, general: general, key: &key)
            : general.settings(for: record, in: bytes, general: general, key: &key)
    }
}
