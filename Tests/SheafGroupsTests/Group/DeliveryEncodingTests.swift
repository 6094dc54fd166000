import SheafBytes
import SheafText
import TestSupport
import Testing

@testable import SheafGroups

/// What became of a group's notifications (specification §16): sums that do not depend on how state was split.
@Suite struct DeliveryEncodingTests {
    /// A notification and what became of it.
    private struct Delivered {
        let notification: NotificationText
        let effect: DeliveryEffect
    }

    private static func random(_ shape: GroupShape, _ random: inout SeededGenerator) -> [Delivered] {
        shape.random(&random).map { notification in
            let level = random.pick(InterruptionLevel.allCases)
            let hasBanner = random.chance(60)
            return Delivered(
                notification: notification,
                effect: DeliveryEffect(
                    level: level, showsBanner: hasBanner, playsSound: hasBanner && random.chance(50),
                    mayChange: random.chance(30)
                ).chosen(
                    nil, random.chance(50) ? nil : random.pick(PreviewVisibility.allCases),
                    random.pick([.none, code("de"), code("zh-Hant-TW"), code("es-419")])))
        }
    }

    /// A copy has the same sums, and a state that is removed leaves no memory in use.
    @Test(arguments: GroupShape.all) func statesAreCopiedAndRemoved(_ shape: GroupShape) {
        var random = SeededGenerator(seed: 7)
        var group = Self.group(Self.random(shape, &random), shape.limit)
        var held = 0
        for round in 0..<200 {
            let copy = group.store.duplicate(group.state)
            #expect(group.store.delivery(of: copy) == group.store.delivery(of: group.state))
            #expect(group.store.locale(of: copy) == group.store.locale(of: group.state))
            group.store.remove(copy)
            if round == 0 { held = group.store.heldBytes }
        }
        #expect(group.store.heldBytes == held)
    }

    private static func code(_ tag: String) -> LocaleCode { LocaleCode(tag: tag) ?? .none }

    private static func group(_ notifications: [Delivered], _ limit: Int) -> StoredGroup {
        var group = StoredGroup([notifications[0].notification], maximumArguments: limit)
        for (index, item) in notifications.enumerated() {
            var (record, bytes) = item.notification.encoded()
            record.apply(item.effect)
            if index == 0 {
                group.state = group.store.start(record, in: bytes.span)
            } else {
                group.store.add(record, in: bytes.span, to: &group.state)
            }
        }
        return group
    }

    private static func sums(_ notifications: [Delivered]) -> [UInt64] {
        func count(_ isCounted: (DeliveryEffect) -> Bool) -> UInt64 {
            UInt64(notifications.count { isCounted($0.effect) })
        }
        return [
            count { $0.level == .critical }, count { $0.level == .timeSensitive },
            count { $0.level == .active }, count { $0.level == .passive }, count(\.showsBanner),
            count(\.playsSound), count(\.mayChange),
        ]
    }

    private static func sums(_ group: StoredGroup) -> [UInt64]? {
        group.store.delivery(of: group.state).map {
            [$0.critical, $0.timeSensitive, $0.active, $0.passive, $0.banners, $0.sounds, $0.mutable]
        }
    }

    @Test(arguments: GroupShape.all, Seeds.several(3))
    func mergedPartsEqualTheWhole(_ shape: GroupShape, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let all = Self.random(shape, &random)
        let whole = Self.group(all, shape.limit)
        #expect(Self.sums(whole) == Self.sums(all))
        var split = [[Delivered]](repeating: [], count: 1 + random.below(5))
        for item in all.shuffled(using: &random) { split[random.below(split.count)].append(item) }
        let parts = split.filter { !$0.isEmpty }.map { Self.group($0, shape.limit) }
        // As encodings, and as states of other stores.
        var merged = try #require(StoredGroup(parts[0].encoded(), maximumArguments: shape.limit))
        var joined = StoredGroup([all[0].notification], maximumArguments: shape.limit)
        joined.state = joined.store.copy(parts[0].state, of: parts[0].store)
        for part in parts.dropFirst() {
            let isMerged = merged.merge(part.encoded())
            #expect(isMerged)
            joined.store.merge(part.state, of: part.store, into: &joined.state)
        }
        #expect(Self.sums(merged) == Self.sums(all))
        let newest = try #require(all.max { $0.notification.order < $1.notification.order })
        for group in [whole, merged, joined] {
            #expect(group.state.showPreviews == newest.effect.showPreviews)
            #expect(group.store.locale(of: group.state) == newest.effect.locale)
        }
        #expect(merged.encoded() == whole.encoded())
        #expect(joined.encoded() == whole.encoded())
    }

    /// Without tracking, nothing changes. A tracked group differs in flags, and ends with the sums and a locale.
    @Test(arguments: GroupShape.all) func theSumsAreAtTheEnd(_ shape: GroupShape) {
        var random = SeededGenerator(seed: 3)
        let all = Self.random(shape, &random)
        let plain = StoredGroup(all.map(\.notification), maximumArguments: shape.limit).encoded()
        let tracked = Self.group(all, shape.limit).encoded()
        var expected = OutputBuffer()
        for sum in Self.sums(all) { expected.appendNumber(sum) }
        let newest = all.max { $0.notification.order < $1.notification.order }
        let tag = newest?.effect.locale.locale?.tag
        if let tag { expected.appendText(Array(tag.utf8).span) }
        var end: [UInt8] = []
        end.append(expected.bytes)
        let flags = 8 | UInt8(newest?.effect.showPreviews?.number ?? 0) << 4 | (tag == nil ? 0 : 64)
        #expect(tracked == [plain[0] | flags] + plain.dropFirst() + end)
        #expect(EncodedGroup(tracked.span)?.hasDelivery == true)
        #expect(EncodedGroup(plain.span)?.hasDelivery == false)
        #expect(Self.sums(StoredGroup(all.map(\.notification), maximumArguments: shape.limit)) == nil)
    }

    /// When texts are shown is a setting of a person, which counts only if delivery is tracked.
    @Test func previewsNeedDelivery() {
        let group = StoredGroup([NotificationText()], maximumArguments: 1)
        var bytes = group.encoded()
        for number in 1...3 as ClosedRange<UInt8> {
            bytes[0] = number << 4
            #expect(EncodedGroup(bytes.span) == nil)
            let sums: [UInt8] = [0, 0, 1, 0, 0, 0, 0]
            let tracked = [bytes[0] | 8] + bytes.dropFirst() + sums
            #expect(EncodedGroup(tracked.span)?.showPreviews?.number == UInt64(number))
        }
        bytes[0] = 4 << 4 | 8
        #expect(EncodedGroup((bytes + [0, 0, 1, 0, 0, 0, 0]).span) == nil)
    }

    /// So is the locale, whose tag has one form.
    @Test(arguments: [
        ("de", true), ("zh-Hant-TW", true), ("es-419", true), ("xx-QQ", true), ("", false), ("de-", false),
        ("DE", false), ("de_DE", false), ("zh-TW", false), ("en-US-POSIX", false), ("d", false),
    ])
    func localesNeedDelivery(_ tag: String, _ isValid: Bool) {
        var bytes = StoredGroup([NotificationText()], maximumArguments: 1).encoded()
        var output = OutputBuffer()
        output.appendText(Array(tag.utf8).span)
        bytes[0] = 64
        #expect(EncodedGroup(bytes.span) == nil)
        bytes[0] = 64 | 8
        let tracked = bytes + [0, 0, 1, 0, 0, 0, 0]
        #expect(EncodedGroup(tracked.span) == nil)
        var whole = tracked
        whole.append(output.bytes)
        #expect(EncodedGroup(whole.span)?.locale.locale?.tag == (isValid ? tag : nil))
        whole[0] = 8
        #expect(EncodedGroup(whole.span) == nil)
    }

    struct Damage: NamedCase {
        let name: String
        /// The sums of a group of two notifications.
        let sums: [UInt64]
        var isValid = false
    }

    @Test(arguments: [
        Damage(name: "valid", sums: [1, 0, 1, 0, 2, 1, 2], isValid: true),
        Damage(name: "none of them interrupted", sums: [0, 0, 0, 2, 0, 0, 0], isValid: true),
        Damage(name: "too few", sums: [1, 0, 0, 0, 1, 1, 1]),
        Damage(name: "too many", sums: [1, 1, 1, 0, 1, 1, 1]),
        Damage(name: "more banners than notifications", sums: [1, 0, 1, 0, 3, 1, 1]),
        Damage(name: "more sounds than notifications", sums: [1, 0, 1, 0, 1, 3, 1]),
        Damage(name: "more changes than notifications", sums: [1, 0, 1, 0, 2, 2, 3]),
        Damage(name: "a number too large to be added", sums: [1 << 57, 0, 1, 0, 1, 1, 1]),
        Damage(name: "cut off", sums: [1, 0, 1, 0, 2, 1]),
        Damage(name: "something left", sums: [1, 0, 1, 0, 2, 1, 2, 0]),
        Damage(name: "missing", sums: []),
    ])
    func sumsThatNoStoreWritesAreInvalid(_ damage: Damage) {
        var notifications = [NotificationText(), NotificationText()]
        notifications[1].order = OrderKey(timestamp: 1, source: 0, line: 1)
        var bytes = StoredGroup(notifications, maximumArguments: 2).encoded()
        bytes[0] |= 8
        var output = OutputBuffer()
        for sum in damage.sums { output.appendNumber(sum) }
        bytes.append(output.bytes)
        #expect((EncodedGroup(bytes.span) != nil) == damage.isValid)
    }

    @Test(arguments: [Grouping.automatic, .byApp, .off])
    func traitsAreEncodedNextToTheGrouping(_ grouping: Grouping) throws {
        var notification = NotificationText()
        notification.collapseIdentifier = "c"
        notification.grouping = grouping
        let plain = notification.asBytes()
        for number in 0...NotificationTraits.maximumNumber {
            var (record, texts) = notification.encoded()
            record.traits = try #require(NotificationTraits(number: number))
            var output = OutputBuffer()
            record.encode(in: texts.span, to: &output)
            var bytes: [UInt8] = []
            bytes.append(output.bytes)
            #expect((bytes == plain) == (number == 0))
            let decoded = NotificationRecord(encoded: bytes.span, hasTraits: true)
            #expect(decoded?.traits.number == number)
            #expect(decoded?.grouping == grouping)
            // Files without traits have none.
            #expect((NotificationRecord(encoded: bytes.span) != nil) == (number == 0))
        }
    }

    @Test(arguments: [("", ""), ("d", ""), ("", "a"), ("d", "a")], [0, 70_000])
    func changesOfSettingsRoundTrip(_ scope: (device: String, app: String), _ offset: Int) {
        let texts = Array((scope.device + scope.app).utf8)
        var change = SettingsRecord()
        change.device = TextRange(0..<scope.device.utf8.count)
        change.app = TextRange(scope.device.utf8.count..<texts.count)
        change.order = OrderKey(timestamp: -5, source: 2, line: 300, index: 1)
        (change.settings.delivery.delivery, change.settings.delivery.sounds) = (.off, false)
        (change.settings.grouping, change.settings.showPreviews) = (.byApp, .never)
        (change.settings.delivery.badge, change.settings.isOpen) = (false, true)
        var output = OutputBuffer()
        change.encode(in: texts.span, to: &output)
        var bytes: [UInt8] = []
        bytes.append(output.bytes)
        guard let decoded = SettingsRecord(encoded: bytes.span, sourceOffset: offset) else {
            Issue.record("cannot read the change")
            return
        }
        #expect(decoded.settings == change.settings)
        #expect(decoded.order == OrderKey(timestamp: -5, source: 2 + offset, line: 300, index: 1))
        #expect(bytes.span[decoded.device].string == scope.device)
        #expect(bytes.span[decoded.app].string == scope.app)
        for count in 0..<bytes.count {
            #expect(SettingsRecord(encoded: bytes.span.extracting(first: count)) == nil, "\(count) bytes")
        }
        bytes.append(0)
        #expect(SettingsRecord(encoded: bytes.span) == nil)
    }

    /// Apart from the other settings, which may be none.
    @Test(arguments: [0, 1] as [UInt64], ["de", "zh-Hant-TW", "DE", "x"])
    func localesOfChangesRoundTrip(_ number: UInt64, _ tag: String) {
        var output = OutputBuffer()
        for _ in 0..<2 { output.appendText([UInt8]().span) }
        output.appendNumber(number)
        for _ in 0..<3 { output.appendNumber(0) }
        output.appendText(Array(tag.utf8).span)
        var bytes: [UInt8] = []
        bytes.append(output.bytes)
        let change = SettingsRecord(encoded: bytes.span)
        #expect(change?.settings.locale.locale?.tag == LocaleCode(tag: tag).map { _ in tag })
        guard let change else { return }
        #expect(change.settings.number == number)
        var again = OutputBuffer()
        change.encode(in: bytes.span, to: &again)
        var copy: [UInt8] = []
        copy.append(again.bytes)
        #expect(copy == bytes)
    }

    @Test(arguments: [0, 7, 1 << 53] as [UInt64], [false, true])
    func badgesAreEncodedAndDecoded(_ number: UInt64, _ isCritical: Bool) throws {
        var badge = BadgeRecord()
        (badge.device, badge.app) = (TextRange(0..<2), TextRange(2..<5))
        (badge.number, badge.isCritical) = (number, isCritical)
        badge.order = OrderKey(timestamp: 9, source: 2, line: 300)
        var output = OutputBuffer()
        badge.encode(in: Array("deapp".utf8).span, to: &output)
        var bytes: [UInt8] = []
        bytes.append(output.bytes)
        let found = BadgeRecord(encoded: bytes.span, sourceOffset: 3)
        let decoded = try #require(found)
        #expect(decoded.number == number && decoded.isCritical == isCritical)
        #expect(decoded.order == OrderKey(timestamp: 9, source: 5, line: 300))
        #expect(bytes.span[decoded.device].string == "de" && bytes.span[decoded.app].string == "app")
        for count in 0..<bytes.count {
            #expect(BadgeRecord(encoded: bytes.span.extracting(first: count)) == nil, "\(count) bytes")
        }
        bytes.append(0)
        #expect(BadgeRecord(encoded: bytes.span) == nil)
    }

    /// A badge without an app, and one that is too large.
    @Test(arguments: [("", 0), ("a", 1 << 54 + 2)] as [(String, UInt64)])
    func otherBadgesAreInvalid(_ app: String, _ content: UInt64) {
        var output = OutputBuffer()
        for text in ["", app] { output.appendText(Array(text.utf8).span) }
        output.appendNumber(content)
        output.append(OrderKey(timestamp: 0, source: 0, line: 1))
        var bytes: [UInt8] = []
        bytes.append(output.bytes)
        #expect(BadgeRecord(encoded: bytes.span) == nil)
    }

    private static let invalidNumbers: [UInt64] = {
        let shifts: [UInt64] = [3, 5, 7, 13, 15, 17, 19, 21, 23]
        return [0, 5, 1 << 25] + shifts.map { 3 << $0 }
    }()

    /// A change of nothing, and one of unknown settings.
    @Test(arguments: invalidNumbers)
    func otherNumbersOfSettingsAreInvalid(_ number: UInt64) {
        var output = OutputBuffer()
        for _ in 0..<2 { output.appendText([UInt8]().span) }
        output.appendNumber(number)
        for _ in 0..<3 { output.appendNumber(0) }
        var bytes: [UInt8] = []
        bytes.append(output.bytes)
        #expect(SettingsRecord(encoded: bytes.span) == nil)
    }
}
