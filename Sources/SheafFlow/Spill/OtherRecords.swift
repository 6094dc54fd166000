import SheafBytes
import SheafGroups

/// The removals and changes of settings among notifications, as one sequence: the changes of a device and app precede
/// its removals.
struct OtherRecords {
    let removals: RemovalTable
    let settings: SettingsTable
    /// The removals and changes that are left, in the order of `NotificationEntry` or in any other.
    var removalOrder: [RemovalTable.Element]
    var settingsOrder: [Int]
    private var nextRemoval = 0
    private var nextChange = 0

    init(
        removals: RemovalTable, settings: SettingsTable, removalOrder: [RemovalTable.Element],
        settingsOrder: [Int]
    ) {
        (self.removals, self.settings) = (removals, settings)
        (self.removalOrder, self.settingsOrder) = (removalOrder, settingsOrder)
    }

    /// Replaces the contents of `record` with the next record; returns false after the last one.
    mutating func append(to record: inout OutputBuffer) -> Bool {
        if nextChange < settingsOrder.count, isChangeNext { return appendChange(to: &record) }
        guard nextRemoval < removalOrder.count else { return false }
        return appendRemoval(to: &record)
    }

    /// Replaces the contents of `record` with the next record if it precedes a notification; else returns false.
    mutating func append(
        ifBefore notification: (record: NotificationRecord, bytes: Span<UInt8>), to record: inout OutputBuffer
    ) -> Bool {
        if nextChange < settingsOrder.count, isChangeNext {
            let precedes = settings.withChange(settingsOrder[nextChange]) { change, bytes in
                Self.compareApp(
                    (bytes[change.device], bytes[change.app]),
                    (
                        notification.bytes[notification.record.device],
                        notification.bytes[notification.record.app]
                    )) <= 0
            }
            return precedes && appendChange(to: &record)
        }
        guard nextRemoval < removalOrder.count,
            removals.precedes(removalOrder[nextRemoval], notification.record, in: notification.bytes)
        else { return false }
        return appendRemoval(to: &record)
    }

    private mutating func appendChange(to record: inout OutputBuffer) -> Bool {
        record.removeAll()
        record.appendNumber(NotificationEntry.settingsTag)
        settings.withChange(settingsOrder[nextChange]) { EncodedSettings.append($0, in: $1, to: &record) }
        nextChange += 1
        return true
    }

    private mutating func appendRemoval(to record: inout OutputBuffer) -> Bool {
        record.removeAll()
        removals.withRemoval(removalOrder[nextRemoval]) { EncodedRemoval.append($0, in: $1, to: &record) }
        nextRemoval += 1
        return true
    }

    /// Whether the next change precedes the next removal.
    private var isChangeNext: Bool {
        guard nextRemoval < removalOrder.count else { return true }
        return settings.withChange(settingsOrder[nextChange]) { change, bytes in
            var isNext = false
            removals.withRemoval(removalOrder[nextRemoval]) { removal, texts in
                isNext =
                    Self.compareApp(
                        (bytes[change.device], bytes[change.app]), (texts[removal.device], texts[removal.app])
                    ) <= 0
            }
            return isNext
        }
    }

    private static func compareApp(
        _ first: (device: Span<UInt8>, app: Span<UInt8>), _ second: (device: Span<UInt8>, app: Span<UInt8>)
    ) -> Int {
        let devices = first.device.compare(to: second.device)
        return devices == 0 ? first.app.compare(to: second.app) : devices
    }
}
