import SheafBytes
import TestSupport
import Testing

@testable import SheafGroups

/// What a notification asks for (specification §16): its interruption level, its sound, and whether it may be changed.
@Suite struct DeliveryTraitsTests {
    struct Case: NamedCase {
        let name: String
        /// The members of `aps` after the alert.
        let aps: String
        /// The level according to iOS 15, and to iOS 12.
        var levels = (ios15: InterruptionLevel.active, ios12: InterruptionLevel.active)
        var hasSound = false
        var isMutable = false
    }

    static let cases = [
        Case(name: "nothing", aps: ""),
        Case(
            name: "critical by its level", aps: #""interruption-level":"critical""#,
            levels: (.critical, .critical)),
        Case(
            name: "critical by its sound", aps: #""sound":{"critical":1,"name":"s"}"#,
            levels: (.critical, .critical), hasSound: true),
        Case(
            name: "critical by its sound, with another level",
            aps: #""sound":{"critical":1},"interruption-level":"passive""#, levels: (.critical, .critical),
            hasSound: true),
        Case(
            name: "critical with an escape", aps: #""sound":{"cr\u0069tical": 1.0 }"#,
            levels: (.critical, .critical), hasSound: true),
        Case(name: "not critical", aps: #""sound":{"critical":0,"name":"s"}"#, hasSound: true),
        Case(name: "not critical, and no name", aps: #""sound":{"critical":0}"#),
        Case(name: "critical that is not a number", aps: #""sound":{"critical":true,"name":""}"#),
        Case(
            name: "the last of repeated keys",
            aps: #""sound":{"critical":1,"name":"s","critical":0,"name":7}"#),
        Case(
            name: "time-sensitive", aps: #""interruption-level":"time-sensitive""#,
            levels: (.timeSensitive, .active)),
        Case(name: "passive", aps: #""interruption-level":"passive""#, levels: (.passive, .active)),
        Case(
            name: "passive with an escape", aps: #""interruption-level":"p\u0061ssive""#,
            levels: (.passive, .active)),
        Case(name: "active", aps: #""interruption-level":"active""#),
        Case(name: "an unknown level", aps: #""interruption-level":"Passive""#),
        Case(name: "a level with an underscore", aps: #""interruption-level":"time_sensitive""#),
        Case(name: "a level of another type", aps: #""interruption-level":4"#),
        Case(name: "a sound", aps: #""sound":"default""#, hasSound: true),
        Case(name: "an empty sound", aps: #""sound":"""#),
        Case(name: "a sound that is a number", aps: #""sound":1"#),
        Case(name: "no sound", aps: #""sound":null"#),
        Case(name: "an empty dictionary", aps: #""sound":{}"#),
        Case(name: "a dictionary with a volume", aps: #""sound":{"volume":1}"#),
        Case(name: "mutable content", aps: #""mutable-content":1"#, isMutable: true),
        Case(name: "mutable content as a fraction", aps: #""mutable-content":1e0"#, isMutable: true),
        Case(name: "no mutable content", aps: #""mutable-content":0"#),
        Case(name: "mutable content that is a string", aps: #""mutable-content":"1""#),
        Case(
            name: "everything",
            aps: #""mutable-content":1,"sound":"s","interruption-level":"time-sensitive""#,
            levels: (.timeSensitive, .active), hasSound: true, isMutable: true),
    ]

    private static func traits(_ line: String, _ input: LogInput = .automatic) -> NotificationTraits? {
        let records = ReadLine(line, input, readsTraits: true).records
        return records.count == 1 && records[0].outcome == .notification ? records[0].traits : nil
    }

    private static func check(_ traits: NotificationTraits?, _ item: Case) {
        #expect(traits?.level(.ios15) == item.levels.ios15)
        #expect(traits?.level(.ios12) == item.levels.ios12)
        #expect(traits?.hasSound == item.hasSound)
        #expect(traits?.isMutable == item.isMutable)
    }

    @Test(arguments: cases) func theTraitsOfANotificationAreRead(_ item: Case) {
        let aps = "{\"alert\":\"x\"\(item.aps.isEmpty ? "" : ",")\(item.aps)}"
        Self.check(Self.traits("{\"app\":\"a\",\"aps\":\(aps)}"), item)
        Self.check(Self.traits("{\"app\":\"a\",\"payload\":{\"aps\":\(aps)}}"), item)
        let quoted = "{\"aps\":\(aps)}".replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        Self.check(Self.traits("{\"app\":\"a\",\"payload\":\"\(quoted)\"}"), item)
        // After texts that are packed in place.
        let localized = aps.replacing("\"x\"", with: #"{"loc-key":"K","loc-args":["\u0041"],"title":"T"}"#)
        Self.check(Self.traits("{\"app\":\"a\",\"aps\":\(localized)}"), item)
    }

    @Test(arguments: cases) func theTraitsAreReadOnlyIfTheyAreNeeded(_ item: Case) {
        let line = "{\"app\":\"a\",\"aps\":{\"alert\":\"x\"\(item.aps.isEmpty ? "" : ",")\(item.aps)}}"
        let record = ReadLine(line).records.first
        #expect(record?.outcome == .notification)
        #expect(record?.traits == NotificationTraits.none)
    }

    @Test func otherShapesHaveTraits() {
        let expo =
            #"{"to":"ExponentPushToken[x]","body":"b","sound":"default","interruptionLevel":"passive","#
        let traits = ReadLine(expo + #""mutableContent":true}"#, app: "a", readsTraits: true).records.first?
            .traits
        #expect(traits == NotificationTraits(level: .passive, hasSound: true, isMutable: true))
        // Expo's `critical` is a boolean, and a message to several devices has the same sound for each.
        let several =
            #"{"to":["ExponentPushToken[x]","ExponentPushToken[y]"],"body":"b","interruptionLevel":"p\u0061ssive","#
        for (sound, isCritical) in [
            (#"{"critical":true}"#, true), (#"{"name":"s","critical":false}"#, false),
        ] {
            let records = ReadLine(several + "\"sound\":\(sound)}", app: "a", readsTraits: true).records
            let traits = NotificationTraits(
                level: isCritical ? .critical : .passive, hasSound: true, isMutable: false)
            #expect(records.map(\.traits) == [traits, traits])
        }
        let onesignal = #"{"app_id":"1","contents":{"en":"x"},"ios_interruption_level":"time_sensitive"}"#
        let sensitive = ReadLine(onesignal, app: "a", readsTraits: true).records.first?.traits
        #expect(sensitive == NotificationTraits(level: .timeSensitive, hasSound: false, isMutable: false))
        let fcm =
            #"{"message":{"token":"t","apns":{"headers":{"apns-topic":"a"},"payload":{"aps":{"alert":"x","#
            + #""sound":{"critical":1,"name":"s"}}}}}}"#
        let critical = ReadLine(fcm, readsTraits: true).records.first?.traits
        #expect(critical == NotificationTraits(level: .critical, hasSound: true, isMutable: false))
    }

    @Test func everyNumberIsThatOfTraits() throws {
        for number in 0...NotificationTraits.maximumNumber {
            #expect(try #require(NotificationTraits(number: number)).number == number)
        }
        #expect(NotificationTraits(number: NotificationTraits.maximumNumber + 1) == nil)
    }
}
