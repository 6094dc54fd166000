import SheafBytes
import TestSupport
import Testing

@testable import SheafGroups

/// Settings over time, next to a model that applies all older changes one by one.
@Suite struct SettingsHistoryTests {
    private struct Change {
        let device: Int
        let app: Int
        let order: OrderKey
        let settings: UserSettings
    }

    private static func texts(_ device: Int, _ app: Int) -> (device: [UInt8], app: [UInt8]) {
        (device == 0 ? [] : Array("device \(device)".utf8), app == 0 ? [] : Array("app \(app)".utf8))
    }

    private static func changes(_ random: inout SeededGenerator) -> [Change] {
        let changes = (1...200).map { number in
            var settings = UserSettings()
            if random.chance(50) {
                settings.delivery.delivery = random.pick([.prominent, .quiet, .off, .criticalOnly])
            }
            if random.chance(30) { settings.delivery.sounds = random.chance(50) }
            if random.chance(30) { settings.grouping = random.pick(Grouping.allCases) }
            if random.chance(30) { settings.showPreviews = random.pick(PreviewVisibility.allCases) }
            if random.chance(20) { settings.delivery.alert = random.chance(50) }
            if random.chance(20) { settings.delivery.badge = random.chance(50) }
            if random.chance(20) { settings.delivery.sound = random.chance(50) }
            if random.chance(30) { settings.isOpen = random.chance(50) }
            if random.chance(30) || settings.isEmpty { settings.delivery.provisional = random.chance(50) }
            return Change(
                device: random.below(3), app: random.below(3),
                order: OrderKey(timestamp: Int64(number), source: 0, line: UInt64(number)), settings: settings
            )
        }
        return random.chance(30)
            ? changes : random.chance(50) ? changes.reversed() : changes.shuffled(using: &random)
    }

    /// The settings of a notification: each change replaces those of older changes of its scope.
    private static func expected(_ changes: [Change], _ device: Int, _ app: Int, _ time: Int64)
        -> UserSettings
    {
        var settings = UserSettings()
        for scope in [(device, app), (0, app), (device, 0), (0, 0)] {
            var own = UserSettings()
            for change in changes.sorted(by: { $0.order < $1.order })
            where (change.device, change.app) == scope && change.order.timestamp < time {
                own = change.settings.over(own)
            }
            settings = settings.over(own)
        }
        return settings
    }

    @Test(arguments: Seeds.several(20)) func changesInAnyOrderGiveTheSameSettings(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let changes = Self.changes(&random)
        var judge = Judge(nil, nil)
        for (index, change) in changes.enumerated() {
            let added = changes[..<index]
            let (device, app) = Self.texts(change.device, change.app)
            var record = SettingsRecord()
            let bytes = device + app
            record.device = TextRange(0..<device.count)
            record.app = TextRange(device.count..<bytes.count)
            (record.order, record.settings) = (change.order, change.settings)
            let end = judge.add(record, in: bytes.span)
            // From the end on, the scope's settings are those of the newer changes alone.
            let newer = added.filter {
                ($0.device, $0.app) == (change.device, change.app) && change.order < $0.order
            }
            #expect(end == nil || newer.contains { $0.order == end })
            guard let end else { continue }
            for time in [end.timestamp + 1, 1_000] {
                #expect(
                    Self.expected(Array(added), change.device, change.app, time)
                        == Self.expected(Array(changes[...index]), change.device, change.app, time))
            }
        }
        #expect(judge.changesGroupings == changes.contains { $0.settings.grouping != nil })
        var key: [UInt8] = []
        for _ in 0..<300 {
            let (device, app) = (random.below(4), 1 + random.below(3))
            let time = Int64(random.below(203))
            let texts = Self.texts(device, app)
            let bytes = texts.device + texts.app
            var record = NotificationRecord()
            record.device = TextRange(0..<texts.device.count)
            record.app = TextRange(texts.device.count..<bytes.count)
            record.order = OrderKey(timestamp: time, source: 0, line: 0)
            #expect(
                judge.settings(for: record, in: bytes.span, key: &key)
                    == Self.expected(changes, device, app, time), "\(device) \(app) at \(time)")
        }
    }
}
