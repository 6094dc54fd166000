import SheafBytes
import SheafText
import TestSupport
import Testing

@testable import SheafChecks
@testable import SheafGroups

/// The rules about what devices ignore or show wrongly, at their limits, in all three forms of a record.
@Suite struct PayloadRulesTests {
    /// The payload's members, and the problems that the check finds.
    typealias Payload = Example<String, [CheckProblem]>

    /// Checks the payload as an object, as a text, and in the bare form.
    private func check(_ payload: Payload, _ members: String = #""app":"a""#) {
        let object = "{\(payload.input)}"
        for line in [
            #"{\#(members),"payload":\#(object)}"#, #"{\#(members),"payload":\#(quoted(object))}"#,
            #"{\#(members),\#(payload.input)}"#,
        ] {
            let checked = CheckedLine(line)
            #expect(checked.problems == payload.expected.map(CheckFinding.problem), "\(line)")
            #expect(checked.isUnchanged)
            if case .rejected = checked.outcome { Issue.record("unexpectedly rejected: \(checked.outcome)") }
        }
    }

    private static func aps(_ name: String, _ members: String, _ problems: CheckProblem...) -> Payload {
        Payload(name, #""aps":{"alert":"x",\#(members)}"#, problems)
    }

    private static func alert(_ name: String, _ members: String, _ problems: CheckProblem...) -> Payload {
        Payload(name, #""aps":{"alert":{\#(members)}}"#, problems)
    }

    // MARK: Values

    @Test(arguments: [
        aps("passive", #""interruption-level":"passive""#), aps("active", #""interruption-level":"active""#),
        aps("time-sensitive", #""interruption-level":"time\u002dsensitive""#),
        aps("critical", #""interruption-level":"critical""#),
        aps("empty", #""interruption-level":"""#), aps("null", #""interruption-level":null"#),
        aps("capitals", #""interruption-level":"Passive""#, .interruptionLevelUnknown),
        aps("snake case", #""interruption-level":"time_sensitive""#, .interruptionLevelUnknown),
        aps("no text", #""interruption-level":1"#),
        aps("score 0", #""relevance-score":0"#), aps("score -0.0", #""relevance-score":-0.0"#),
        aps("score 1", #""relevance-score":1"#), aps("score 1e0", #""relevance-score":1e0"#),
        aps("score 1.0000001", #""relevance-score":1.0000001"#, .relevanceScoreRange),
        aps("score -0.1", #""relevance-score":-0.1"#, .relevanceScoreRange),
        aps("score 1e400", #""relevance-score":1e400"#, .relevanceScoreRange),
        aps("content 1.0", #""content-available":1.0"#),
        aps("content 0", #""content-available":0"#, .contentAvailableValue),
        aps("content 2", #""content-available":2"#, .contentAvailableValue),
        aps("content null", #""content-available":null"#),
        aps("badge 0", #""badge":0"#), aps("badge -0", #""badge":-0"#),
        aps("badge 1e400", #""badge":1e400"#), aps("badge -1", #""badge":-1"#, .badgeNegative),
        aps("badge -1e-9", #""badge":-1e-9"#, .badgeNegative),
    ])
    func valuesMustBeInRange(_ payload: Payload) { check(payload) }

    @Test func scoresOfLiveActivitiesMayBeAnything() {
        let payload = Self.aps("100", #""relevance-score":100"#)
        check(payload, #""app":"a","push-type":"liveactivity""#)
    }

    // MARK: What is shown

    private static let background = #""app":"a","push-type":"background""#
    private static let alertType = #""app":"a","push-type":"alert""#

    @Test(arguments: [
        Payload("nothing", #""aps":{"content-available":1}"#, []),
        Payload("null", #""aps":{"alert":null,"badge":null,"sound":null}"#, []),
        Payload("an alert", #""aps":{"alert":"x"}"#, [.backgroundShown]),
        Payload("an empty alert", #""aps":{"alert":""}"#, [.backgroundShown]),
        Payload("a badge", #""aps":{"badge":0}"#, [.backgroundShown]),
        Payload("a sound", #""aps":{"sound":"default"}"#, [.backgroundShown]),
        Payload(
            "an extension", #""aps":{"content-available":1,"mutable-content":1}"#, [.mutableContentHidden]),
        Payload(
            "an extension, a text", #""aps":{"alert":"x","mutable-content":1}"#,
            [.backgroundShown, .mutableContentHidden]),
        Payload("no extension", #""aps":{"content-available":1,"mutable-content":0}"#, []),
    ])
    func backgroundPushesMustShowNothing(_ payload: Payload) { check(payload, Self.background) }

    @Test(arguments: [
        Payload("nothing", #""aps":{}"#, [.alertEmpty]),
        Payload("an empty text", #""aps":{"alert":""}"#, [.alertEmpty]),
        Payload("empty texts", #""aps":{"alert":{"title":"","body":""}}"#, [.alertEmpty]),
        Payload("content alone", #""aps":{"content-available":1}"#, [.alertEmpty]),
        Payload("a subtitle", #""aps":{"alert":{"subtitle":"x"}}"#, []),
        Payload("a key", #""aps":{"alert":{"loc-key":"x"}}"#, []),
        Payload("a badge", #""aps":{"badge":0}"#, []),
        Payload("a sound", #""aps":{"sound":"x"}"#, []),
        Payload("an alert of the wrong type", #""aps":{"alert":5}"#, []),
        Payload("a body of the wrong type", #""aps":{"alert":{"body":5}}"#, []),
        Payload(
            "an extension without a text", #""aps":{"badge":1,"mutable-content":1}"#, [.mutableContentHidden]),
        Payload(
            "an extension, nothing", #""aps":{"mutable-content":1}"#, [.alertEmpty, .mutableContentHidden]),
        Payload("an extension, a text", #""aps":{"alert":"x","mutable-content":1}"#, []),
        Payload("no extension", #""aps":{"badge":1,"mutable-content":0}"#, []),
    ])
    func alertsMustShowSomething(_ payload: Payload) { check(payload, Self.alertType) }

    @Test(arguments: [
        Payload("a pass", #""aps":{}"#, []),
        Payload("an empty text", #""aps":{"alert":""}"#, [.alertEmpty]),
        Payload("an empty text and content", #""aps":{"alert":"","content-available":1}"#, []),
        Payload("a badge", #""aps":{"badge":3}"#, []),
        Payload(
            "an extension, content", #""aps":{"content-available":1,"mutable-content":1}"#,
            [.mutableContentHidden]),
        Payload(
            "an extension, a text and content",
            #""aps":{"alert":"x","content-available":1,"mutable-content":1}"#,
            []),
    ])
    func alertsWithoutPushTypeMayBeSilent(_ payload: Payload) { check(payload) }

    // MARK: Sounds

    @Test(arguments: [
        aps("a text", #""sound":"bell.caf""#),
        aps("complete", #""sound":{"critical":1,"name":"bell.caf","volume":0.5}"#),
        aps("no volume", #""sound": { "critical" : 1.0 , "name" : "default" } "#),
        aps("volume 0", #""sound":{"critical":1,"name":"x","volume":0}"#),
        aps("volume 1", #""sound":{"critical":1,"name":"x","volume":1}"#),
        aps("volume null", #""sound":{"critical":1,"name":"x","volume":null}"#),
        aps("volume 1.01", #""sound":{"critical":1,"name":"x","volume":1.01}"#, .soundVolume),
        aps("volume -0.01", #""sound":{"critical":1,"name":"x","volume":-0.01}"#, .soundVolume),
        aps("volume as text", #""sound":{"critical":1,"name":"x","volume":"1"}"#, .soundVolume),
        aps("no name", #""sound":{"critical":1}"#, .soundUnnamed),
        aps("an empty name", #""sound":{"critical":1,"name":""}"#, .soundUnnamed),
        aps("name null", #""sound":{"critical":1,"name":null}"#, .soundUnnamed),
        aps("a name with escapes", #""sound":{"critical":1,"n\u0061me":"x"}"#),
        aps("not critical", #""sound":{"name":"x"}"#, .soundNotCritical),
        aps("critical 0", #""sound":{"critical":0,"name":"x"}"#, .soundNotCritical),
        aps("critical true", #""sound":{"critical":true,"name":"x"}"#, .soundNotCritical),
        aps("the last of repeated keys", #""sound":{"critical":0,"critical":1,"name":"","name":"x"}"#),
        aps("empty", #""sound":{}"#, .soundUnnamed, .soundNotCritical),
        aps("nested", #""sound":{"critical":1,"x":{"name":"x"}}"#, .soundUnnamed),
    ])
    func soundDictionariesAreForCriticalAlerts(_ payload: Payload) { check(payload) }

    // MARK: Arguments

    @Test(arguments: [
        alert("with keys", #""title-loc-key":"t","title-loc-args":["a"],"loc-key":"b","loc-args":["a"]"#),
        alert("empty lists", #""body":"x","title-loc-args":[],"subtitle-loc-args":[ ],"loc-args":[]"#),
        alert("null", #""body":"x","loc-args":null"#),
        alert("body", #""body":"x","loc-args":["a"]"#, .bodyArgumentsUnused),
        alert("title", #""body":"x","title-loc-args":["a"]"#, .titleArgumentsUnused),
        alert("subtitle", #""body":"x","subtitle-loc-args":["a"]"#, .subtitleArgumentsUnused),
        alert("an empty key", #""body":"x","loc-key":"","loc-args":["a"]"#, .bodyArgumentsUnused),
        alert("a key of the wrong type", #""body":"x","loc-key":5,"loc-args":["a"]"#),
        alert("a list of the wrong type", #""body":"x","loc-args":"a""#),
        alert("the other's key", #""title-loc-key":"t","loc-args":["a"]"#, .bodyArgumentsUnused),
    ])
    func argumentsNeedAKey(_ payload: Payload) { check(payload) }

    // MARK: Thread identifiers

    @Test(arguments: [
        Payload("in aps", #""aps":{"alert":"x","thread-id":"t"},"thread-id":"t""#, []),
        Payload("next to aps", #""aps":{"alert":"x"},"thread-id":"t""#, [.threadInPayload]),
        Payload("before aps", #""thread-id":"t","aps":{"alert":"x"}"#, [.threadInPayload]),
        Payload("in camel case", #""aps":{"alert":"x"},"threadId":"t""#, [.threadInPayload]),
        Payload("in snake case", #""aps":{"alert":"x"},"thread_id":"t""#, [.threadInPayload]),
        Payload("empty", #""aps":{"alert":"x"},"thread-id":"""#, []),
        Payload("no text", #""aps":{"alert":"x"},"thread-id":5"#, []),
        Payload("further inside", #""aps":{"alert":"x"},"data":{"thread-id":"t"}"#, []),
        Payload("of a silent push", #""aps":{"content-available":1},"thread-id":"t""#, []),
        Payload("in the alert, too", #""aps":{"alert":{"body":"x","thread-id":"t"}},"thread-id":"t""#, []),
    ])
    func threadsBelongInAps(_ payload: Payload) { check(payload) }

    @Test(arguments: [
        (#""headers":{"thread-id":"t"}"#, true), (#""headers":{"apns-thread-id":"t"}"#, true),
        (#""headers":{"thread-id":""}"#, false), (#""thread-id":"t""#, true), (#""threadId":"t""#, true),
    ])
    func headersDoNotReachTheDevice(_ members: String, _ isFound: Bool) {
        for payload in [#"{"aps":{"alert":"x"}}"#, quoted(#"{"aps":{"alert":"x"}}"#)] {
            let checked = CheckedLine(#"{"app":"a",\#(members),"payload":\#(payload)}"#)
            #expect(checked.problems == (isFound ? [.problem(.threadInHeaders)] : []))
        }
        let bare = CheckedLine(#"{"app":"a",\#(members),"aps":{"alert":"x"}}"#)
        let isHeader = members.hasPrefix("\"headers")
        #expect(
            bare.problems
                == (isFound ? [.problem(isHeader ? .threadInHeaders : .threadInPayload)] : []))
    }

    // MARK: Keys

    private static func key(_ name: String, _ problem: CheckProblem?, _ detail: String?) -> (
        String, CheckProblem?, String?
    ) { (name, problem, detail) }

    @Test(arguments: [
        key("thread-id", nil, nil), key("target-content-id", nil, nil), key("filter-criteria", nil, nil),
        key(#"thread\u002did"#, nil, nil),
        key("threadId", .apsKeyUnknown, "'threadId', did you mean 'thread-id'?"),
        key("mutableContent", .apsKeyUnknown, "'mutableContent', did you mean 'mutable-content'?"),
        key("content_available", .apsKeyUnknown, "'content_available', did you mean 'content-available'?"),
        key("Badge", .apsKeyUnknown, "'Badge', did you mean 'badge'?"),
        key("sounds", .apsKeyUnknown, "'sounds', did you mean 'sound'?"),
        key("catagory", .apsKeyUnknown, "'catagory', did you mean 'category'?"),
        key("title", .apsKeyUnknown, "'title', did you mean 'title' in alert?"),
        key("loc-args", .apsKeyUnknown, "'loc-args', did you mean 'loc-args' in alert?"),
        key(#"\u0062agde"#, .apsKeyUnknown, "'bagde', did you mean 'badge'?"),
        key("order", .apsKeyCustom, "'order'"), key("id", .apsKeyCustom, "'id'"),
        key("data", .apsKeyCustom, "'data'"), key("url", .apsKeyCustom, "'url'"),
        key("", .apsKeyCustom, "''"),
        key(String(repeating: "k", count: 100), .apsKeyCustom, "'\(String(repeating: "k", count: 64))'"),
    ])
    func keysOfAps(_ key: String, _ problem: CheckProblem?, _ detail: String?) {
        let line = #"{"app":"a","payload":{"aps":{"alert":"x","\#(key)":null}}}"#
        var checker = LineChecker()
        let checked = checker.check(line)
        #expect(checked.problems == (problem.map { [.problem($0)] } ?? []))
        #expect(problem.flatMap { checker.checks.detail(of: $0) } == detail)
    }

    @Test(arguments: [
        key("subtitle", nil, nil), key("launch-image", nil, nil), key("thread-id", nil, nil),
        key("titleLocKey", .alertKeyUnknown, "'titleLocKey', did you mean 'title-loc-key'?"),
        key("sound", .alertKeyUnknown, "'sound', did you mean 'sound' in aps?"),
        key("threadId", .alertKeyUnknown, "'threadId', did you mean 'thread-id'?"),
        key("image", .alertKeyUnknown, "'image'"),
    ])
    func keysOfAlert(_ key: String, _ problem: CheckProblem?, _ detail: String?) {
        let line = #"{"app":"a","payload":{"aps":{"alert":{"body":"x","\#(key)":null}}}}"#
        var checker = LineChecker()
        let checked = checker.check(line)
        #expect(checked.problems == (problem.map { [.problem($0)] } ?? []))
        #expect(problem.flatMap { checker.checks.detail(of: $0) } == detail)
    }

    @Test func theAlertOfALiveActivityHasTheSound() {
        check(
            Payload("sound", #""aps":{"event":"update","alert":{"title":"x","sound":"x"}}"#, []),
            #""app":"a","push-type":"liveactivity""#)
    }

    /// Keys are compared with known ones once; the results must not depend on what was forgotten.
    @Test func manyDifferentKeysAreJudgedAlike() {
        var checker = LineChecker()
        for number in 0..<3_000 {
            let own = checker.check(#"{"app":"a","aps":{"alert":"x","k\#(number)":1}}"#)
            #expect(own.problems == [.problem(.apsKeyCustom)])
            let wrong = checker.check(#"{"app":"a","aps":{"alert":"x","threadId":1}}"#)
            #expect(wrong.problems == [.problem(.apsKeyUnknown)])
        }
    }

    // MARK: String tables and formats

    private static let settings: Settings = {
        var settings = Settings()
        var app = AppSettings()
        app.strings = "strings"
        var courier = CategorySettings()
        courier.summaryFormat = try? MessageFormat("%u more from %@", role: .summary)
        var sale = CategorySettings()
        sale.summaryFormat = try? MessageFormat("%u more offers", role: .summary)
        var byKey = CategorySettings()
        byKey.summaryFormatKey = "SUMMARY"
        var (wrongKey, wrongPlaceholder) = (CategorySettings(), byKey)
        wrongKey.summaryFormatKey = "MORE"
        wrongPlaceholder.placeholderKey = "HIDDEN"
        app.categories = [
            "courier": courier, "sale": sale, "by key": byKey, "none": CategorySettings(),
            "wrong key": wrongKey, "wrong placeholder": wrongPlaceholder,
        ]
        settings.apps["a"] = app
        return settings
    }()

    private static func strings() throws -> ResolvedStrings {
        let texts = [
            "NONE": "Arrived", "ONE": "Order %@", "TWO": "%2$@ from %1$@", "LAST": "%3$@",
            "NUMBER": "%d left",
            "SUMMARY": "%u more from %@",
        ]
        var tables = StringTables()
        tables.add(
            StringTable(language: "en", entries: texts.mapValues { StringEntry(.text($0)) }))
        return try ResolvedStrings(settings, tables: ["a": tables], locale: .default)
    }

    private func problems(_ aps: String, profile: Profile = .ios12) throws -> [CheckFinding] {
        var checker = LineChecker(
            KnownCategories(Self.settings, strings: try Self.strings()), profile: profile)
        return checker.check(#"{"app":"a","payload":{"aps":{\#(aps)}}}"#).problems
    }

    @Test(arguments: [
        Payload("none", #""loc-key":"NONE""#, []),
        Payload("one of one", #""loc-key":"ONE","loc-args":["a"]"#, []),
        Payload("two of one", #""loc-key":"ONE","loc-args":["a","b"]"#, []),
        Payload("none of one", #""loc-key":"ONE""#, [.bodyArgumentsFew]),
        Payload("an empty list", #""loc-key":"ONE","loc-args":[]"#, [.bodyArgumentsFew]),
        Payload("null", #""loc-key":"ONE","loc-args":null"#, [.bodyArgumentsFew]),
        Payload("one of two", #""loc-key":"TWO","loc-args":["a, [b]"]"#, [.bodyArgumentsFew]),
        Payload("two of two", #""loc-key":"TWO","loc-args":[["a"], {"b":1} ]"#, []),
        Payload("two of a third", #""loc-key":"LAST","loc-args":["a","b"]"#, [.bodyArgumentsFew]),
        Payload("a number", #""loc-key":"NUMBER""#, [.bodyArgumentsFew]),
        Payload("an unknown key", #""loc-key":"OTHER""#, [.localizedKeyUnknown]),
        Payload("an unknown key of a list", #""loc-key":"OTHER","loc-args":5"#, [.localizedKeyUnknown]),
        Payload(
            "an unknown key and a known one", #""title-loc-key":"ONE","loc-key":"OTHER""#,
            [.titleArgumentsFew, .localizedKeyUnknown]),
        Payload("an unknown key and a text", #""body":"x","loc-key":"OTHER""#, []),
        Payload("a key with an escape", #""loc-key":"O\u004eE""#, [.bodyArgumentsFew]),
        Payload("a list of the wrong type", #""loc-key":"ONE","loc-args":"a""#, []),
        Payload("a text besides", #""body":"x","loc-key":"ONE""#, []),
        Payload(
            "title and subtitle", #""title-loc-key":"ONE","subtitle-loc-key":"TWO","subtitle-loc-args":[1]"#,
            [.titleArgumentsFew, .subtitleArgumentsFew]),
    ])
    func textsNeedTheirArguments(_ payload: Payload) throws {
        for _ in 0..<2 {
            #expect(
                try problems(#""alert":{\#(payload.input)}"#) == payload.expected.map(CheckFinding.problem))
        }
        let other = CheckedLine(
            #"{"app":"b","payload":{"aps":{"alert":{\#(payload.input)}}}}"#, settings: Self.settings)
        #expect(other.problems == [], "of an app without string tables")
    }

    @Test(
        arguments: [
            (#""loc-key":"OTHER""#, "", "'OTHER' in en"),
            (#""title-loc-key":"A","subtitle-loc-key":"B","loc-key":"C""#, "", "'A' in en"),
            (#""title-loc-key":"ONE","title-loc-args":[1],"subtitle-loc-key":"B""#, "", "'B' in en"),
            (#""loc-key":"O\u0054HER""#, "", "'OTHER' in en"),
            (
                #""loc-key":"\#(String(repeating: "k", count: 70))""#, "",
                "'\(String(repeating: "k", count: 64))' in en"
            ),
            (#""body":"x""#, "wrong key", "'MORE' of the category 'wrong key' in en"),
            (#""body":"x""#, "wrong placeholder", "'HIDDEN' of the category 'wrong placeholder' in en"),
            (#""loc-key":"OTHER""#, "wrong key", "'OTHER' in en"),
            (#""body":"x""#, "by key", nil), (#""loc-key":"NONE""#, "none", nil),
        ] as [(String, String, String?)])
    func keysHaveTexts(_ members: String, _ category: String, _ detail: String?) throws {
        var checker = LineChecker(KnownCategories(Self.settings, strings: try Self.strings()))
        for _ in 0..<2 {
            let line = checker.check(
                #"{"app":"a","payload":{"aps":{"alert":{\#(members)},"category":"\#(category)"}}}"#)
            #expect(line.problems == (detail == nil ? [] : [.problem(.localizedKeyUnknown)]))
            #expect(checker.checks.detail(of: .localizedKeyUnknown) == detail)
        }
    }

    @Test(arguments: [
        (#""summary-arg-count":3"#, "courier", true), (#""summary-arg-count":3"#, "by key", true),
        (#""summary-arg-count":3,"summary-arg":"Ana""#, "courier", false),
        (#""summary-arg-count":3,"summary-arg":"""#, "courier", true),
        (#""summary-arg-count":3,"summary-arg":5"#, "courier", false),
        (#""summary-arg-count":null"#, "courier", false), (#""summary-arg-count":3"#, "sale", false),
        (#""summary-arg-count":3"#, "none", false),
    ])
    func formatsNeedTheirArgument(_ members: String, _ category: String, _ isFound: Bool) throws {
        let aps = #""alert":{"body":"x",\#(members)},"category":"\#(category)""#
        #expect(try problems(aps) == (isFound ? [.problem(.summaryArgumentMissing)] : []))
        let others = try problems(aps, profile: .ios15).filter { $0 != .record(.summaryDeprecated) }
        #expect(others == [], "iOS 15 ignores arguments")
    }

    // MARK: Random damage

    /// Checks of damaged lines read nothing outside them, and never change a byte.
    @Test(arguments: Seeds.several(20)) func damagedLinesAreSafeToCheck(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let lines = try Repository.contents(of: "Data/check/wrong.ndjson").split(
            separator: UInt8(ascii: "\n"))
        var checker = LineChecker(KnownCategories(Self.settings, strings: try Self.strings()))
        for _ in 0..<500 {
            var bytes = Array(random.pick(lines))
            for _ in 0..<random.pick([1, 1, 2, 5]) {
                let index = random.below(bytes.count)
                switch random.below(3) {
                case 0: bytes[index] = random.pick(Array("{}[]\",:\\ 1-ux\u{0}".utf8))
                case 1: bytes.remove(at: index)
                default:
                    bytes.insert(
                        contentsOf: bytes[index..<min(index + random.below(9), bytes.count)], at: index)
                }
                if bytes.isEmpty { bytes = [UInt8(ascii: "{")] }
            }
            let line = checker.check(bytes)
            for case .problem(let problem) in line.problems { _ = checker.checks.detail(of: problem) }
            #expect(line.isUnchanged)
        }
    }
}
